"""Kind `kwic`: keywords in context, the keyword in a column of its own (spec 5.1)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from famulus_kernel.artefacts.build import BuildContext, Built
from famulus_kernel.artefacts.characters import one_line
from famulus_kernel.artefacts.records import need, ordered, read_records, table_of
from famulus_kernel.artefacts.view import View

if TYPE_CHECKING:
    from collections.abc import Mapping

    from famulus_kernel.artefacts.records import Names

CONTEXT: Final = 40
"""How many characters of each side a view shows; data keeps all of them."""

_NAMES: Final[Names] = {
    "doc_id": ("document", "doc", "dokument"),
    "text": ("sentence", "satz", "line"),
    "left": ("before", "links", "davor"),
    "keyword": ("kwic", "match", "token", "form", "hit", "stichwort", "lemma"),
    "right": ("after", "rechts", "danach"),
    "page": ("seite",),
    "url": ("link",),
}
_PARTS: Final = ("left", "keyword", "right")
_PLACE: Final = ("collection", "doc_id", "date", "page")
_NOT_SHOWN: Final = ("url", "text", "pidx", "sent_idx", "kind")
_GAP: Final = re.compile(r"(?<=[\w)\]]) (?=[,.;:!?)\]](?:\s|[,.;:!?)\]]|$))|(?<=[(\[]) (?=\w)")
"""A blank that tokens have and texts have not: before a mark that ends something, after a bracket that opens."""


class KwicBuilder:
    """`data` is `{rows, n_rows}`, each row with left, keyword and right where they are known."""

    kind = "kwic"
    extension = "json"

    def build(self, payload: object, context: BuildContext) -> Built:
        """Build from `rows`, or from a table with such columns (`records`); a `url` links document and page.

        A row without `left` and `right` is divided at the first place where its `text` has its `keyword`,
        whatever the case of the letters. One whose text does not have it (a lemma, say) stands whole at the right.
        """
        records = read_records(payload, "rows", _NAMES, context)
        need(records, ["text", "keyword"], context)
        rows = [divided(item) for item in records.items]
        linked = "url" in records.names
        front = [name for name in _PLACE if name in records.names]
        if "collection" in front and len({row.get("collection") for row in rows}) == 1:
            front.remove("collection")
        behind = ordered(records.names, (), (*_PLACE, *_PARTS, *_NOT_SHOWN))
        full = records.write_full(context)
        part = table_of(
            [_near(row) for row in rows],
            [*front, *_PARTS, *behind, *(["url"] if linked else [])],
            types=dict(records.table.columns),
            total=records.total,
            full=full,
            links=dict.fromkeys(("doc_id", "page"), "url") if linked else {},
            aligned={"left": "right", "keyword": "center", "right": "left"},
        )
        data = {"rows": rows, "n_rows": records.total}
        return Built(data, View(parts=(part,)), full.names if full else ())


def divided(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row with left, keyword and right; those it has stay as they are."""
    if row.get("left") is not None or row.get("right") is not None:
        return {**row, **{name: row.get(name) for name in _PARTS}}
    text, keyword = str(row.get("text") or ""), str(row.get("keyword") or "")
    at = text.casefold().find(keyword.casefold()) if keyword else -1
    if at < 0 or len(text) != len(text.casefold()):
        # Folding may lengthen a text (ß becomes ss): then only the very letters are looked for.
        at = text.find(keyword) if keyword else -1
    if at < 0:
        return {**row, "left": None, "keyword": None if text else row.get("keyword"), "right": text or None}
    end = at + len(keyword)
    return {**row, "left": text[:at].rstrip(), "keyword": text[at:end], "right": text[end:].lstrip()}


def _near(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row with what stands next to the keyword, on one line, cut at words where there are any."""
    left, right = (_GAP.sub("", one_line(str(row.get(name) or ""))) for name in ("left", "right"))
    if row.get("keyword") is None:
        return {**row, "right": _cut(right, 2 * CONTEXT)}
    return {**row, "left": _cut(left[::-1], CONTEXT)[::-1], "right": _cut(right, CONTEXT)}


def _cut(text: str, most: int) -> str:
    if len(text) <= most:
        return text
    end = text.rfind(" ", most // 2, most)
    return f"{text[:end]} …" if end > 0 else f"{text[: most - 1]}…"


BUILDER = KwicBuilder()
