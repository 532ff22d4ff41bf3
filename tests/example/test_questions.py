"""docs/questions.md, played: ten questions go from a sentence to a checked answer on a page."""

from __future__ import annotations

import re
import shlex
import shutil
from collections import Counter
from pathlib import Path

import duckdb
import pytest
from projects import REPOSITORY, ProjectFolder

PAGE = (REPOSITORY / "docs" / "questions.md").read_text(encoding="utf-8")
COMMANDS = [shlex.split(line)[1:] for line in PAGE.splitlines() if line.startswith("famulus-notebook ")]
QUESTIONS = [words for words in COMMANDS if words[0] == "new"]
OTHERS = [words for words in COMMANDS if words[0] != "new"]
EXAMPLE = REPOSITORY / "example-project"


@pytest.fixture(scope="module")
def played(built: Path, tmp_path_factory: pytest.TempPathFactory) -> ProjectFolder:
    """Give the example with nothing in it but its data, after every command of the page."""
    root = tmp_path_factory.mktemp("questions")
    shutil.copytree(built / "data", root / "data")
    for name in ("famulus.yml", "_quarto.yml"):
        shutil.copy(EXAMPLE / name, root / name)
    folder = ProjectFolder(root)
    cache = {"FAMULUS_CACHE": str(root / ".cache")}
    for words in COMMANDS:
        ran = folder.cli(*words, env=cache)
        assert ran.status == 0, ran.err
    return folder


def test_the_page_asks_ten_questions_of_five_subtasks_and_then_runs_and_renders(played: ProjectFolder) -> None:
    found = Counter(re.findall(r"^subtask: (\S+)", (played.root / "fragen.fam").read_text(encoding="utf-8"), re.M))
    assert len(QUESTIONS) == 10
    assert set(found.values()) == {2}
    assert len(found) == 5
    assert [words[0] for words in OTHERS] == ["run", "render"]


def test_every_answer_was_checked_and_passed(played: ProjectFolder) -> None:
    found = played.cli("status", ".", "--json").json["blocks"]
    assert len(found) == 10
    assert {(one["state"], one["verdict"], one["checked"]) for one in found} == {("fresh", "pass", True)}


def test_every_question_stands_on_the_page_with_its_answer(played: ProjectFolder) -> None:
    page = (played.root / "_site" / "fragen.html").read_text(encoding="utf-8")
    text = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page)).replace("&#39;", "'").replace("&quot;", '"')
    for words in QUESTIONS:
        assert words[1].replace('"', "").split()[-1].strip("?") in text
    assert "28 Briefpartner von 1520 bis 1530, in 40 Briefen" in text
    assert "11 Belege" in text


def test_the_block_that_the_page_shows_is_the_one_that_is_written(played: ProjectFolder) -> None:
    shown = re.search(r"````markdown\n(.*?)````", PAGE, re.S)
    assert shown is not None
    first = (played.root / "fragen.fam").read_text(encoding="utf-8").partition("```{famulus}")
    assert "".join(first[1:]).startswith(shown[1])


def test_what_is_expected_was_counted_without_the_subtasks(built: Path) -> None:
    """The page's numbers, by SQL of their own."""
    with duckdb.connect(str(built / "data/pirckheimer/pirckheimer.duckdb"), read_only=True) as letters:
        pairs = (
            "SELECT count(DISTINCT g.ent_id), count(DISTINCT letter_id) FROM gegenueber g JOIN briefe USING (letter_id)"
        )
        for first, last, partners, number in ((1520, 1530, 28, 40), (1510, 1519, 23, 44), (1521, 1524, 8, 13)):
            found = letters.execute(f"{pairs} WHERE year(von) >= {first} AND year(bis) <= {last}").fetchone()
            assert found == (partners, number)
        assert letters.execute(f"{pairs} WHERE g.ent_id = 'duerer-albrecht'").fetchone() == (1, 15)
    with duckdb.connect(str(built / "data/laelius/laelius_stanza.duckdb"), read_only=True) as texts:

        def sentences(*lemmata: str) -> int:
            places = [
                f"SELECT DISTINCT doc_id, pidx, sent_idx FROM stz_tokens WHERE lemma = '{one}'" for one in lemmata
            ]
            found = texts.execute(f"SELECT count(*) FROM ({' INTERSECT '.join(places)})").fetchone()
            assert found is not None
            return int(found[0])

        words = texts.execute(
            "SELECT count(*) FILTER (lemma = 'amicitia'), count(*) FILTER (lemma = 'virtus') FROM stz_tokens"
        )
        assert words.fetchone() == (11, 8)
        assert [sentences("amicitia", "virtus"), sentences("amicitia", "sapientia")] == [4, 1]
        assert [sentences("virtus"), sentences("caritas")] == [5, 1]
