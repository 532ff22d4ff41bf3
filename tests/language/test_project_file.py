from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from famulus_kernel.errors import BadReference, FamulusError, PreambleError, YamlError
from famulus_kernel.language.preamble import BLOCK_KEYS, DEFAULT_KEYS
from famulus_kernel.language.project_file import PROJECT_KEYS, ModelEndpoint, parse_project_file

WHOLE = """
id: 010
title: Letters
uses: {other: ../other}
viewer: https://example.org/view
collections_root: ~/collections
schema: {letters_resolved: {sender_id: from_ent}}
register: partitur_register.duckdb
agent_memory: memory.duckdb
harness: embedded
cards: cards
institution: http://127.0.0.1:6000/mcp
institution_rules: rules
models:
  gemini: {endpoint: http://localhost:1, provider: openai, model: g-3, api_key_env: KEY}
  ollama:x: http://localhost:2
  bare:
collections: [a, b]
language: la
rerun: if-missing
duckdb: [{alias: m, path: m.duckdb}]
"""


def test_everything_a_project_may_say_is_read() -> None:
    project = parse_project_file(WHOLE, "famulus.yml")
    assert (project.id, project.title, project.uses) == ("010", "Letters", {"other": "../other"})
    assert (project.viewer, project.collections_root) == ("https://example.org/view", "~/collections")
    assert project.column_map == {"letters_resolved": {"sender_id": "from_ent"}}
    assert (project.partitur_register, project.agent_memory) == ("partitur_register.duckdb", "memory.duckdb")
    assert (project.harness, project.cards) == ("embedded", "cards")
    assert (project.institution, project.institution_rules) == ("http://127.0.0.1:6000/mcp", "rules")
    assert project.models == {
        "gemini": ModelEndpoint(endpoint="http://localhost:1", provider="openai", model="g-3", api_key_env="KEY"),
        "ollama:x": ModelEndpoint(endpoint="http://localhost:2"),
        "bare": ModelEndpoint(),
    }
    assert project.defaults == {
        "collections": ["a", "b"], "language": ["la"], "rerun": "if-stale",
        "duckdb": [{"alias": "m", "path": "m.duckdb"}],
    }  # fmt: skip


@pytest.mark.parametrize("text", ["", "\ufeff", "# nothing\n", "{}"])
def test_an_empty_file_is_a_project_of_defaults(text: str) -> None:
    project = parse_project_file(text)
    assert (project.id, project.cards, project.defaults, project.models) == (None, "registry", {}, {})
    assert project.institution == "http://127.0.0.1:5116/mcp"


def test_models_may_be_a_list_of_tags() -> None:
    assert parse_project_file("models: [a, ollama:b]").models == {"a": ModelEndpoint(), "ollama:b": ModelEndpoint()}


@pytest.mark.parametrize("key", sorted(BLOCK_KEYS - {"id"}))
def test_a_key_of_one_block_is_an_error_and_says_where_it_belongs(key: str) -> None:
    with pytest.raises(PreambleError, match="belongs to one block") as caught:
        parse_project_file(f"title: x\n{key}: y", "famulus.yml")
    where = caught.value.where
    assert (where.file, where.line, where.key) == ("famulus.yml", 2, key)


@pytest.mark.parametrize(
    ("text", "error", "key", "line", "words"),
    [
        ("title: x\ncolections: [a]", PreambleError, "colections", 2, "unknown key"),
        ("tilte: x", PreambleError, "tilte", 1, "unknown key"),
        ("id: a b", BadReference, "id", 1, "identifier"),
        ("uses: {a b: c}", BadReference, "uses.a b", 1, "identifier"),
        ("uses: [a]", PreambleError, "uses", 1, "a mapping"),
        ("models:\n  a:\n    endpont: x", PreambleError, "models.a.endpont", 3, "unknown key"),
        ("schema: {a: b}", PreambleError, "schema.a", 1, "a mapping"),
        ("years: {form: 1}", PreambleError, "years.form", 1, "unknown key"),
        ("- a", PreambleError, None, 1, "must be a mapping"),
        ("title: a\ntitle: b", YamlError, "title", 2, "twice"),
    ],
)
def test_a_mistake_names_file_line_and_key(text, error, key, line, words) -> None:
    with pytest.raises(error, match=words) as caught:
        parse_project_file(text, "famulus.yml")
    where = caught.value.where
    assert (where.file, where.line, where.key) == ("famulus.yml", line, key)
    assert caught.value.hint


def test_a_near_key_is_offered() -> None:
    with pytest.raises(PreambleError) as caught:
        parse_project_file("colections_root: x")
    assert "collections_root" in caught.value.hint


def test_project_and_preamble_share_no_key_but_id() -> None:
    assert not PROJECT_KEYS & DEFAULT_KEYS
    assert {"id"} == PROJECT_KEYS & BLOCK_KEYS


@settings(deadline=None)
@given(st.lists(st.sampled_from([*WHOLE.strip().split("\n"), "  x: y", "- a", "id: b", "subtask: x"]), max_size=6))
def test_any_lines_are_a_project_or_an_error_of_ours(lines: list[str]) -> None:
    try:
        project = parse_project_file("\n".join(lines))
    except FamulusError:
        return
    assert set(project.defaults) <= DEFAULT_KEYS
