"""Questions that cannot be answered, met on the command line, in the kernel and on a page: each stops with its error.

One project has a block for each; every surface plays or shows it once, through a process of its own.
"""

from __future__ import annotations

import html
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import duckdb
import pytest
from collections_made import Letter, make_collection
from kernels import running_kernel
from projects import ProjectFolder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kernels import RunningKernel


class Bad(NamedTuple):
    """A preamble that cannot be answered, the code of its error and what the error and its hint name."""

    preamble: str
    code: str
    names: tuple[str, ...]


COUNT = "subtask: correspondence-count\n"
FIND = "subtask: terminology-find\n"
BAD = {
    "collection": Bad(f"{COUNT}collections: [hauss]", "collection", ("hauss", "haus")),
    "table": Bad("subtask: manuscript-inventory\ncollections: [haus]", "collection", ("haus", "manuscripts")),
    "column": Bad(
        f"{COUNT}collections: [spalte]\npersons: [Willibald Wirt]",
        "collection",
        ("letters_resolved", "spalte", "sender_id", "von", "schema"),
    ),
    "empty": Bad(f"{COUNT}collections: [leer]\npersons: [w]", "collection", ("leer", "letters_resolved")),
    "unknown-person": Bad(
        f"{COUNT}collections: [haus]\npersons: [Wilibald Wirth]", "person-unknown", ("Wilibald Wirth", "Willibald Wirt")
    ),
    "ambiguous-person": Bad(
        f"{COUNT}collections: [haus]\npersons: [Namensvetter]",
        "person-ambiguous",
        ("Namensvetter", "der Ältere", "der Jüngere", "n1", "n2"),
    ),
    "lemma": Bad(
        f"{FIND}collections: [haus]\nlemmata: [naturra]\ncounting_mode: canonical",
        "lemma-unknown",
        ("naturra", "natura"),
    ),
    "years": Bad(
        f"{COUNT}collections: [haus]\npersons: [w]\nyears: {{from: 1530, to: 1520}}", "years-reversed", ("1530", "1520")
    ),
    "undated": Bad(f"{COUNT}collections: [undatiert]\npersons: [w]\nyears: {{from: 1520}}", "undated", ("undatiert",)),
    "counting-mode": Bad(
        f"{FIND}collections: [haus]\nlemmata: [natura]",
        "counting-mode-missing",
        ("counting-mode", "canonical", "family+adj"),
    ),
    "nothing": Bad(
        f"{COUNT}collections: [haus]\npersons: [w]\nyears: {{from: 1700}}",
        "empty",
        ("correspondence-count", "oracle", "n_correspondents: 0"),
    ),
}
GOOD = f"""---
id: nothing-expected
{BAD["nothing"].preamble}
oracle: {{n_letters: 0}}
---
Wie viele?"""
PERSONS = [
    ("w", "Willibald Wirt", "person"),
    ("n1", "Namensvetter der Ältere", "person"),
    ("n2", "Namensvetter der Jüngere", "person"),
]
VARIANTS = [("n1", "Namensvetter"), ("n2", "Namensvetter")]


def body(name: str) -> str:
    return f"---\nid: {name}\n{BAD[name].preamble}\n---\nWie viele?"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> ProjectFolder:
    """Give a project with a block for every question, and collections that are wrong in one way each."""
    place = tmp_path_factory.mktemp("bad")
    root = place / "collections"
    letters = [Letter("L1", "w", "n1", "1520-05-03", doc="d1")]
    words = [("d1", 0, 0, "la", [("natura", "natura", "NOUN")])]
    make_collection(root, "haus", letters=letters, persons=PERSONS, variants=VARIANTS, sentences=words)
    make_collection(root, "leer", persons=PERSONS)
    make_collection(root, "undatiert", letters=[Letter("L1", "w", "n1")], persons=PERSONS)
    broken = make_collection(root, "spalte", letters=letters, persons=PERSONS)
    with duckdb.connect(str(broken.letters_path)) as connection:
        connection.execute("ALTER TABLE letters_resolved RENAME sender_id TO von")
    project = ProjectFolder(place / "probe")
    project.write("famulus.yml", f"id: probe\ncollections_root: {root}\n")
    project.write("_quarto.yml", "project: {type: website}\n")
    project.blocks("a.fam", *(body(name) for name in BAD), GOOD)
    return project


