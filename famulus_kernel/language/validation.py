"""From pydantic's complaints to ours: one error, at the line and key it is about, saying what the key can hold."""

from __future__ import annotations

import typing
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from famulus_kernel.errors import FamulusError, MissingId, PreambleError, Where

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

    from famulus_kernel.language.yaml import StrictYaml

Location = tuple[int | str, ...]
_SHOWN = 60

_NEEDED = {
    "string_type": "text (in quotes, if it looks like something else)",
    "string_pattern_mismatch": "text that is not empty",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "finite_number": "a finite number",
    "bool_type": "true or false",
    "tuple_type": "a list, such as [a, b]",
    "list_type": "a list, such as [a, b]",
    "dict_type": "a mapping of key: value",
    "too_short": "at least one entry",
    "greater_than": "a number greater than {gt}",
    "greater_than_equal": "a number of at least {ge}",
    "less_than_equal": "a number of at most {le}",
    "literal_error": "one of {expected}",
}


class Part(BaseModel):
    """A frozen piece of the language; an unknown key is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid", validate_default=False, hide_input_in_errors=True)

    def set_items(self) -> dict[str, Any]:
        """Return the keys that are SET, as JSON would hold them and in one order: what a fingerprint is made of."""
        return self.model_dump(mode="json", by_alias=True, exclude_unset=True)


PartT = TypeVar("PartT", bound=BaseModel)


class Carried(ValueError):
    """One of our errors on its way through pydantic, which lets only its own kinds pass.

    The key that it names is relative to the value that was being validated.
    """

    def __init__(self, error: FamulusError) -> None:
        super().__init__(str(error))
        self.error = error


def validated(
    model: type[PartT],
    data: Mapping[str, Any],
    *,
    yaml: StrictYaml | None = None,
    where: Where | None = None,
    prefix: str = "",
    context: Mapping[str, Any] | None = None,
) -> PartT:
    """Validate `data` as `model`; a number where text is wanted counts by its source text.

    Parameters
    ----------
    yaml
        What `data` was loaded as, for lines and source texts.
    where
        File and block for errors.
    prefix
        Dotted key under which `data` stands in the YAML (`famulus` in a front matter).
    context
        What validators may ask for (`kinds`).

    Raises
    ------
    PreambleError, MissingId, BadReference
        The complaint that comes first in the file.
    """
    value, complaints = checked(model, data, yaml=yaml, where=where, prefix=prefix, context=context)
    if value is None:
        raise complaints[0]
    return value


def checked(
    model: type[PartT],
    data: Mapping[str, Any],
    *,
    yaml: StrictYaml | None = None,
    where: Where | None = None,
    prefix: str = "",
    context: Mapping[str, Any] | None = None,
) -> tuple[PartT | None, list[FamulusError]]:
    """Return `data` as `model`, or None and every complaint in the order of the file; see :func:`validated`."""
    try:
        return model.model_validate(data, context=context), []
    except ValidationError as first:
        sources = yaml.sources if yaml else {}
        texts = [error for error in first.errors(include_url=False) if _is_number_for_text(error)]
        if not texts:
            return None, _ordered(_all(first, model, data, prefix), yaml, where or Where())
        for error in texts:
            path = existing(data, error["loc"])
            number = at(data, path)
            source = sources.get(dotted(prefix, path), str(number))
            data = replaced(data, path, source)
    try:
        return model.model_validate(data, context=context), []
    except ValidationError as second:
        return None, _ordered(_all(second, model, data, prefix), yaml, where or Where())


def dotted(prefix: str, path: Iterable[int | str]) -> str:
    """Return a path of keys and indices as the loader writes it."""
    return ".".join([*([prefix] if prefix else []), *map(str, path)])


def at(data: Any, path: Location) -> Any:
    """Return the value at a path."""
    for step in path:
        data = data[step]
    return data


def existing(data: Any, path: Location) -> Location:
    """Return the part of pydantic's location that is a path in the data (it also names branches of unions)."""
    for depth, step in enumerate(path):
        within = range(len(data)) if isinstance(data, (list, tuple)) else data if isinstance(data, Mapping) else ()
        if step not in within:
            return path[:depth]
        data = data[step]
    return path


