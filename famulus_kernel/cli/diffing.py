"""How the difference of two versions is printed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from famulus_kernel.cli.printing import console, printable
from famulus_kernel.errors import counted
from famulus_kernel.language.flow import as_written

if TYPE_CHECKING:
    from collections.abc import Iterable

    from famulus_kernel.store.diff import Change, VersionDiff

SHORT = 200


def print_difference(found: VersionDiff) -> None:
    """Print what changed, part by part; parts without a change are left out."""
    from rich.text import Text

    console().print(Text.assemble((found.block, "bold"), f"  {found.old} → {found.new}"))
    if found.is_empty:
        console().print("nothing changed but time and software", style="dim")
        return
    for title, changes in (
        ("preamble", found.preamble),
        ("inputs", found.inputs),
        ("counts", found.counts),
        ("verdict", found.verdict),
    ):
        _print_changes(title, changes)
    if found.instruction:
        console().print("instruction", style="bold")
        for line in found.instruction:
            console().print(Text(f"  {printable(line)}", style=_line_style(line)))
    for artefact in found.artefacts:
        console().print(Text.assemble("artefact ", (artefact.name, "bold"), f": {artefact.state}"))
        for name, rows in artefact.tables:
            console().print(Text(f"  {printable(name)}: {counted(rows.added, 'row')} added, {rows.removed} removed"))
            _print_rows("+", "green", rows.added_rows)
            _print_rows("-", "red", rows.removed_rows)


def _print_changes(title: str, changes: Iterable[Change]) -> None:
    from rich.text import Text

    listed = list(changes)
    if listed:
        console().print(title, style="bold")
    for change in listed:
        console().print(
            Text.assemble(
                f"  {printable(change.key)}: ", (_short(change.old), "red"), " → ", (_short(change.new), "green")
            )
        )


def _print_rows(sign: str, colour: str, rows: Iterable[Any]) -> None:
    from rich.text import Text

    for row in rows:
        console().print(Text(f"    {sign} {_short(row)}", style=colour))


def _short(value: Any) -> str:
    text = printable("nothing" if value is None else as_written(value)).replace("\n", " ")
    return text if len(text) <= SHORT else text[: SHORT - 1] + "…"


def _line_style(line: str) -> str:
    return {"+": "green", "-": "red", "@": "dim"}.get(line[:1], "")
