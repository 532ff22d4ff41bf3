"""Styles that pandoc writes into elements, as classes of one sheet: a page may then forbid inline styles (spec 5.2).

Pandoc aligns cells, sizes images and sets equations by `style="…"`. The class of a style is made of its text, so that
pages which are written at different times share the sheet.
"""

from __future__ import annotations

import hashlib
import re
from html import unescape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

SHEET = "styles.css"
_PREFIX = "famulus-s-"
_ELEMENT = re.compile(
    r"<!--.*?-->|<(script|style|textarea|title)\b.*?</\1\s*>|<[a-z](?:[^<>\"']|\"[^\"]*\"|'[^']*')*>",
    re.DOTALL | re.IGNORECASE,
)
_ATTRIBUTE = re.compile(r"\s+([\w:.-]+)(?:\s*=\s*(\"[^\"]*\"|'[^']*'))?")
_END = re.compile(r"\s*/?>\Z")
_PLAIN = re.compile(r"[\w\s.,:;%#()!+*/-]*")
"""What a style may be of that becomes a rule: nothing that could end one, or ask for a file."""


def without_styles(html: str) -> tuple[str, dict[str, str]]:
    """Return HTML whose elements carry classes in place of styles, and the style of each class.

    Scripts, comments and the like stay as they are, and so does a style that is more than words and numbers: its author
    wrote it, and knows where the page will stand.
    """
    rules: dict[str, str] = {}

    def replaced(found: re.Match[str]) -> str:
        tag = found[0]
        if found[1] or tag.startswith("<!"):
            return tag
        attributes = {one[1].lower(): one for one in reversed(list(_ATTRIBUTE.finditer(tag)))}
        style, given = attributes.get("style"), attributes.get("class")
        text = unescape((style[2] or "")[1:-1]).strip() if style else ""
        if not style or not text or not _PLAIN.fullmatch(text) or "url(" in text.lower():
            return tag
        name = _PREFIX + hashlib.sha256(text.encode()).hexdigest()[:10]
        rules[name] = text
        if given and given[2]:
            at, written = given.start(2) + 1, f"{name} "
        else:
            end = _END.search(tag)
            at, written = end.start() if end else len(tag) - 1, f' class="{name}"'
        for start, stop, new in sorted([(style.start(), style.end(), ""), (at, at, written)], reverse=True):
            tag = tag[:start] + new + tag[stop:]
        return tag

    return _ELEMENT.sub(replaced, html), rules


def write_styles(path: Path, rules: Mapping[str, str], *, keep: bool) -> None:
    """Write the sheet.

    Parameters
    ----------
    path
        Where.
    rules
        The style of each class.
    keep
        Whether what the sheet has already stays: not all pages were made.
    """
    # As often as this, a class goes before any rule of the other sheets, as a style did.
    lines = {f"{4 * f'.{name}'} {{ {style} }}" for name, style in rules.items()}
    if keep and path.is_file():
        lines |= {line for line in path.read_text(encoding="utf-8").splitlines() if line.startswith(f".{_PREFIX}")}
    path.write_text("\n".join(["/* What single elements look like. */", *sorted(lines), ""]), encoding="utf-8")
