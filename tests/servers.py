"""Servers that tests ask: our language institution in a process of its own, and bad ones on loopback."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path


@contextmanager
def institution(*options: str, cwd: Path) -> Iterator[str]:
    """Run `famulus-notebook institution` on a free port and give its URL."""
    process = subprocess.Popen(
        [sys.executable, "-u", "-m", "famulus_kernel.cli", "institution", "--port", "0", *options],
        cwd=cwd,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdout is not None
    try:
        yield process.stdout.readline().split()[-1]
    finally:
        process.terminate()
        process.wait(10)
        process.stdout.close()


@contextmanager
def bad_server(answer: Callable[[BaseHTTPRequestHandler], None]) -> Iterator[str]:
    """Run a server that answers every request as `answer` does with the handler; give its URL."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers.get("content-length", 0)))
            try:
                answer(self)
            except OSError:
                self.close_connection = True

        do_GET = do_DELETE = do_POST  # noqa: N815 - names of http.server

        def log_message(self, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as httpd:
        httpd.daemon_threads = True
        thread = threading.Thread(target=httpd.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{httpd.server_port}/mcp"
        finally:
            httpd.shutdown()
            thread.join()


def send(handler: BaseHTTPRequestHandler, status: int, body: bytes = b"", **headers: str) -> None:
    """Send one answer with a length."""
    handler.send_response(status)
    for name, value in {"content-length": str(len(body)), **headers}.items():
        handler.send_header(name.replace("_", "-"), value)
    handler.end_headers()
    handler.wfile.write(body)


def flood(handler: BaseHTTPRequestHandler) -> None:
    """Send fifty megabytes."""
    handler.send_response(200)
    handler.send_header("content-type", "application/json")
    handler.send_header("transfer-encoding", "chunked")
    handler.end_headers()
    chunk = b"10000\r\n" + b"x" * 65536 + b"\r\n"
    for _ in range(800):
        handler.wfile.write(chunk)
