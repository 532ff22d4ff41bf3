"""Kind `entfaltung-teil`: one section of the report of an enfolding (spec 5.1, 8.1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from famulus_kernel.artefacts.build import BuildContext, Built
from famulus_kernel.artefacts.characters import cut, one_line, storable
from famulus_kernel.artefacts.labels import has_label
from famulus_kernel.artefacts.records import first_items, table_of
from famulus_kernel.artefacts.tables import from_mappings, is_list, write_full
from famulus_kernel.artefacts.values import cell, json_safe
from famulus_kernel.artefacts.view import Cell, Fact, Facts, Label, Part, Prose, View, literal, message

if TYPE_CHECKING:
    from famulus_kernel.artefacts.cells import Status

SECTIONS: Final[Mapping[str, tuple[str, ...]]] = {
    "ziel": ("question", "protocol", "block", "body", "form", "slots"),
    "evidenzbasis": ("body", "evidence", "coverage", "n_documents", "n_in", "n_out", "n_undatable", "n_unaccounted"),
    "trichter": ("filter", "coverage"),
    "kanaele": ("channels",),
    "entfaltung": ("candidates",),
    "planung": ("budget", "subgoals", "n_zurueckgestellt"),
    "ausschluss": ("excluded",),
    "urteil": ("verdict", "grade", "rest_quote", "n_belege", "gate_match", "rueckfrage", "gate"),
    "rest": ("n_rest", "rest_quote", "n_zurueckgestellt", "rest"),
}
"""The sections in the order of a protocol, and which keys of the report or of its measures each of them shows."""

_BADGES: Final[Mapping[str, Status]] = {
    "validiert": "pass",
    "validiert-mit-rest": "pass",
    "Lücke": "gap",
    "nicht validiert": "fail",
    "Rückfrage": "error",
}
_VERDICT_KEYS: Final = ("urteil", "verdict", "status")
_DOCUMENTS: Final = ("n_documents", "n_in", "n_out", "n_undatable")
_FACT_CHARACTERS: Final = 300
_DEEPEST: Final = 4


class EntfaltungTeilBuilder:
    """`data` is `{teil}` and those keys of the report that the section shows; long lists lie beside it as tables."""

    kind = "entfaltung-teil"
    extension = "json"

    def build(self, payload: object, context: BuildContext) -> Built:
        """Build from a mapping of `teil` and either `enfolding`, the report, or the keys of the report themselves.

        Which keys there are decides what is drawn: single values as facts, lists of mappings as tables, texts as they
        are. A section of which the report says nothing says so.
        """
        if not isinstance(payload, Mapping):
            raise context.error("it needs teil: and the report of an enfolding")
        teil = str(payload.get("teil") or "")
        if teil not in SECTIONS:
            raise context.error(f"it needs teil: one of {', '.join(SECTIONS)}" + (f", not {teil}" if teil else ""))
        report = payload.get("enfolding", {key: value for key, value in payload.items() if key != "teil"})
        if not isinstance(report, Mapping) or not report:
            raise context.error("it needs enfolding: the report of an enfolding")
        try:
            shown = json_safe(_section(teil, report))
        except ValueError as error:
            raise context.error(str(error)) from error
        drawing = _Drawing(context)
        if teil == "trichter" and (stages := _stages(report)):
            drawing.parts.append(Facts(items=stages))
        drawing.draw(shown)
        parts = drawing.parts or [Facts(items=(Fact(label=_title(teil), value=message("value.none")),))]
        first = {key: first_items(value) for key, value in shown.items() if _is_records(value)}
        view = View(title=_title(teil), parts=tuple(parts))
        return Built({"teil": teil, **shown, **first}, view, tuple(drawing.files))


class _Drawing:
    """Turns the keys of a section into primitives: the facts first, then everything larger under its own title."""

    def __init__(self, context: BuildContext) -> None:
        self.parts: list[Part] = []
        self.files: list[str] = []
        self._context = context

    def draw(self, values: Mapping[str, Any], path: tuple[str, ...] = ()) -> None:
        facts = [fact for key, value in values.items() if (fact := _fact(key, value)) is not None]
        if facts:
            self.parts.append(Facts(title=_word(path[-1]) if path else None, items=tuple(facts)))
        for key, value in values.items():
            here = (*path, key)
            if _is_records(value):
                self._table(here, value)
            elif isinstance(value, Mapping) and value and key != "verdict" and len(here) < _DEEPEST:
                self.draw(value, here)
            elif isinstance(value, str) and len(value) > _FACT_CHARACTERS:
                self.parts.append(Prose(title=_word(key), markdown=value))

    def _table(self, path: tuple[str, ...], records: Sequence[Mapping[str, Any]]) -> None:
        texts = [{storable(str(key)): _joined(value) for key, value in record.items()} for record in records]
        table = from_mappings(texts)
        full = write_full(table, self._context, "." + "-".join(path))
        self.files += full.names
        names = [name for name, _ in table.columns if name != "url"]
        linked = ["url"] if "address" in names and len(names) < len(table.columns) else []
        drawn = table_of(
            first_items(texts),
            [*names, *linked],
            types=dict(table.columns),
            total=table.total,
            full=full,
            title=_word(path[-1]),
            links={"address": "url"} if linked else {},
        )
        heads = tuple(column.model_copy(update={"label": _word(column.key)}) for column in drawn.columns)
        self.parts.append(drawn.model_copy(update={"columns": heads}))


def _section(teil: str, report: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the report says of a section, each key from the report itself or from its measures."""
    measures = report.get("measures") if isinstance(report.get("measures"), Mapping) else {}
    whole = {**(measures or {}), **report}
    return {key: whole[key] for key in SECTIONS[teil] if whole.get(key) not in (None, "", [], {})}


