"""Kind `timeline`: what happened in which year, as bars and as a table (spec 5.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from famulus_kernel.artefacts.bar_picture import MOST_SPANS, Span, Years, bar_picture
from famulus_kernel.artefacts.build import BuildContext, Built
from famulus_kernel.artefacts.characters import cut
from famulus_kernel.artefacts.labels import label
from famulus_kernel.artefacts.numbers import format_number
from famulus_kernel.artefacts.records import Records, first_items, heading, need, read_records, table_of
from famulus_kernel.artefacts.tables import FIRST_ROWS, stream
from famulus_kernel.artefacts.values import FLOAT, WHOLE
from famulus_kernel.artefacts.view import Figure, View

if TYPE_CHECKING:
    from famulus_kernel.artefacts.records import Names
    from famulus_kernel.artefacts.tables import FullFiles
    from famulus_kernel.artefacts.view import Table

MOST_SERIES: Final = 6
_NAMES: Final[Names] = {
    "from": ("year", "jahr", "von", "start", "begin", "date", "datum"),
    "to": ("bis", "end", "until"),
    "count": ("n", "anzahl", "n_letters", "letters", "briefe", "n_sentences", "value"),
    "label": ("name", "event", "title", "kind", "series", "bezeichnung"),
}
# `1520`, `1520-03-02`, `1520?`, `1512/1515`, `0044-03-15 (BC)`; not `152X`, which is no year.
_YEAR: Final = r"^\s*(-?\d{1,6})(?:\.0+)?(?:$|[-/~?%T\s])"
_LAST_YEAR: Final = r"/\s*(-?\d{1,6})(?:$|[-~?%T\s])"
_EVENTS: Final = """
CREATE TEMP TABLE events AS
SELECT label, least(first, last) AS "from", greatest(first, last) AS "to", sum(count) AS count FROM (
    SELECT label, count, coalesce(begun, ended) AS first, coalesce(ended, begun) AS last FROM (
        SELECT {label} AS label, {count} AS count, {begun} AS begun, {ended} AS ended FROM given
    )
) GROUP BY ALL
"""


class TimelineBuilder:
    """`data` is `{events, n_events}`, each event `{label, from, to, count}` with years or null; all lie beside it."""

    kind = "timeline"
    extension = "json"

    def build(self, payload: object, context: BuildContext) -> Built:
        """Build from `events`, or from a table with such columns (`records`): `year` and `count` are enough.

        Events of the same years and label are one, their counts added; one without a count counts one. Years are
        read from numbers, ISO dates and EDTF; what names no year is undated, and stands in the table only.
        """
        records = read_records(payload, "events", _NAMES, context)
        need(records, ["from"], context)
        events, total = _events(records)
        full = records.write_full(context)
        dated = [event for event in events if event["from"] is not None]
        parts: list[Any] = []
        if dated:
            years = _years(dated)
            name, path = context.companion(".svg")
            words = _words(years, dated, context.lang)
            path.write_bytes(bar_picture(years, words, context.lang))
            parts.append(Figure(file=name, alt=words, caption=_notes(years, events, context.lang)))
        parts.append(_table(events, total, full))
        data = {"events": first_items(events), "n_events": total}
        names = [part.file for part in parts if isinstance(part, Figure)]
        return Built(data, View(parts=tuple(parts)), (*names, *(full.names if full else ())))


def _events(records: Records) -> tuple[list[dict[str, Any]], int]:
    """Return the events added up, the earliest first, and how many there are in all.

    Where more than 1,000 differ, their labels are left aside: the years are what a timeline shows.
    """
    import duckdb  # noqa: PLC0415 - loaded where it is used

    if not records.total:
        return [], 0
    has = set(records.names)
    first, last = (f'CAST("{name}" AS VARCHAR)' for name in ("from", "to"))
    begun = _year(first, _YEAR)
    ended = f"coalesce({_year(last, _YEAR)}, {_year(first, _LAST_YEAR)})" if "to" in has else _year(first, _LAST_YEAR)
    count = "coalesce(TRY_CAST(count AS DOUBLE), 1)" if "count" in has else "1.0::DOUBLE"
    count = f"CASE WHEN isfinite({count}) THEN {count} ELSE 0 END"
    columns = [name for name in ("from", "to", "count", "label") if name in has]
    words = "CAST(label AS VARCHAR)" if "label" in has else "NULL::VARCHAR"
    order = 'ORDER BY "from" NULLS LAST, "to", label NULLS FIRST'
    with duckdb.connect(config={"threads": 1}) as connection:
        connection.execute("SET TimeZone = 'UTC'")
        connection.register("given", stream(records.table, columns))
        connection.execute(_EVENTS.format(label=words, count=count, begun=begun, ended=ended))
        (total,) = connection.execute("SELECT count(*) FROM events").fetchone() or (0,)
        if total > FIRST_ROWS:
            connection.execute(
                'CREATE OR REPLACE TEMP TABLE events AS SELECT NULL::VARCHAR AS label, "from", "to",'
                " sum(count) AS count FROM events GROUP BY ALL"
            )
            (total,) = connection.execute("SELECT count(*) FROM events").fetchone() or (0,)
        rows = connection.execute(f"FROM events {order} LIMIT {FIRST_ROWS:d}").fetchall()
    whole = all(count.is_integer() for *_, count in rows)
    events = [
        {"label": words, "from": begin, "to": end, "count": int(count) if whole else count}
        for words, begin, end, count in rows
    ]
    return events, int(total)


def _year(text: str, pattern: str) -> str:
    found = f"TRY_CAST(regexp_extract({text}, '{pattern}', 1) AS INTEGER)"
    return f"CASE WHEN {text} LIKE '%(BC)' THEN 1 - {found} ELSE {found} END"


def _years(events: list[dict[str, Any]]) -> Years:
    """Return what is drawn: bars of single years, in series where there are a few labels, and what lasts longer."""
    single = [event for event in events if event["from"] == event["to"]]
    series = next((few for few in (_labels(events), _labels(single)) if 1 < len(few) <= MOST_SERIES), [""])
    counts: dict[str, dict[int, float]] = {name: {} for name in series}
    spans = []
    for event in events:
        name = _name(event) if len(series) > 1 else ""
        if event["from"] == event["to"]:
            counts[name][event["from"]] = counts[name].get(event["from"], 0.0) + event["count"]
        else:
            spans.append(Span(event["from"], event["to"], _span_words(event), name))
    return Years(counts, spans)


def _labels(events: list[dict[str, Any]]) -> list[str]:
    return list(dict.fromkeys(_name(event) for event in events))


def _name(event: dict[str, Any]) -> str:
    """Return an event's label, unless it says the year once more."""
    words = event["label"] or ""
    return "" if words == str(event["from"]) else cut(words, 200)


