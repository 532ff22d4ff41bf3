"""Includes in the source of a page: `{{< include part.fam >}}` on a line of its own, as in Quarto."""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from famulus_kernel.language.document import Document

_INCLUDE = re.compile(r"\{\{<\s*include\s+(?:\"([^\"]+)\"|'([^']+)'|(\S+))\s*>\}\}\s*\Z")


@dataclass(frozen=True, slots=True)
class Include:
    """An include in a text.

    Attributes
    ----------
    start, end
        Character offsets in the text.
    line
        Line (1-based) that it begins in.
    path
        The file as it is written.
    """

    start: int
    end: int
    line: int
    path: str

    def name(self, page: str) -> str:
        """Return the file's path relative to the project, posix; one outside of it begins with `..`.

        Parameters
        ----------
        page
            The page that is made, relative to the project: paths start at its folder, also in a file that it includes;
            one that begins with a slash starts at the project's (Quarto's rules).
        """
        start = "" if self.path.startswith("/") else posixpath.dirname(page)
        return posixpath.normpath(posixpath.join(start, self.path.lstrip("/")))


def find_includes(document: Document) -> Iterator[Include]:
    """Yield the includes in running text, in order; in code and comments there are none."""
    if "include" not in document.text:
        return
    for segments in document.scan.texts:
        start, end = segments[0][0], segments[-1][1]
        match = _INCLUDE.match(document.text[start:end]) if len(segments) == 1 else None
        if match:
            yield Include(start, end, document.line_of(start), match[1] or match[2] or match[3])
