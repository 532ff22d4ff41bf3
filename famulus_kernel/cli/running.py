"""Check, status, run, refresh: bring a project up to date, or say what it would take."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated, Any

import typer

from famulus_kernel.cli.parameters import Given, open_with
from famulus_kernel.cli.printing import (
    AsJson,
    Blocks,
    ProjectPath,
    coloured,
    console,
    mark,
    print_error,
    print_json,
    printable,
    styled,
)
from famulus_kernel.errors import counted

if TYPE_CHECKING:
    from famulus_kernel.adapter.executors.executor import Executor as PlaysBlocks
    from famulus_kernel.adapter.executors.executor import OnProgress
    from famulus_kernel.adapter.runner import Outcome
    from famulus_kernel.errors import FamulusError
    from famulus_kernel.project.blocks import Block
    from famulus_kernel.project.project import Project
    from famulus_kernel.project.staleness import BlockStatus

Force = Annotated[bool, typer.Option("--force", help="Play the blocks even where they are fresh.")]
Jobs = Annotated[int, typer.Option("--jobs", "-j", min=1, help="How many blocks may play side by side.")]
Executor = Annotated[
    str | None,
    typer.Option("--executor", help="Where the blocks play: dask=<address of the scheduler>; default: this machine."),
]
Strict = Annotated[bool, typer.Option("--strict", help="Count failed and unchecked verdicts as failures too.")]


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.command()(check)
    app.command()(status)
    app.command()(run)
    app.command()(refresh)


def check(
    project: ProjectPath = ".",
    blocks: Blocks = None,
    effective: Annotated[
        bool, typer.Option("--effective", help="Print the effective preamble with the origin of each key.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Say what is wrong with the notebooks, without running anything."""
    from famulus_kernel.adapter.checking import check_project
    from famulus_kernel.project.project import Project

    opened = Project.open(project)
    names = opened.selection(blocks)
    if effective:
        _print_effective(opened, names, as_json=as_json)
        return
    problems = check_project(opened, blocks)
    if as_json:
        print_json({"blocks": len(names), "problems": [problem.as_dict() for problem in problems]})
    else:
        for problem in problems:
            print_error(problem)
        if not problems:
            whole = blocks is None and opened.selected is None
            files = {opened.blocks[name].file for name in names} | ({opened.selected} - {None})
            looked_at = counted(len(opened.notebooks) if whole else len(files), "notebook")
            console().print(f"{counted(len(names), 'block')} in {looked_at}, nothing wrong")
    if problems:
        raise typer.Exit(2)


def _print_effective(project: Project, names: list[str], *, as_json: bool) -> None:
    found = {name: _keys(project.blocks[name]) for name in names}
    if as_json:
        print_json(found)
        return
    import json

    from rich.text import Text

    for name, keys in found.items():
        console().print(Text(name, style="bold"))
        for key, entry in keys.items():
            value = printable(json.dumps(entry["value"], ensure_ascii=False))
            console().print(Text.assemble(f"  {key}: {value}  ", (entry["origin"], "dim")))


def _keys(block: Block) -> dict[str, dict[str, Any]]:
    """Return the keys of the effective preamble with value and origin; unset ones without a default are left out."""
    values = block.preamble.model_dump(mode="json", by_alias=True)
    origins = block.effective.origin
    return {
        key: {"value": value, "origin": origins[key]}
        for key, value in values.items()
        if key in origins and (value is not None or origins[key] != "default")
    }


def status(
    project: ProjectPath = ".", blocks: Blocks = None, parameters: Given = None, as_json: AsJson = False
) -> None:
    """Say for each block whether it is fresh, and if not, why. Exit status 1 where anything is to be done."""
    from famulus_kernel.adapter.refreshing import refresh_status

    opened = open_with(project, parameters)
    found = refresh_status(opened, opened.selection(blocks))
    errors, elsewhere = _errors_of(opened, blocks)
    if as_json:
        print_json({"blocks": [_status_json(one) for one in found], "errors": [error.as_dict() for error in errors]})
    else:
        _print_statuses(found)
        _print_errors(errors, elsewhere)
    if errors or not all(one.is_fine for one in found):
        raise typer.Exit(2 if errors else 1)


