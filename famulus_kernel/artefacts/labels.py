"""Words of the surfaces in the language of the document, from the one file that Lua reads too (spec 5.1)."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from famulus_kernel.resources import extension_dir

if TYPE_CHECKING:
    from famulus_kernel.artefacts.view import Label

FALLBACK: Final = "en"


def label(key: str, lang: str, **values: str) -> str:
    """Return the word for a message key.

    Parameters
    ----------
    key : str
        A key of `_extensions/famulus/labels.json`.
    lang : str
        A BCP 47 tag; a language that is not shipped reads English.
    **values : str
        What stands in the braces of the message. Each is put in once, as it is: braces inside a value are
        text.

    Returns
    -------
    str
        The key itself where the file has no such key, so that a page shows something to search for.
    """
    return _filled(_words()[language_of(lang)].get(key, key), values)


def has_label(key: str) -> bool:
    """Return whether labels.json has the key."""
    return key in _words()[FALLBACK]


def resolve(label_or_text: Label | None, lang: str) -> str:
    """Return what a view's label says in `lang`; "" for none."""
    if label_or_text is None:
        return ""
    if label_or_text.message is not None:
        return label(label_or_text.message, lang)
    return label_or_text.text or ""


def language_of(tag: str) -> str:
    """Return the shipped language for a BCP 47 tag: `de-AT` reads `de`, anything unknown `en`."""
    primary = tag.replace("_", "-").partition("-")[0].lower()
    return primary if primary in _words() else FALLBACK


def format_date(iso: str, lang: str) -> str:
    """Return the day of an ISO timestamp in words (`22. September 2026`); any other text stays as it is."""
    year, month, day = iso[:4], iso[5:7], iso[8:10]
    if not (year + month + day).isdecimal() or iso[4:5] + iso[7:8] != "--" or not has_label(f"month.{month}"):
        return iso
    return label("date.day", lang, day=str(int(day)), month=label(f"month.{month}", lang), year=year)


def _filled(text: str, values: dict[str, str]) -> str:
    head, brace, rest = text.partition("{")
    if not brace:
        return text
    name, closing, tail = rest.partition("}")
    found = values.get(name) if closing else None
    return head + (f"{{{name}{closing}" if found is None else found) + _filled(tail, values)


@lru_cache(maxsize=1)
def _words() -> dict[str, dict[str, str]]:
    words: dict[str, dict[str, str]] = json.loads(
        (extension_dir() / "labels.json").read_text(encoding="utf-8")
    )
    return words
