"""Language models over real HTTP: answers, tokens and time, and a named error for whatever goes wrong (spec 3.5)."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest
from model_servers import ModelServer, Reply, fails, free_port, model_server, ollama_fails, ollama_says, says

from famulus_kernel.errors import (
    AnswerMisfit,
    AnswerNotJson,
    EmptyAnswer,
    FamulusError,
    MalformedReply,
    ModelError,
    ModelKey,
    ModelRefused,
    ModelRejected,
    ModelTimeout,
    ModelUnreachable,
    PartiturError,
    TruncatedAnswer,
)
from famulus_kernel.harness.models import Exchange, open_model

pytest.importorskip("pydantic_ai", reason="the extra models is not installed")

SECRET = "sk-famulus-secret-0123456789"
SCHEMA = {"type": "object", "required": ["n"], "properties": {"n": {"type": "integer", "minimum": 0}}}


@pytest.fixture(autouse=True)
def _nothing_of_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "OLLAMA_API_KEY", "OLLAMA_BASE_URL", "ORCH_PROVIDER"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelServer]:
    """Give a server that OPENAI_BASE_URL and OLLAMA_BASE_URL name."""
    with model_server() as started:
        monkeypatch.setenv("OPENAI_BASE_URL", started.url)
        monkeypatch.setenv("OLLAMA_BASE_URL", started.url.removesuffix("/v1"))
        started.will(says("Drei Briefe."))
        yield started


def test_an_answer_comes_with_tokens_time_endpoint_and_the_exact_prompt(server: ModelServer) -> None:
    told: list[Exchange] = []
    answer = open_model("openai:probe").answer("Wie viele »Briefe«?", max_tokens=50, on_exchange=told.append)
    assert (answer.text, answer.data, answer.is_cut) == ("Drei Briefe.", None, False)
    assert (answer.tokens_in, answer.tokens_out, answer.model, answer.endpoint) == (11, 7, "probe-1", server.url)
    assert 0 < answer.seconds < 20
    assert answer.exchanges == tuple(told)
    assert [one.prompt for one in told] == server.prompts() == ["Wie viele »Briefe«?"]
    sent = server.asked[0]["body"]
    assert (sent["model"], sent["max_tokens"], len(sent["messages"])) == ("probe", 50, 1)


def test_ollama_answers_at_its_own_address_and_needs_no_key(server: ModelServer) -> None:
    server.will(ollama_says("Drei."))
    answer = open_model("ollama:glm-5.3:cloud").answer("Wie viele?", max_tokens=9)
    assert (answer.text, answer.model, answer.is_cut) == ("Drei.", "glm-5.3:cloud", False)
    assert server.asked[0]["path"] == "/v1/chat/completions", "a bare address is completed"
    assert server.asked[0]["body"]["model"] == "glm-5.3:cloud"
    assert server.asked[0]["body"]["max_tokens"] == 9


def test_an_answer_by_schema_is_read_bare_and_from_a_fence(server: ModelServer) -> None:
    server.will(says('{"n": 3}'), says('```json\n{"n": 4}\n```\n'))
    model = open_model("openai:probe")
    assert model.answer("Zähle.", schema=SCHEMA).data == {"n": 3}
    assert model.answer("Zähle.", schema=SCHEMA).data == {"n": 4}
    assert json.dumps(SCHEMA, indent=2) in server.prompts()[0], "the schema stands in the prompt"


def test_an_answer_that_does_not_fit_is_asked_for_again_twice(server: ModelServer) -> None:
    server.will(says("drei"), says('{"n": "drei"}'), says('{"n": 3}'))
    answer = open_model("openai:probe").answer("Zähle.", schema=SCHEMA)
    assert answer.data == {"n": 3}
    assert (answer.tokens_in, answer.tokens_out) == (33, 21)
    assert ["not JSON" in one.problem for one in answer.exchanges] == [True, False, False]
    assert answer.exchanges[1].problem == "$.n: 'drei' is not of type 'integer'"
    assert "'drei' is not of type 'integer'" in server.prompts()[2]
    assert server.prompts() == [one.prompt for one in answer.exchanges]


@pytest.mark.parametrize(
    ("text", "kind", "says_why"),
    [
        ("drei", AnswerNotJson, "it is not JSON"),
        ('{"n": NaN}', AnswerNotJson, "NaN"),
        ('{"n": 3} und mehr', AnswerNotJson, "Extra data"),
        ("[" * 5000, AnswerNotJson, "it is not JSON"),
        ('{"n": -1}', AnswerMisfit, "less than the minimum"),
        ("null", AnswerMisfit, "is not of type"),
    ],
)
def test_after_the_third_misfit_the_error_says_what_was_wrong(
    server: ModelServer, text: str, kind: type[ModelError], says_why: str
) -> None:
    server.will(says(text))
    with pytest.raises(kind, match="asked 3 times") as caught:
        open_model("openai:probe").answer("Zähle.", schema=SCHEMA)
    assert says_why in str(caught.value)
    assert len(server.asked) == 3


def test_a_schema_that_is_none_costs_no_call(server: ModelServer) -> None:
    with pytest.raises(PartiturError):
        open_model("openai:probe").answer("Zähle.", schema={"type": "nonsense"})
    assert server.asked == []


@pytest.mark.parametrize(
    ("reply", "kind", "code", "why"),
    [
        (fails(401, "no"), ModelRejected, "model-http", "HTTP status 401"),
        (fails(404, "model not found, try pulling it first"), ModelRejected, "model-http", "try pulling it first"),
        (fails(429, "slow down"), ModelRejected, "model-http", "HTTP status 429 (slow down)"),
        (fails(500, "oops"), ModelRejected, "model-http", "HTTP status 500 (oops)"),
        (Reply(b"<html>Bad gateway</html>", 502, kind="text/html"), ModelRejected, "model-http", "HTTP status 502"),
        (Reply(b"hello", kind="text/plain"), MalformedReply, "model-malformed", "sent a reply that is none"),
        (Reply(b"{", kind="application/json"), MalformedReply, "model-malformed", "sent a reply that is none"),
        (Reply({"choices": []}), MalformedReply, "model-malformed", "sent a reply that is none"),
        (Reply({"choices": [{"message": {}}]}), ModelError, "", ""),
        (Reply([1, 2]), MalformedReply, "model-malformed", "sent a reply that is none"),
        (says("a" * 6_000_000), MalformedReply, "model-malformed", "it has more than 5,000,000 bytes"),
        (Reply(b"\x1f\x8b", coding="gzip"), MalformedReply, "model-malformed", "it is compressed"),
        (Reply(hang_up=True), ModelUnreachable, "model-unreachable", "cannot be reached"),
        (says(""), EmptyAnswer, "model-empty", "gave an empty answer"),
        (says("  \n "), EmptyAnswer, "model-empty", "gave an empty answer"),
        (says(None), EmptyAnswer, "model-empty", "gave an empty answer"),
        (says("halb", finish="content_filter"), ModelRefused, "model-refused", "refused to answer"),
        (says(None, refusal="Nein danke."), ModelRefused, "model-refused", "refused to answer: Nein danke."),
        (says("halb", finish="length"), TruncatedAnswer, "model-truncated", "cut its own answer short"),
        (says("", finish="length"), TruncatedAnswer, "model-truncated", "before it began to answer"),
    ],
)
def test_whatever_a_server_does_wrong_has_a_name_and_names_tag_and_endpoint(
    server: ModelServer, reply: Reply, kind: type[ModelError], code: str, why: str
) -> None:
    server.will(reply)
    with pytest.raises(kind) as caught:
        open_model("openai:probe").answer("Wie viele?")
    error = caught.value
    assert error.code == code or not code
    assert why in str(error)
    assert f"the model **openai:probe** at **{server.url}**" in error.message
    assert error.hint
    assert len(server.asked) == 1, "what fails is told, not tried again behind the reader's back"


def test_an_error_of_ollama_is_told_in_its_words(server: ModelServer) -> None:
    server.will(ollama_fails(404, 'model "glm-5.3" not found'))
    with pytest.raises(ModelRejected, match=r'model "glm-5\.3" not found'):
        open_model("ollama:glm-5.3").answer("Wie viele?")


def test_nobody_at_the_endpoint_is_told_with_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    with free_port() as port:
        monkeypatch.setenv("OLLAMA_BASE_URL", f"http://127.0.0.1:{port}")
        with pytest.raises(ModelUnreachable, match=f"127.0.0.1:{port}/v1") as caught:
            open_model(None).answer("Wie viele?")
    assert "ollama:glm-5.3:cloud" in str(caught.value)
    assert "start the server" in caught.value.hint


@pytest.mark.parametrize("reply", [Reply(says("x").body, delay=30), Reply(says("x").body, drip=0.05)])
def test_a_server_that_is_slow_or_drips_is_given_up_at_the_deadline(server: ModelServer, reply: Reply) -> None:
    server.will(reply)
    began = time.monotonic()
    with pytest.raises(ModelTimeout, match=r"gave no answer within 0\.5 s"):
        open_model("openai:probe").answer("Wie viele?", timeout=0.5)
    assert time.monotonic() - began < 8


def test_a_text_that_reaches_its_tokens_is_cut_and_json_that_does_is_no_answer(server: ModelServer) -> None:
    server.will(says("Drei Briefe von", finish="length"))
    answer = open_model("openai:probe").answer("Wie viele?", max_tokens=3)
    assert (answer.text, answer.is_cut) == ("Drei Briefe von", True)
    with pytest.raises(TruncatedAnswer, match="had no room"):
        open_model("openai:probe").answer("Zähle.", schema=SCHEMA, max_tokens=3)


def test_tokens_are_for_all_attempts_together(server: ModelServer) -> None:
    server.will(says("drei", tokens=6), says("vier", tokens=6))
    with pytest.raises(TruncatedAnswer, match="used up its tokens"):
        open_model("openai:probe").answer("Zähle.", schema=SCHEMA, max_tokens=10)
    assert [asked["body"]["max_tokens"] for asked in server.asked] == [10, 4]


def test_a_server_that_does_not_count_is_counted_for(server: ModelServer) -> None:
    server.will(says("zwölf Zeichen", tokens=None))
    answer = open_model("openai:probe").answer("Wie viele?")
    assert (answer.tokens_in, answer.tokens_out, answer.exchanges[0].spent) == (None, None, 4)


def echo(status: int) -> Reply:
    """Return a reply that shouts out the key it was sent, whole and in pieces of JSON."""

    def body(asked: dict[str, object]) -> object:
        headers = asked["headers"]
        assert isinstance(headers, dict)
        heard = f"you sent {headers['authorization']}"
        return says(heard).body if status == 200 else {"error": {"message": heard, "nested": [heard]}}

    return Reply(body, status)


@pytest.mark.parametrize("status", [400, 401, 403, 429, 500])
def test_a_key_is_sent_and_never_told_even_where_the_server_shouts_it(
    server: ModelServer, monkeypatch: pytest.MonkeyPatch, status: int
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    server.will(echo(status))
    with pytest.raises(ModelRejected) as caught:
        open_model("openai:probe").answer("Wie viele?")
    assert server.asked[0]["headers"]["authorization"] == f"Bearer {SECRET}"
    seen: BaseException | None = caught.value
    while seen is not None and not seen.__suppress_context__:
        assert SECRET not in f"{seen!r} {getattr(seen, 'message', '')} {getattr(seen, 'hint', '')}"
        seen = seen.__cause__ or seen.__context__
    assert SECRET not in json.dumps(caught.value.as_dict())


def test_a_key_in_an_answer_is_left_out(server: ModelServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    server.will(echo(200))
    assert open_model("openai:probe").answer("Wie viele?").text == "you sent Bearer (a key, left out)"
    escaped = "".join(f"\\u{ord(sign):04x}" for sign in SECRET)
    server.will(says(f'{{"key": "{escaped}"}}'))
    data = open_model("openai:probe").answer("Zähle.", schema={"type": "object"}).data
    assert data == {"key": "(a key, left out)"}


def test_a_password_in_an_address_is_not_shown(server: ModelServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", server.url.replace("http://", "http://ada:geheimnis@") + "?token=geheimnis")
    server.will(fails(500))
    with pytest.raises(ModelError) as caught:
        open_model("openai:probe").answer("Wie viele?")
    assert "geheimnis" not in str(caught.value)


def test_a_key_does_not_go_to_a_server_that_only_a_project_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    models = {"freund": {"provider": "openai", "endpoint": "https://models.example/v1"}}
    with pytest.raises(ModelKey, match=r"only famulus\.yml names") as caught:
        open_model("freund", models).answer("Wie viele?")
    assert caught.value.hint == "if you trust that server, set FAMULUS_MODEL_HOSTS=models.example"
    monkeypatch.setenv("FAMULUS_MODEL_HOSTS", "other.example, models.example")
    assert open_model("freund", models).target.key() == SECRET


def test_a_provider_that_wants_a_key_is_not_asked_without_one(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GOOGLE_API_KEY", "GEMINI_API_KEY", "GOOGLE_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(ModelKey, match="GOOGLE_API_KEY is not set"):
        open_model("gemini-3.5-flash-lite").answer("Wie viele?")
    with pytest.raises(ModelKey, match="OPENAI_API_KEY is not set"):
        open_model("openai:probe").answer("Wie viele?")


@pytest.mark.parametrize(("provider", "package"), [("google", "google.genai"), ("anthropic", "anthropic")])
def test_a_provider_whose_package_is_missing_names_its_extra(
    monkeypatch: pytest.MonkeyPatch, provider: str, package: str
) -> None:
    monkeypatch.setitem(sys.modules, package, None)  # what Python does with a package that is not there
    monkeypatch.setenv(f"{provider.upper()}_API_KEY", SECRET)
    with pytest.raises(FamulusError, match="is not installed") as caught:
        open_model(f"{provider}:probe").answer("Wie viele?")
    assert caught.value.hint == f"pip install 'famulus-kernel[{provider}]'"


def test_to_open_a_model_loads_no_client(server: ModelServer) -> None:
    code = (
        "import sys; from famulus_kernel.harness.models import open_model; open_model('openai:x');"
        "sys.exit(any(name in sys.modules for name in ('pydantic_ai', 'openai', 'anyio', 'httpx', 'jsonschema')))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
