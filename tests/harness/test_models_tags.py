"""What a model tag means, and where its key may go (spec 3.5)."""

from __future__ import annotations

import pytest

from famulus_kernel.errors import ModelKey, UnknownModel
from famulus_kernel.harness.models import default_model, resolve
from famulus_kernel.harness.models.redaction import redacted, redacted_json
from famulus_kernel.harness.models.structured import read
from famulus_kernel.harness.models.tags import shipped

OLLAMA = "http://127.0.0.1:11434/v1"


@pytest.fixture(autouse=True)
def _nothing_of_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI", "OLLAMA", "GOOGLE", "ANTHROPIC", "GEMINI"):
        monkeypatch.delenv(f"{name}_API_KEY", raising=False)
        monkeypatch.delenv(f"{name}_BASE_URL", raising=False)
    monkeypatch.delenv("ORCH_PROVIDER", raising=False)


@pytest.mark.parametrize(
    ("tag", "provider", "model", "endpoint"),
    [
        ("ollama:glm-5.3:cloud", "ollama", "glm-5.3:cloud", OLLAMA),
        ("ollama:qwen3", "ollama", "qwen3", OLLAMA),
        ("openai:gpt-6", "openai", "gpt-6", "https://api.openai.com/v1"),
        ("gemini-3.5-flash-lite", "google", "gemini-3.5-flash-lite", "https://generativelanguage.googleapis.com"),
        ("google:gemini-3.5-flash", "google", "gemini-3.5-flash", "https://generativelanguage.googleapis.com"),
        ("anthropic:claude-haiku-5", "anthropic", "claude-haiku-5", "https://api.anthropic.com"),
        ("haus", "openai", "haus-7b", "http://models.haus:8000/v1"),
        ("nackt", "ollama", "nackt", OLLAMA),
        ("openai:woanders", "openai", "woanders", "https://woanders.example/api"),
    ],
)
def test_a_tag_leads_to_provider_model_and_endpoint(tag: str, provider: str, model: str, endpoint: str) -> None:
    models = {
        "haus": {"provider": "openai", "model": "haus-7b", "endpoint": "http://models.haus:8000", "api_key_env": None},
        "nackt": {"provider": "ollama"},
        "openai:woanders": {"endpoint": "https://woanders.example/api/"},
    }
    found = resolve(tag, models)
    assert (found.provider, found.model, found.endpoint) == (provider, model, endpoint)


def test_the_environment_says_where_a_provider_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OLLAMA_BASE_URL", "http://gpu.example:11434/")
    monkeypatch.setenv("OPENAI_BASE_URL", "https://models.example/openai/v1")
    assert resolve("ollama:x").endpoint == "http://gpu.example:11434/v1"
    assert resolve("openai:x").endpoint == "https://models.example/openai/v1"


@pytest.mark.parametrize("tag", ["", "gemini", "gpt-6", "nobody:x", ":x", "ollama:", "glm-5.3:cloud"])
def test_what_is_no_tag_is_refused_with_what_there_is(tag: str) -> None:
    with pytest.raises(UnknownModel) as caught:
        resolve(tag)
    assert caught.value.hint


def test_the_default_is_the_environments_full_tag_else_the_languages(monkeypatch: pytest.MonkeyPatch) -> None:
    assert default_model() == "ollama:glm-5.3:cloud"
    monkeypatch.setenv("ORCH_PROVIDER", "openai:gpt-6")
    assert default_model() == "openai:gpt-6"
    monkeypatch.setenv("ORCH_PROVIDER", "gpt-6")
    with pytest.raises(UnknownModel, match="ORCH_PROVIDER"):
        default_model()


def test_the_allowlist_ships_the_two_tags_of_the_language() -> None:
    assert set(shipped()) == {"gemini-3.5-flash-lite", "ollama:glm-5.3:cloud"}


def test_a_key_follows_the_environment_and_not_a_project(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-1234567890")
    monkeypatch.setenv("OPENAI_BASE_URL", "https://models.example/v1")

    def key(endpoint: str | None) -> str | None:
        return resolve("x", {"x": {"provider": "openai", "endpoint": endpoint}}).key()

    assert key(None) == key("https://models.example/v2") == key("https://api.openai.com/v1") == "sk-1234567890"
    assert key("http://localhost:8000") == "sk-1234567890", "this machine is the user's"
    for elsewhere in ("https://evil.example/v1", "https://models.example.evil/v1", "https://models.example@evil/v1"):
        with pytest.raises(ModelKey, match="is not sent"):
            key(elsewhere)


@pytest.mark.parametrize("endpoint", ["http://[", "http://a:b@c/v1?token=d", "nonsense"])
def test_an_address_however_odd_is_shown_without_its_secrets(endpoint: str) -> None:
    target = resolve("x", {"x": {"provider": "openai", "endpoint": endpoint}})
    assert not {"a:b", "token"} & set(target.shown_endpoint.replace("?", "@").split("@"))
    assert "token=d" not in target.shown_endpoint


def test_every_key_of_the_environment_is_left_out_of_a_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OTHER_API_KEY", "abcdefgh")
    monkeypatch.setenv("LONGER_TOKEN", "abcdefghij")
    monkeypatch.setenv("SHORT_API_KEY", "e")
    assert redacted("x abcdefghij abcdefgh e") == "x (a key, left out) (a key, left out) e"
    assert redacted_json({"abcdefgh": ["given-key", 1, None]}, "given-key") == {
        "(a key, left out)": ["(a key, left out)", 1, None]
    }


@pytest.mark.parametrize("answer", ["```\n3\n```", "3", " 3 \n", "~~~json\n3\n~~~"])
def test_json_is_read_bare_and_fenced(answer: str) -> None:
    assert read(answer, {"type": "integer"}).data == 3
