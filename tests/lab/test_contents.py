"""The contents managers that servers are configured with, real ones, over real folders."""

from __future__ import annotations

import asyncio
import base64
import inspect
import json
import os
import stat
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbformat.v4 import new_notebook
from projects import ProjectFolder, read_block

pytest.importorskip("jupyter_server")

from jupyter_server.services.contents.filecheckpoints import AsyncGenericFileCheckpoints
from jupyter_server.services.contents.largefilemanager import AsyncLargeFileManager, LargeFileManager
from tornado.web import HTTPError

from famulus_kernel.adapter.runner import Runner
from famulus_kernel.lab.contents import with_notebooks
from famulus_kernel.project.project import Project

BLOCK = read_block("zahl", "SELECT 1 AS x", extra="oracle: {x: 1}")
TEXT = f"---\ntitle: Größe\n---\n\nVorher.\n\n```{{famulus}}\n{BLOCK.strip()}\n```\n\nNachher.\n"


class Contents:
    """A manager whose answers are waited for, whether it is one to be awaited or not."""

    def __init__(self, manager: Any) -> None:
        self.manager = manager

    def __getattr__(self, name: str) -> Any:
        def ask(*given: Any, **named: Any) -> Any:
            found = getattr(self.manager, name)(*given, **named)

            async def waited() -> Any:
                return await found

            return asyncio.run(waited()) if inspect.isawaitable(found) else found

        return ask

    def through_browser(self, path: str, change: Any = None) -> dict[str, Any]:
        """Open a notebook and save it, as JSON carries it both ways."""
        model = self.get(path, type="notebook", format="json", require_hash=True)
        sent = json.loads(json.dumps(model["content"]))
        if change:
            change(sent)
        saved: dict[str, Any] = self.save({"type": "notebook", "format": "json", "content": sent}, path)
        return saved


@pytest.fixture(params=[AsyncLargeFileManager, LargeFileManager])
def contents(request: pytest.FixtureRequest, tmp_path: Path) -> Contents:
    return Contents(with_notebooks(request.param)(root_dir=str(tmp_path), delete_to_trash=False))


@pytest.fixture
def served(tmp_path: Path) -> Contents:
    return Contents(with_notebooks(AsyncLargeFileManager)(root_dir=str(tmp_path), delete_to_trash=False))


def test_a_fam_file_is_listed_and_opened_as_a_notebook(contents: Contents, tmp_path: Path) -> None:
    (tmp_path / "a.fam").write_text(TEXT)
    (tmp_path / "b.qmd").write_text(TEXT)
    (tmp_path / "c.fam").mkdir()
    listed = {one["name"]: one["type"] for one in contents.get("")["content"]}
    assert listed == {"a.fam": "notebook", "b.qmd": "file", "c.fam": "directory"}
    model = contents.get("a.fam")
    assert (model["type"], model["format"], model["mimetype"]) == ("notebook", "json", None)
    nbformat.validate(model["content"])
    assert [cell.cell_type for cell in model["content"].cells] == ["markdown", "code", "markdown"]
    assert contents.get("a.fam", content=False)["content"] is None
    assert contents.get("c.fam")["type"] == "directory"


def test_its_text_is_there_for_those_who_ask_for_a_file(contents: Contents, tmp_path: Path) -> None:
    (tmp_path / "a.fam").write_text(TEXT)
    model = contents.get("a.fam", type="file", format="text")
    assert (model["type"], model["content"]) == ("file", TEXT)
    saved = contents.save({"type": "file", "format": "text", "content": "x"}, "a.fam")
    assert saved["type"] == "notebook"
    assert (tmp_path / "a.fam").read_text() == "x"


BROKEN = {
    "nothing": b"",
    "blank": b"\n \n",
    "latin1": TEXT.encode("latin-1"),
    "bytes": b"\xff\xfe\x00```{famulus}\n\x80\n```\n",
    "bom and crlf": b"\xef\xbb\xbf" + TEXT.replace("\n", "\r\n").encode(),
    "all kinds of breaks": b"a\rb\r\nc\n```{famulus}\n---\r\nid: x\r---\n```\r\n",
    "a block that is no YAML": b"```{famulus}\n---\nid: [\n---\n```\n",
    "a fence that is open": b"```{famulus}\n---\nid: x",
    "a block of nothing": b"```{famulus}\n\n```\n",
    "a fence of tildes": b"~~~~{famulus .wide}\na\n~~~\n~~~~~   \n\n\n",
}


