"""`render --watch`: a real process, real HTTP on loopback, a real browser."""

from __future__ import annotations

import http.client
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from projects import REPOSITORY, ProjectFolder, read_block

BLOCK = read_block("one", "SELECT 1 AS n", extra="oracle: {n: 1}")


class Watching:
    """The command in a process of its own."""

    def __init__(self, folder: ProjectFolder) -> None:
        self.folder = folder
        self.process = subprocess.Popen(
            [sys.executable, "-m", "famulus_kernel.cli", "render", ".", "--watch", "--port", "0"],
            cwd=folder.root,
            env={**os.environ, "PYTHONPATH": str(REPOSITORY), "PYTHONUNBUFFERED": "1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert self.process.stdout is not None
        self.said: list[str] = []
        for line in self.process.stdout:
            self.said.append(line)
            found = re.search(r"http://127\.0\.0\.1:(\d+)/", line)
            if found:
                self.port = int(found[1])
                return
        raise AssertionError("".join(self.said))

    def get(self, path: str, host: str | None = None) -> tuple[int, str]:
        """Return the status and the text of an address."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        connection.request("GET", path, headers={"Host": host or f"127.0.0.1:{self.port}"})
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        return answer.status, text

    def until(self, path: str, text: str, seconds: float = 30) -> bool:
        """Wait until a page has a text."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if text in self.get(path)[1]:
                return True
            time.sleep(0.1)
        return False

    def end(self) -> int:
        """Press Ctrl-C and return the exit status."""
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(20)


@pytest.fixture
def watching(tmp_path: Path) -> Iterator[Watching]:
    folder = ProjectFolder(tmp_path)
    folder.write("famulus.yml", "id: p\n")
    folder.blocks("index.fam", BLOCK)
    folder.write("other.md", "# Other\n\nBefore.\n")
    assert folder.cli("run", ".").status == 0
    started = Watching(folder)
    yield started
    started.process.kill()
    started.process.wait()
    assert started.process.stdout is not None
    started.process.stdout.close()


def test_what_is_saved_is_rendered_and_told(watching: Watching) -> None:
    with socket.create_connection(("127.0.0.1", watching.port), timeout=30) as live:
        live.sendall(f"GET /famulus/live HTTP/1.1\r\nHost: 127.0.0.1:{watching.port}\r\n\r\n".encode())
        stream = live.makefile()
        assert "data: 0\n" in iter(stream.readline, "")
        assert "Before." in watching.get("/other.html")[1]
        watching.folder.write("other.md", "# Other\n\nAfter.\n")
        assert "data: 1\n" in iter(stream.readline, "")
        stream.close()
    assert "After." in watching.get("/other.html")[1]
    watching.folder.blocks("index.fam", BLOCK.replace("SELECT 1 AS n", "SELECT 1 + 6 AS n").replace("{n: 1}", "{n: 7}"))
    assert watching.folder.cli("run", ".").status == 0
    assert watching.until("/", ">7</td>")
    watching.folder.write("_quarto.yml", "project: [\n")
    watching.folder.write("_quarto.yml", "project: {type: website}\nwebsite: {title: Renamed}\n")
    assert watching.until("/", "Renamed")
    assert watching.end() == 0


@pytest.mark.browser
def test_a_browser_shows_what_was_saved_without_being_asked(watching: Watching, browser: Any) -> None:
    page = browser.new_page()
    page.goto(f"http://127.0.0.1:{watching.port}/other.html")
    page.get_by_text("Before.").wait_for()
    watching.folder.write("other.md", "# Other\n\nSaved meanwhile.\n")
    page.get_by_text("Saved meanwhile.").wait_for(timeout=30_000)
    page.close()


def test_nothing_is_rendered_while_nothing_changes(watching: Watching) -> None:
    page = watching.folder.root / "_site" / "other.html"
    before = page.stat().st_mtime_ns
    record = watching.folder.root / "_famulus" / "rendered.json"
    last = record.stat().st_mtime_ns
    time.sleep(2)
    assert (page.stat().st_mtime_ns, record.stat().st_mtime_ns) == (before, last)


def test_the_server_is_for_this_machine_and_for_the_pages_only(watching: Watching) -> None:
    assert "live.js" in watching.get("/")[1]
    assert watching.get("/", host="evil.example:80")[0] == 403
    assert watching.get("/famulus/live", host="evil.example")[0] == 403
    assert watching.get("/../famulus.yml")[0] == 404
    assert watching.get("/%2e%2e/famulus.yml")[0] == 404


def test_a_port_that_is_taken_is_told(watching: Watching) -> None:
    second = watching.folder.cli("render", ".", "--watch", "--port", str(watching.port))
    assert second.status == 1
    assert "--port" in second.err
    assert watching.folder.cli("render", ".", "--watch", "--to", "docx").status == 2
