"""The kernel through Jupyter's own clients: it always replies, stops when told to, and keeps its store whole."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import nbclient
import nbformat
import pytest
from kernels import MIME, SLOW_SQL, kernel_manager, running_kernel, surroundings
from projects import REPOSITORY, ProjectFolder, read_block

from famulus_kernel.adapter.runner import Runner
from famulus_kernel.project.project import Project
from famulus_kernel.project.staleness import project_status

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kernels import RunningKernel

SQUARES = read_block("squares", "SELECT i AS n, i * i AS square FROM range(10) t(i)", extra="oracle: {n_rows: 10}")
SLOW = read_block("slow", SLOW_SQL)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> ProjectFolder:
    """Give a project for the kernel that most tests share."""
    folder = ProjectFolder(tmp_path_factory.mktemp("kernel") / "probe")
    folder.write("famulus.yml", "id: probe\n")
    folder.blocks("a.fam", SQUARES)
    return folder


@pytest.fixture(scope="module")
def kernel(folder: ProjectFolder, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningKernel]:
    """Give a kernel that works in that project's folder."""
    with running_kernel(folder.root, tmp_path_factory.mktemp("place")) as running:
        yield running


def test_a_cell_is_a_block_and_answers_in_every_form(kernel: RunningKernel, folder: ProjectFolder) -> None:
    answer = kernel.run(SQUARES)
    assert answer.status == "ok"
    assert answer.kinds == ["display_data"]
    assert set(answer.data) == {"text/plain", "text/html", "text/markdown", "text/latex", MIME}
    assert answer.data[MIME]["card"]["marks"][0]["status"] == "pass"
    assert answer.data[MIME]["artefacts"][0]["view"]["parts"][0]["total"] == 10
    assert folder.version("squares").is_dir()


def test_a_fresh_block_is_answered_from_the_store(kernel: RunningKernel, folder: ProjectFolder) -> None:
    first = kernel.run(SQUARES)
    second = kernel.run(SQUARES)
    assert second.data == first.data
    assert not folder.version("squares", 2).exists()


def test_a_cell_plays_what_it_needs_first(kernel: RunningKernel, folder: ProjectFolder) -> None:
    folder.blocks("chain.fam", read_block("base", "SELECT 7 AS seven"))
    above = read_block("above", "SELECT seven * 2 AS fourteen FROM b", extra="duckdb: [{alias: b, ref: base.tab}]")
    answer = kernel.run(above)
    assert answer.status == "ok", answer.reply
    assert folder.version("base", notebook="chain").is_dir()
    assert "14" in answer.data["text/plain"]


def test_a_block_that_is_blocked_says_by_what(kernel: RunningKernel, folder: ProjectFolder) -> None:
    folder.blocks("broken.fam", read_block("faulty", "SELECT no_such_column"))
    answer = kernel.run(read_block("upon", "SELECT * FROM b", extra="duckdb: [{alias: b, ref: faulty.tab}]"))
    assert answer.reply["ename"] == "Blocked"
    assert "faulty" in answer.reply["evalue"]


def test_a_cell_refers_to_an_earlier_cell_that_no_file_has(kernel: RunningKernel) -> None:
    assert kernel.run(read_block("unsaved", "SELECT 3 AS three")).status == "ok"
    answer = kernel.run(read_block("later", "SELECT three FROM u", extra="duckdb: [{alias: u, ref: unsaved.tab}]"))
    assert answer.status == "ok", answer.reply


def test_a_failed_oracle_is_an_answer_and_shown(kernel: RunningKernel) -> None:
    answer = kernel.run(read_block("wrong", "SELECT 1 AS one", extra="oracle: {n_rows: 2}"))
    assert answer.status == "ok"
    assert answer.data[MIME]["card"]["marks"][0]["status"] == "fail"
    bare = kernel.run(read_block("wrong", "SELECT 1 AS one", extra="oracle: {n_rows: 2}\noutput: artefacts"))
    assert bare.data[MIME]["card"] is None
    assert 'data-status="fail"' in bare.data["text/html"]
    assert "✗" in bare.data["text/markdown"]
    assert "✗" in bare.data["text/plain"]


