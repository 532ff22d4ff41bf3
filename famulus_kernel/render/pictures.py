"""Pictures in the form that a format can place: `python -m famulus_kernel.render.pictures png|pdf FILE…`.

The filter beside this module (`pictures.lua`) calls it once a page, with the SVG files that it has gathered.
"""

from __future__ import annotations

import sys
from pathlib import Path

from famulus_kernel.errors import FamulusError
from famulus_kernel.render.typesetting import convert_picture


def convert(form: str, files: list[str]) -> list[str]:
    """Make another form of each SVG file, beside it, and return what went wrong, a line each."""
    if form not in ("png", "pdf"):
        return [f"{form}: no form of a picture"]
    problems = []
    for file in files:
        try:
            convert_picture(Path(file), "png" if form == "png" else "pdf")
        except FamulusError as error:
            problems.append(" ".join(f"{error.message} {error.hint}".split()))
    return problems


def main() -> None:
    """Convert what the command line names; problems are the output, the exit status stays 0."""
    for problem in convert(sys.argv[1], sys.argv[2:]):
        sys.stdout.write(problem + "\n")


if __name__ == "__main__":
    main()