def _status_json(one: BlockStatus) -> dict[str, Any]:
    return {
        "block": one.block,
        "notebook": one.notebook,
        "state": one.state,
        "reasons": list(one.reasons),
        "version": one.version,
        "verdict": one.verdict,
        "checked": one.checked,
        "created": one.created,
        "accepted": one.accepted.said() if one.accepted else None,
    }


def _print_statuses(found: list[BlockStatus]) -> None:
    """Print a line a block. Plain strings: rich takes a second for a thousand rows."""
    width = max((len(one.block) for one in found), default=0)
    lines = []
    notebook = None
    for one in found:
        if one.notebook != notebook:
            lines.append(coloured(one.notebook, bold=True))
            notebook = one.notebook
        verdict = "" if one.verdict in {None, "error"} else verdict_word(one.verdict, checked=one.checked)
        reasons = "; ".join(printable(reason) for reason in one.reasons)
        line = f"  {one.block:{width}}  {styled(one.state, 14)}  {styled(verdict, 11)}  {one.version or '':5}  "
        lines.append((line + coloured(reasons, dim=True)).rstrip() if reasons else line.rstrip())
    counts = Counter(one.state for one in found)
    lines.append(", ".join(f"{count} {state}" for state, count in counts.items()) or "there are no blocks")
    typer.echo("\n".join(lines))


def verdict_word(status: str | None, *, checked: bool) -> str:
    """Return the word for a verdict: "unchecked" where no oracle was compared, never "pass"."""
    return "unchecked" if status == "pass" and not checked else str(status)


def run(
    project: ProjectPath = ".",
    blocks: Blocks = None,
    force: Force = False,
    jobs: Jobs = 1,
    executor: Executor = None,
    strict: Strict = False,
    allow_writes: Annotated[
        bool, typer.Option("--allow-writes", help="Play plans whose card has side effects too.")
    ] = False,
    parameters: Given = None,
    as_json: AsJson = False,
) -> None:
    """Play what is stale or missing, with all that it needs. Exit status 1 where a block fails or errs."""
    if allow_writes:
        import os

        from famulus_kernel.adapter.allowances import ALLOW_WRITES

        os.environ[ALLOW_WRITES] = "1"
    opened = open_with(project, parameters)
    errors, elsewhere = _errors_of(opened, blocks)
    _tell_runtimes(opened, opened.selection(blocks), executor)
    outcomes = play(opened, opened.selection(blocks), force=force, jobs=jobs, executor=executor, as_json=as_json)
    if as_json:
        print_json({"blocks": [_outcome_json(one) for one in outcomes], "errors": [one.as_dict() for one in errors]})
    else:
        _print_errors(errors, elsewhere)
    if errors:
        raise typer.Exit(2)
    failed = any(one.is_error or one.status == "fail" or (strict and not one.checked) for one in outcomes)
    if failed:
        raise typer.Exit(1)


def _tell_runtimes(project: Project, names: list[str], executor: str | None) -> None:
    """Say which settings name another place to play than this run has, for none of them is followed."""
    from famulus_kernel.errors import FamulusError
    from famulus_kernel.project.bindings import LOCAL, runtimes

    told: dict[str, str] = {}
    for name in names:
        with suppress(FamulusError):  # the block itself will end in that error
            told |= runtimes(project.blocks[name], project.places)
    for setting, runtime in told.items():
        if runtime not in {LOCAL, executor}:
            words = f"{setting} says runtime: {runtime}, which a run only follows when told: --executor {runtime}"
            console(errors=True).print(printable(words), style="dim", markup=False)


def refresh(
    project: ProjectPath = ".",
    jobs: Jobs = 1,
    executor: Executor = None,
    to: Annotated[str, typer.Option("--to", help="Format of the pages.")] = "html",
    strict: Strict = False,
    parameters: Given = None,
) -> None:
    """Play what is stale, then render. A failed verdict is content and shown on its page; an error exits with 1.

    Where a document says `on-error: warn`, its errors are content too, but for --strict.
    """
    from famulus_kernel.cli.pages import check_format, render_pages
    from famulus_kernel.project.project import Project

    opened = open_with(project, parameters)
    check_format(to)
    errors, elsewhere = _errors_of(opened, None)
    _tell_runtimes(opened, opened.selection(), executor)
    outcomes = play(opened, opened.selection(), force=False, jobs=jobs, executor=executor, as_json=False)
    _print_errors(errors, elsewhere)
    rendered_well = render_pages(Project.open(project), to=to)
    if errors:
        raise typer.Exit(2)
    passed = [one for one in outcomes if one.is_error and not strict and _may_err(opened, one.block)]
    for one in passed:
        told = f"{one.block} ended in error; its page lets it pass (on-error: warn)"
        console().print(told, style="dim", markup=False)
    judged = (one for one in outcomes if one not in passed)
    bad = any(one.is_error or (strict and (one.status == "fail" or not one.checked)) for one in judged)
    if bad or not rendered_well:
        raise typer.Exit(1)