def test_a_block_whose_output_is_none_shows_its_card_in_a_notebook(kernel: RunningKernel) -> None:
    answer = kernel.run(read_block("hidden", "SELECT 1 AS one", extra="output: none"))
    assert (answer.status, answer.kinds) == ("ok", ["display_data"])
    assert answer.data[MIME]["card"]["block"] == "hidden"
    assert answer.data[MIME]["artefacts"] == []


def test_a_stale_block_that_may_not_run_says_so(kernel: RunningKernel) -> None:
    kernel.run(read_block("kept", "SELECT 1 AS one"))
    answer = kernel.run(read_block("kept", "SELECT 1 AS one", extra="rerun: never", instruction="Sonst?"))
    assert answer.status == "ok"
    assert "stale: the instruction changed" in answer.text("stderr")
    assert "stale" in answer.data["text/plain"]


@pytest.mark.parametrize("code", ["", "  \n\t\n"])
def test_an_empty_cell_is_answered_with_nothing(kernel: RunningKernel, code: str) -> None:
    answer = kernel.run(code)
    assert (answer.status, answer.kinds) == ("ok", [])


def test_values_stand_in_lines_of_text(kernel: RunningKernel) -> None:
    kernel.run(SQUARES)
    wanted = {"rows": "squares.tab:n_rows", "cell": "squares.tab:rows.2.1", "bad": "squares.tab:nix", "odd": "][",
              "apart": "squares.tab n_rows"}
    values = kernel.run("", user_expressions=wanted).reply["user_expressions"]
    assert values["rows"]["data"] == {"text/plain": "10", "text/markdown": "10"}
    assert values["cell"]["data"]["text/plain"] == "4"
    assert values["apart"] == values["rows"]
    assert values["bad"]["status"] == "error"
    assert values["bad"]["ename"] == "UnresolvedReference"
    assert "n_rows" in values["bad"]["traceback"][-1]
    assert values["odd"]["status"] == "error"


def test_a_name_with_a_question_mark_opens_a_page(kernel: RunningKernel) -> None:
    kernel.run(SQUARES)
    for name, words in {"squares?": "passed", "?years.from": "First year"}.items():
        payload = kernel.run(name).reply["payload"]
        assert payload[0]["source"] == "page"
        assert words in payload[0]["data"]["text/plain"]


def test_a_silent_cell_shows_nothing_and_counts_nothing(kernel: RunningKernel) -> None:
    before = kernel.run("squares").reply["execution_count"]
    silent = kernel.run(read_block("quiet", "SELECT 1 AS one"), silent=True)
    failing = kernel.run("no block", silent=True)
    assert (silent.status, silent.outputs) == ("ok", [])
    assert (failing.status, failing.outputs) == ("error", [])
    assert kernel.run("squares").reply["execution_count"] == before + 1


def test_a_cell_that_is_not_to_be_stored_leaves_no_trace_in_the_history(kernel: RunningKernel) -> None:
    before = kernel.run("squares").reply["execution_count"]
    assert kernel.run("squares.tab:n_rows", store_history=False).status == "ok"
    assert kernel.run("squares.tab").reply["execution_count"] == before + 1
    kernel.client.history(raw=True, output=False, hist_access_type="tail", n=2)
    rows = kernel.client.get_shell_msg(timeout=10)["content"]["history"]
    assert [row[2] for row in rows] == ["squares", "squares.tab"]


