"""Finding notebooks and blocks, the defaults of famulus.yml, partners, and what is remembered between commands."""

from __future__ import annotations

import os
import time
import unicodedata
from pathlib import Path

import pytest
from projects import ProjectFolder, read_block

from famulus_kernel.errors import CycleError, PreambleError, ProjectError
from famulus_kernel.project.project import Project
from famulus_kernel.project.staleness import project_status


def test_output_folders_and_other_projects_hold_no_notebooks(project: ProjectFolder) -> None:
    project.blocks("a.fam", read_block("a", "SELECT 1 AS n"))
    project.blocks("sub/b.fam", read_block("b", "SELECT 1 AS n"))
    project.blocks("_site/c.fam", read_block("c", "SELECT 1 AS n"))
    project.blocks(".hidden/d.fam", read_block("d", "SELECT 1 AS n"))
    project.blocks("other/e.fam", read_block("e", "SELECT 1 AS n"))
    project.write("other/famulus.yml", "")
    opened = Project.open(project.root)
    assert list(opened.blocks) == ["a", "b"]
    assert [notebook.id for notebook in opened.notebooks] == ["a", "sub.b"]


def test_a_file_that_is_only_included_is_a_notebook_like_others(project: ProjectFolder) -> None:
    project.blocks("teil/_part.fam", read_block("b", "SELECT 1 AS n"))
    parts = "{{< include teil/_part.fam >}}\n\n{{< include weg.fam >}}\n\n{{< include . >}}\n"
    page = project.write("a.fam", f"{parts}\n```{{famulus}}\n{read_block('a', 'SELECT 1 AS n')}```\n")
    project.blocks("c.fam", read_block("c", "SELECT * FROM b", extra="duckdb: [{alias: b, ref: b.tab}]"))
    opened = Project.open(project.root)
    assert {block.id: block.notebook for block in opened.blocks.values()} == {"a": "a", "b": "teil.part", "c": "c"}
    assert opened.graph.upstream["c"] == {"b"}
    assert Project.open(page).selection() == ["a", "b"], "what its page shows"
    cell = read_block("b", "SELECT 1 AS n")
    assert opened.with_cell(cell, page)[1].notebook == "teil.part", "Quarto before 1.9 plays it as a cell of the page"
    project.blocks("teil/d.fam", read_block("b", "SELECT 2 AS n"))
    assert "teil/_part.fam:2 and teil/d.fam:2" in str(Project.open(project.root).errors[0])


def test_a_page_in_a_folder_may_include_from_above_it(project: ProjectFolder) -> None:
    project.blocks("_part.fam", read_block("b", "SELECT 1 AS n"))
    page = project.write("teil/a.fam", "{{< include ../_part.fam >}}\n\n{{< include ../../fremd.fam >}}\n")
    (project.root.parent / "fremd.fam").write_text("Text.\n")
    assert Project.open(page).selection() == ["b"]


def test_a_file_below_a_project_finds_its_root(project: ProjectFolder) -> None:
    file = project.blocks("sub/b.fam", read_block("b", "SELECT 1 AS n"))
    assert Project.open(file).root == project.root
    assert Project.open(file).selection() == ["b"]


def test_a_block_replaces_a_default_whole(project: ProjectFolder) -> None:
    project.write("famulus.yml", "id: probe\nyears: {from: 1500, to: 1530}\ncollections: [eins, zwei]\nlanguage: la\n")
    project.blocks("a.fam", read_block("a", "SELECT 1 AS n", extra="years: {from: 1520}"))
    block = Project.open(project.root).block("a")
    assert (block.preamble.years.from_, block.preamble.years.to) == (1520, None)
    assert block.preamble.collections == ("eins", "zwei")
    assert block.effective.origin["years"] == "block"
    assert block.effective.origin["collections"] == "famulus.yml"
    assert block.effective.origin["locked"] == "default"


def test_a_key_of_one_block_cannot_be_a_default(project: ProjectFolder) -> None:
    project.write("famulus.yml", "id: probe\noracle: {n: 1}\n")
    with pytest.raises(PreambleError) as caught:
        Project.open(project.root)
    assert "famulus.yml:2" in str(caught.value)


