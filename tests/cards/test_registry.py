from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from famulus_kernel.cards.registry import MAX_BYTES, budget_of, load, read_folder, read_lexicon
from famulus_kernel.errors import CardError, plain

HERE = Path(__file__).parent / "registry"


@pytest.fixture
def registry(tmp_path: Path) -> Path:
    return Path(shutil.copytree(HERE, tmp_path / "registry"))


def told(folder: Path) -> list[tuple[str | None, str]]:
    return [(error.where.file, plain(error.message)) for one in read_folder(folder) for error in one.problems]


def test_three_neighbouring_cards_are_read_with_their_counts() -> None:
    found = [one.card for one in read_folder(HERE)]
    assert [
        (one.id, len(one.examples), len(one.counter_examples), len(one.tools), one.side_effects) for one in found if one
    ] == [("crm-writer", 9, 4, 2, "writes"), ("docs-finder", 10, 3, 1, "none"), ("web-reader", 10, 4, 2, "none")]


def test_errors_of_all_cards_are_told_in_one_run(registry: Path) -> None:
    for file in registry.glob("*.card.yaml"):
        file.write_text(file.read_text(encoding="utf-8").replace("tools:", "toolz:"), encoding="utf-8")
    assert told(registry) == [
        (f"{card}.card.yaml", words)
        for card in ("crm-writer", "docs-finder", "web-reader")
        for words in ("tools is missing", "toolz is no field of a card")
    ]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "the card is empty"),
        (b"id: \xff\xfe", "it is not UTF-8 text (byte 4)"),
        (b"summary: " + b"x" * 1_000_000, f"it has 1000009 bytes, at most {MAX_BYTES} are read"),
        (b"id: [", "did not find expected node content"),
    ],
)
def test_a_file_that_is_no_card_does_not_keep_the_others_from_being_read(
    registry: Path, content: bytes, words: str
) -> None:
    (registry / "a.card.yaml").write_bytes(content)
    found = told(registry)
    assert [file for file, _ in found] == ["a.card.yaml"]
    assert words in found[0][1]
    assert sum(one.card is not None for one in read_folder(registry)) == 3


def test_a_loop_of_links_and_a_folder_called_like_a_card_are_told(registry: Path) -> None:
    (registry / "loop.card.yaml").symlink_to("loop.card.yaml")
    (registry / "folder.card.yaml").mkdir()
    assert told(registry) == [
        ("folder.card.yaml", "it is no file, or a link that leads nowhere"),
        ("loop.card.yaml", "it is no file, or a link that leads nowhere"),
    ]


def test_a_file_that_may_not_be_read_is_told(registry: Path) -> None:
    if os.geteuid() == 0:
        pytest.skip("root reads everything")
    (registry / "web-reader.card.yaml").chmod(0)
    assert told(registry)[0][1].startswith("it cannot be read: Permission denied")


def test_two_cards_of_one_id_are_told_though_case_tells_their_files_apart(registry: Path) -> None:
    shutil.copy(registry / "web-reader.card.yaml", registry / "Web-Reader.card.yaml")
    found = told(registry)
    assert ("Web-Reader.card.yaml", "id is 'web-reader', but the file is called 'Web-Reader'") in found
    assert ("web-reader.card.yaml", "id is 'web-reader', as in Web-Reader.card.yaml already") in found


def test_a_card_with_the_other_ending_of_yaml_is_not_passed_over(registry: Path) -> None:
    (registry / "web-reader.card.yaml").rename(registry / "web-reader.card.yml")
    assert told(registry) == [("web-reader.card.yml", "web-reader.card.yml would not be found")]


def test_a_folder_without_a_card_and_no_folder_are_errors(tmp_path: Path) -> None:
    with pytest.raises(CardError, match="holds no card"):
        read_folder(tmp_path)
    with pytest.raises(CardError, match="is no folder"):
        read_folder(tmp_path / "nothing")


def test_a_lexicon_that_is_no_lists_of_words_is_told_with_its_line(registry: Path) -> None:
    (registry / "words.yaml").write_text("many: [viele, wie viele]\nwho: wer\nwhat: [null]\n", encoding="utf-8")
    words, problems = read_lexicon(registry)
    assert not words
    assert [(error.where.file, error.where.line) for error in problems] == [("words.yaml", 2), ("words.yaml", 3)]


def test_a_project_s_card_replaces_ours_of_the_same_id(registry: Path, tmp_path: Path) -> None:
    own = tmp_path / "own"
    own.mkdir()
    text = (registry / "docs-finder.card.yaml").read_text(encoding="utf-8")
    (own / "docs-finder.card.yaml").write_text(text.replace("version: 1.0.0", "version: 9.0.0"), encoding="utf-8")
    merged = load(registry, own)
    assert [card.id for card in merged.cards] == ["crm-writer", "docs-finder", "web-reader"]
    assert merged.card("docs-finder").version == "9.0.0"


@pytest.mark.parametrize(
    ("plan", "calls"),
    [("correspondence-count", 8), ("duckdb-read", 8), ("artifact:d3-graph", 4), ("artifact:table", 4)],
)
def test_the_budget_of_a_plan_is_that_of_its_card(plan: str, calls: int) -> None:
    budget = budget_of(plan)
    assert budget is not None
    assert budget.max_tool_calls == calls


def test_a_plan_without_a_card_has_no_budget() -> None:
    assert budget_of("nobody's plan") is None


def test_a_budget_that_was_changed_on_the_disk_holds_at_once(registry: Path) -> None:
    file = registry / "docs-finder.card.yaml"
    text = file.read_text(encoding="utf-8")
    file.write_text(text + "plan: sentence-mention\nbudget: {max_tool_calls: 1}\n", encoding="utf-8")
    first = budget_of("sentence-mention", [registry])
    os.utime(file, ns=(0, 0))
    file.write_text(text + "plan: sentence-mention\nbudget: {max_tool_calls: 2}\n", encoding="utf-8")
    second = budget_of("sentence-mention", [registry])
    assert first is not None
    assert second is not None
    assert (first.max_tool_calls, second.max_tool_calls) == (1, 2)