BAD_CELLS = {
    "words": "Wie viele Briefe sind es?",
    "open preamble": "---\nid: x\n",
    "no yaml": "---\nid: [x\n---\nWas?\n",
    "double key": "---\nid: x\nid: y\n---\nWas?\n",
    "tab": "---\nid: x\ninput:\n\tsql: y\n---\n",
    "billion laughs": "---\nid: x\noracle:\n  a: &a [1,1,1,1,1,1,1,1,1,1]\n" + "".join(
        f"  {b}: &{b} [{', '.join(['*' + a] * 10)}]\n" for a, b in zip("abcdefgh", "bcdefghi", strict=True)
    ) + "---\n",
    "tag": "---\nid: !!python/object:os.system x\n---\n",
    "list": "---\n- id\n---\n",
    "scalar": "---\nid\n---\n",
    "no id": "---\nsubtask: x\n---\n",
    "bad id": "---\nid: ../../etc\n---\n",
    "long id": f"---\nid: {'x' * 500}\n---\n",
    "unknown key": "---\nid: x\nsubtsk: y\n---\n",
    "no plan": "---\nid: x\n---\nWas?\n",
    "two plans": "---\nid: x\nsubtask: y\nrequest: true\n---\n",
    "unknown subtask": "---\nid: x\nsubtask: attestation\n---\n",
    "unknown step": "---\nid: x\npartiturs: [{id: nothing}]\n---\n",
    "no sql": "---\nid: x\npartiturs: [{id: duckdb-read}]\n---\n",
    "copy": read_block("x", "COPY (SELECT 1) TO '/tmp/out.csv'"),
    "attach": read_block("x", "ATTACH 'other.duckdb'"),
    "two statements": read_block("x", "SELECT 1; SELECT 2"),
    "bad sql": read_block("x", "SELEC 1"),
    "no table": read_block("x", "SELECT * FROM nowhere"),
    "passwd": read_block("x", "SELECT * FROM read_csv('/etc/passwd')"),
    "missing file": read_block("x", "SELECT * FROM read_parquet('data/none.parquet')"),
    "missing database": read_block("x", "SELECT 1", extra="duckdb: [{alias: d, path: none.duckdb}]"),
    "missing reference": read_block("x", "SELECT 1", extra="duckdb: [{alias: d, ref: nobody.tab}]"),
    "itself": read_block("x", "SELECT 1", extra="depends_on: [x]"),
    "empty": read_block("x", "SELECT 1 AS n WHERE false"),
    "unknown measure": read_block("x", "SELECT 1 AS n", extra="oracle: {n_letters: 1}"),
    "never": read_block("x", "SELECT 1 AS n", extra="rerun: never"),
    "no such name": "nobody.tab",
    "no such value": "squares.tab:rows.99.1",
    "many values": "squares.tab:rows",
    "no such command": "%run",
    "command without a word": "%print",
    "nothing known": "xyzzy?",
    "zero bytes": "---\nid: x\0y\n---\n",
    "deep": "---\nid: x\noracle: " + "[" * 5000 + "\n---\n",
    "other notebook": SQUARES.replace("id: squares", "id: SQUARES"),
}


def test_every_bad_cell_is_replied_to_with_one_clear_error(kernel: RunningKernel, folder: ProjectFolder) -> None:
    kernel.run(SQUARES)
    for name, code in BAD_CELLS.items():
        answer = kernel.run(code)
        assert answer.status == "error", name
        assert answer.kinds == ["error"], name
        told = {key: answer.reply[key] for key in ("ename", "evalue", "traceback")}
        assert answer.outputs[0]["content"] == told, name
        assert not answer.reply["ename"].startswith(("Assertion", "Type", "Value", "Key", "Attribute")), (name, answer)
        assert answer.reply["evalue"], name
        assert len(answer.reply["traceback"]) <= 7, name
    assert kernel.run(SQUARES).status == "ok"
    assert not list(folder.root.rglob("*.csv.tmp"))


