"""Identifiers (spec 1.4): names of projects, notebooks, blocks and artefacts, and folders of the store as well."""

from __future__ import annotations

import re
import unicodedata

from famulus_kernel.errors import BadReference

MAX_LENGTH = 80
NEEDED = "an identifier (a letter or digit, then letters, digits, - and _, at most 80)"
_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,79}\Z")
_DEVICES = frozenset(
    ["con", "prn", "aux", "nul", "conin$", "conout$"]
    + [f"{port}{digit}" for port in ("com", "lpt") for digit in "0123456789¹²³"]
)


def check_identifier(text: str) -> str:
    """Return `text` NFC-normalised.

    Raises
    ------
    BadReference
        It is not an identifier, or is a name that Windows keeps for a device and that could be no folder there.
    """
    if not _PLAIN.match(text):
        text = unicodedata.normalize("NFC", text)
        if not _is_identifier(text):
            raise BadReference.of(text, NEEDED)
    if is_device_name(text):
        raise BadReference.of(text, "a name that is free on every system (Windows keeps it for a device)")
    return text


def check_notebook_id(text: str) -> str:
    """Return a notebook's id, NFC-normalised: identifiers joined by dots (`briefe.zahl` for `briefe/zahl.fam`).

    Raises
    ------
    BadReference
        A part is not an identifier.
    """
    return ".".join(check_identifier(part) for part in text.split("."))


def same_id_key(text: str) -> str:
    """Return what two ids have in common that would be one folder on a disk that folds case or normalises."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())


def is_device_name(text: str) -> bool:
    """Say whether a file or folder of that name cannot be made on Windows (`con`, `AUX.json`, `com1`)."""
    return text.partition(".")[0].rstrip(" ").lower() in _DEVICES


def _is_identifier(text: str) -> bool:
    # marks are letters' parts in scripts that have no composed form for them (Devanagari, Hebrew, q with a tilde)
    if not 0 < len(text) <= MAX_LENGTH or unicodedata.category(text[0])[0] not in "LN" or not text[0].isalnum():
        return False
    return all(char in "-_" or unicodedata.category(char) in _WORD for char in text)


_WORD = frozenset(["Lu", "Ll", "Lt", "Lm", "Lo", "Nd", "Mn", "Mc"])
