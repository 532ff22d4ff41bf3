"""famulus.yml (spec 2.2): what a project is, and what its blocks take for granted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import Field, field_validator

from famulus_kernel.errors import PreambleError, Where
from famulus_kernel.language.fields import Identifier, PathText, Text
from famulus_kernel.language.preamble import BLOCK_KEYS, DEFAULT_KEYS, parse_defaults
from famulus_kernel.language.validation import Part, keys_of, validated
from famulus_kernel.language.yaml import load_strict

INSTITUTION = "http://127.0.0.1:5116/mcp"


class ModelEndpoint(Part):
    """Where a model of the allowlist is reached."""

    endpoint: Text | None = Field(default=None, description="Base URL of the server; the provider's own when missing.")
    provider: Text | None = Field(default=None, description="Provider of a bare name (ollama, openai, google …).")
    model: Text | None = Field(
        default=None, description="The server's name of the model, if it is not that of the tag."
    )
    api_key_env: Text | None = Field(default=None, description="Environment variable that holds the key.")


class ProjectFile(Part):
    """The content of famulus.yml. `defaults` holds the preamble keys that it sets, as SET."""

    id: Identifier | None = Field(default=None, description="Id of the project; the folder's name when missing.")
    title: Text | None = Field(default=None, description="Title of the project.")
    uses: dict[Identifier, PathText] = Field(
        default={}, description="Project id to path: what fam: references may name."
    )
    viewer: Text | None = Field(default=None, description="Base of finding URLs.")
    collections_root: PathText | None = Field(
        default=None, description="Root of the collections; before $PDAI_COLLECTIONS."
    )
    column_map: dict[Text, dict[Text, Text]] = Field(
        default={}, alias="schema", description="Table to {our column: the collection's column}."
    )
    partitur_register: Text | None = Field(
        default=None, alias="register", description="Path of partitur_register.duckdb, or an MCP URL."
    )
    agent_memory: PathText | None = Field(default=None, description="Path of agent_memory.duckdb.")
    harness: Text | None = Field(default=None, description="Name of the harness; embedded when missing.")
    cards: PathText = Field(default="registry", description="Folder of capability cards.")
    institution: Text = Field(
        default=INSTITUTION,
        description="MCP URL of the language institution; embedded: our own tools, without a server.",
    )
    institution_rules: PathText | None = Field(default=None, description="Its rule store: a file or folder.")
    models: dict[Text, ModelEndpoint] = Field(default={}, description="Allowlist: model tag to its endpoint.")
    defaults: dict[str, Any] = Field(default={}, exclude=True, description="Preamble keys that hold for all blocks.")

    @field_validator(
        "models", mode="before", json_schema_input_type=list[Text] | dict[Text, ModelEndpoint | str | None]
    )
    @classmethod
    def _endpoints(cls, value: Any) -> Any:
        """Read `[tag, tag]` and `tag: url` as the mapping they stand for."""
        if isinstance(value, list) and all(isinstance(tag, str) for tag in value):
            return {tag: {} for tag in value}
        if isinstance(value, dict):
            return {tag: {"endpoint": entry} if isinstance(entry, str) else entry or {} for tag, entry in value.items()}
        return value


PROJECT_KEYS = frozenset(keys_of(ProjectFile)) - {"defaults"}


def parse_project_file(text: str, file: str | None = None) -> ProjectFile:
    """Read famulus.yml.

    Raises
    ------
    YamlError
        It is not strict YAML.
    PreambleError, BadReference
        A key is unknown, belongs to one block, or holds what it cannot hold.
    """
    yaml = load_strict(text.removeprefix("\ufeff"), file=file)
    data = {} if yaml.value is None else yaml.value
    if not isinstance(data, Mapping):
        raise PreambleError.not_a_mapping(file or "famulus.yml", Where(file, 1))
    for key in data:
        if key not in PROJECT_KEYS | DEFAULT_KEYS | BLOCK_KEYS:
            where = Where(file, yaml.line_of(key), None, key)
            raise PreambleError.unknown_key(key, PROJECT_KEYS | DEFAULT_KEYS, where)
    own = {key: value for key, value in data.items() if key in PROJECT_KEYS}
    defaults = parse_defaults(
        {key: value for key, value in data.items() if key not in PROJECT_KEYS}, yaml=yaml, file=file
    )
    project = validated(ProjectFile, own, yaml=yaml, where=Where(file=file))
    return project.model_copy(update={"defaults": defaults.set_items()})