def test_an_error_names_file_line_key_and_remedy(kernel: RunningKernel, folder: ProjectFolder) -> None:
    folder.write("p.fam", "Text.\n\n```{famulus}\n---\nid: placed\nsubtsk: roster\n---\nWer?\n```\n")
    saved = kernel.ask("execute_request", {"code": "---\nid: placed\nsubtsk: roster\n---\nWer?"},
                       metadata={"famulus": {"file": str(folder.root / "p.fam")}})
    lines = kernel.answer_to(saved).reply["traceback"]
    assert "subtask" in lines[1]
    assert lines[2] == "  at p.fam:6, block placed, key subtsk"
    assert "> " in lines[4]
    assert "   3 | subtsk: roster" in lines[4]
    unsaved = kernel.ask("execute_request", {"code": "---\nid: placed\n\nsubtsk: roster\n---\nWer?"},
                         metadata={"famulus": {"file": str(folder.root / "p.fam")}})
    assert kernel.answer_to(unsaved).reply["traceback"][2] == "  at cell of p.fam:4, block placed, key subtsk"
    folder.write("p.fam", "Text.\n")


def test_a_block_that_ended_in_error_tells_where_its_trace_lies(kernel: RunningKernel, folder: ProjectFolder) -> None:
    lines = kernel.run(SQUARES.replace("id: squares", "id: nothing-there").replace("range", "nothing_there"))
    place = lines.reply["traceback"][-1].strip().removeprefix("trace: ")
    assert place.startswith("./_famulus/store/")
    assert json.loads((folder.root / place).read_text())["block"] == "nothing-there"


def test_a_request_without_text_is_replied_to(kernel: RunningKernel) -> None:
    for content in ({}, {"code": None}, {"code": 7, "silent": False}, {"code": "\ud800 ist kein Zeichen"}):
        assert kernel.answer_to(kernel.ask("execute_request", dict(content))).status in {"ok", "error"}, content


def test_comms_are_heard_and_closed(kernel: RunningKernel) -> None:
    def heard(kind: str, content: dict[str, Any]) -> list[str]:
        request, kinds = kernel.ask(kind, content), []
        while True:
            message = kernel.client.get_iopub_msg(timeout=10)
            if message["parent_header"].get("msg_id") == request:
                kinds.append(message["msg_type"])
                if message["content"].get("execution_state") == "idle":
                    return kinds

    setup = {"comm_id": "q", "target_name": "quarto_kernel_setup", "data": {"options": {"fig_dpi": 96}}}
    assert heard("comm_open", setup) == ["status", "status"]
    assert heard("comm_open", {"comm_id": "w", "target_name": "jupyter.widget", "data": {}}) == [
        "status", "comm_close", "status",
    ]
    assert heard("comm_msg", {"comm_id": "q", "data": {}}) == ["status", "status"]
    assert heard("comm_close", {"comm_id": "q", "data": {}}) == ["status", "status"]
    info = kernel.ask("comm_info_request", {})
    assert kernel.reply_to(info) == {"status": "ok", "comms": {}}


@pytest.mark.parametrize("way", ["signal", "message"])
def test_an_interrupt_ends_a_long_query_within_a_second(
    kernel: RunningKernel, folder: ProjectFolder, way: str
) -> None:
    request = kernel.send(SLOW)
    kernel.wait_for_output(request, "display_data")
    begun = time.monotonic()
    if way == "signal":
        kernel.manager.interrupt_kernel()
    else:
        message = kernel.client.session.msg("interrupt_request", {})
        kernel.client.control_channel.send(message)
    answer = kernel.answer_to(request, timeout=10)
    assert time.monotonic() - begun < 1
    assert answer.reply["ename"] == "Interrupted"
    assert "stopped" in answer.data["text/plain"]
    assert kernel.run(SQUARES, timeout=5).status == "ok"
    left = (folder.root / "_famulus" / "store").glob("**/slow/*")
    assert [path.name for path in left] == [".lock"]


def test_an_interrupt_between_cells_changes_nothing(kernel: RunningKernel) -> None:
    for _ in range(3):
        kernel.manager.interrupt_kernel()
    time.sleep(0.1)
    assert kernel.run(SQUARES, timeout=5).status == "ok"