def _stages(report: Mapping[str, Any]) -> tuple[Fact, ...]:
    """Return how many were left at each step of the funnel: documents, candidates, and what was decided of these."""
    known = _section("evidenzbasis", report)
    coverage = known.get("coverage")
    counts = {**(coverage if isinstance(coverage, Mapping) else {}), **known}
    stages = [(_word(key), counts[key]) for key in _DOCUMENTS if _is_count(counts.get(key))]
    candidates = report.get("candidates")
    if candidates and _is_records(candidates):
        stages.append((_word("candidates"), len(candidates)))
        decided = Counter(str(one["decision"]) for one in candidates if one.get("decision") not in (None, ""))
        stages += [(_word(decision), number) for decision, number in decided.most_common()]
    stages += [(_word(key), len(report[key])) for key in ("excluded", "rest") if is_list(report.get(key))]
    return tuple(Fact(label=words, value=number) for words, number in stages)


def _fact(key: str, value: object) -> Fact | None:
    """Return a value as one line; None for what is larger than one."""
    if key == "verdict":
        return _verdict(value)
    if isinstance(value, Mapping) or _is_records(value):
        return None
    if is_list(value):
        return Fact(label=_word(key), value=cut(one_line(str(_joined(value))), _FACT_CHARACTERS)) if value else None
    short = cell(value)
    if short in (None, "") or (isinstance(short, str) and len(short) > _FACT_CHARACTERS):
        return None
    return Fact(label=_word(key), value=short)


def _verdict(value: object) -> Fact | None:
    word = next((value[key] for key in _VERDICT_KEYS if value.get(key)), None) if isinstance(value, Mapping) else value
    if word in (None, ""):
        return None
    known = f"enfold.verdict.{word}"
    said: Cell | Label = message(known) if has_label(known) else cell(word)
    return Fact(label=message("verdict"), value=said, badge=_BADGES.get(str(word)))


def _joined(value: object) -> Cell:
    """Return a value of a record as one cell: a list line by line, a mapping as what it says."""
    if isinstance(value, Mapping):
        return ", ".join(str(_joined(one)) for one in value.values() if one not in (None, ""))
    if is_list(value):
        return "\n".join(str(_joined(one)) for one in value)
    return cell(value)


def _title(teil: str) -> Label:
    return message(f"enfold.part.{teil}")


def _word(key: str) -> Label:
    """Return the label of a key, by the first group of labels.json that has it."""
    found = next((name for group in ("enfold", "column", "count", "spec") if has_label(name := f"{group}.{key}")), None)
    if found is None and has_label(key):
        found = key
    return message(found) if found else literal(storable(key))


def _is_records(value: object) -> bool:
    return is_list(value) and bool(value) and all(isinstance(one, Mapping) for one in value)


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


BUILDER = EntfaltungTeilBuilder()
