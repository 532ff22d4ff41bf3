"""One file that holds all it needs: style sheets, scripts, pictures and tables of a page become part of its HTML."""

from __future__ import annotations

import base64
import html
import mimetypes
import re
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote

if TYPE_CHECKING:
    from pathlib import Path

LARGEST_TABLE: Final = 1_000_000
"""Bytes of a table that is put into a page; a larger one stays the file that the page names."""

_INSIDE: Final = r"""(?:[^>"']|"[^"]*"|'[^']*')*"""
_TAG: Final = re.compile(
    rf"<!--.*?-->|<(?P<block>script|style)\b(?P<head>{_INSIDE})>.*?</(?P=block)\s*>"
    rf"|<(?P<element>link|img|source|video|audio|a)\b(?P<inside>{_INSIDE})>",
    re.DOTALL | re.IGNORECASE,
)
"""A comment, a script or a style sheet as a whole (what stands in it is no HTML), or the tag of another element."""
_ADDRESS: Final = re.compile(
    r"""(?P<before>\s(?:src|href|poster|data-src)\s*=\s*)(?P<quote>["'])(?P<address>[^"']*)(?P=quote)"""
)
_KEPT_LINK: Final = re.compile(r"""\srel\s*=\s*["']?(?:stylesheet|icon|shortcut icon)\b""", re.IGNORECASE)
_IN_STYLE: Final = re.compile(r"""url\(\s*(["']?)(?!data:|#)([^"')]+)\1\s*\)""")
_ELSEWHERE: Final = re.compile(r"^(?:[a-z][a-z0-9+.-]*:|//|/|#|$)", re.IGNORECASE)
_TYPES: Final = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".csv": "text/csv"}


def embed_resources(page: Path, root: Path) -> None:
    """Put into a page of HTML the files below `root` that it shows, runs or offers; links to pages stay links.

    Addresses elsewhere stay what they are, and so does one that leads out of `root` or to no file.
    """
    text = page.read_text(encoding="utf-8")
    page.write_text(_TAG.sub(lambda found: _embedded(found, page.parent, root), text), encoding="utf-8")


def _embedded(found: re.Match[str], folder: Path, root: Path) -> str:
    element = (found["element"] or found["block"] or "").lower()
    inside, whole = found["inside"] or found["head"] or "", found[0]
    is_offered = element == "a" and re.search(r"\sdownload\b", inside) is not None
    if element in ("", "style") or (element == "a" and not is_offered):
        return whole
    if element == "link" and not _KEPT_LINK.search(inside):
        return whole

    def data_address(attribute: re.Match[str]) -> str:
        path = _local(html.unescape(attribute["address"]), folder, root)
        if path is None or (is_offered and path.stat().st_size > LARGEST_TABLE):
            return attribute[0]
        name = f' download="{html.escape(path.name)}"' if is_offered else ""
        return f'{attribute["before"]}"{_as_data(path, root)}"{name}'

    changed = _ADDRESS.sub(data_address, inside)
    if is_offered and changed != inside:
        changed = re.sub(r'\sdownload(?:="")?(?=\s|$)', "", changed, count=1)
    return whole.replace(inside, changed, 1)


def _local(address: str, folder: Path, root: Path) -> Path | None:
    if _ELSEWHERE.match(address):
        return None
    path = (folder / unquote(re.split(r"[?#]", address, maxsplit=1)[0])).resolve()
    return path if path.is_relative_to(root.resolve()) and path.is_file() else None


def _as_data(path: Path, root: Path) -> str:
    content = path.read_bytes()
    if path.suffix == ".css":
        content = _IN_STYLE.sub(lambda found: _style_address(found, path, root), content.decode()).encode()
    kind = _TYPES.get(path.suffix.lower()) or mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    return f"data:{kind};base64,{base64.b64encode(content).decode()}"


def _style_address(found: re.Match[str], sheet: Path, root: Path) -> str:
    path = _local(found[2], sheet.parent, root)
    return f'url("{_as_data(path, root)}")' if path is not None else found[0]
