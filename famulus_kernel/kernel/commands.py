"""The few commands a cell may hold instead of a block: `%status`, `%print`, `%params`, `%clear`."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

from famulus_kernel.errors import BadCommand
from famulus_kernel.kernel.cells import PARAMS
from famulus_kernel.kernel.expressions import Value, evaluate
from famulus_kernel.language.parameters import GIVEN
from famulus_kernel.project.staleness import project_status

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from famulus_kernel.kernel.frontend import Frontend
    from famulus_kernel.project.project import Project


def run_command(name: str, words: Sequence[str], project: Project, frontend: Frontend) -> None:
    """Run a command.

    Raises
    ------
    FamulusError
        When there is no such command, or it cannot do what it is asked.
    """
    if name not in COMMANDS:
        raise BadCommand.unknown(f"%{name}", [f"%{known}" for known in COMMANDS])
    COMMANDS[name](words, project, frontend)


def _status(words: Sequence[str], project: Project, frontend: Frontend) -> None:
    """`%status [BLOCK…]`: which blocks are fresh, and why the others are not."""
    for one in project_status(project, project.selection(list(words)) if words else None):
        reasons = f"  {'; '.join(one.reasons)}" if one.reasons else ""
        frontend.write(f"{one.state:12} {one.block} {one.version or ''}{reasons}\n")


def _print(words: Sequence[str], project: Project, frontend: Frontend) -> None:
    """`%print BLOCK[.NAME]`: the same as text, as the terminal has it."""
    from famulus_kernel.artefacts import text  # noqa: PLC0415 - see Desk.get_ready

    if not words:
        raise BadCommand.needs("%print", "the name of a block or of an artefact")
    for word in words:
        found = evaluate(project, word)
        if isinstance(found, Value):
            frontend.write(found.text + "\n")
            continue
        if found.card is not None:
            frontend.write(text.plain(text.render_card(found.card, found.lang)))
        for envelope in found.envelopes:
            frontend.write(text.plain(text.render(envelope.view, found.lang)))


def _params(words: Sequence[str], project: Project, frontend: Frontend) -> None:
    """`%params {"from": 1520}`: give values for `{param: from}` in the cells below; without them, tell which hold."""
    given = dict(project.given)
    if words:
        try:
            more = json.loads(words[0])
        except ValueError:
            more = None
        if not isinstance(more, dict):
            raise BadCommand.no_params(words[0])
        given |= more
        os.environ[GIVEN] = json.dumps(given, ensure_ascii=False)
    for name, value in given.items():
        frontend.write(f"{name}: {json.dumps(value, ensure_ascii=False)}\n")


def _clear(_words: Sequence[str], _project: Project, frontend: Frontend) -> None:
    """`%clear`: take away what stands below the cell."""
    frontend.clear()


COMMANDS: dict[str, Callable[[Sequence[str], Project, Frontend], None]] = {
    "status": _status,
    "print": _print,
    PARAMS: _params,
    "clear": _clear,
}