def replaced(data: Any, path: Location, value: Any) -> Any:
    """Return `data` with another value at a path; what is around it is copied, since aliases may share it."""
    if not path:
        return value
    copy: Any = dict(data) if isinstance(data, Mapping) else list(data)
    copy[path[0]] = replaced(data[path[0]], path[1:], value)
    return copy


def _is_number_for_text(error: ErrorDetails) -> bool:
    return error["type"] == "string_type" and type(error["input"]) in (int, float)


def _ordered(found: list[FamulusError], yaml: StrictYaml | None, where: Where) -> list[FamulusError]:
    """Return the complaints as they stand in the file, and of one about a list and one about its item the latter."""
    keys = [error.where.key or "" for error in found]
    found = [error for error, key in zip(found, keys, strict=True) if not any(k.startswith(f"{key}.") for k in keys)]
    if yaml:
        for error in found:
            error.at(Where(line=yaml.line_of(error.where.key or "")))
    return [error.at(where) for error in sorted(found, key=lambda error: error.where.line or 0)]


def _all(failure: ValidationError, model: type[BaseModel], data: Mapping[str, Any], prefix: str) -> list[FamulusError]:
    return [_ours(error, model, data, prefix) for error in failure.errors(include_url=False)]


def _ours(error: ErrorDetails, model: type[BaseModel], data: Mapping[str, Any], prefix: str) -> FamulusError:
    kind, loc = error["type"], error["loc"]
    path = existing(data, loc)
    key = dotted(prefix, path)
    where = Where(key=key or None)
    context = error.get("ctx", {})
    cause = context.get("error")
    if isinstance(cause, Carried):
        return _carried(cause.error, key)
    if kind == "extra_forbidden":
        return PreambleError.unknown_key(key, keys_of(model_at(model, loc[:-1])), where)
    if kind == "missing":
        missing = dotted(key, loc[-1:])
        where = Where(key=missing)
        return MissingId.of(where) if missing == "id" else PreambleError.missing_key(missing, where)
    if kind in ("model_type", "model_attributes_type"):
        needed = f"a mapping with the keys {', '.join(keys_of(model_at(model, loc)))}"
    elif kind == "value_error":
        needed = str(cause)
    else:
        needed = _NEEDED.get(kind, error["msg"]).format_map(context)
    return PreambleError.bad_value(key, _Shown(at(data, path)), needed, where)


def _carried(error: FamulusError, key: str) -> FamulusError:
    """Return an error of ours with the key it names, inside the value that was validated, made one of the preamble."""
    inside = error.where.key
    error.where = replace(error.where, key=dotted(key, [inside]) if inside else key or None)
    return error


class _Shown:
    """A value as a message shows it: cut, and without what would read as a mark."""

    def __init__(self, value: object) -> None:
        text = repr(value)
        self.text = (text if len(text) <= _SHOWN else text[:_SHOWN] + "…").replace("*", "\\*")

    def __repr__(self) -> str:
        return self.text


def keys_of(model: type[BaseModel]) -> list[str]:
    """Return the keys of a model as they are written."""
    return [field.alias or name for name, field in model.model_fields.items()]


def model_at(model: type[BaseModel], loc: Location) -> type[BaseModel]:
    """Return the model that validates what stands at a location."""
    for step in loc:
        field = next((f for name, f in model.model_fields.items() if step in (name, f.alias)), None)
        inner = _model_in(field.annotation) if field else None
        model = inner or model
    return model


def _model_in(annotation: Any) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next(filter(None, map(_model_in, typing.get_args(annotation))), None)
