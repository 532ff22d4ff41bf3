"""An embedding model behind the seam, over real HTTP: a small server on loopback that counts letters."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import pytest

from famulus_kernel.cards.model_embedding import ModelEmbedding
from famulus_kernel.cards.registry import load
from famulus_kernel.cards.routing import Router
from famulus_kernel.errors import RouteError

pytest.importorskip("pydantic_ai")
HERE = Path(__file__).parent / "registry"
LETTERS = "abcdefghijklmnopqrstuvwxyz"
SECRET = "sk-never-told"


class Vectors(BaseHTTPRequestHandler):
    """Answers `/v1/embeddings` with how often each pair of letters stands in a text."""

    asked: ClassVar[list[int]] = []

    def do_POST(self) -> None:
        texts = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["input"]
        self.asked.append(len(texts))
        data = [{"object": "embedding", "index": at, "embedding": vector(text)} for at, text in enumerate(texts)]
        body = json.dumps(
            {"object": "list", "model": "m", "data": data, "usage": {"prompt_tokens": 1, "total_tokens": 1}}
        )
        if self.headers.get("Authorization") != f"Bearer {SECRET}":
            self.send_response(401)
            body = json.dumps({"error": {"message": "no"}})
        else:
            self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, *args: Any) -> None:
        """Say nothing."""


def vector(text: str) -> list[float]:
    pairs = [first + second for first in LETTERS for second in LETTERS]
    return [float(text.lower().count(pair)) for pair in pairs]


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    Vectors.asked = []
    house = ThreadingHTTPServer(("127.0.0.1", 0), Vectors)
    threading.Thread(target=house.serve_forever, daemon=True).start()
    monkeypatch.setenv("OPENAI_BASE_URL", f"http://127.0.0.1:{house.server_port}/v1")
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    yield "openai:letters"
    house.shutdown()
    house.server_close()


def test_a_model_s_vectors_route_as_the_local_ones_do_and_are_kept(server: str, tmp_path: Path) -> None:
    registry = load(HERE)
    assert (
        Router(registry, ModelEmbedding(server), tmp_path).route("bitte den neuen kontakt anlegen").card == "crm-writer"
    )
    again = Router(registry, ModelEmbedding(server), tmp_path)
    assert again.route("gibt es eine anleitung zum drucker").card == "docs-finder"
    assert Vectors.asked == [40, 1, 1]


def test_a_model_that_refuses_is_an_error_that_names_it_and_never_the_key(
    server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-wrong")
    with pytest.raises(RouteError, match="the embedding model openai:letters does not answer") as caught:
        Router(load(HERE), ModelEmbedding(server))
    assert "sk-wrong" not in str(caught.value)


@pytest.mark.parametrize("tag", ["no-provider", "nobody:x"])
def test_a_tag_that_nobody_knows_is_an_error(tag: str) -> None:
    with pytest.raises(RouteError, match=tag):
        Router(load(HERE), ModelEmbedding(tag))