@pytest.fixture(scope="module")
def said(folder: ProjectFolder) -> str:
    """Give what `run` says of the project on standard error."""
    ran = folder.cli("run")
    assert ran.status == 1
    return ran.err


@pytest.fixture(scope="module")
def page(folder: ProjectFolder, said: str) -> str:
    """Give the text of the page."""
    folder.cli("render", ".", "--embedded")
    (written,) = folder.root.rglob("a.html")
    return plain(html.unescape(re.sub(r"<[^>]*>", "", written.read_text(encoding="utf-8"))))


@pytest.fixture(scope="module")
def kernel(folder: ProjectFolder, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningKernel]:
    """Give a kernel that works in the project's folder."""
    with running_kernel(folder.root, tmp_path_factory.mktemp("place")) as running:
        yield running


@pytest.mark.parametrize("name", BAD)
def test_the_command_line_names_what_is_wrong_and_where(name: str, said: str, folder: ProjectFolder) -> None:
    verdict = folder.verdict(name)
    assert verdict["status"] == "error"
    error: dict[str, Any] = verdict["observed"]["error"]
    assert error["code"] == BAD[name].code, error
    for part in BAD[name].names:
        assert part in error["message"] + error["hint"], error
    assert plain(error["message"]) in plain(said)
    assert "a.fam:" in said
    assert list((folder.version(name) / "artefacts").iterdir()) == []


@pytest.mark.parametrize("name", BAD)
def test_the_kernel_says_the_same(name: str, said: str, folder: ProjectFolder, kernel: RunningKernel) -> None:
    answer = kernel.run(body(name))
    assert answer.status == "error"
    error = folder.verdict(name)["observed"]["error"]
    told = plain("\n".join((answer.reply["evalue"], *answer.reply["traceback"])))
    assert plain(error["message"]) in told
    for part in BAD[name].names:
        assert plain(part) in told


@pytest.mark.parametrize("name", BAD)
def test_the_page_shows_it_in_the_place_of_an_answer(name: str, page: str, folder: ProjectFolder) -> None:
    assert plain(folder.verdict(name)["observed"]["error"]["message"]) in page


def test_nothing_is_an_answer_where_the_oracle_says_so(said: str, folder: ProjectFolder) -> None:
    assert folder.verdict("nothing-expected")["status"] == "pass"
    assert "nothing-expected" not in said


@pytest.mark.parametrize("root", ["/nowhere/at/all", None])
def test_a_root_that_is_not_mounted_is_named_on_every_surface(
    root: str | None, project: ProjectFolder, tmp_path: Path
) -> None:
    project.write("_quarto.yml", "project: {type: website}\n")
    project.blocks("a.fam", body("years").replace("from: 1530", "from: 1500"))
    environment = {"PDAI_COLLECTIONS": root} if root else {}
    ran = project.cli("run", env=environment)
    assert ran.status == 1
    error = project.verdict("years")["observed"]["error"]
    assert error["code"] == "file-missing"
    place = root or "/Volumes/PDAI-1/pdai-collections"
    said = plain(error["message"] + error["hint"])
    assert all(part in said for part in ("$PDAI_COLLECTIONS", place, "mount the collections"))
    assert plain(error["message"]) in plain(ran.err)
    project.cli("render", ".", "--embedded", env=environment)
    (written,) = project.root.rglob("a.html")
    assert place in html.unescape(re.sub(r"<[^>]*>", "", written.read_text(encoding="utf-8")))
    if root:
        with running_kernel(project.root, tmp_path / "place", env=environment) as kernel:
            assert place in kernel.run(body("years").replace("from: 1530", "from: 1500")).reply["evalue"]


def plain(text: str) -> str:
    """Return a text without marks of bold, colours and the way its lines are broken."""
    return " ".join(re.sub(r"\x1b\[[0-9;]*m|\*\*", "", text).split())