def test_a_held_down_interrupt_still_leaves_one_reply(kernel: RunningKernel) -> None:
    request = kernel.send(SLOW)
    kernel.wait_for_output(request, "display_data")
    for _ in range(20):
        kernel.manager.interrupt_kernel()
        time.sleep(0.005)
    assert kernel.answer_to(request, timeout=10).reply["ename"] == "Interrupted"
    assert kernel.run(SQUARES, timeout=5).status == "ok"


def test_an_interrupt_at_any_moment_is_replied_to_and_leaves_no_half_version(
    kernel: RunningKernel, folder: ProjectFolder
) -> None:
    code = read_block("again", "SELECT i AS n FROM range(100) t(i)", extra="rerun: always")
    ends = set()
    for step in range(16):
        request = kernel.send(code)
        time.sleep(step * 0.006)
        kernel.manager.interrupt_kernel()
        answer = kernel.answer_to(request, timeout=10)
        ends.add(answer.reply.get("ename", answer.status))
    assert ends <= {"ok", "Interrupted"}
    assert kernel.run(code).status == "ok"
    versions = sorted((folder.root / "_famulus" / "store" / "cells" / "again").glob("[!.]*"))
    assert all((version / "manifest.json").is_file() for version in versions)
    assert {json.loads((version / "manifest.json").read_bytes())["status"] for version in versions} == {"pass"}


def test_progress_stands_where_the_result_will_stand(kernel: RunningKernel) -> None:
    for rows in (10_000, 30_000, 100_000, 300_000):  # until this machine needs more than a second
        sql = f"SELECT count(*) AS n FROM range({rows}) a(i), range(10000) b(j) WHERE (a.i * b.j) % 7 = 3"
        answer = kernel.run(read_block("long", sql), timeout=60)
        if len(answer.kinds) > 1:
            break
    *shown, cleared, result = answer.kinds
    assert shown[0] == "display_data"
    assert set(shown[1:]) <= {"update_display_data"}
    assert (cleared, result) == ("clear_output", "display_data")
    ids = {one["content"]["transient"]["display_id"] for one in answer.outputs[:-2]}
    assert len(ids) == 1
    assert "long: " in answer.outputs[0]["content"]["data"]["text/plain"]
    assert MIME in answer.data


def test_ten_thousand_rows_stay_below_a_megabyte(kernel: RunningKernel) -> None:
    sql = "SELECT i AS n, repeat('Brief an Dürer & <Co> ', 8) AS text, i / 3 AS third FROM range(10000) t(i)"
    answer = kernel.run(read_block("many", sql))
    size = sum(len(json.dumps(one["content"], ensure_ascii=False).encode()) for one in answer.outputs)
    assert size < 1_000_000
    table = answer.data[MIME]["artefacts"][0]["view"]["parts"][0]
    assert (table["total"], len(table["rows"]) > 0) == (10_000, True)
    assert "10,000" in answer.data["text/html"]


def test_hostile_data_is_text_in_every_form(kernel: RunningKernel) -> None:
    hostile = """<script>alert(1)</script><img src=x onerror=alert(2)>"' {{< meta x >}} | `a` $x$ @key [^1]"""
    sql = f"SELECT '{hostile.replace(chr(39), chr(39) * 2)}' AS \"<b onclick=x>\", chr(27) || '[31m' AS escape"
    answer = kernel.run(read_block("hostile", sql, instruction=hostile))
    page = answer.data["text/html"]
    assert answer.status == "ok", answer.reply
    assert "<script" not in page
    assert "<img" not in page
    assert "<b onclick" not in page
    assert "&lt;script&gt;" in page
    assert "{{< meta" not in answer.data["text/markdown"]
    assert "<script" not in answer.data["text/markdown"].replace("\\<", "")
    assert "\x1b" not in answer.data["text/plain"]


def test_links_lead_from_the_notebook_to_the_files_of_the_version(kernel: RunningKernel, folder: ProjectFolder) -> None:
    answer = kernel.run(SQUARES)
    link = "_famulus/store/a/squares/v0001/artefacts/tab.parquet"
    assert f'href="{link}"' in answer.data["text/html"]
    assert (folder.root / link).is_file()


