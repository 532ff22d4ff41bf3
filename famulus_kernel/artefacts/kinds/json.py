"""Kind `json`: the result of a contract, unchanged (spec 5.1)."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Final

from famulus_kernel.artefacts.build import BuildContext, Built, TablePayload
from famulus_kernel.artefacts.characters import cut
from famulus_kernel.artefacts.values import json_safe
from famulus_kernel.artefacts.view import Cell, Fact, Facts, Part, Prose, View, literal

SHOWN_CHARACTERS: Final = 16_000
_SHORT: Final = 300


class JsonBuilder:
    """`data` is the value; the view lists the short fields of an object and shows the rest as JSON."""

    kind = "json"
    extension = "json"

    def build(self, payload: object, context: BuildContext) -> Built:
        """Build from any value of JSON; what JSON cannot hold is text (`values.json_safe`), of a table the rows."""
        given = _mappings(payload) if isinstance(payload, TablePayload) else payload
        try:
            data = json_safe(given)
        except ValueError as error:
            raise context.error(str(error)) from error
        short = (
            {key: value for key, value in data.items() if _is_short(value)}
            if isinstance(data, Mapping)
            else {}
        )
        rest = (
            {key: value for key, value in data.items() if key not in short}
            if isinstance(data, Mapping)
            else data
        )
        facts = Facts(
            items=tuple(Fact(label=literal(key), value=_cell(value)) for key, value in short.items())
        )
        parts: list[Part] = [facts] if short else []
        parts += [_code(rest)] if rest or not short else []
        return Built(data, View(parts=tuple(parts)))


def _mappings(table: TablePayload) -> list[dict[str, Cell]]:
    names = [name for name, _ in table.columns]
    return [dict(zip(names, row, strict=True)) for row in table.rows]


def _is_short(value: object) -> bool:
    return (
        value is None
        or isinstance(value, bool | int | float)
        or (isinstance(value, str) and len(value) <= _SHORT)
    )


def _cell(value: Cell) -> Cell:
    exact = isinstance(value, bool) or not isinstance(value, int) or abs(value) <= 2**53
    return value if exact else str(value)


def _code(value: object) -> Prose:
    text = cut(json.dumps(value, ensure_ascii=False, indent=2), SHOWN_CHARACTERS)
    ticks = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", text)), default=0))
    return Prose(markdown=f"{ticks}json\n{text}\n{ticks}\n")


BUILDER = JsonBuilder()
