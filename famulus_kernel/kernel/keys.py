"""The keys of a preamble as their model knows them: which may stand at a path, what they hold, what they mean."""

from __future__ import annotations

import typing
from typing import TYPE_CHECKING, Any, Literal

from pydantic import BaseModel

from famulus_kernel.language.preamble import Preamble

if TYPE_CHECKING:
    from pydantic.fields import FieldInfo

    from famulus_kernel.kernel.position import Path


def model_of(path: Path) -> type[BaseModel] | None:
    """Return the model of the mapping at `path`, or None where there is a plain value or anything may stand."""
    model: type[BaseModel] | None = Preamble
    for step in path:
        if step == 0:  # an entry of a list: the model of its entries was found with its key
            continue
        info = field_of(model, step)
        model = _model_in(info.annotation) if info else None
    return model


def field_of(model: type[BaseModel] | None, key: str | int) -> FieldInfo | None:
    """Return the field that `key`, as it is written in a preamble, means in a model."""
    fields = model.model_fields.items() if model else ()
    return next((info for name, info in fields if (info.alias or name) == key), None)


def field_at(path: Path) -> FieldInfo | None:
    """Return the field whose key ends `path`; for an entry of a list, the field of the list."""
    while path and path[-1] == 0:
        path = path[:-1]
    return field_of(model_of(path[:-1]), path[-1]) if path else None


def keys_at(path: Path) -> list[str]:
    """Return the keys that the mapping at `path` may have, in the order of the language."""
    model = model_of(path)
    return [info.alias or name for name, info in model.model_fields.items()] if model else []


def choices(info: FieldInfo) -> list[str]:
    """Return the values that a field is limited to, as they are written; an empty list where it is not."""
    return _choices_in(info.annotation)


def explain(path: Path) -> str | None:
    """Return what is known of the key that ends `path`, as markdown: its meaning, its values, its default."""
    info = field_at(path)
    if info is None:
        return None
    lines = [f"**{'.'.join(str(step) for step in path if step != 0)}**: {info.description or 'no description'}"]
    if values := choices(info):
        lines.append("One of: " + ", ".join(f"`{value}`" for value in values))
    keys = _model_in(info.annotation)
    if keys is not None:
        lines.append("Keys: " + ", ".join(f"`{each.alias or name}`" for name, each in keys.model_fields.items()))
    if isinstance(info.default, str | bool | int | float) and info.default != "":
        lines.append(f"Default: `{str(info.default).lower() if isinstance(info.default, bool) else info.default}`")
    elif info.is_required():
        lines.append("Required.")
    return "\n\n".join(lines)


def _model_in(annotation: Any) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next(filter(None, map(_model_in, typing.get_args(annotation))), None)


def _choices_in(annotation: Any) -> list[str]:
    if annotation is bool:
        return ["true", "false"]
    if typing.get_origin(annotation) is Literal:
        return [str(value) for value in typing.get_args(annotation)]
    inner = typing.get_args(annotation)
    return [choice for part in inner for choice in _choices_in(part)] if not _model_in(annotation) else []
