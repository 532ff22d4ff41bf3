"""Goldens: expected answers from agent_memory.duckdb, as blocks, beside blocks, proven by blocks."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from famulus_kernel.cli.printing import AsJson, ProjectPath, console, print_error, print_json, printable, shown_path

if TYPE_CHECKING:
    from famulus_kernel.adapter.goldens.memory import AgentMemory, GoldenRow
    from famulus_kernel.errors import FamulusError
    from famulus_kernel.project.project import Project

PROMOTE = "promote"


def register(app: typer.Typer) -> None:
    """Add the command of this module."""
    app.command()(goldens)


def goldens(
    project: ProjectPath = ".",
    action: Annotated[
        str | None, typer.Argument(metavar="promote", help="Make the row golden that a version proves.")
    ] = None,
    golden: Annotated[str | None, typer.Argument(metavar="GOLDEN", help="A golden_id, after promote.")] = None,
    into: Annotated[
        Path | None,
        typer.Option("--into", metavar="FILE", help="Add a block to this .fam file for each row that has none."),
    ] = None,
    compare: Annotated[bool, typer.Option("--compare", help="Say where oracles of blocks and rows differ.")] = False,
    as_json: AsJson = False,
) -> None:
    """List the golden rows of agent_memory.duckdb, write blocks of them, compare, or promote one.

    `goldens promote GOLDEN` needs a block that names the row and whose newest version passed against all that the row
    expects. Exit status 1 where something differs, or a row cannot be used.
    """
    from famulus_kernel.adapter.goldens.memory import AgentMemory
    from famulus_kernel.project.project import Project

    project, action, golden = read_words(project, action, golden)
    if (action is not None) + (into is not None) + compare > 1:
        raise typer.BadParameter("promote, --into and --compare go one at a time")
    opened = Project.open(project)
    memory = AgentMemory.of(opened)
    if golden is not None:
        _promote(opened, memory, golden, as_json)
    elif into is not None:
        _write(opened, memory, into, as_json)
    elif compare:
        _compare(opened, memory, as_json)
    else:
        _list(opened, memory, as_json)


def read_words(project: str, action: str | None, golden: str | None) -> tuple[str, str | None, str | None]:
    """Read `promote ID` as `. promote ID`: the project may be left out."""
    if project == PROMOTE and golden is None and (action is not None or not Path(project).is_dir()):
        project, action, golden = ".", PROMOTE, action
    if action not in {None, PROMOTE}:
        raise typer.BadParameter(f"{action} is nothing that can be done with goldens", param_hint=PROMOTE)
    if action is not None and golden is None:
        raise typer.BadParameter("name the row: goldens promote GOLDEN", param_hint="GOLDEN")
    return project, action, golden


def _list(project: Project, memory: AgentMemory, as_json: bool) -> None:
    from famulus_kernel.adapter.goldens.proving import blocks_by_golden

    blocks = {name: [block.id for block in found] for name, found in blocks_by_golden(project).items()}
    found = [_entry(row, blocks.get(row.golden_id, [])) for row in memory.rows().values()]
    problems = [problem for _, problem in found if problem is not None]
    if as_json:
        print_json({"rows": [entry for entry, _ in found], "problems": [one.as_dict() for one in problems]})
    elif found:
        _print_rows([entry for entry, _ in found])
    else:
        console().print(f"no row in {shown_path(memory.path)}", markup=False)
    _end(problems, as_json, failed=False)


def _entry(row: GoldenRow, blocks: list[str]) -> tuple[dict[str, Any], FamulusError | None]:
    """Return a row for `--json`, and what is wrong with its answer, which then stands there as it is stored."""
    from famulus_kernel.errors import GoldenError

    expected: object = row.answer
    problem = None
    try:
        expected = row.expected()
    except GoldenError as error:
        problem = error
    return {
        "golden_id": row.golden_id,
        "question": row.question,
        "expected_answer": expected,
        "expected_route": row.route,
        "collections": list(row.collections),
        "subtask": row.subtask,
        "status": row.status,
        "created": row.created,
        "blocks": blocks,
    }, problem


def _print_rows(entries: list[dict[str, Any]]) -> None:
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for heading in ("golden", "status", "subtask", "collections", "blocks", "question"):
        table.add_column(heading)
    for one in entries:
        named = one["subtask"] or one["expected_route"] or ""
        words = (one["golden_id"], one["status"], named, *(", ".join(one[key]) for key in ("collections", "blocks")))
        table.add_row(*(_text(word) for word in (*words, " ".join(one["question"].split()))))
    console().print(table)


def _text(word: str) -> Any:
    from rich.text import Text

    return Text(printable(word))


def _write(project: Project, memory: AgentMemory, into: Path, as_json: bool) -> None:
    from famulus_kernel.adapter.goldens.writing import write_blocks

    written = write_blocks(project, memory, Path(os.path.abspath(into)))  # noqa: PTH100 - links stay the user's
    if as_json:
        print_json(
            {
                "file": str(written.file),
                "written": [{"golden_id": golden, "block": block} for golden, block in written.blocks],
                "skipped": list(written.skipped),
                "problems": [problem.as_dict() for problem in written.problems],
            }
        )
    else:
        for golden, block in written.blocks:
            console().print(_text(f"{golden} → block {block}"))
        console().print(
            f"{shown_path(written.file)}: blocks written: {len(written.blocks)}, "
            f"rows that had one before: {len(written.skipped)}",
            markup=False,
        )
    _end(written.problems, as_json, failed=False)


def _compare(project: Project, memory: AgentMemory, as_json: bool) -> None:
    from famulus_kernel.adapter.goldens.proving import compare_blocks

    found = compare_blocks(project, memory)
    if as_json:
        differences = [
            {"block": one.block, "golden_id": one.golden_id, "key": one.key, **one.sides} for one in found.differences
        ]
        problems = [problem.as_dict() for problem in found.problems]
        print_json({"compared": found.compared, "differences": differences, "problems": problems})
    else:
        for one in found.differences:
            row, oracle = (_side(one.sides, name) for name in ("row", "oracle"))
            console().print(_text(f"{one.block} ({one.golden_id})  {one.key}: the row has {row}, the oracle {oracle}"))
        console().print(f"blocks compared: {found.compared}, differences: {len(found.differences)}")
    _end(found.problems, as_json, failed=bool(found.differences))


def _side(sides: Any, name: str) -> str:
    import json

    return json.dumps(sides[name], ensure_ascii=False) if name in sides else "nothing"


def _promote(project: Project, memory: AgentMemory, golden: str, as_json: bool) -> None:
    from dataclasses import asdict

    from famulus_kernel.adapter.goldens.proving import promote

    made = promote(project, memory, golden)
    if as_json:
        print_json(asdict(made))
    else:
        console().print(_text(f"{golden} is golden: {made.block} {made.version} proves it"))


def _end(problems: Any, as_json: bool, *, failed: bool) -> None:
    """Print problems for people, and leave with 1 where there are any."""
    for problem in () if as_json else problems:
        print_error(problem)
    if problems or failed:
        raise typer.Exit(1)
