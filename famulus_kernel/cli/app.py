"""The command line as a whole: its groups, and the one place where an error becomes a message and an exit status."""

from __future__ import annotations

import gc
import io
import os
import sys
from typing import Annotated, NoReturn

import typer

from famulus_kernel.cli import (
    cards,
    collections,
    goldens,
    institution,
    pages,
    reading,
    register,
    running,
    setting_up,
    upkeep,
)
from famulus_kernel.errors import FamulusError
from famulus_kernel.version import __version__

INTERRUPTED = 130
"""The exit status that shells give a process which Ctrl-C ended."""

app = typer.Typer(
    name="famulus-notebook",
    no_args_is_help=True,
    rich_markup_mode=None,  # plain help answers in half the time
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
)
for group in (setting_up, running, reading, upkeep, pages, collections, goldens, register, cards, institution):
    group.register(app)


def _version(value: bool) -> None:
    if value:
        sys.stdout.write(f"famulus-notebook {__version__}\n")
        raise typer.Exit


@app.callback()
def _root(
    _version_asked: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and leave.")
    ] = False,
) -> None:
    """Checked, versioned claims for Quarto documents.

    Every command takes the project first: a folder with famulus.yml or a `.fam` file; default: the folder you are in.

    Exit status: 0 all fine, 1 a block failed or is stale, 2 wrong usage or an unreadable project, 130 interrupted.
    """


def main() -> None:
    """Run the command line; the process ends with the documented exit status."""
    gc.set_threshold(100_000, 50, 50)  # a command reads much and keeps it until it ends: collecting early is lost time
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a terminal that has no ✓ shows a ? and not a traceback
            stream.reconfigure(errors="replace")
    try:
        try:
            app(standalone_mode=True)
        finally:
            sys.stdout.flush()  # what cannot be written is told below; at Python's own exit nobody could
    except FamulusError as error:
        from famulus_kernel.cli.printing import print_error

        print_error(error)
        if error.exit_status == INTERRUPTED:
            _leave_at_once()
        raise SystemExit(error.exit_status) from None
    except KeyboardInterrupt:
        sys.stderr.write("interrupted\n")
        _leave_at_once()
    except BrokenPipeError:
        _drop_output()
        raise SystemExit(1) from None
    except OSError as error:  # what no room below has words of its own for: a full disk, a folder that may not be read
        _drop_output()
        place = f"{error.filename}: " if error.filename else ""
        sys.stderr.write(f"error [system] {place}{error.strerror or error}\n")
        raise SystemExit(2) from None


def _leave_at_once() -> NoReturn:
    """End the process without waiting for a query that does not look up; all that was begun is cleared away by now."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(INTERRUPTED)


def _drop_output() -> None:
    """Let what is still to be written to standard output go nowhere: leaving would try again, and fail again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
