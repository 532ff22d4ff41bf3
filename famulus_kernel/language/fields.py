"""The kinds of values that several keys share: names, paths, language tags, JSON."""

from __future__ import annotations

import math
import re
import unicodedata
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

from pydantic import AfterValidator, BeforeValidator, Field, StrictBool, StrictInt, StringConstraints, WithJsonSchema

from famulus_kernel.errors import BadReference, FamulusError, PreambleError, Where
from famulus_kernel.language.identifiers import check_identifier, check_notebook_id, is_device_name
from famulus_kernel.language.references import Reference, find_refs, parse_dependency
from famulus_kernel.language.validation import Carried, dotted

if TYPE_CHECKING:
    from collections.abc import Callable

Value = TypeVar("Value")

_LANGUAGE = re.compile(r"[A-Za-z]{2,8}\Z")
_LONGEST_NAME = 200
"""Bytes of a file's name; disks take 255, and a companion's name is a little longer than its artefact's."""
_FORBIDDEN = frozenset('<>:"|?*\\')


def carrying(check: Callable[[str], Value]) -> Callable[[str], Value]:
    """Return `check` so that an error of ours comes through pydantic as it is."""

    def checked(text: str) -> Value:
        try:
            return check(text)
        except FamulusError as error:
            raise Carried(error) from None

    return checked


def plain_relative_path(text: str) -> str:
    """Return a path that stays in its folder and can be made on every system, NFC-normalised.

    Raises
    ------
    ValueError
        It is absolute, climbs (`..`), or a part of it could be no file's name on Windows.
    """
    text = unicodedata.normalize("NFC", text)
    for part in text.split("/"):
        if part in ("", ".", ".."):
            raise ValueError("a plain relative path (folders joined by /, no .., not absolute)")
        if any(char in _FORBIDDEN or ord(char) < ord(" ") or ord(char) == 0x7F for char in part):  # noqa: PLR2004 - DEL
            raise ValueError('a plain relative path without any of < > : " | ? * \\ or control characters')
        if len(part.encode("utf-8", "replace")) > _LONGEST_NAME:
            raise ValueError(f"a plain relative path whose parts have at most {_LONGEST_NAME} bytes")
        if part[-1] in ". " or part[0] == " ":
            raise ValueError("a plain relative path whose parts do not begin or end with a blank or end with a dot")
        if is_device_name(part):
            raise ValueError("a name that is free on every system (Windows keeps this one for a device)")
    return text


def _not_null(value: Any) -> Any:
    if value is None:
        raise ValueError("a value (or take the key away)")
    return value


def _folder(value: Any) -> Any:
    return value.rstrip("/") if isinstance(value, str) else value


def _path(text: str) -> str:
    if "\0" in text:
        raise ValueError("a path")
    return text


def _collection(text: str) -> str:
    if text in (".", "..") or any(char in "/\\\0" for char in text):
        raise ValueError("the name of a collection (one folder, no path)")
    return text


def _tags(value: Any) -> Any:
    return [value] if isinstance(value, (str, int, float)) and not isinstance(value, bool) else value


def _tag(text: str) -> str:
    if not _LANGUAGE.match(text):
        raise ValueError("a language such as la, de, en, fr (a BCP 47 primary tag)")
    return text.lower()


def _finite(value: Any, path: tuple[int | str, ...] = ()) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        if not path:
            raise ValueError("a finite number")
        key = dotted("", path)
        raise Carried(PreambleError.bad_value(key, value, "a finite number", Where(key=key)))
    if isinstance(value, dict):
        for key, below in value.items():
            _finite(below, (*path, key))
    elif isinstance(value, (list, tuple)):
        for index, below in enumerate(value):
            _finite(below, (*path, index))
    return value


def _json(value: Any) -> Any:
    return _finite(value)


def _refs(value: Any) -> Any:
    if value.keys() == {"ref"}:
        raise ValueError("names for its arguments, such as rows: {ref: block.name}")
    try:
        find_refs(value)
    except BadReference as error:
        raise Carried(error) from None
    return value


Text = Annotated[
    str,
    StringConstraints(strict=True, pattern=r"\S"),
    WithJsonSchema({"type": ["string", "number"], "pattern": r"\S"}),
]
"""Text that is not empty; a number counts by its source text (see :mod:`famulus_kernel.language.validation`)."""
Identifier = Annotated[Text, AfterValidator(carrying(check_identifier))]
NotebookId = Annotated[Text, AfterValidator(carrying(check_notebook_id))]
ReferenceText = Annotated[Text, AfterValidator(carrying(lambda text: str(Reference.parse(text))))]
DependencyText = Annotated[Text, AfterValidator(carrying(lambda text: str(parse_dependency(text))))]
PathText = Annotated[Text, AfterValidator(_path)]
"""A path as the user writes it: may be absolute, may hold `~` and `$PDAI_COLLECTIONS`."""
NotNull = BeforeValidator(_not_null)
"""For a key whose value was surely forgotten when there is none."""
PlainPath = Annotated[Text, AfterValidator(plain_relative_path)]
PlainFolder = Annotated[PlainPath, BeforeValidator(_folder)]
CollectionName = Annotated[Text, AfterValidator(_collection)]
LanguageTag = Annotated[Text, AfterValidator(_tag)]
LanguageTags = Annotated[
    tuple[LanguageTag, ...], BeforeValidator(_tags, json_schema_input_type=LanguageTag | tuple[LanguageTag, ...])
]
Bool = StrictBool
WholeNumber = StrictInt
Number = Annotated[float, Field(strict=True, allow_inf_nan=False)]
Json = Annotated[Any, AfterValidator(_json)]
Arguments = Annotated[dict[str, Any], AfterValidator(_json), AfterValidator(_refs)]
"""A mapping of arguments; a value anywhere inside may be `{ref: …}`."""
