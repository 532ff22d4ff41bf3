from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from famulus_kernel.artefacts.build import Builder, builders
from famulus_kernel.errors import ArtefactError

if TYPE_CHECKING:
    from pathlib import Path

OURS = {
    "report", "roster-table", "kwic", "citation-list", "d3-graph", "proof-structure", "timeline", "table", "markdown",
    "json", "figure",
}  # fmt: skip


def test_our_kinds_are_there_and_are_builders() -> None:
    known = builders()
    assert set(known) >= OURS
    for kind in OURS:
        assert isinstance(known[kind], Builder)
        assert (known[kind].kind, known[kind].extension) == (kind, "json")


@pytest.fixture
def stranger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Install a package that registers kinds of its own."""
    (tmp_path / "strange_kinds.py").write_text(
        "class Waving:\n    kind = 'waving'\n    extension = 'json'\n"
        "    def build(self, payload, context): return payload\n"
        "BUILDER = Waving()\nNOTHING = 3\n"
    )
    info = tmp_path / "strange_kinds-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: strange-kinds\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[famulus.artefacts]\nwaving = strange_kinds:BUILDER\nreport = strange_kinds:BUILDER\n"
        "missing = no_such_module:BUILDER\nnothing = strange_kinds:NOTHING\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(
        sys, "modules", {name: module for name, module in sys.modules.items() if name != "strange_kinds"}
    )
    return tmp_path


@pytest.mark.usefixtures("stranger")
def test_a_strangers_kind_is_found_and_replaces_none_of_ours() -> None:
    known = builders.__wrapped__()
    assert list(known) == sorted({*builders(), "waving", "missing", "nothing"})
    assert len(known) == len(list(known))
    assert known["waving"].kind == "waving"
    assert known["report"].kind == "report"


@pytest.mark.usefixtures("stranger")
def test_a_kind_that_cannot_be_loaded_breaks_only_itself() -> None:
    known = builders.__wrapped__()
    with pytest.raises(ArtefactError, match="no_such_module"):
        known["missing"]
    with pytest.raises(ArtefactError, match="is no builder"):
        known["nothing"]
    with pytest.raises(KeyError):
        known["unheard-of"]
    assert known["table"].kind == "table"


def test_a_companion_lies_beside_its_artefact_under_its_name(build_context, tmp_path: Path) -> None:
    context = build_context("table", file="sub/roster.v1.json")
    assert context.companion_name(".parquet") == "artefacts/sub/roster.v1.parquet"
    name, path = context.companion(".findings.parquet")
    assert name == "artefacts/sub/roster.v1.findings.parquet"
    assert path == tmp_path / name
    assert path.parent.is_dir()


def test_two_artefacts_never_share_a_file(build_context) -> None:
    build_context("table", "a").companion(".csv")[1].write_text("first")
    with pytest.raises(ArtefactError, match=r"a \(table\).*artefacts/a\.csv"):
        build_context("table", "a").companion(".csv")
    with pytest.raises(ArtefactError, match=r"artefacts/plan\.png"):
        build_context("figure", "plan", file="plan.png").companion(".png")


def test_a_file_is_placed_once_and_its_source_stays(build_context, tmp_path: Path) -> None:
    source = tmp_path / "sink.parquet"
    source.write_bytes(b"PAR1")
    context = build_context("table")
    name = context.place(source, ".parquet")
    assert (tmp_path / name).read_bytes() == source.read_bytes() == b"PAR1"
    assert context.place(tmp_path / name, ".parquet") == name
    source.unlink()
    assert (tmp_path / name).read_bytes() == b"PAR1"


def test_without_a_resolver_no_path_of_data_is_read(build_context) -> None:
    with pytest.raises(FileNotFoundError):
        build_context("figure").resolve("/etc/passwd")
