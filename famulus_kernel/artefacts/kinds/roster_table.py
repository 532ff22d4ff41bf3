"""Kind `roster-table`: persons, manuscripts or whatever a register lists, one entry each (spec 5.1)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, TypeGuard

from famulus_kernel.artefacts.build import BuildContext, Built
from famulus_kernel.artefacts.records import need, ordered, read_records, table_of
from famulus_kernel.artefacts.view import View

if TYPE_CHECKING:
    from famulus_kernel.artefacts.records import Names

_NAMES: Final[Names] = {
    "name": ("canonical", "label", "person", "correspondent", "partner", "titel", "title", "id"),
    "count": ("n", "n_letters", "letters", "anzahl", "briefe", "n_mentions"),
    "n_docs": ("docs", "documents", "n_documents"),
    "doc_ids": ("doc_id",),
    "url": ("link",),
}
_ORDER: Final = ("name", "canonical", "date", "kind", "count", "n_docs", "variants", "doc_ids")
_LISTS: Final = ("variants", "doc_ids", "recipients")


class RosterTableBuilder:
    """`data` is `{entries, n_entries}`; all entries lie beside it as a table."""

    kind = "roster-table"
    extension = "json"

    def build(self, payload: object, context: BuildContext) -> Built:
        """Build from `entries`, or from a table with such columns (`records`); a `url` links the name.

        `headings` beside the entries says of a field which other one's heading its column bears: `count: n_pages`.
        """
        headings = payload.get("headings") if isinstance(payload, Mapping) else None
        if headings is not None and not _are_names(headings):
            raise context.error("headings: says of a field which other one's heading it bears, as count: n_pages")
        records = read_records(payload, "entries", _NAMES, context)
        need(records, ["name"], context)
        columns = ordered(records.names, _ORDER, ("url",))
        same = all(item.get("canonical") in (None, item.get("name")) for item in records.items)
        columns = [name for name in columns if name != "canonical" or not same]
        linked = "url" in records.names
        full = records.write_full(context)
        part = table_of(
            records.items,
            [*columns, *(["url"] if linked else [])],
            types=dict(records.table.columns),
            total=records.total,
            full=full,
            links={"name": "url"} if linked else {},
            lists=_LISTS,
            headings=headings,
        )
        data = {"entries": records.items, "n_entries": records.total}
        return Built(data, View(parts=(part,)), full.names if full else ())


def _are_names(value: object) -> TypeGuard[Mapping[str, str]]:
    return isinstance(value, Mapping) and all(isinstance(name, str) for name in value.values())


BUILDER = RosterTableBuilder()