def test_a_file_that_is_not_utf8_is_told_and_the_others_are_read(project: ProjectFolder) -> None:
    (project.root / "a.fam").write_bytes("```{famulus}\n---\nid: ä\n".encode("latin-1"))
    project.blocks("b.fam", read_block("b", "SELECT 1 AS n"))
    opened = Project.open(project.root)
    assert list(opened.blocks) == ["b"]
    assert "a.fam" in str(opened.errors[0])
    assert "UTF-8" in str(opened.errors[0])


def test_an_id_in_another_normalisation_is_the_same_block(project: ProjectFolder) -> None:
    project.blocks("a.fam", read_block(unicodedata.normalize("NFD", "müller"), "SELECT 1 AS n"))
    assert list(Project.open(project.root).blocks) == [unicodedata.normalize("NFC", "müller")]


def test_a_cycle_over_two_notebooks_is_found(project: ProjectFolder) -> None:
    project.blocks("a.fam", read_block("a", "SELECT * FROM b", extra="duckdb: [{alias: b, ref: b.tab}]"))
    project.blocks("b.fam", read_block("b", "SELECT 1 AS n", extra="depends_on: [a]"))
    with pytest.raises(CycleError):
        _ = Project.open(project.root).graph


def test_a_partner_is_reached_through_uses_and_nothing_else(tmp_path: Path) -> None:
    other = ProjectFolder(tmp_path / "other")
    other.write("famulus.yml", "id: other\n")
    other.blocks("n.fam", read_block("quelle", "SELECT 7 AS n"))
    here = ProjectFolder(tmp_path / "here")
    body = read_block(
        "ziel", "SELECT n FROM q", extra="duckdb: [{alias: q, ref: fam:other/n/quelle.tab}]\noracle: {n: 7}"
    )
    here.blocks("a.fam", body)
    here.write("famulus.yml", "id: here\n")
    assert other.cli("run").status == 0
    ran = here.cli("run")
    assert ran.status == 1
    assert "uses: {other:" in ran.err
    here.write("famulus.yml", "id: here\nuses: {other: ../other}\n")
    assert here.cli("run").status == 0
    other.cli("run", ".", "--force")
    assert here.reasons("ziel") == "the reference fam:other/n/quelle.tab moved v0001 → v0002"


def _age(root: Path) -> None:
    """Make every file of a project look as if nobody had touched it for a minute."""
    then = time.time() - 60
    for file in root.glob("*.*"):
        os.utime(file, (then, then))


def test_a_remembered_notebook_is_not_parsed_and_a_changed_one_is(project: ProjectFolder) -> None:
    project.blocks("a.fam", read_block("a", "SELECT 1 AS n"))
    file = project.blocks("b.fam", read_block("b", "SELECT 1 AS n"))
    project.cli("run")
    _age(project.root)
    assert project.states() == {"a": "fresh", "b": "fresh"}
    opened = Project.open(project.root)
    assert [one.state for one in project_status(opened)] == ["fresh", "fresh"]
    assert not opened._parsed, "nothing changed, nothing is parsed"
    file.write_text(file.read_text().replace("Wie viele?", "Wie?"))
    again = Project.open(project.root)
    assert [one.state for one in project_status(again)] == ["fresh", "stale"]
    assert list(again._parsed) == [file]
    assert again.block("a").preamble.id == "a", "what is asked for is read after all"


def test_a_notebook_with_a_broken_block_is_told_each_time(project: ProjectFolder) -> None:
    project.blocks("a.fam", read_block("a", "SELECT 1 AS n"), "---\nid: b\nnonsense: 1\n---\n?")
    project.cli("run")
    _age(project.root)
    for _ in range(2):
        ran = project.cli("status")
        assert ran.status == 2
        assert "nonsense" in ran.err


def test_a_damaged_outline_is_only_slower(project: ProjectFolder) -> None:
    project.blocks("a.fam", read_block("a", "SELECT 1 AS n"))
    project.cli("run")
    _age(project.root)
    project.states()
    (project.root / "_famulus" / "outline.json").write_text('{"format": 1, "famulus": 3}')
    assert project.states() == {"a": "fresh"}


def test_changed_defaults_make_remembered_blocks_stale(project: ProjectFolder) -> None:
    project.blocks("a.fam", read_block("a", "SELECT 1 AS n"))
    project.cli("run")
    _age(project.root)
    project.states()
    project.write("famulus.yml", "id: probe\nlanguage: la\n")
    assert project.states() == {"a": "stale"}
    assert project.reasons("a") == "the key language is new"


