from __future__ import annotations

import jsonschema
import pytest

from famulus_kernel.language.preamble import BLOCK_KEYS, DEFAULT_KEYS
from famulus_kernel.language.project_file import PROJECT_KEYS
from famulus_kernel.language.schema import preamble_schema, project_schema


def test_the_schemas_are_schemas() -> None:
    for schema in (preamble_schema(), project_schema()):
        jsonschema.Draft202012Validator.check_schema(schema)


def test_every_key_is_described() -> None:
    properties = preamble_schema()["properties"]
    assert set(properties) == DEFAULT_KEYS | BLOCK_KEYS
    assert [key for key, value in properties.items() if not value.get("description")] == []
    properties = project_schema()["properties"]
    assert set(properties) == PROJECT_KEYS | DEFAULT_KEYS
    assert [key for key, value in properties.items() if not value.get("description")] == []


@pytest.mark.parametrize(
    ("value", "valid"),
    [
        ({"id": "a", "subtask": "x", "years": {"from": 1520}, "language": ["la"]}, True),
        ({"id": "a", "language": "la"}, True),
        ({"id": "a", "artefacts": [{"name": "b", "kind": "table"}]}, True),
        ({"id": "a", "partiturs": [{"id": "duckdb-read", "input": {"sql": "select 1"}}]}, True),
        ({"id": "a", "subtask": "x", "years": {"from": {"param": "first"}}, "oracle": {"param": "known"}}, True),
        ({"id": {"param": "a"}}, False),
        ({"subtask": "x"}, False),
        ({"id": "a", "clinet": "x"}, False),
        ({"id": "a", "years": {"form": 1}}, False),
        ({"id": "a", "artefacts": [{"name": "b", "kind": "tabel"}]}, False),
        ({"id": "a", "rest_max": 2}, False),
    ],
)
def test_an_editor_is_told_what_the_language_says(value: dict, valid: bool) -> None:
    assert jsonschema.Draft202012Validator(preamble_schema()).is_valid(value) is valid


def test_a_strangers_kind_is_in_the_schema_when_named() -> None:
    schema = preamble_schema(extra_kinds=["sankey"])
    value = {"id": "a", "artefacts": [{"name": "b", "kind": "sankey"}]}
    assert jsonschema.Draft202012Validator(schema).is_valid(value)


def test_the_projects_schema_knows_defaults_and_refuses_keys_of_one_block() -> None:
    validator = jsonschema.Draft202012Validator(project_schema())
    assert validator.is_valid({"title": "x", "collections": ["a"], "models": {"m": {"endpoint": "http://x"}}})
    assert not validator.is_valid({"subtask": "x"})
