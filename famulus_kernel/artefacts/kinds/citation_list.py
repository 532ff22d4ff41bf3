"""Kind `citation-list`: documents with the sentences in them that are evidence (spec 5.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from famulus_kernel.artefacts.build import BuildContext, Built
from famulus_kernel.artefacts.records import lines, need, ordered, read_records, table_of
from famulus_kernel.artefacts.view import View

if TYPE_CHECKING:
    from famulus_kernel.artefacts.records import Names

_NAMES: Final[Names] = {
    "doc_id": ("document", "doc", "dokument"),
    "n_sentences": ("n", "count", "anzahl"),
    "excerpts": ("excerpt", "text", "quote", "zitat"),
    "url": ("link",),
}
_ORDER: Final = ("collection", "doc_id", "page", "n_sentences", "excerpts")


class CitationListBuilder:
    """`data` is `{rows, n_rows}`; all rows lie beside it as a table."""

    kind = "citation-list"
    extension = "json"

    def build(self, payload: object, context: BuildContext) -> Built:
        """Build from `rows`, or from a table with such columns (`records`); a `url` links the document."""
        records = read_records(payload, "rows", _NAMES, context)
        need(records, ["doc_id"], context)
        linked = "url" in records.names
        items = [
            item | ({"excerpts": lines(item["excerpts"])} if "excerpts" in item else {}) for item in records.items
        ]
        full = records.write_full(context)
        part = table_of(
            items,
            ordered(records.names, _ORDER, ("url", "pidx", "sent_idx", "kind")) + (["url"] if linked else []),
            types=dict(records.table.columns),
            total=records.total,
            full=full,
            links={"doc_id": "url"} if linked else {},
        )
        data = {"rows": records.items, "n_rows": records.total}
        return Built(data, View(parts=(part,)), full.names if full else ())


BUILDER = CitationListBuilder()