@pytest.mark.parametrize("data", BROKEN.values(), ids=BROKEN.keys())
@pytest.mark.parametrize("suffix", [".fam", ".qmd"])
def test_whatever_a_file_holds_is_saved_to_the_byte(served: Contents, tmp_path: Path, data: bytes, suffix: str) -> None:
    file = tmp_path / f"Ordner mit Ä{suffix}"
    file.write_bytes(data)
    assert served.through_browser(file.name)["type"] == "notebook"
    assert file.read_bytes() == data


def test_a_file_of_megabytes_is_saved_to_the_byte_too(served: Contents, tmp_path: Path) -> None:
    data = (TEXT.replace("zahl", "x") + "Wort " * 5000 + "\n\n").encode() * 100
    (tmp_path / "groß.fam").write_bytes(data)
    served.through_browser("groß.fam")
    assert (tmp_path / "groß.fam").read_bytes() == data


def test_an_edit_changes_its_cell_only(contents: Contents, tmp_path: Path) -> None:
    file = tmp_path / "a.fam"
    file.write_bytes(BROKEN["all kinds of breaks"])

    def edit(notebook: dict[str, Any]) -> None:
        notebook["cells"][1]["source"] = "---\nid: y\n---"

    contents.through_browser("a.fam", edit)
    assert file.read_bytes() == b"a\rb\r\nc\n```{famulus}\n---\nid: y\n---\n```\r\n"


def test_a_cell_that_nobody_wrote_in_is_not_written(contents: Contents, tmp_path: Path) -> None:
    (tmp_path / "a.fam").write_text(TEXT)

    def add(notebook: dict[str, Any]) -> None:
        empty = {"cell_type": "code", "id": "n", "metadata": {}, "source": "", "outputs": [], "execution_count": None}
        notebook["cells"] += [empty, {**empty, "id": "m", "source": "---\nid: neu\n---"}]

    contents.through_browser("a.fam", add)
    assert (tmp_path / "a.fam").read_text() == TEXT + "\n```{famulus}\n---\nid: neu\n---\n```\n"


def test_text_that_no_file_can_hold_is_saved_readable(contents: Contents, tmp_path: Path) -> None:
    def add(notebook: dict[str, Any]) -> None:
        notebook["cells"] = [{"cell_type": "markdown", "id": "n", "metadata": {}, "source": "a\ud800b"}]

    (tmp_path / "a.fam").write_text("x")
    contents.through_browser("a.fam", add)
    assert (tmp_path / "a.fam").read_text().startswith("a?b")


NO_NOTEBOOKS = [
    None,
    [],
    "x",
    {},
    {"cells": None},
    {"cells": [5]},
    {"cells": [{}]},
    {"cells": [], "metadata": 5},
    {"cells": [{"cell_type": "code", "source": "x", "metadata": 5}]},
    {"cells": [{"cell_type": "code", "source": ["a", 5]}]},
    {"cells": [{"cell_type": "code", "source": {"a": 5}}]},
]


@pytest.mark.parametrize("content", NO_NOTEBOOKS)
def test_what_is_no_notebook_is_refused_and_the_file_stays(contents: Contents, tmp_path: Path, content: Any) -> None:
    (tmp_path / "a.fam").write_text(TEXT)
    with pytest.raises(HTTPError) as refused:
        contents.save({"type": "notebook", "format": "json", "content": content}, "a.fam")
    assert refused.value.status_code == 400
    assert (tmp_path / "a.fam").read_text() == TEXT


def test_new_ones_are_empty_and_untitled(contents: Contents, tmp_path: Path) -> None:
    for kind in ("file", "notebook", ""):
        model = contents.new_untitled("", type=kind, ext=".fam")
        assert (model["type"], model["content"]) == ("notebook", None)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["untitled.fam", "untitled1.fam", "untitled2.fam"]
    assert contents.get("untitled.fam")["content"].cells == []
    assert contents.new_untitled("", type="notebook")["name"] == "Untitled.ipynb"
    assert contents.new_untitled("", type="directory")["type"] == "directory"


def test_they_are_renamed_and_copied_to_the_byte(contents: Contents, tmp_path: Path) -> None:
    data = BROKEN["all kinds of breaks"]
    (tmp_path / "a.fam").write_bytes(data)
    assert contents.copy("a.fam")["path"].strip("/") == "a-Copy1.fam"
    renamed = contents.update({"path": "ä ö.fam"}, "a.fam")
    assert (renamed["type"], renamed["path"]) == ("notebook", "ä ö.fam")
    assert [file.read_bytes() for file in sorted(tmp_path.glob("*.fam"))] == [data, data]


def test_a_checkpoint_brings_the_file_back_to_the_byte(contents: Contents, tmp_path: Path) -> None:
    file = tmp_path / "a.fam"
    file.write_bytes(BROKEN["latin1"])
    checkpoint = contents.create_checkpoint("a.fam")
    file.write_text("x")
    contents.restore_checkpoint(checkpoint["id"], "a.fam")
    assert file.read_bytes() == BROKEN["latin1"]
    assert len(contents.list_checkpoints("a.fam")) == 1


