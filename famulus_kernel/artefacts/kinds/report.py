"""Kind `report`: question, answer, verdict and what they rest on (spec 5.1); every version has one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any, Final

from famulus_kernel.artefacts.build import BuildContext, Built, ReportPayload, TablePayload
from famulus_kernel.artefacts.card import verdict_badge
from famulus_kernel.artefacts.characters import cut, one_line, storable
from famulus_kernel.artefacts.labels import format_date, has_label
from famulus_kernel.artefacts.markup import text
from famulus_kernel.artefacts.records import WORDS, silent
from famulus_kernel.artefacts.tables import FullFiles, first_rows, from_mappings, table_part, write_full
from famulus_kernel.artefacts.values import cell, json_safe
from famulus_kernel.artefacts.view import Cell, Fact, Facts, Label, Part, Prose, Table, View, literal, message

_TITLE_CHARACTERS: Final = 300
_FACT_CHARACTERS: Final = 300
_WORKINGS: Final = frozenset({"id", "rerun", "output", "log", "depends_on", "golden"})
"""Keys of a preamble that say how a block is run, not what it asks."""

_SHOWN: Final[tuple[str, ...]] = ("evidence", "collection", "doc_id", "page", "text")
_NOT_SHOWN: Final = frozenset(
    {"kind", "pidx", "sent_idx", "url", "m", "tid", "asked", "left", "right", "upos", "counts", "sent", "received",
     "himself", "partner_id", "sender_id", "recipient_id", "date_from", "date_to", "first_day", "last_day"}
)  # fmt: skip
"""Fields of a finding that other columns say in words; data and the full table have them."""


class ReportBuilder:
    """`data` has the seeds' keys and `n_findings`, since findings that do not fit lie beside it only."""

    kind = "report"
    extension = "json"

    def build(self, payload: object, context: BuildContext) -> Built:
        """Build from a ReportPayload, or from a mapping of its fields."""
        try:
            report = payload if isinstance(payload, ReportPayload) else _from_mapping(payload, context)
            return _built(report, context)
        except ValueError as error:
            raise context.error(str(error)) from error


def _from_mapping(payload: object, context: BuildContext) -> ReportPayload:
    known = [field.name for field in fields(ReportPayload)]
    if not isinstance(payload, Mapping):
        raise context.error(f"it needs a mapping of {', '.join(known)}")
    unknown = sorted(str(key) for key in payload if key not in known)
    if unknown:
        raise context.error(f"a report has no {unknown[0]}; it has {', '.join(known)}")
    return ReportPayload(**{"question": context.question, **payload})


def _built(report: ReportPayload, context: BuildContext) -> Built:
    findings = (
        report.findings if isinstance(report.findings, TablePayload) else from_mappings(report.findings)
    )
    documents = _by_document(report.by_document)
    names = [name for name, _ in findings.columns]
    rows, document_rows = first_rows(findings.rows), first_rows(documents.rows)
    full = write_full(findings, context, ".findings") if findings.total else None
    data = {
        "question": storable(report.question),
        "answer": storable(report.answer),
        "verdict": json_safe(report.verdict),
        "method": json_safe(report.method),
        "counts": json_safe(report.counts),
        "findings": [dict(zip(names, row, strict=True)) for row in rows],
        "n_findings": findings.total,
        "by_document": _mappings(documents, document_rows),
        "specification": json_safe(report.specification),
        "provenance": json_safe(report.provenance),
    }
    parts: list[Part] = []
    parts += [Prose(markdown=data["answer"])] if data["answer"].strip() else []
    parts += [Facts(items=(*_verdict(report.verdict), *_facts(report.counts, "count")))]
    parts += [_findings(findings, rows, full)] if findings.total else []
    parts += [_documents(documents, document_rows)] if documents.total else []
    parts += [Prose(title=message("method"), markdown=rules)] if (rules := _rules(report.method)) else []
    provenance = {**report.provenance}
    if isinstance(created := provenance.get("created"), str):
        provenance["created"] = format_date(created, context.lang)
    for title, values in (("specification", report.specification), ("provenance", provenance)):
        items = _facts(values, "spec")
        parts += [Facts(title=message(title), items=items)] if items else []
    title = cut(one_line(data["question"]), _TITLE_CHARACTERS)
    view = View(title=literal(title) if title else None, parts=tuple(parts))
    return Built(data, view, full.names if full else ())


def _verdict(verdict: Mapping[str, Any] | None) -> tuple[Fact, ...]:
    if verdict is None:
        return ()
    badge = verdict_badge(verdict)
    return (Fact(label=message("verdict"), value=message(f"badge.{badge}"), badge=badge),)


def _facts(values: Mapping[str, Any], group: str) -> tuple[Fact, ...]:
    """Return what a mapping says to a reader, in words of labels.json where it has them; data has all of it."""
    return tuple(
        Fact(label=_label(key, group), value=value)
        for key, given in values.items()
        if key not in _WORKINGS and (value := _value(given)) not in (None, "")
    )


def _label(key: object, group: str) -> Label:
    name = f"{group}.{key}"
    return message(name) if has_label(name) else literal(storable(str(key)))


def _value(value: object) -> Cell:
    """Return a scalar, a list of scalars or a span of years as one cell; None for what is built deeper."""
    if isinstance(value, Mapping):
        is_span = bool(value) and set(value) <= {"from", "to"}
        return f"{value.get('from', '…')}\N{EN DASH}{value.get('to', '…')}" if is_span else None
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        items = [_value(item) for item in value]
        return None if None in items else cut(", ".join(str(item) for item in items), _FACT_CHARACTERS)
    short = cell(value)
    return cut(short, _FACT_CHARACTERS) if isinstance(short, str) else short


def _findings(table: TablePayload, rows: Sequence[Sequence[Cell]], full: FullFiles | None) -> Table:
    names = [name for name, _ in table.columns]
    shown = [name for name in _SHOWN if name in names]
    shown += [name for name in names if name not in _SHOWN and name not in _NOT_SHOWN]
    shown += ["url"] if "url" in names else []
    places = [names.index(name) for name in shown]
    part = TablePayload(tuple(table.columns[at] for at in places), (), table.total)
    links = dict.fromkeys(("doc_id", "page"), "url") if "url" in names else {}
    cells = [[row[at] for at in places] for row in rows]
    return table_part(
        part,
        cells,
        full,
        title=message("findings"),
        labels=_headings(shown),
        links=links,
        words=WORDS,
        hidden=silent(shown, cells, table.total),
    )


def _documents(table: TablePayload, rows: Sequence[Sequence[Cell]]) -> Table:
    return table_part(
        table, rows, title=message("by_document"), labels=_headings([name for name, _ in table.columns])
    )


def _headings(names: Sequence[str]) -> dict[str, Label]:
    return {name: _label(name, "column") for name in names}


def _by_document(by_document: Sequence[Mapping[str, Any]] | Mapping[str, Any]) -> TablePayload:
    if isinstance(by_document, Mapping):
        return from_mappings([{"doc_id": key, "n_findings": value} for key, value in by_document.items()])
    return from_mappings(by_document)


def _mappings(table: TablePayload, rows: Sequence[Sequence[Cell]]) -> list[dict[str, Cell]]:
    return [dict(zip((name for name, _ in table.columns), row, strict=True)) for row in rows]


def _rules(method: str | Sequence[str]) -> str:
    if isinstance(method, str):
        return storable(method).strip()
    return "\n".join(f"- {text(storable(str(rule)))}" for rule in method)


BUILDER = ReportBuilder()
