"""Characters of data that would act instead of being read: controls, overrides, surrogates (spec 5.2)."""

from __future__ import annotations

import re
from typing import Final

REPLACEMENT: Final = "\ufffd"

_SURROGATES: Final = re.compile("[\ud800-\udfff]")
_LINE_ENDS: Final = re.compile("\r\n?|[\x0b\x0c\x85\u2028\u2029]")
# C0 without tab and newline, DEL, C1 (an 8-bit CSI is one character of it); embeddings, overrides and
# isolates, which would turn the text after them too. LRM, RLM and joiners stay: Hebrew, Arabic and Persian
# are written with them.
_ACTING: Final = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]"
)


def storable(text: str) -> str:
    """Return `text` as UTF-8 can hold it: a lone surrogate becomes U+FFFD."""
    return _SURROGATES.sub(REPLACEMENT, text)


def visible(text: str) -> str:
    """Return `text` for a reader: every kind of line end is a newline, and what would act is U+FFFD."""
    return _ACTING.sub(REPLACEMENT, _LINE_ENDS.sub("\n", text))


def one_line(text: str) -> str:
    """Return `text` for a place that holds one line: visible, blanks and line ends as single spaces."""
    return " ".join(visible(text).split())


def cut(text: str, most: int) -> str:
    """Return at most `most` characters of `text`; a cut text ends in an ellipsis."""
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"
