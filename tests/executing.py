"""Runs in other processes: what is at work, how it is stopped, and what it gave, for the tests of executors."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from projects import ProjectFolder, read_block

ENDLESS = "SELECT count(*) AS n FROM range(100000000) a(i), range(1000) b(j) WHERE hash(i + j) % 7 = 1"
PATIENCE_S = 60

_TIME = re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+Z")


def drafts(folder: ProjectFolder, block: str) -> dict[str, int]:
    """Return the temporary folders of a block with the process that makes each."""
    found = folder.version(block).parent.glob(".new-*/.work")
    return {work.parent.name: int(work.parent.name.split(".")[-2]) for work in found}


def is_alive(pid: int) -> bool:
    """Say whether a process is there and no zombie."""
    try:
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return False


def starts(folder: ProjectFolder, *words: str) -> tuple[subprocess.Popen[bytes], int]:
    """Start a run whose standard error is a terminal; return it with the terminal's other end."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "famulus_kernel.cli", "run", ".", *words]
    process = subprocess.Popen(command, cwd=folder.root, stdout=subprocess.DEVNULL, stderr=theirs)
    os.close(theirs)
    return process, ours


def reads_until(terminal: int, wanted: str) -> str:
    """Read what a terminal shows until a pattern appears in it."""
    seen = ""
    deadline = time.monotonic() + PATIENCE_S
    while not re.search(wanted, seen) and time.monotonic() < deadline:
        if select.select([terminal], [], [], 0.2)[0]:
            try:
                seen += os.read(terminal, 4096).decode(errors="replace")
            except OSError:  # the other end is closed
                break
    assert re.search(wanted, seen), seen
    return seen


def nothing_is_left(folder: ProjectFolder, blocks: dict[str, dict[str, int]]) -> None:
    """Assert that the drafts and processes which were at work are gone, and that no version came of them."""
    deadline = time.monotonic() + PATIENCE_S
    pids = [pid for found in blocks.values() for pid in found.values()]
    while any(map(is_alive, pids)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(map(is_alive, pids))
    for block in blocks:
        assert [path.name for path in folder.version(block).parent.iterdir() if path.name != ".lock"] == []


def interrupted_in_the_middle(folder: ProjectFolder, *words: str) -> dict[str, dict[str, int]]:
    """Run two endless blocks, wait until both report progress, press Ctrl-C, and return what was at work."""
    folder.blocks("a.fam", read_block("eins", ENDLESS), read_block("zwei", ENDLESS), read_block("drei", ENDLESS))
    process, terminal = starts(folder, "eins", "zwei", *words)
    try:
        reads_until(terminal, r"(eins|zwei)  [^,\n…]*\d+ s, (eins|zwei)  [^,\n…]*\d+ s")
        at_work = {block: drafts(folder, block) for block in ("eins", "zwei")}
        assert all(at_work.values())
        assert process.pid not in {pid for found in at_work.values() for pid in found.values()}
        process.send_signal(signal.SIGINT)
        assert "interrupted" in reads_until(terminal, "interrupted")
        assert process.wait(PATIENCE_S) == 130
    finally:
        process.kill()
        process.wait()
        os.close(terminal)
    return at_work


def comparable(folder: Path) -> dict[str, Any]:
    """Return every file of every version of a store, without version numbers and times."""
    found: dict[str, Any] = {}
    for path in sorted((folder / "_famulus" / "store").rglob("v0001/**/*")):
        if path.is_dir():
            continue
        data = path.read_bytes()
        name = str(path.relative_to(folder / "_famulus" / "store"))
        found[name] = _without_times(json.loads(_TIME.sub("", data.decode()))) if path.suffix == ".json" else data
    return found


def _without_times(value: Any) -> Any:
    if isinstance(value, dict):
        left_out = {"duration_s", "mtime_ns", "wall_seconds"}
        if str(value.get("file", "")).endswith(".json") or "ref" in value:
            left_out |= {"sha256", "bytes"}  # of a JSON file, which holds its time; its content is compared itself
        if isinstance(value.get("inputs"), str):
            left_out |= {"inputs"}  # made of such hashes
        return {key: _without_times(inner) for key, inner in value.items() if key not in left_out}
    if isinstance(value, list):
        return [_without_times(inner) for inner in value]
    return value