def test_a_block_that_is_not_there_is_answered_with_its_neighbour(project: ProjectFolder) -> None:
    project.blocks("a.fam", read_block("briefe", "SELECT 1 AS n"))
    with pytest.raises(ProjectError) as caught:
        Project.open(project.root).block("brief")
    assert "briefe" in caught.value.hint


def test_a_corpus_that_is_not_on_this_machine_makes_nothing_stale(project: ProjectFolder, tmp_path: Path) -> None:
    corpora = ProjectFolder(tmp_path / "corpora")
    corpora.database("pirckheimer/pirckheimer.duckdb")
    attach = "duckdb: [{alias: p, path: $PDAI_COLLECTIONS/pirckheimer/pirckheimer.duckdb}]"
    project.blocks("a.fam", read_block("a", "SELECT count(*) AS n FROM p.letters", extra=attach))
    here = {"PDAI_COLLECTIONS": str(corpora.root)}
    assert project.cli("run", env=here).status == 0
    assert project.cli("status", env=here).status == 0
    away = project.cli("status", ".", "--json", env={"PDAI_COLLECTIONS": str(tmp_path / "unmounted")})
    assert away.status == 0
    assert away.json["blocks"][0]["state"] == "unverifiable"
    manifest = (project.version("a") / "manifest.json").read_text()
    assert "$PDAI_COLLECTIONS/pirckheimer/pirckheimer.duckdb" in manifest
    assert str(tmp_path) not in manifest, "nothing in a manifest is of one machine"


def test_a_glob_that_finds_one_file_more_makes_its_block_stale(project: ProjectFolder) -> None:
    project.write("data/1.csv", "n\n1\n")
    project.blocks("a.fam", read_block("a", "SELECT sum(n) AS n FROM read_csv('data/*.csv')", extra="oracle: {n: 1}"))
    assert project.cli("run").status == 0
    assert project.states() == {"a": "fresh"}
    project.write("data/2.csv", "n\n2\n")
    assert "data/2.csv" in project.reasons("a")
    assert project.cli("run").status == 1, "the oracle sees the new row"


def test_one_damaged_version_is_the_trouble_of_its_block_alone(project: ProjectFolder) -> None:
    project.blocks(
        "a.fam",
        read_block("heil", "SELECT 1 AS n"),
        read_block("kaputt", "SELECT 1 AS n"),
        read_block("danach", "SELECT * FROM k", extra="duckdb: [{alias: k, ref: kaputt.tab}]"),
    )
    project.cli("run")
    (project.version("kaputt") / "manifest.json").write_text('{"format": 1')
    assert project.states() == {"heil": "fresh", "kaputt": "error", "danach": "blocked"}
    assert project.cli("run").status == 0
    assert set(project.states().values()) == {"fresh"}


def test_a_partner_goes_by_its_own_id(tmp_path: Path) -> None:
    other = ProjectFolder(tmp_path / "other")
    other.write("famulus.yml", "id: other\n")
    other.blocks("n.fam", read_block("quelle", "SELECT 7 AS n"))
    here = ProjectFolder(tmp_path / "here")
    here.write("famulus.yml", "id: here\nuses: {else: ../other}\n")
    here.blocks("a.fam", read_block("a", "SELECT n FROM q", extra="duckdb: [{alias: q, ref: fam:else/n/quelle.tab}]"))
    ran = here.cli("run")
    assert ran.status == 1
    assert "is called other, not else" in ran.err


def test_two_notebooks_of_one_id_are_told(project: ProjectFolder) -> None:
    project.blocks("x/y.fam", read_block("a", "SELECT 1 AS n"))
    project.blocks("x.y.fam", read_block("b", "SELECT 1 AS n"))
    ran = project.cli("check")
    assert ran.status == 2
    assert "the notebook id x.y is that of" in ran.err


def test_an_artefact_of_a_partner_is_shown_and_not_one_of_the_same_name_here(tmp_path: Path) -> None:
    other = ProjectFolder(tmp_path / "other")
    other.write("famulus.yml", "id: other\n")
    other.blocks("n.fam", read_block("a", "SELECT 'dort' AS wo"))
    here = ProjectFolder(tmp_path / "here")
    here.write("famulus.yml", "id: here\nuses: {other: ../other}\n")
    here.blocks("a.fam", read_block("a", "SELECT 'hier' AS wo"))
    other.cli("run")
    here.cli("run")
    assert "dort" in here.cli("show", ".", "fam:other/n/a.tab").out
    assert "hier" in here.cli("show", ".", "a.tab").out
