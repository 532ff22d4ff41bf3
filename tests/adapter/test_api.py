"""The Python interface: open, run, take an artefact."""

from __future__ import annotations

import pytest
from projects import ProjectFolder, read_block

import famulus_kernel as fam


@pytest.fixture
def opened(project: ProjectFolder) -> fam.adapter.api.OpenProject:
    """Give an open project with one block."""
    project.blocks("a.fam", read_block("liste", "SELECT i AS n, 'Brief ' || i AS titel FROM range(2000) t(i)"))
    return fam.open_project(project.root)


def test_an_artefact_is_had_by_its_reference(opened: fam.adapter.api.OpenProject) -> None:
    (outcome,) = opened.run("liste")
    assert (outcome.action, outcome.status) == ("played", "pass")
    artefact = opened.artefact("liste.tab")
    assert (artefact.kind, artefact.version) == ("table", "v0001")
    assert artefact.data["n_rows"] == 2000
    assert artefact.to_arrow().num_rows == 2000
    assert opened.status()[0].state == "fresh"


def test_an_extra_that_is_not_installed_is_named(opened: fam.adapter.api.OpenProject) -> None:
    opened.run()
    artefact = opened.artefact("liste.tab")
    for name, call in (("pandas", artefact.to_pandas), ("polars", artefact.to_polars)):
        try:
            __import__(name)
        except ImportError:
            with pytest.raises(fam.FamulusError) as caught:
                call()
            assert f"famulus-kernel[{name}]" in caught.value.hint
        else:
            assert len(call()) == 2000


def test_what_does_not_resolve_raises(opened: fam.adapter.api.OpenProject) -> None:
    with pytest.raises(fam.FamulusError):
        opened.artefact("liste.tab")
    opened.run()
    with pytest.raises(fam.FamulusError) as caught:
        opened.artefact("liste.fehlt")
    assert "tab" in caught.value.hint