def test_checkpoints_kept_elsewhere_bring_it_back_as_well(tmp_path: Path) -> None:
    manager = with_notebooks(AsyncLargeFileManager)(
        root_dir=str(tmp_path), checkpoints_class=AsyncGenericFileCheckpoints, delete_to_trash=False
    )
    manager.checkpoints.root_dir = str(tmp_path)
    contents = Contents(manager)
    (tmp_path / "a.fam").write_text(TEXT)
    checkpoint = contents.create_checkpoint("a.fam")
    (tmp_path / "a.fam").write_text("x")
    contents.restore_checkpoint(checkpoint["id"], "a.fam")
    assert (tmp_path / "a.fam").read_text() == TEXT


def test_hash_and_time_are_those_of_the_file(served: Contents, tmp_path: Path) -> None:
    (tmp_path / "a.fam").write_text(TEXT)
    as_file = served.get("a.fam", type="file", require_hash=True)
    as_notebook = served.get("a.fam", require_hash=True)
    for key in ("hash", "hash_algorithm", "last_modified", "size", "writable"):
        assert as_notebook[key] == as_file[key]


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is read-only for root")
def test_a_read_only_file_is_opened_and_not_saved(contents: Contents, tmp_path: Path) -> None:
    (tmp_path / "a.fam").write_text(TEXT)
    (tmp_path / "a.fam").chmod(stat.S_IRUSR)
    assert contents.get("a.fam")["writable"] is False
    with pytest.raises(HTTPError) as refused:
        contents.through_browser("a.fam")
    assert refused.value.status_code == 403


def test_hidden_files_and_those_outside_stay_hidden(contents: Contents, tmp_path: Path) -> None:
    (tmp_path / ".a.fam").write_text(TEXT)
    (tmp_path.parent / "aussen.fam").write_text(TEXT)
    for path in (".a.fam", "../aussen.fam"):
        with pytest.raises(HTTPError) as refused:
            contents.get(path, type="notebook")
        assert refused.value.status_code == 404


def test_a_large_upload_comes_in_pieces_as_a_file(tmp_path: Path) -> None:
    contents = Contents(with_notebooks(AsyncLargeFileManager)(root_dir=str(tmp_path)))
    data = TEXT.encode()
    for chunk, piece in ((1, data[:20]), (2, data[20:40]), (-1, data[40:])):
        content = base64.b64encode(piece).decode()
        contents.save({"type": "file", "format": "base64", "content": content, "chunk": chunk}, "a.fam")
    assert (tmp_path / "a.fam").read_bytes() == data


def test_an_ipynb_of_ours_has_the_key_that_quarto_asks_for_on_the_disk_only(contents: Contents, tmp_path: Path) -> None:
    spec = {"name": "famulus", "display_name": "Famulus", "language": "famulus"}
    python = {"name": "python3", "display_name": "Python", "language": "python"}
    for name, one in (("a", spec), ("b", python), ("c", {**spec, "path": "/x"}), ("d", None)):
        content = new_notebook(metadata={"kernelspec": one} if one else {})
        saved = contents.save({"type": "notebook", "format": "json", "content": content}, f"{name}.ipynb")
        assert saved["type"] == "notebook"
        told = contents.get(f"{name}.ipynb")["content"]
        assert told.metadata.get("kernelspec") == one, "as the frontend wrote it"
        assert isinstance(told, nbformat.NotebookNode)
    written = [json.loads(file.read_bytes())["metadata"] for file in sorted(tmp_path.glob("*.ipynb"))]
    assert [one.get("kernelspec") for one in written] == [{**spec, "path": ""}, python, {**spec, "path": "/x"}, None]


def test_a_manager_is_wrapped_once() -> None:
    once = with_notebooks(LargeFileManager)
    assert with_notebooks(once) is once
    assert issubclass(once, LargeFileManager)


# --- outputs ---


def played(tmp_path: Path, *bodies: str) -> ProjectFolder:
    project = ProjectFolder(tmp_path / "probe")
    project.write("famulus.yml", "id: probe\n")
    project.blocks("a.fam", *bodies)
    opened = Project.open(project.root)
    list(Runner(opened).run(list(opened.blocks)))
    return project


def outputs(contents: Contents) -> list[dict[str, Any] | None]:
    cells = contents.get("probe/a.fam")["content"].cells
    return [cell.outputs[0]["data"] if cell.outputs else None for cell in cells if cell.cell_type == "code"]


