"""Reading the store's JSON: what it cannot read is an error that names the file, never a guess."""

from __future__ import annotations

import json
from pathlib import Path, PurePosixPath
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from famulus_kernel.errors import NewerFormat, StoreError
from famulus_kernel.store.manifest import FORMAT

_VERIFY = "run famulus-notebook verify; a damaged version can be taken from a backup or removed"

Model = TypeVar("Model", bound=BaseModel)


def parse(model: type[Model], data: bytes, path: Path | str) -> Model:
    """Read bytes of the store as `model`.

    Parameters
    ----------
    model
        A model of :mod:`famulus_kernel.store.manifest` or another JSON format of the store.
    data
        The file's content.
    path
        The file, for the message.

    Raises
    ------
    NewerFormat
        When its format number is higher than ours.
    StoreError
        When it is not JSON, or not of that form.
    """
    try:
        return model.model_validate_json(data)
    except ValidationError as error:
        found = _format_of(data)
        if isinstance(found, int) and found > FORMAT:
            raise NewerFormat.of(path, found) from None
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"]))
        why = f"{place}: {first['msg']}" if place else first["msg"]
        raise StoreError.of(path, f"it is not what famulus writes ({why})", _VERIFY) from error


def parse_file(model: type[Model], path: Path) -> Model:
    """Read a JSON file of the store as `model`; raises as :func:`parse` and :func:`read_bytes`."""
    return parse(model, read_bytes(path), path)


def read_json(path: Path) -> dict[str, Any]:
    """Read a JSON object of the store as it is."""
    try:
        value = json.loads(read_bytes(path))
    except (ValueError, RecursionError) as error:
        raise StoreError.of(path, f"it is not JSON ({error})", _VERIFY) from error
    if not isinstance(value, dict):
        raise StoreError.of(path, "it is not a JSON object", _VERIFY)
    return value


def read_report(path: Path) -> dict[str, Any]:
    """Read a report as it is: its readers count on a mapping under `data`."""
    report = read_json(path)
    if not isinstance(report.get("data"), dict):
        raise StoreError.of(path, "it is no report (data: is missing)", _VERIFY)
    return report


def read_bytes(path: Path) -> bytes:
    """Read a file of the store.

    Raises
    ------
    StoreError
        When it is not there or may not be read.
    """
    try:
        return path.read_bytes()
    except OSError as error:
        why = "it is not there" if isinstance(error, FileNotFoundError) else error.strerror or str(error)
        raise StoreError.of(path, why, _VERIFY) from error


def inside(folder: Path, file: str) -> Path:
    """Return `folder / file`; raises StoreError for a name that would leave the folder."""
    relative = PurePosixPath(file)
    if not file or relative.is_absolute() or ".." in relative.parts or "\\" in file or "\0" in file:
        raise StoreError.of(folder, f"it names the file {file!r}, which lies outside", _VERIFY)
    return folder / relative


def _format_of(data: bytes) -> object:
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict):
        return None
    header = value.get("famulus")  # envelopes carry the number in their header
    return header.get("format") if isinstance(header, dict) else value.get("format")