def test_a_question_of_an_editor_is_always_answered(kernel: RunningKernel) -> None:
    code = "---\nid: x\nsubtask: cor"
    reply = kernel.reply_to(kernel.client.complete(code))
    assert "correspondence-count" in reply["matches"]
    assert reply["cursor_start"] == len(code) - 3
    for cursor in (0, 3, len(code), 500, -4):
        assert kernel.reply_to(kernel.client.complete(code, cursor))["status"] == "ok"
        assert kernel.reply_to(kernel.client.inspect(code, cursor))["status"] == "ok"
    assert kernel.reply_to(kernel.ask("complete_request", {"code": "\ud800", "cursor_pos": 1}))["status"] == "ok"


@pytest.mark.parametrize(
    ("kind", "content"),
    [
        ("complete_request", {"code": "squ"}),
        ("complete_request", {"code": None, "cursor_pos": "3"}),
        ("inspect_request", {}),
        ("is_complete_request", {}),
        ("history_request", {}),
        ("history_request", {"hist_access_type": "range", "session": "x", "start": [], "more": 1}),
        ("execute_request", {"code": "squares", "user_expressions": ["squares"]}),
    ],
)
def test_a_question_that_lacks_a_part_or_has_an_odd_one_is_replied_to(
    kernel: RunningKernel, kind: str, content: dict[str, Any]
) -> None:
    status = kernel.reply_to(kernel.ask(kind, content), timeout=10)["status"]
    assert status == ("complete" if kind == "is_complete_request" else "ok")


def test_a_project_that_is_taken_away_is_told_and_one_that_comes_back_goes_on(
    project: ProjectFolder, tmp_path: Path
) -> None:
    with running_kernel(project.root, tmp_path / "place") as kernel:
        shutil.rmtree(project.root)
        for cell in (SQUARES, "%status", "squares.tab"):
            answer = kernel.run(cell)
            assert (answer.status, answer.reply["ename"]) == ("error", "ProjectError")
        assert kernel.reply_to(kernel.client.complete("squ"))["status"] == "ok"
        project.root.mkdir()
        assert kernel.run(SQUARES).status == "ok"


def test_a_restart_is_a_clean_shutdown(folder: ProjectFolder, tmp_path: Path) -> None:
    with running_kernel(folder.root, tmp_path) as kernel:
        kernel.run(SQUARES)
        kernel.manager.restart_kernel()
        kernel.client.wait_for_ready(timeout=60)
        assert kernel.run(SQUARES).status == "ok"
        process = kernel.manager.provisioner.process
        kernel.client.shutdown()
        assert process.wait(timeout=10) == 0


def test_a_kernel_that_still_reads_names_ends_cleanly(project: ProjectFolder, tmp_path: Path) -> None:
    names = "SELECT i AS ent_id, 'Name ' || i AS canonical FROM range(300000) t(i)"
    project.database("data/c/c.duckdb", f"CREATE TABLE ent_canonical AS {names}")
    project.write("famulus.yml", "id: probe\ncollections_root: data\ncollections: [c]\n")
    with running_kernel(project.root, tmp_path) as kernel:
        kernel.client.complete("---\nid: x\npersons: [Na")
        process = kernel.manager.provisioner.process
        kernel.client.shutdown()
        assert process.wait(timeout=10) == 0


def test_a_kernel_that_is_killed_leaves_the_store_whole(project: ProjectFolder, tmp_path: Path) -> None:
    project.blocks("a.fam", SQUARES, SLOW)
    with running_kernel(project.root, tmp_path / "place") as kernel:
        kernel.run(SQUARES)
        request = kernel.send(SLOW)
        kernel.wait_for_output(request, "display_data")
        os.kill(kernel.manager.provisioner.pid, signal.SIGKILL)
        end = time.monotonic() + 10
        while kernel.manager.is_alive() and time.monotonic() < end:
            time.sleep(0.05)
        assert not kernel.manager.is_alive()
    opened = Project.open(project.root)
    assert [one.state for one in project_status(opened)] == ["fresh", "missing"]
    assert project.cli("verify", ".").status == 0
    assert [one.action for one in Runner(opened).run(["squares"])] == ["kept"]


