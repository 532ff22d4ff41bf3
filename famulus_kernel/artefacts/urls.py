"""Which addresses may become links (spec 5.2)."""

from __future__ import annotations

import re
from typing import Final

_COLON_FIRST: Final = re.compile("[^/?#]*:")
_ALLOWED: Final = re.compile(r"(?:https?://[^/?#]|mailto:)", re.IGNORECASE)
_WEB: Final = re.compile(r"https?://[^/?#]", re.IGNORECASE)
# Browsers drop tabs and newlines inside an address and take a backslash for a slash: none of them may stay.
_UNSAFE: Final = re.compile('[\x00-\x20\x7f-\xa0\\\\<>"`{}|^\u202a-\u202e\u2066-\u2069\ud800-\udfff]')


def safe_url(url: str) -> str | None:
    """Return `url` where it may become a link: http, https, mailto or relative; None otherwise.

    Blanks around it are cut; a character that no address holds unescaped makes it no link. An address that
    leaves the site without naming a scheme (`//host/…`) is none either.
    """
    url = url.strip(" \t\r\n")
    if not url or _UNSAFE.search(url) or url.startswith("//"):
        return None
    if _ALLOWED.match(url):
        return url
    return None if _COLON_FIRST.match(url) else url


def is_web_url(url: str) -> bool:
    """Return whether `url` is an address of the web, http or https."""
    return _WEB.match(url) is not None and safe_url(url) is not None