def _span_words(event: dict[str, Any]) -> str:
    when = f"{event['from']}\N{EN DASH}{event['to']}"
    count = f" ({event['count']})" if event["count"] != 1 else ""
    return f"{when} {_name(event)}{count}".strip()


def _words(years: Years, dated: list[dict[str, Any]], lang: str) -> str:
    by_year: dict[int, float] = {}
    for counts in years.counts.values():
        for year, count in counts.items():
            by_year[year] = by_year.get(year, 0.0) + count
    total = sum(event["count"] for event in dated)
    known = {"first": str(years.first), "last": str(years.last), "total": format_number(total, lang)}
    if not by_year:
        return label("timeline.spans", lang, **known)
    best = max(by_year, key=lambda year: (by_year[year], -year))
    return label("timeline.alt", lang, **known, year=str(best), most=format_number(by_year[best], lang))


def _notes(years: Years, events: list[dict[str, Any]], lang: str) -> str | None:
    """Return what the bars do not show, in words."""
    undated = sum(event["count"] for event in events if event["from"] is None)
    notes = [label("timeline.step", lang, years=str(years.step))] if years.step > 1 else []
    notes += [label("timeline.undated", lang, count=format_number(undated, lang))] if undated else []
    left = len(years.spans) - MOST_SPANS
    notes += [label("timeline.more", lang, count=format_number(left, lang))] if left > 0 else []
    return "; ".join(notes) or None


def _table(events: list[dict[str, Any]], total: int, full: FullFiles | None) -> Table:
    columns = ["from", *(["to"] if any(event["from"] != event["to"] for event in events) else [])]
    columns += ["label"] if any(_name(event) for event in events) else []
    whole = all(isinstance(event["count"], int) for event in events)
    types = {"from": WHOLE, "to": WHOLE, "count": WHOLE if whole else FLOAT}
    rows = [event | {"to": None} if event["from"] == event["to"] else event for event in events]
    table = table_of(rows, [*columns, "count"], types=types, total=total, full=full)
    new: dict[str, dict[str, Any]] = {"from": {"format": "d", "align": "left"}, "to": {"format": "d", "align": "left"}}
    if "to" not in columns:
        new["from"]["label"] = heading("year")
    drawn = tuple(column.model_copy(update=new.get(column.key, {})) for column in table.columns)
    return table.model_copy(update={"columns": drawn})


BUILDER = TimelineBuilder()