def _may_err(project: Project, block: str) -> bool:
    """Say whether the notebook of a block, or one that includes it, lets errors pass."""
    from famulus_kernel.project.including import included_notebooks

    file = project.blocks[block].file
    lenient = (notebook.file for notebook in project.notebooks if notebook.is_lenient)
    return any(file in {page, *included_notebooks(project.root, page)} for page in lenient)


def _errors_of(project: Project, named: list[str] | None) -> tuple[list[FamulusError], int]:
    """Return what keeps the blocks that are asked for from being read, and how many errors are those of others."""
    from famulus_kernel.project.relevance import matters

    errors = list(filter(matters(project, named), project.errors))
    return errors, len(project.errors) - len(errors)


def _print_errors(errors: list[FamulusError], elsewhere: int) -> None:
    for error in errors:
        print_error(error)
    if elsewhere:
        told = f"{counted(elsewhere, 'error')} elsewhere in the project: famulus-notebook check tells"
        console(errors=True).print(told, style="dim", markup=False)


def play(
    project: Project, names: list[str], *, force: bool, jobs: int, executor: str | None, as_json: bool
) -> list[Outcome]:
    """Run blocks and print each outcome as it becomes known."""
    from famulus_kernel.adapter.runner import Runner
    from famulus_kernel.cli.progress import ProgressLine

    with ProgressLine(silent=as_json) as line:
        outcomes = []
        place = _place_to_play(project, jobs, executor, line.advance if line.shows else None)
        for outcome in Runner(project, place, force=force, on_begin=line.begin).run(names):
            outcomes.append(outcome)
            line.end(outcome.block)
            if not as_json:
                _print_outcome(outcome)
    order = {name: number for number, name in enumerate(project.graph.order)}
    outcomes.sort(key=lambda outcome: order[outcome.block])  # the same wherever and however they played
    return outcomes


def _place_to_play(project: Project, jobs: int, written: str | None, on_progress: OnProgress | None) -> PlaysBlocks:
    """Return the executor that the options ask for."""
    from famulus_kernel.adapter.executors.executor import open_executor
    from famulus_kernel.adapter.executors.in_process import InProcess
    from famulus_kernel.adapter.executors.processes import Processes
    from famulus_kernel.errors import ExecutorError

    if written is not None:
        if jobs > 1:
            raise ExecutorError.malformed(written, "either --jobs or --executor")
        return open_executor(written, project, on_progress)
    return Processes(project, jobs, on_progress) if jobs > 1 else InProcess(project, on_progress)


def _outcome_json(one: Outcome) -> dict[str, Any]:
    return {
        "block": one.block,
        "notebook": one.notebook,
        "action": one.action,
        "status": one.status,
        "checked": one.checked,
        "version": one.version,
        "reasons": list(one.reasons),
        "duration_s": one.duration_s,
        "error": one.error.as_dict() if one.error else None,
    }


def _print_outcome(one: Outcome) -> None:
    from rich.text import Text

    word = {"blocked": "blocked", "refused": "error"}.get(one.action) or verdict_word(one.status, checked=one.checked)
    line = Text.assemble(mark(word), f"  {one.notebook}/", (one.block, "bold"), f"  {one.version or ''}")
    if one.action == "kept":
        line.append("  kept", style="dim")
    elif one.action == "blocked":
        line.append(f"  {'; '.join(one.reasons)}", style="dim")
    elif one.duration_s is not None:
        line.append(f"  {one.duration_s:.2f} s", style="dim")
    console().print(line)
    if one.error is not None:
        print_error(one.error)
