"""The pandoc that pages are made with: found once, called with what a page needs."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from famulus_kernel.errors import MissingExtra, RenderError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

OLDEST = (3, 1, 1)
"""The first release whose Lua has `pandoc.json`."""


@dataclass(frozen=True, slots=True)
class Ran:
    """What pandoc wrote: the page and, line by line, what it had to say."""

    output: bytes
    warnings: tuple[str, ...]


def pandoc_command() -> Path:
    """Return the pandoc to use: FAMULUS_PANDOC, the one of the package pypandoc-binary, or the one on PATH.

    Raises
    ------
    MissingExtra
        When there is none.
    """
    if named := os.environ.get("FAMULUS_PANDOC"):
        return Path(named)
    if packaged := _packaged():
        return packaged
    if on_path := shutil.which("pandoc"):
        return Path(on_path)
    raise MissingExtra.of("pandoc", "render")


def _packaged() -> Path | None:
    """Return the program that the package pypandoc-binary brings."""
    try:
        import pypandoc  # noqa: PLC0415 - an extra, and slow to import
    except ImportError:
        return None
    files = Path(pypandoc.__file__).parent / "files"
    return next((path for path in (files / "pandoc", files / "pandoc.exe") if path.is_file()), None)


def pandoc_version(command: Path) -> str:
    """Return the version of a pandoc, `3.9`.

    Raises
    ------
    RenderError
        When it cannot be started.
    """
    first = run_pandoc(command, ["--version"], cwd=Path()).output.decode(errors="replace").partition("\n")[0]
    return first.rpartition(" ")[2].strip()


def check_version(command: Path) -> None:
    """Make sure that a pandoc can run our filter.

    Raises
    ------
    RenderError
        When it is too old.
    """
    version = pandoc_version(command)
    numbers = tuple(int(part) for part in re.findall(r"\d+", version)[:3])
    if numbers < OLDEST:
        needed = ".".join(map(str, OLDEST))
        raise RenderError.of(command, f"pandoc {version} is too old", f"pages need pandoc {needed} or newer")


def run_pandoc(
    command: Path,
    arguments: Sequence[str],
    *,
    cwd: Path,
    text: str = "",
    environment: Mapping[str, str] | None = None,
) -> Ran:
    """Run pandoc on a text.

    Parameters
    ----------
    command
        The program.
    arguments
        Its command line.
    cwd
        Where it runs: relative paths of the page are told from there.
    text
        What it reads.
    environment
        Variables besides those of this process.

    Raises
    ------
    RenderError
        When it cannot be started or ends with an error; with its own words.
    """
    try:
        done = subprocess.run(  # noqa: S603 - the program the user installed
            [str(command), *arguments],
            input=text.encode(),
            capture_output=True,
            cwd=cwd,
            env={**os.environ, **(environment or {})},
            check=False,
        )
    except OSError as error:
        raise RenderError.of(command, error.strerror or str(error)) from error
    said = done.stderr.decode(errors="replace").strip()
    if done.returncode:
        raise RenderError.of("pandoc", said or f"it ended with status {done.returncode}")
    return Ran(done.stdout, tuple(line for line in said.splitlines() if line.strip()))
