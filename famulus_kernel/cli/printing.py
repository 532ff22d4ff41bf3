"""How the command line prints: words for people through rich, JSON for programs."""

from __future__ import annotations

import json
import os
import sys
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.text import Text

    from famulus_kernel.errors import FamulusError

MARKS = {
    "pass": ("✓", "green"),
    "fresh": ("✓", "green"),
    "unchecked": ("○", "cyan"),
    "unverifiable": ("○", "cyan"),
    "fail": ("✗", "red"),
    "stale": ("◐", "yellow"),
    "missing": ("·", "yellow"),
    "gap": ("△", "yellow"),
    "blocked": ("■", "magenta"),
    "error": ("!", "red"),
}
"""A shape and a colour for every word a block can have; the word itself is always printed too."""

_UNBOUNDED = 4000
"""The width of what is no terminal: so many columns that no table is broken where nobody looks."""

LONGEST = 2000
"""The characters of a message that are printed: a name that somebody gives may have any number."""

ProjectPath = Annotated[str, typer.Argument(metavar="PROJECT", help="A project folder or a .fam file.")]
Blocks = Annotated[list[str] | None, typer.Argument(metavar="BLOCK", help="Ids of blocks; default: all.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]


@lru_cache(maxsize=2)
def console(*, errors: bool = False) -> Console:
    """Return the console of standard output, or of standard error."""
    from rich.console import Console

    return Console(stderr=errors, highlight=False, soft_wrap=True)


def print_drawn(drawn: RenderableType, *, whole_lines: bool = False) -> None:
    """Print a card or an artefact: within the width of the terminal or of `COLUMNS`; elsewhere tables in full width.

    With `whole_lines` it is in full width everywhere, and the terminal breaks what it has no room for.
    """
    from rich.console import Console

    bounded = not whole_lines and (sys.stdout.isatty() or os.environ.get("COLUMNS", "").isdigit())
    Console(highlight=False, width=None if bounded else _UNBOUNDED).print(drawn)


def print_json(value: object) -> None:
    """Print a value as JSON on standard output."""
    only_ascii = "utf" not in (sys.stdout.encoding or "").lower()
    sys.stdout.write(json.dumps(value, ensure_ascii=only_ascii, indent=2, default=str) + "\n")


def print_error(error: FamulusError) -> None:
    """Print an error on standard error: place, message with the thing in bold, hint."""
    from rich.text import Text

    out = console(errors=True)
    message = error.message if len(error.message) <= LONGEST else f"{error.message[:LONGEST]}…"
    word = ("error", "bold red") if error.exit_status else ("warning", "bold yellow")
    line = Text.assemble(word, f" [{error.code}] ")
    place = printable(str(error.where))
    if place:
        line.append(f"{place}\n      ")
    line.append_text(with_bold(message))
    out.print(line)
    if error.hint:
        out.print(Text.assemble(("      hint: ", "dim"), printable(error.hint)))


def with_bold(message: str) -> Text:
    """Return a message of an error with its `**…**` drawn bold."""
    from rich.text import Text

    text = Text()
    bold = False
    for piece in message.replace("\\*", "\0").split("**"):
        text.append(printable(piece.replace("\0", "*")), style="bold" if bold else "")
        bold = not bold
    return text


def printable(text: str) -> str:
    """Return text without control characters, so that data cannot steer the terminal."""
    return "".join(sign if sign.isprintable() or sign in "\n\t" else "\N{REPLACEMENT CHARACTER}" for sign in text)


def mark(word: str) -> Any:
    """Return the shape of a word, and the word, in its colour."""
    from rich.text import Text

    shape, colour = MARKS.get(word, ("?", ""))
    return Text(f"{shape} {word}", style=colour)


def styled(word: str, width: int) -> str:
    """Return the shape of a word, and the word, in its colour and padded to `width`; empty for no word."""
    if not word:
        return " " * width
    shape, colour = MARKS.get(word, ("?", ""))
    return coloured(f"{shape} {word}".ljust(width), fg=colour or None)


def coloured(text: str, **style: Any) -> str:
    """Return text with the escapes of a style; without them where somebody asks for none (https://no-color.org)."""
    return text if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb" else typer.style(text, **style)


def is_terminal() -> bool:
    """Say whether a person looks at standard error."""
    return sys.stderr.isatty()


def shown_path(path: Path) -> str:
    """Return a path as short as it can be said from the current folder."""
    try:
        return str(path.relative_to(Path.cwd()))
    except ValueError:
        return str(path)
