"""Write docs/command-line.md from the commands themselves: `python docs/make.py`; a test sees that it was done."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import typer

TARGET = Path(__file__).parent / "command-line.md"
HEAD = """# The command line

`famulus-notebook COMMAND [PROJECT] [BLOCK]…`: every command takes the project first, a folder with famulus.yml or a
`.fam` file; without one it is the folder you are in.

Exit status: 0 all fine, 1 a block failed or is stale, 2 wrong usage or a project that cannot be read, 130 interrupted.
Progress is shown on a terminal only. `--json` of the reading commands is meant for programs.

Environment: `PDAI_COLLECTIONS` is the folder of the collections (`collections_root` in famulus.yml comes first);
`NO_COLOR` takes the colours away; `QUARTO_PYTHON` names the Python that Quarto's engine starts.
"""


def command_line() -> str:
    """Return the page."""
    from famulus_kernel.cli.app import app

    parts = [HEAD]
    parts += _commands(typer.main.get_command(app), "famulus-notebook")
    return "\n".join(parts)


def _commands(group: Any, name: str) -> list[str]:
    parts = []
    for command in group.commands.values():
        path = f"{name} {command.name}"
        if hasattr(command, "commands"):
            parts += _commands(command, path)
        else:
            parts.append(_command(command, path))
    return parts


def _command(command: Any, path: str) -> str:
    shown = [parameter for parameter in command.params if not parameter.hidden]
    lines = [f"## `{path}`", "", " ".join((command.help or "").split()), ""]
    rows = [f"| {_name(parameter)} | {(parameter.help or '').replace('|', chr(92) + '|')} |" for parameter in shown]
    return "\n".join([*lines, "| | |", "|---|---|", *rows, ""]) if rows else "\n".join(lines)


def _name(parameter: Any) -> str:
    if parameter.param_type_name == "argument":
        return f"`{parameter.metavar or parameter.name.upper()}`"
    return ", ".join(f"`{name}`" for name in [*parameter.opts, *parameter.secondary_opts])


if __name__ == "__main__":
    TARGET.write_text(command_line(), encoding="utf-8")