def test_a_kernel_ends_with_the_process_that_started_it(tmp_path: Path) -> None:
    script = (
        "import os, sys; sys.path[:0] = [sys.argv[1]]\n"
        "from pathlib import Path\n"
        "from kernels import kernel_manager, surroundings\n"
        "manager = kernel_manager(Path(sys.argv[2])); manager.start_kernel(cwd=sys.argv[2], env=surroundings())\n"
        "client = manager.client(); client.start_channels(); client.wait_for_ready(timeout=60)\n"
        "print(manager.provisioner.pid, flush=True); os._exit(0)\n"
    )
    words = [sys.executable, "-c", script, str(REPOSITORY / "tests"), str(tmp_path)]
    started = subprocess.run(words, capture_output=True, text=True, check=True, env=surroundings(), timeout=60)
    pid = int(started.stdout.split()[-1])
    end = time.monotonic() + 10
    while time.monotonic() < end and _is_alive(pid):
        time.sleep(0.1)
    assert not _is_alive(pid)


def _is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_nbclient_runs_a_notebook_of_cells(
    project: ProjectFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kernel_manager(tmp_path)  # lays out the kernelspec
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path))
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(tmp_path / "runtime"))
    above = read_block("above", "SELECT sum(square) AS total FROM s", extra="duckdb: [{alias: s, ref: squares.tab}]")
    notebook = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(code) for code in (SQUARES, "", above, "above.tab:rows.0.0")]
    )
    place = {"metadata": {"path": str(project.root)}}
    client = nbclient.NotebookClient(notebook, kernel_name="famulus", timeout=60, resources=place)
    client.execute(env=surroundings(JPY_SESSION_NAME=str(project.write("work.ipynb", "{}"))))
    outputs = [cell.outputs for cell in notebook.cells]
    assert [len(each) for each in outputs] == [1, 0, 1, 1]
    assert "285" in outputs[2][0]["data"]["text/plain"]
    assert outputs[3][0]["data"]["text/plain"] == "285"
    nbformat.validate(notebook)
    assert project.version("squares", notebook="work").is_dir()


def test_nothing_is_written_outside_the_project_and_pandas_is_not_loaded(
    project: ProjectFolder, tmp_path: Path
) -> None:
    home, temporary, stub = tmp_path / "home", tmp_path / "tmp", tmp_path / "stub"
    for folder in (home, temporary, stub):
        folder.mkdir()
    (stub / "pandas.py").write_text("raise SystemExit('pandas was imported')\n", encoding="utf-8")
    env = {
        "HOME": str(home),
        "TMPDIR": str(temporary),
        "PYTHONPATH": os.pathsep.join([str(stub), str(REPOSITORY)]),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    with running_kernel(project.root, tmp_path / "place", env) as kernel:
        assert kernel.run(SQUARES).status == "ok"
        kernel.run("no block")
    assert list(home.rglob("*")) == []
    assert list(temporary.rglob("*")) == []


def test_the_sockets_are_encrypted_where_the_client_asks_for_it(project: ProjectFolder, tmp_path: Path) -> None:
    with running_kernel(project.root, tmp_path, transport_encryption="required") as kernel:
        assert kernel.run(SQUARES).status == "ok"


def test_nothing_heavy_is_loaded_before_the_kernel_is_ready() -> None:
    script = "import sys, famulus_kernel.kernel.serving; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, env=surroundings()
    )
    heavy = {"pandas", "duckdb", "pyarrow", "pydantic", "rich", "numpy", "jinja2", "IPython.terminal.embed", "debugpy"}
    assert not heavy & set(done.stdout.split())
