"""Commands that read, convert and diagnose, as subprocesses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from projects import ProjectFolder, read_block, run_cli

from famulus_kernel.errors import ProjectError
from famulus_kernel.project.bindings import read_setting
from famulus_kernel.project.project import Project


def test_check_names_file_line_key_and_remedy(project: ProjectFolder) -> None:
    project.blocks("a.fam", "---\nid: a\nsubtsk: x\n---\n?")
    ran = project.cli("check")
    assert ran.status == 2
    assert "a.fam:4" in ran.err
    assert "subtsk" in ran.err
    assert "subtask" in ran.err
    problem = project.cli("check", ".", "--json").json["problems"][0]
    assert (problem["where"]["line"], problem["where"]["key"]) == (4, "subtsk")


def test_check_finds_a_reference_to_an_artefact_that_nobody_declares(project: ProjectFolder) -> None:
    project.blocks(
        "a.fam",
        read_block("a", "SELECT 1 AS n"),
        read_block("b", "SELECT * FROM x", extra="duckdb: [{alias: x, ref: a.tabelle}]"),
    )
    ran = project.cli("check")
    assert ran.status == 2
    assert "a.tabelle" in ran.err
    assert "tab" in ran.err


def test_check_finds_a_fence_that_swallows_the_rest(project: ProjectFolder) -> None:
    project.write("a.fam", "```{famulus}\n---\nid: a\n---\n?\n\nText that should be a page.\n")
    ran = project.cli("check")
    assert ran.status == 2
    assert "never closed" in ran.err


def test_check_finds_a_fence_that_is_nearly_ours(project: ProjectFolder) -> None:
    project.write("a.fam", "Text.\n\n```{Famulus}\n---\nid: a\n---\n?\n```\n\n```{python}\n1\n```\n")
    ran = project.cli("check")
    assert ran.status == 2
    assert "a.fam:3" in ran.err
    assert "{Famulus}" in ran.err
    assert "python" not in ran.err


def test_check_finds_shortcodes_that_lead_nowhere(project: ProjectFolder) -> None:
    block = read_block("briefe", "SELECT 1 AS n")
    project.write(
        "a.fam",
        f"```{{famulus}}\n{block}```\n\n{{{{< famulus brife tab >}}}}\n\n{{{{< famulus briefe tabelle >}}}}\n\n"
        "{{< famulus briefe card >}} {{< famulus briefe tab >}} `{{< famulus nichts tab >}}`\n",
    )
    ran = project.cli("check", ".", "--json")
    problems = ran.json["problems"]
    assert [one["message"] for one in problems] == [
        "**brife tab** does not resolve: there is no block brife",
        "**briefe tabelle** does not resolve: block briefe declares no artefact tabelle",
    ]
    assert "briefe" in problems[0]["hint"]
    assert "tab" in problems[1]["hint"]


def test_check_finds_chapters_that_are_not_there_or_stand_twice(project: ProjectFolder) -> None:
    project.write("index.fam", "---\nfamulus: {chapters: [a, a, b]}\n---\n\nText.\n")
    project.blocks("a.fam", read_block("a", "SELECT 1 AS n"))
    ran = project.cli("check")
    assert ran.status == 2
    assert "stands twice" in ran.err
    assert "chapter b" in ran.err


def test_the_effective_preamble_shows_where_each_key_is_from(project: ProjectFolder) -> None:
    project.write("famulus.yml", "id: probe\nevidence: both\n")
    project.blocks("a.fam", read_block("a", "SELECT 1 AS n"))
    shown = project.cli("check", ".", "--effective", "--json").json["a"]
    assert shown["evidence"] == {"value": "both", "origin": "famulus.yml"}
    assert shown["id"]["origin"] == "block"
    assert "famulus.yml" in project.cli("check", ".", "--effective").out


def test_convert_goes_there_and_back_byte_for_byte(project: ProjectFolder) -> None:
    block = "~~~~{famulus .x}\n---\nid: a\n---\n```\n~~~~"
    text = f"---\ntitle: T\n---\n\nText\r\nmit CRLF\n\n{block}\n\nEnde ohne Zeilenumbruch"
    file = project.root / "a.fam"
    file.write_bytes(text.encode())
    assert project.cli("convert", "a.fam").status == 0
    notebook = json.loads((project.root / "a.ipynb").read_text())
    assert notebook["nbformat"] == 4
    assert project.cli("convert", "a.ipynb", "b.fam").status == 0
    assert (project.root / "b.fam").read_bytes() == text.encode()
    refused = project.cli("convert", "a.fam")
    assert refused.status == 2
    assert "--force" in refused.err


def test_qmd_writes_what_it_made_and_nothing_of_the_users(project: ProjectFolder) -> None:
    project.blocks("a.fam", read_block("a", "SELECT 1 AS n"))
    assert project.cli("qmd").out.strip() == "a.qmd"
    text = (project.root / "a.qmd").read_text()
    assert "\njupyter: famulus\necho: false\nerror: true\n---\n" in text
    cell = text.partition("::: {.famulus-cell .famulus-played #famulus-a}\n\n```{famulus}\n---\nid: a\n")[2]
    calls = "{{< famulus a card cell=true >}}\n\n{{< famulus a tab cell=true >}}"
    assert cell.endswith(f"\nWie viele?\n```\n\n{calls}\n\n:::\n")
    assert project.cli("qmd", ".", "--check").status == 0
    assert list(ProjectFolder(project.root).states()) == ["a"], "the copy is not a second notebook"
    project.write("b.fam", "Text.\n")
    project.write("b.qmd", "Mein eigener Text.\n")
    ran = project.cli("qmd")
    assert ran.status == 2
    assert (project.root / "b.qmd").read_text() == "Mein eigener Text.\n"


def test_schema_is_a_json_schema(tmp_path: Path) -> None:
    for what in ("preamble", "project"):
        schema = run_cli("schema", what, cwd=tmp_path).json
        assert "$schema" in schema
        assert schema["properties"]
    assert run_cli("schema", "nonsense", cwd=tmp_path).status == 2


def test_doctor_says_what_is_there_and_what_is_missing(project: ProjectFolder) -> None:
    project.blocks("a.fam", read_block("a", "SELECT 1 AS n"))
    findings = {one["subject"]: one for one in project.cli("doctor", ".", "--json").json}
    assert findings["famulus"]["level"] == "ok"
    assert findings["pandoc"]["level"] == "ok"
    assert findings["project"]["says"].startswith("probe: 1 block,")
    assert findings["extension"]["level"] == "note"


def test_the_kernelspec_is_installed_below_a_prefix(tmp_path: Path) -> None:
    ran = run_cli("kernel", "install", "--prefix", str(tmp_path / "env"), cwd=tmp_path)
    assert ran.status == 0, ran.err
    spec = json.loads((tmp_path / "env/share/jupyter/kernels/famulus/kernel.json").read_text())
    assert spec["language"] == "famulus"
    assert Path(spec["argv"][0]).is_absolute()
    assert run_cli("kernel", "install", "--user", "--sys-prefix", cwd=tmp_path).status == 2


def test_data_cannot_steer_the_terminal(project: ProjectFolder) -> None:
    project.blocks("a.fam", read_block("a", "SELECT chr(27) || '[31mred' || chr(7) AS n"))
    project.cli("run")
    for words in (("show", ".", "a"), ("show", ".", "a.tab")):
        out = project.cli(*words).out
        assert "\x1b" not in out
        assert "\x07" not in out


@pytest.mark.parametrize("words", [("show", ".", "fehlt"), ("log", ".", "fehlt"), ("diff", ".", "fehlt", "v1", "v2")])
def test_a_block_that_is_not_there_is_a_clear_error(project: ProjectFolder, words: tuple[str, ...]) -> None:
    project.blocks("a.fam", read_block("a", "SELECT 1 AS n"))
    ran = project.cli(*words)
    assert ran.status == 2
    assert "fehlt" in ran.err
    assert "Traceback" not in ran.err


def test_strict_counts_an_unchecked_block_as_a_failure(project: ProjectFolder) -> None:
    project.blocks("a.fam", read_block("a", "SELECT 1 AS n"))
    assert project.cli("run").status == 0
    assert "unchecked" in project.cli("run").out
    assert project.cli("run", ".", "--strict").status == 1


def test_refresh_takes_the_errors_of_a_page_that_says_so_for_content(project: ProjectFolder) -> None:
    project.blocks("_part.fam", read_block("a", "SELEC 1"))
    text = "{{< include _part.fam >}}\n"
    project.write("a.fam", f"---\nfamulus: {{on-error: warn}}\n---\n\n{text}")
    lenient = project.cli("refresh")
    assert lenient.status == 0, lenient.err
    assert "a ended in error; its page lets it pass" in " ".join(lenient.out.split())
    project.write("a.fam", text)
    assert project.cli("refresh").status == 1


def test_show_shows_a_block_that_its_page_does_not(project: ProjectFolder) -> None:
    project.blocks("a.fam", read_block("a", "SELECT 4711 AS n", extra="output: none"))
    project.cli("run")
    assert "4711" in project.cli("show", ".", "a").out


def test_what_is_shown_in_a_pipe_has_its_tables_unbroken_and_nothing_cut(project: ProjectFolder) -> None:
    wide = ", ".join(f"'eins zwei drei vier fuenf sechs {at}' AS spalte_{at}" for at in range(9))
    project.blocks("a.fam", read_block("a", f"SELECT {wide}", instruction="Was steht in neun Spalten? " * 9))
    project.cli("run")
    out = project.cli("show", ".", "a", env={"COLUMNS": ""}).out
    assert len([line for line in out.splitlines() if "spalte_0" in line and "spalte_8" in line]) == 1
    narrow = project.cli("show", ".", "a.tab", env={"COLUMNS": "40"}).out
    assert "spalte_8  eins zwei drei vier fuenf" in narrow
    assert all(len(line) <= 40 for line in narrow.splitlines())


BROKEN = "---\nid: {id}\nsubtsk: x\n---\n?"


def test_a_block_runs_although_another_one_of_its_file_is_broken(project: ProjectFolder) -> None:
    project.blocks("a.fam", read_block("a", "SELECT 1 AS n"), BROKEN.format(id="b"))
    project.write("c.fam", "---\ntitle: [\n---\n")
    for words in (("run", ".", "a"), ("status", ".", "a"), ("check", ".", "a")):
        ran = project.cli(*words)
        assert ran.status == 0, ran.err
        assert "subtsk" not in ran.err
    assert "2 errors elsewhere in the project" in project.cli("run", ".", "a").err
    whole = project.cli("run", "a.fam")
    assert whole.status == 2
    assert "subtsk" in whole.err
    assert "1 error elsewhere" in whole.err


def test_what_is_wrong_with_a_block_that_another_needs_counts(project: ProjectFolder) -> None:
    needs = read_block("a", "FROM x", extra="duckdb: [{alias: x, ref: b.tab}]")
    project.blocks("a.fam", needs, BROKEN.format(id="b"), BROKEN.format(id="c"))
    for words in (("run", ".", "a"), ("status", ".", "a")):
        ran = project.cli(*words)
        assert ran.status == 2
        assert ran.err.count("unknown key") == 1


def test_numbers_and_their_nouns_agree(project: ProjectFolder) -> None:
    project.blocks("a.fam", read_block("a", "SELECT 1 AS n"))
    assert project.cli("check").out == "1 block in 1 notebook, nothing wrong\n"
    project.cli("run")
    assert project.cli("verify").out == "1 version, as written\n"
    project.blocks("a.fam", read_block("a", "SELECT 2 AS n", extra="locked: true"))
    project.cli("run")
    told = project.cli("diff", ".", "a", "v1", "v2").out
    assert "1 row added, 1 removed" in told
    assert "locked: nothing → true" in told
    assert project.cli("prune", ".", "--keep", "1").out.splitlines()[-1].startswith("1 version removed (")


def test_a_format_that_nobody_writes_is_wrong_usage(project: ProjectFolder) -> None:
    project.blocks("a.fam", read_block("a", "SELECT 1 AS n"))
    ran = project.cli("render", ".", "--embedded", "--to", "nope")
    assert ran.status == 2
    assert "typst" in ran.err


def test_a_notebook_that_is_made_has_a_title(project: ProjectFolder) -> None:
    project.write("b.svg", "<svg xmlns='http://www.w3.org/2000/svg'/>")
    made = project.cli("new", "füge b.svg ein", "--card", "artifact", "--into", "neue-bilder.fam")
    assert made.status == 0, made.err
    assert (project.root / "neue-bilder.fam").read_text().startswith('---\ntitle: "Neue bilder"\n---\n\n```{famulus}\n')


def test_a_folder_of_collections_that_nobody_named_is_not_told(project: ProjectFolder) -> None:
    ran = project.cli("new", "Wie viele Briefpartner hatte Pirckheimer?", "--into", "a.fam")
    assert ran.status != 0
    assert "nothing says where collections are" in ran.err


def test_a_setting_that_names_another_place_to_play_is_told_and_not_followed(project: ProjectFolder) -> None:
    step = "---\nid: a\npartiturs: [{{id: duckdb-read, setting: {file}, input: {{sql: SELECT 1}}, artefact: tab}}]\n"
    project.write("far.yaml", "runtime: dask=tcp://192.0.2.1:8786\n")
    project.write("near.yaml", "runtime: local\n")
    for file, said in (("far.yaml", "far.yaml says runtime: dask=tcp://192.0.2.1:8786"), ("near.yaml", "")):
        project.blocks("a.fam", step.format(file=file) + "artefacts: [{name: tab, kind: table}]\n---\n?")
        ran = project.cli("run")
        assert ran.status == 0, ran.err
        assert (said in ran.err) if said else ran.err == ""
    project.write("far.yaml", "runtime: [a]\n")
    with pytest.raises(ProjectError, match=r"runtime of the setting far\.yaml is no text"):
        read_setting("far.yaml", Project.open(project.root).places)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("show",), "name a block"),
        (("log", "."), "name a block"),
        (("show", "a.fam"), "name a block"),
        (("show", ".", "a@v9"), "did you mean v0001"),
        (("show", ".", "a.nichts"), "that version holds: tab"),
        (("diff", ".", "a", "v1", "v2"), "there is no such version"),
        (("route",), "ask something"),
        (("can", "."), "ask something"),
        (("new", "wie viele briefe", "--into", "a.txt"), "would be no notebook"),
        (("new", "wie", "--into", "b.fam", "--card", "nope"), "there is no card nope"),
        (("accept",), "name the blocks"),
        (("accept", ".", "a"), "say why"),
        (("init", "x", "--lang", "fr"), "neither de nor en"),
        (("init", "/dev/null/x"), "/dev/null/x"),
        (("refresh", "--to", "nope"), "pages are not written in this format"),
        (("render", "--watch", "--port", "99999"), "65535"),
        (("render", "--watch", "--to", "pdf"), "--watch"),
        (("register", "add", "nope.yaml"), "nope.yaml is not there"),
        (("collection", "show", "nope"), "there is no collection nope"),
        (("collection", "import", "cmif", "nope.xml", "--into", "c"), "nope.xml is not there"),
        (("cards", "nowhere"), "is no folder"),
    ],
)
def test_what_a_command_cannot_use_is_wrong_usage(used: ProjectFolder, words: tuple[str, ...], says: str) -> None:
    ran = used.cli(*words, env={"PATH": "/usr/bin:/bin"})
    assert ran.status == 2, ran.out + ran.err
    assert says in ran.err
    assert ran.out == ""
    assert "Traceback" not in ran.err


@pytest.fixture(scope="module")
def used(tmp_path_factory: pytest.TempPathFactory) -> ProjectFolder:
    """Give a project with a block that was played."""
    folder = ProjectFolder(tmp_path_factory.mktemp("used"))
    folder.write("famulus.yml", "id: probe\n")
    folder.blocks("a.fam", read_block("a", "SELECT 1 AS n"))
    assert folder.cli("run").status == 0
    return folder


def test_a_title_of_any_signs_is_text(tmp_path: Path) -> None:
    assert run_cli("init", "x", "--title", 'a: "b\n---\n{c}\\', cwd=tmp_path).status == 0
    assert run_cli("check", "x", cwd=tmp_path).status == 0
    assert Project.open(tmp_path / "x").title == 'a: "b --- {c}\\'


def test_a_name_without_end_is_cut_in_the_message(used: ProjectFolder) -> None:
    ran = used.cli("run", ".", "a" * 50_000)
    assert ran.status == 2
    assert len(ran.err) < 3000


def test_the_list_of_versions_is_whole_in_a_narrow_terminal(used: ProjectFolder) -> None:
    out = used.cli("log", ".", "a", env={"COLUMNS": "30"}).out
    assert "…" not in out
    assert "unchecked" in out
