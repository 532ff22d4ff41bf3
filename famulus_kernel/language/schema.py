"""JSON Schemas for editors: of a preamble and of famulus.yml, with the model's own descriptions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from famulus_kernel.language.parameters import PARAM
from famulus_kernel.language.plan import KINDS
from famulus_kernel.language.preamble import Defaults, Preamble
from famulus_kernel.language.project_file import ProjectFile

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pydantic import BaseModel

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def preamble_schema(extra_kinds: Iterable[str] = ()) -> dict[str, Any]:
    """Return the JSON Schema of a block's preamble.

    Parameters
    ----------
    extra_kinds
        Kinds of artefacts beyond the built-in ones.
    """
    schema = schema_of(Preamble, "Preamble of a Famulus block")
    kind = schema["$defs"]["ArtefactSpec"]["properties"]["kind"]
    kind["enum"] = [*KINDS, *extra_kinds]
    schema["$defs"]["Parameter"] = {
        "type": "object",
        "description": "A parameter of the document: {param: name}.",
        "properties": {PARAM: {"type": "string"}},
        "required": [PARAM],
        "additionalProperties": False,
    }
    for properties in [schema["properties"], *(one.get("properties", {}) for one in schema["$defs"].values())]:
        for key in properties.keys() - {"id", PARAM}:
            properties[key] = _or_parameter(properties[key])
    return schema


def _or_parameter(value: Mapping[str, Any]) -> dict[str, Any]:
    """Return the schema of a key that may hold a document's parameter in place of its value."""
    outer = {key: value[key] for key in ("title", "description", "default") if key in value}
    inner = {key: value[key] for key in value if key not in outer}
    choices = inner["anyOf"] if inner.keys() == {"anyOf"} else [inner]
    return {**outer, "anyOf": [*choices, {"$ref": "#/$defs/Parameter"}]}


def project_schema() -> dict[str, Any]:
    """Return the JSON Schema of famulus.yml: the project's keys, and the preamble keys that can be defaults."""
    schema = schema_of(ProjectFile, "famulus.yml")
    defaults = schema_of(Defaults, "")
    schema["properties"].pop("defaults", None)
    schema["properties"] |= defaults["properties"]
    schema["$defs"] = schema.get("$defs", {}) | defaults.get("$defs", {})
    return schema


def schema_of(model: type[BaseModel], title: str) -> dict[str, Any]:
    """Return the JSON Schema of a model as its YAML is written."""
    schema = model.model_json_schema(by_alias=True, mode="validation")
    schema["$schema"] = DIALECT
    schema["title"] = title
    return schema