MIME = "application/vnd.famulus.artefact+json"


def test_what_cells_showed_is_there_again_and_not_in_the_file(contents: Contents, tmp_path: Path) -> None:
    project = played(tmp_path, BLOCK, read_block("zwei", "SELECT 2 AS y"))
    before = (project.root / "a.fam").read_bytes()
    project.write("b.fam", "")
    first, second = outputs(contents)
    assert set(first) == {MIME, "text/html", "text/markdown", "text/plain"}
    assert first[MIME]["card"]["marks"][0]["status"] == "pass"
    assert "famulus-card" in first["text/html"]
    assert second[MIME]["card"]["marks"][0]["status"] == "unchecked"
    notebook = contents.get("probe/a.fam")["content"]
    nbformat.validate(notebook)
    assert all(cell.metadata.trusted for cell in notebook.cells if cell.cell_type == "code")
    contents.through_browser("probe/a.fam")
    assert (project.root / "a.fam").read_bytes() == before


def test_a_renamed_notebook_shows_its_answers_as_stale_unless_it_says_what_it_is_called(
    contents: Contents, tmp_path: Path
) -> None:
    project = played(tmp_path, BLOCK)

    def marks(name: str) -> list[str]:
        (cell,) = [one for one in contents.get(f"probe/{name}")["content"].cells if one.cell_type == "code"]
        return [mark["status"] for mark in cell.outputs[0]["data"][MIME]["card"]["marks"]]

    contents.update({"path": "probe/ä ö.fam"}, "probe/a.fam")
    assert marks("ä ö.fam") == ["pass", "stale"]
    assert project.version("zahl").is_dir()
    text = (project.root / "ä ö.fam").read_text()
    project.write("ä ö.fam", f"---\nfamulus: {{id: a}}\n---\n\n{text}")
    contents.update({"path": "probe/c.fam"}, "probe/ä ö.fam")
    assert marks("c.fam") == ["pass"]


def test_outputs_that_are_stale_say_so(served: Contents, tmp_path: Path) -> None:
    project = played(tmp_path, BLOCK)
    text = (project.root / "a.fam").read_text()
    project.write("a.fam", text.replace("Wie viele?", "Wie viele denn?"))
    (found,) = outputs(served)
    assert [mark["status"] for mark in found[MIME]["card"]["marks"]] == ["pass", "stale"]


def test_blocks_that_never_ran_or_cannot_be_read_show_nothing(served: Contents, tmp_path: Path) -> None:
    project = played(tmp_path, BLOCK)
    more = "```{famulus}\n---\nid: [\n---\n```\n\n```{famulus}\n---\nid: neu\nrequest: true\n---\n```\n"
    project.write("a.fam", (project.root / "a.fam").read_text() + more)
    first, *others = outputs(served)
    assert first is not None
    assert others == [None, None]


def test_a_block_that_a_page_does_not_show_has_its_card_when_it_is_opened(served: Contents, tmp_path: Path) -> None:
    played(tmp_path, read_block("still", "SELECT 1 AS x", extra="output: none"))
    (found,) = outputs(served)
    assert found is not None
    assert found[MIME]["card"]["block"] == "still"
    assert found[MIME]["artefacts"] == []


def test_a_project_that_cannot_be_read_opens_without_outputs(served: Contents, tmp_path: Path) -> None:
    project = played(tmp_path, BLOCK)
    project.write("famulus.yml", "id: [")
    assert outputs(served) == [None]


def test_a_damaged_version_takes_its_own_output_only(served: Contents, tmp_path: Path) -> None:
    project = played(tmp_path, BLOCK, read_block("zwei", "SELECT 2 AS y"))
    for report in ("{", "{}", '{"data": {"counts": 5, "oracle": 7}}', '{"data": ' + "[" * 100_000):
        (project.version("zahl") / "report.json").write_text(report)
        first, second = outputs(served)
        assert first is None or first[MIME]["card"]
        assert second is not None


def test_a_block_that_ended_in_error_shows_its_error(served: Contents, tmp_path: Path) -> None:
    played(tmp_path, read_block("kaputt", "SELECT kein FROM nirgends"))
    (found,) = outputs(served)
    assert found[MIME]["card"]["problem"]["message"]
    assert found[MIME]["card"]["marks"][0]["status"] == "error"


def test_beyond_what_a_browser_bears_outputs_are_only_named(
    served: Contents, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    played(tmp_path, BLOCK, read_block("zwei", "SELECT 2 AS y"))
    monkeypatch.setattr("famulus_kernel.lab.outputs.MOST_CHARACTERS", 40_000)
    first, second = outputs(served)
    assert MIME in first
    assert second == {"text/plain": "zwei: run the cell to see its answer"}
