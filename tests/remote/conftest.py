"""Servers to ask: our own in a process of its own, and bad ones on loopback."""

from __future__ import annotations

import subprocess
import sys
import textwrap
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

TOOLS = textwrap.dedent(
    '''
    import sys, time
    from famulus_kernel.errors import UnboundInput
    from famulus_kernel.remote import serve

    def add(a: int, b: int) -> dict[str, int]:
        """Add two numbers."""
        return {"sum": a + b}

    def echo(text: str) -> str:
        """Say it again."""
        return text

    def notes(text: str) -> list[dict[str, str]]:
        """Return a list."""
        return [{"note": text}]

    def fill(size: int) -> str:
        """Return that many letters."""
        return "x" * size

    def wait(seconds: float) -> str:
        """Take that long."""
        time.sleep(seconds)
        return "done"

    def refuse() -> str:
        """Say what is missing."""
        raise UnboundInput.of("lemma", "refuse")

    def crash() -> str:
        """Fail."""
        raise RuntimeError("a word of the inside")

    serve([add, echo, notes, fill, wait, refuse, crash], name="tests", port=0, ready=lambda url: print(url, flush=True))
    '''
)


@pytest.fixture(scope="session")
def server():
    """The URL of a good server."""
    process = subprocess.Popen(
        [sys.executable, "-c", TOOLS], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    yield process.stdout.readline().strip()
    process.terminate()
    process.wait(10)
    process.stdout.close()


@pytest.fixture
def bad_server():
    """Start a server that answers every request as the given function of its handler does; return its URL."""

    @contextmanager
    def started(answer):
        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                self.rfile.read(int(self.headers.get("content-length", 0)))
                try:
                    answer(self)
                except OSError:
                    self.close_connection = True

            do_GET = do_DELETE = do_POST  # noqa: N815 - names of http.server

            def log_message(self, *args):
                pass

        with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as httpd:
            httpd.daemon_threads = True
            thread = threading.Thread(target=httpd.serve_forever, args=(0.01,))
            thread.start()
            yield f"http://127.0.0.1:{httpd.server_port}/mcp"
            httpd.shutdown()
            thread.join()

    return started
