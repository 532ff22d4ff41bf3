"""`register` as a subprocess: what it lists, shows, adds and writes, and how it ends."""

from __future__ import annotations

import subprocess
import sys
from importlib.resources import files

from projects import ProjectFolder

OURS = (files("famulus_kernel.harness") / "partituren" / "ai-query-phase1.yaml").read_bytes()
PLAN = "id: zahl\nversion: {0}\ngoal_path: probe/zahl\nstages: [{{id: a, op: sql}}]\ncontract: {{required: [n_rows]}}\n"


def test_without_a_register_the_packages_own_partituren_are_listed_and_shown(project: ProjectFolder) -> None:
    (one,) = [one for one in project.cli("register", "list", "--json").json if one["id"] == "ai-query-phase1"]
    assert (one["goal_path"], one["place"]) == ("query/historical/stage-one", "famulus")
    words = [sys.executable, "-m", "famulus_kernel.cli", "register", "show", "query/historical/stage-one"]
    assert subprocess.run(words, cwd=project.root, capture_output=True, check=True).stdout == OURS


def test_what_is_added_is_found_and_comes_out_byte_for_byte(project: ProjectFolder) -> None:
    for version in ("1.9", "1.10"):
        project.write(f"plan-{version}.yaml", PLAN.format(version))
    ran = project.cli("register", "add", "plan-1.9.yaml", "plan-1.10.yaml")
    assert ran.status == 0, ran.err
    assert "register: partitur_register.duckdb" in ran.out
    assert project.cli("register", "add", "plan-1.9.yaml", "--json").json["unchanged"] == ["zahl@1.9"]
    project.write("famulus.yml", "id: probe\nregister: partitur_register.duckdb\n")
    assert project.cli("register", "show", "probe/zahl", "--json").json["partitur"]["version"] == "1.10"
    assert project.cli("register", "export", "zahl@1.9", "--into", "out").status == 0
    assert (project.root / "out/zahl@1.9.yaml").read_bytes() == (project.root / "plan-1.9.yaml").read_bytes()


def test_what_cannot_be_added_says_why_and_leaves_the_register_as_it_was(project: ProjectFolder) -> None:
    project.write("gut.yaml", PLAN.format(1))
    project.write("schlecht.yaml", PLAN.format(2).replace("required: [n_rows]", "required: n_rows"))
    project.write("kreis.yaml", PLAN.format(3).replace("op: sql", "op: sql, with: {x: '{{ stages.a }}'}"))
    for file, says in (
        ("schlecht.yaml", "schlecht.yaml, key contract"),
        ("kreis.yaml", "kreis.yaml:4"),
        ("fehlt.yaml", "not there"),
    ):
        ran = project.cli("register", "add", "gut.yaml", file)
        assert ran.status != 0
        assert says in ran.err
    assert not (project.root / "partitur_register.duckdb").exists()
    project.write("famulus.yml", "id: probe\nregister: http://127.0.0.1:9/mcp\n")
    ran = project.cli("register", "add", "gut.yaml")
    assert (ran.status, "served elsewhere" in ran.err) == (2, True)


def test_an_unknown_partitur_and_a_server_that_is_not_there_are_named(project: ProjectFolder) -> None:
    ran = project.cli("register", "show", "ai-query-phase2")
    assert (ran.status, "ai-query-phase1" in ran.err) == (2, True)
    project.write("famulus.yml", "id: probe\nregister: http://127.0.0.1:9/mcp\n")
    ran = project.cli("register", "list")
    assert ran.status == 1
    assert "http://127.0.0.1:9/mcp" in ran.err
