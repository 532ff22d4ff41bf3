"""Servers on loopback that speak as language models' servers do: well, slowly, rudely, wrongly."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Asked = dict[str, Any]


@dataclass
class Reply:
    """What a server does with one request.

    Attributes
    ----------
    body
        What it sends: bytes, JSON, or what a function makes of the request.
    delay
        Seconds before it begins.
    drip
        Seconds between single bytes.
    hang_up
        Whether it closes the connection without a word.
    """

    body: Any = None
    status: int = 200
    delay: float = 0.0
    drip: float = 0.0
    hang_up: bool = False
    kind: str = "application/json"
    coding: str = "identity"


@dataclass
class ModelServer:
    """A running server: what it will do next, and what it was asked."""

    url: str
    replies: list[Reply] = field(default_factory=list)
    asked: list[Asked] = field(default_factory=list)

    def will(self, *replies: Reply) -> None:
        """Answer the next requests so; the last one again and again."""
        self.replies[:] = replies

    def prompts(self) -> list[str]:
        """Return the prompts it was sent."""
        return [asked["body"]["messages"][-1]["content"] for asked in self.asked]


def says(text: str | None, *, finish: str | None = "stop", tokens: int | None = 7, refusal: str | None = None) -> Reply:
    """Return a reply in OpenAI's form."""
    message: dict[str, Any] = {"role": "assistant", "content": text}
    if refusal is not None:
        message["refusal"] = refusal
    body: dict[str, Any] = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1_700_000_000,
        "model": "probe-1",
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
    }
    if tokens is not None:
        body["usage"] = {"prompt_tokens": 11, "completion_tokens": tokens, "total_tokens": 11 + tokens}
    return Reply(body)


def ollama_says(text: str, *, tokens: int = 7) -> Reply:
    """Return a reply as Ollama sends it: its own fingerprint, and of a cloud model no reason for the end."""
    reply = says(text, finish=None, tokens=tokens)
    reply.body |= {"model": "glm-5.3:cloud", "system_fingerprint": "fp_ollama"}
    return reply


def fails(status: int, message: str = "") -> Reply:
    """Return an error in OpenAI's form."""
    return Reply({"error": {"message": message, "type": "error", "code": None}}, status)


def ollama_fails(status: int, message: str) -> Reply:
    """Return an error as Ollama's interface writes it."""
    return Reply({"error": {"message": message, "type": "api_error", "param": None, "code": None}}, status)


@contextmanager
def model_server() -> Iterator[ModelServer]:
    """Give a server on loopback; it answers POST /v1/chat/completions and nothing else."""
    stopping = threading.Event()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            headers = {name.lower(): value for name, value in self.headers.items()}
            length = int(self.headers["Content-Length"])
            asked = {"path": self.path, "headers": headers, "body": json.loads(self.rfile.read(length))}
            server.asked.append(asked)
            reply = server.replies.pop(0) if len(server.replies) > 1 else server.replies[0]
            if self.path != "/v1/chat/completions":
                reply = Reply(b"404 page not found", 404, kind="text/plain")
            self._send(reply, asked)

        def _send(self, reply: Reply, asked: Asked) -> None:
            stopping.wait(reply.delay)
            if reply.hang_up:
                self.close_connection = True
                return
            body = reply.body(asked) if isinstance(reply.body, Callable) else reply.body
            data = body if isinstance(body, bytes) else json.dumps(body).encode()
            self.send_response(reply.status)
            self.send_header("Content-Type", reply.kind)
            self.send_header("Content-Encoding", reply.coding)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            try:
                for number in range(len(data)) if reply.drip else ():
                    self.wfile.write(data[number : number + 1])
                    self.wfile.flush()
                    if stopping.wait(reply.drip):
                        return
                if not reply.drip:
                    self.wfile.write(data)
            except (BrokenPipeError, ConnectionResetError):  # whoever asked has gone
                self.close_connection = True

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class calls it so
            pass

    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    http.daemon_threads = False
    server = ModelServer(f"http://127.0.0.1:{http.server_port}/v1")
    thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield server
    finally:
        stopping.set()
        http.shutdown()
        http.server_close()
        thread.join()


@contextmanager
def free_port() -> Iterator[int]:
    """Give a port of loopback at which nobody answers."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        yield held.getsockname()[1]


def wait_until(true: Callable[[], bool], seconds: float = 20.0) -> None:
    """Wait for something to become true."""
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.02)
