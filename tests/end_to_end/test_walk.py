"""The whole way through real processes: notebook, run, store, status, reading commands."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pyarrow.parquet
import pytest
from projects import ProjectFolder, read_block, run_cli

COUNT = "SELECT count(*) AS n_letters FROM main.letters"
ATTACH = "duckdb: [{alias: main, path: data/letters.duckdb, read_only: true}]"


@pytest.fixture
def letters(project: ProjectFolder) -> ProjectFolder:
    """Give a project with a database and two blocks, the second on the table of the first."""
    project.database()
    project.blocks(
        "a.fam",
        read_block("liste", "SELECT letter_id, sender FROM main.letters ORDER BY letter_id", extra=ATTACH),
        read_block(
            "zahl",
            "SELECT count(*) AS n_letters FROM briefe",
            extra="duckdb: [{alias: briefe, ref: liste.tab}]\noracle: {n_letters: 3}",
        ),
    )
    return project


def test_a_notebook_becomes_versions_with_manifest_trace_verdict_and_report(letters: ProjectFolder) -> None:
    ran = letters.cli("run")
    assert ran.status == 0, ran.err
    for block in ("liste", "zahl"):
        folder = letters.version(block)
        assert {file.name for file in folder.iterdir()} >= {
            "manifest.json",
            "trace.json",
            "verdict.json",
            "report.json",
            "artefacts",
        }
    verdict = letters.verdict("zahl")
    assert set(verdict) == {"id", "golden", "status", "oracle", "observed"}
    assert verdict["status"] == "pass"
    assert verdict["observed"]["n_letters"] == {"value": 3, "ok": True}
    envelope = json.loads((letters.version("liste") / "artefacts" / "tab.json").read_bytes())
    assert set(envelope) == {"famulus", "data", "view"}
    assert envelope["data"]["n_rows"] == 3
    table = pyarrow.parquet.read_table(letters.version("liste") / "artefacts" / "tab.parquet")
    assert table.column("sender").to_pylist() == ["Pirckheimer", "Dürer", "Erasmus"]


def test_a_second_run_plays_nothing_and_a_changed_question_plays_its_block(letters: ProjectFolder) -> None:
    letters.cli("run")
    assert set(letters.states().values()) == {"fresh"}
    kept = letters.cli("run", ".", "--json").json["blocks"]
    assert [one["action"] for one in kept] == ["kept", "kept"]
    text = (letters.root / "a.fam").read_text()
    letters.write("a.fam", text.replace("Wie viele?", "Wie viele Briefe?", 1))
    assert letters.states() == {"liste": "stale", "zahl": "stale"}
    assert letters.reasons("liste") == "the instruction changed"
    assert letters.cli("run").status == 0
    assert letters.version("liste", 2).is_dir()
    assert letters.version("zahl", 2).is_dir(), "what refers to a played block is played too"


def test_status_says_which_file_changed_and_how_large_it_was(letters: ProjectFolder) -> None:
    letters.cli("run")
    letters.database(sql="CREATE TABLE letters AS SELECT hash(i) AS letter_id, 'x' AS sender FROM range(300000) t(i)")
    assert letters.states()["liste"] == "stale"
    assert re.search(r"data/letters\.duckdb changed \(\d+\.\d kB → \d\.\d MB\)", letters.reasons("liste"))
    assert letters.cli("status").status == 1


def test_a_touched_file_makes_nothing_stale(letters: ProjectFolder) -> None:
    letters.cli("run")
    os.utime(letters.root / "data/letters.duckdb", (1, 1))
    assert set(letters.states().values()) == {"fresh"}


def test_same_size_and_time_with_other_content_is_found_where_the_time_is_young(project: ProjectFolder) -> None:
    csv = project.write("data/a.csv", "n\n1\n")
    project.blocks("a.fam", read_block("a", "SELECT n FROM read_csv('data/a.csv')"))
    young = time.time_ns() + 60 * 10**9  # however long the command takes to begin
    os.utime(csv, ns=(young, young))
    assert project.cli("run").status == 0
    csv.write_text("n\n2\n")
    os.utime(csv, ns=(young, young))
    assert project.states() == {"a": "stale"}
    assert "same size, other content" in project.reasons("a")


def test_committed_rows_in_a_log_beside_a_database_make_its_blocks_stale(letters: ProjectFolder) -> None:
    letters.cli("run")
    writer = (
        "import duckdb, os; c = duckdb.connect('data/letters.duckdb');"
        'c.execute("PRAGMA disable_checkpoint_on_shutdown"); c.execute("SET wal_autocheckpoint=\'1TB\'");'
        "c.execute(\"INSERT INTO letters VALUES (4, 'Celtis', 'Pirckheimer', 1501)\"); os._exit(9)"
    )
    subprocess.run([sys.executable, "-c", writer], cwd=letters.root, check=False)
    assert (letters.root / "data/letters.duckdb.wal").stat().st_size > 0
    assert letters.states()["liste"] == "stale"
    letters.cli("run")
    assert letters.verdict("zahl", 2)["observed"]["n_letters"]["value"] == 4


def test_a_block_in_error_leaves_a_version_without_artefacts_and_blocks_what_needs_it(letters: ProjectFolder) -> None:
    text = (letters.root / "a.fam").read_text().replace("SELECT letter_id, sender", "SELECT letter_id, sendr")
    letters.write("a.fam", text)
    ran = letters.cli("run")
    assert ran.status == 1
    assert "sendr" in ran.err
    assert "a.fam:" in ran.err
    verdict = letters.verdict("liste")
    assert verdict["status"] == "error"
    assert set(verdict["observed"]["error"]) == {"code", "message", "hint", "where"}
    assert list((letters.version("liste") / "artefacts").iterdir()) == []
    assert letters.states() == {"liste": "error", "zahl": "blocked"}
    assert not letters.version("zahl").exists()


def test_an_error_says_what_changed_since(letters: ProjectFolder) -> None:
    text = (letters.root / "a.fam").read_text()
    letters.write("a.fam", text.replace("SELECT letter_id, sender", "SELECT letter_id, sendr"))
    letters.cli("run")
    letters.write("a.fam", text)
    reasons = letters.reasons("liste")
    assert "sendr" in reasons
    assert "since then the key partiturs changed" in reasons
    assert "\n" not in reasons


def test_a_version_whose_files_were_touched_is_not_fresh(letters: ProjectFolder) -> None:
    letters.cli("run")
    with (letters.version("liste") / "artefacts" / "tab.csv").open("a") as file:
        file.write("9,Luther\n")
    assert letters.states()["liste"] == "stale"
    assert "artefacts/tab.csv of v0001 was altered" in letters.reasons("liste")
    letters.cli("run")
    assert letters.states()["liste"] == "fresh"


def test_a_misspelt_reference_is_answered_with_its_neighbour(letters: ProjectFolder) -> None:
    letters.write("a.fam", (letters.root / "a.fam").read_text().replace("ref: liste.tab", "ref: lsite.tab"))
    ran = letters.cli("run")
    assert "did you mean liste" in ran.err


def test_an_unknown_table_is_answered_with_the_aliases(letters: ProjectFolder) -> None:
    letters.write("a.fam", (letters.root / "a.fam").read_text().replace("FROM briefe", "FROM brief"))
    assert "the aliases at hand: briefe" in letters.cli("run").err


def test_a_list_answers_with_the_number_of_its_rows_in_words(letters: ProjectFolder) -> None:
    letters.write("_quarto.yml", "lang: de\n")
    letters.cli("run")
    report = json.loads((letters.version("liste") / "report.json").read_bytes())
    assert report["data"]["answer"] == "3 Zeilen"


def test_an_error_is_never_a_reason_to_keep(letters: ProjectFolder) -> None:
    (letters.root / "data/letters.duckdb").rename(letters.root / "data/away.duckdb")
    assert letters.cli("run").status == 1
    (letters.root / "data/away.duckdb").rename(letters.root / "data/letters.duckdb")
    assert letters.cli("run").status == 0
    assert letters.verdict("liste", 2)["status"] == "pass"


def test_two_jobs_give_what_one_gives(letters: ProjectFolder) -> None:
    assert letters.cli("run", ".", "--jobs", "2").status == 0
    assert letters.verdict("zahl")["status"] == "pass"


def test_rerun_never_without_a_version_is_an_error_and_with_one_keeps_it(project: ProjectFolder) -> None:
    body = read_block("a", "SELECT 1 AS n", extra="rerun: never")
    project.blocks("a.fam", body)
    ran = project.cli("run")
    assert ran.status == 1
    assert "rerun: never" in ran.err
    project.blocks("a.fam", body.replace("rerun: never", "rerun: if-missing"))
    assert project.cli("run").status == 0
    project.blocks("a.fam", body.replace("SELECT 1", "SELECT 2"))
    assert project.cli("run").status == 0
    assert not project.version("a", 2).exists()


def test_rerun_always_plays_each_time(project: ProjectFolder) -> None:
    project.blocks("a.fam", read_block("a", "SELECT 1 AS n", extra="rerun: always"))
    project.cli("run")
    project.cli("run")
    assert project.version("a", 2).exists()


def test_accept_makes_a_stale_block_fresh_until_something_else_changes(letters: ProjectFolder) -> None:
    letters.cli("run")
    text = (letters.root / "a.fam").read_text()
    letters.write("a.fam", text.replace("Wie viele?", "Wie viele denn?"))
    assert letters.cli("accept", ".", "liste", "zahl", "--why", "only the wording", "--who", "Ada").status == 0
    assert letters.states() == {"liste": "fresh", "zahl": "fresh"}
    assert letters.reasons("liste") == "accepted by Ada: only the wording"
    assert "accepted by Ada on " in letters.cli("show", ".", "liste").out
    assert "by Ada: only the wording" in letters.cli("log", ".", "liste").out
    assert letters.cli("log", ".", "liste", "--json").json[0]["accepted"][0]["who"] == "Ada"
    assert not letters.version("liste", 2).exists()
    letters.write("a.fam", text.replace("Wie viele?", "Wie viele nun?"))
    assert letters.states()["liste"] == "stale"
    line = json.loads((letters.root / "_famulus/accepted.jsonl").read_text().splitlines()[0])
    assert (line["who"], line["why"]) == ("Ada", "only the wording")


def test_a_version_that_was_just_made_is_not_called_stale(letters: ProjectFolder) -> None:
    letters.cli("run")
    letters.write("a.fam", (letters.root / "a.fam").read_text().replace("Wie viele?", "Wie viele denn?"))
    assert letters.states()["liste"] == "stale"
    assert "stale since" in letters.cli("show", ".", "liste").out
    letters.cli("run")
    assert "stale" not in letters.cli("show", ".", "liste").out


def test_accept_of_a_fresh_block_records_nothing_and_says_so(letters: ProjectFolder) -> None:
    letters.cli("run")
    ran = letters.cli("accept", ".", "liste", "--why", "why not", "--who", "Ada")
    assert (ran.status, ran.out.strip()) == (0, "liste is fresh: there is nothing to accept")
    assert not (letters.root / "_famulus/accepted.jsonl").exists()


def test_verify_finds_an_altered_artefact(letters: ProjectFolder) -> None:
    letters.cli("run")
    assert letters.cli("verify").status == 0
    path = letters.version("liste") / "artefacts" / "tab.json"
    path.write_text(path.read_text().replace("Erasmus", "Luther"))
    ran = letters.cli("verify")
    assert ran.status == 1
    assert "tab.json" in ran.out


def test_prune_spares_a_version_that_a_reference_names(letters: ProjectFolder) -> None:
    for _ in range(4):
        letters.cli("run", ".", "liste", "--force")
    letters.blocks(
        "b.fam", read_block("fest", "SELECT count(*) AS n FROM b", extra="duckdb: [{alias: b, ref: liste.tab@v2}]")
    )
    assert letters.cli("prune", ".", "--keep", "1").status == 0
    kept = sorted(folder.name for folder in letters.version("liste").parent.iterdir() if folder.name.startswith("v"))
    assert kept == ["v0002", "v0004"]


def test_show_diff_and_log_read_what_was_written(letters: ProjectFolder) -> None:
    letters.cli("run")
    letters.database(sql="CREATE TABLE letters AS SELECT 1 AS letter_id, 'Dürer' AS sender")
    letters.cli("run")
    assert "Dürer" in letters.cli("show", ".", "liste.tab").out
    assert "Erasmus" in letters.cli("show", ".", "liste.tab@v1").out
    card = letters.cli("show", ".", "zahl").out
    assert "failed" in card
    assert "Wie viele?" in card
    difference = letters.cli("diff", ".", "zahl", "v1", "v2").out
    assert "n_letters" in difference
    assert "pass → fail" in difference.replace("'", "")
    rows = letters.cli("diff", ".", "liste", "v1", "v2", "--json").json
    assert rows["artefacts"][0]["tables"]
    assert [one["version"] for one in letters.cli("log", ".", "zahl", "--json").json] == ["v0001", "v0002"]
    assert "SELECT count(*)" in letters.cli("log", ".", "zahl", "--version", "v1").out


def test_a_run_that_is_killed_by_ctrl_c_ends_with_130_and_leaves_no_version(project: ProjectFolder) -> None:
    slow = "SELECT count(*) AS n FROM range(100000000) a(i), range(1000) b(j) WHERE hash(i + j) % 7 = 1"
    project.blocks("a.fam", read_block("langsam", slow))
    process = subprocess.Popen(
        [sys.executable, "-m", "famulus_kernel.cli", "run"], cwd=project.root, stderr=subprocess.PIPE, text=True
    )
    folder = project.version("langsam").parent
    deadline = time.monotonic() + 30
    while not list(folder.glob(".new-*/.work")) and time.monotonic() < deadline:
        time.sleep(0.05)
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=20)
    assert process.returncode == 130, err
    assert "interrupted" in err
    assert not list(folder.glob("v*"))
    assert not list(folder.glob(".new-*"))


def test_a_lone_notebook_is_a_project_of_one(tmp_path: Path) -> None:
    folder = ProjectFolder(tmp_path / "lone")
    folder.blocks("eins.fam", read_block("a", "SELECT 1 AS n", extra="oracle: {n: 1}"))
    folder.blocks("zwei.fam", read_block("b", "SELECT 1 AS n"))
    ran = run_cli("run", "eins.fam", "--json", cwd=folder.root)
    assert [one["block"] for one in ran.json["blocks"]] == ["a"]
    assert (folder.root / "_famulus/store/eins/a/v0001/manifest.json").exists()


def test_init_makes_a_project_that_runs(tmp_path: Path) -> None:
    ran = run_cli("init", "neu", "--lang", "de", "--title", 'Neu: ein "Werk"', cwd=tmp_path)
    assert ran.status == 0, ran.err
    assert run_cli("run", "neu", cwd=tmp_path).status == 0
    assert run_cli("check", "neu", cwd=tmp_path).status == 0
    assert (tmp_path / "neu/_extensions/famulus/_extension.yml").is_file()
    again = run_cli("init", "neu", cwd=tmp_path)
    assert again.status == 0
    assert "famulus.yml" not in again.out


def test_help_and_version_answer(tmp_path: Path) -> None:
    assert "Exit status" in run_cli("--help", cwd=tmp_path).out
    assert run_cli("--version", cwd=tmp_path).out.startswith("famulus-notebook ")
    assert run_cli("run", "--nonsense", cwd=tmp_path).status == 2


def test_a_folder_that_is_not_there_is_a_usage_error(tmp_path: Path) -> None:
    ran = run_cli("status", "nowhere", cwd=tmp_path)
    assert ran.status == 2
    assert "nowhere" in ran.err


def test_a_real_checkout_of_older_data_is_seen_by_content_and_not_by_time(letters: ProjectFolder) -> None:
    def git(*words: str) -> None:
        identity = ["-c", "user.name=Test", "-c", "user.email=test@example.org"]
        subprocess.run(["git", *identity, *words], cwd=letters.root, check=True, capture_output=True)

    git("init", "-q")
    letters.write(".gitignore", "/_famulus/\n")
    git("add", ".")
    git("commit", "-qm", "three letters")
    letters.cli("run")
    letters.database(sql="CREATE TABLE letters AS SELECT 1 AS letter_id, 'Dürer' AS sender")
    git("commit", "-qam", "one letter")
    letters.cli("run")
    assert letters.states() == {"liste": "fresh", "zahl": "fresh"}
    git("checkout", "-q", "HEAD~1")
    os.utime(letters.root / "data/letters.duckdb", (1, 1))  # older than everything, as some tools set it
    assert letters.states() == {"liste": "stale", "zahl": "stale"}
    git("checkout", "-q", "-")
    assert letters.states() == {"liste": "fresh", "zahl": "fresh"}, "the same content is the same data"
