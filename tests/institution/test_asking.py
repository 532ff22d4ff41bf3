from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from servers import institution

from famulus_kernel.errors import ToolFailed, UnknownTool
from famulus_kernel.institution import COLLECTION_TOOLS, EMBEDDED
from famulus_kernel.institution.asking import ask
from famulus_kernel.institution.tools import Institution

TEXT = "Es sind 75 Briefe, „lieber Freund“."


def test_our_tools_answer_alike_in_this_process_and_served(tmp_path: Path) -> None:
    own = Institution(tmp_path)
    arguments = {"text": TEXT, "evidence": {"n": 75}, "lang": "de", "author": "wir"}
    here = ask(EMBEDDED, "lw_evaluate", arguments, own, timeout=5)
    with institution("--collections", str(tmp_path), cwd=tmp_path) as url:
        there = ask(url, "lw_evaluate", arguments, own, timeout=20)
    assert here == there
    assert json.loads(json.dumps(here)) == here
    assert here["author"] == "wir"
    assert [one["supported"] for one in here["findings"]] == [True, False]


def test_a_text_may_come_in_paragraphs(tmp_path: Path) -> None:
    answer = ask(EMBEDDED, "lw_evaluate", {"text": ["75", "76"], "evidence": [75]}, Institution(tmp_path), timeout=5)
    assert answer["n_unsupported"] == 1


def test_an_unknown_tool_names_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(UnknownTool) as caught:
        ask(EMBEDDED, "lw_sense", {}, Institution(tmp_path), timeout=5)
    assert "lw_sense_history" in caught.value.hint


@pytest.mark.parametrize("arguments", [{}, {"text": 5}, {"text": "a", "langu": "de"}])
def test_arguments_that_do_not_fit_are_told(tmp_path: Path, arguments) -> None:
    with pytest.raises(ToolFailed, match="lw_evaluate of embedded failed"):
        ask(EMBEDDED, "lw_evaluate", arguments, Institution(tmp_path), timeout=5)


def test_the_tools_that_read_collections_are_known_by_name(tmp_path: Path) -> None:
    names = {one.__name__ for one in Institution(tmp_path).tools}
    assert names - COLLECTION_TOOLS == {"lw_evaluate"}


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent otherwise there")
def test_ctrl_c_ends_the_server(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-u", "-m", "famulus_kernel.cli", "institution", "--port", "0"],
        cwd=tmp_path,
        env={**os.environ, "PDAI_COLLECTIONS": str(tmp_path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout.readline().startswith("language institution at http://127.0.0.1:")
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=10)
    assert process.returncode in {130, -signal.SIGINT}
    assert "Traceback" not in said
