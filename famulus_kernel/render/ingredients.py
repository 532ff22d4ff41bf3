"""What a page is made of, each ingredient with what tells its state: the same ingredients make the same page.

A page is made of its file and the files it includes or names (bibliographies), of the versions and states of the blocks
that it shows, and of what all pages share: `_quarto.yml`, famulus.yml, the titles of all pages, pandoc, this program.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from famulus_kernel.resources import extension_dir
from famulus_kernel.store.stamps import stamp_of
from famulus_kernel.store.status_file import read_status
from famulus_kernel.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from famulus_kernel.project.project import Project
    from famulus_kernel.render.pages import Page
    from famulus_kernel.render.site import Site

Stamp = list[int]
"""Size (bytes) and time (ns) of a file; empty where there is none."""

_NAMED = re.compile("[\ue0fa\ue0fc]\\s*famulus\\s+[\"']?([^\\s\"'\ue0fb\ue0fd]+)")
_FOREIGN = re.compile(r"fam:(?P<project>[^/]+)/")
_MOVING_DATES = ("today", "now")
_FILES_NAMED = ("bibliography", "csl", "citation-abbreviations")


@dataclass(frozen=True)
class Ingredients:
    """Knows the ingredients of all pages of a site.

    Parameters
    ----------
    site, project
        What is rendered, and whose blocks the pages show.
    shared
        What tells the state of everything that all pages share; see :meth:`of`.
    states
        What `status` last found, by block.
    """

    site: Site
    project: Project
    shared: str
    states: Mapping[str, Any]

    @classmethod
    def of(cls, site: Site, project: Project, pages: Iterable[Page], settings: Iterable[object]) -> Ingredients:
        """Look at what all pages share; `settings` are the format, the pandoc and the like."""
        told = [__version__, *map(str, settings)]
        told += [_digest(site.root / name) for name in ("_quarto.yml", "famulus.yml")]
        told += [f"{page.source}\n{page.title}\n{page.order}" for page in pages]
        told += [*_stamps_below(Path(__file__).parent), *_stamps_below(extension_dir())]
        found = read_status(project.store)
        states = {name: state.model_dump(mode="json") for name, state in found.blocks.items()} if found else {}
        return cls(site, project, hashlib.sha256("\n".join(told).encode()).hexdigest(), states)

    def of_page(self, page: Page, files: Iterable[str], blocks: Iterable[str]) -> dict[str, Any]:
        """Return the ingredients of a page in the state in which they are now.

        Parameters
        ----------
        page
            As it is read.
        files
            The page and what it includes, relative to the site.
        blocks
            The blocks and references it names; see :func:`blocks_in`.
        """
        text = page.document.text.encode("utf-8", "surrogatepass")
        return {
            "shared": self.shared,
            "text": hashlib.sha256(text).hexdigest(),
            "files": {name: stamp(self.site.root / name) for name in files if name != page.source},
            "named": {name: stamp(path) for _, name, path in self.named(page)},
            "blocks": {name: self._block(name) for name in blocks},
        }

    def named(self, page: Page) -> Iterator[tuple[str, str, Path]]:
        """Yield the files that a page names, or all pages do: the option, the name, the path."""
        for options, folder in (
            (self.site.options, self.site.root),
            (page.data, (self.site.root / page.source).parent),
        ):
            for key in _FILES_NAMED:
                value = options.get(key)
                for name in value if isinstance(value, list) else [value]:
                    if isinstance(name, str):
                        yield key, name, folder / name

    def _block(self, name: str) -> Any:
        foreign = _FOREIGN.match(name)
        if foreign is not None:
            partner = self.project.uses.get(foreign["project"])
            return stamp(self.project.root / partner / "_famulus" / "index.json") if partner else []
        block = self.project.blocks.get(name.partition("@")[0].partition(".")[0])
        if block is None:
            return []
        newest = self.project.store.newest(self.project.folder_of(block))
        version = [newest.name, stamp(newest.folder / "manifest.json")] if newest else []
        return [version, self.states.get(block.id)]


def blocks_in(prepared: str) -> list[str]:
    """Return the blocks and references that the calls of a prepared page name, each once."""
    return list(dict.fromkeys(match[1] for match in _NAMED.finditer(prepared)))


def moves(page: Page) -> bool:
    """Say whether a page is another one every day although nothing was changed."""
    return page.data.get("date") in _MOVING_DATES


def stamp(path: Path) -> Stamp:
    """Return what tells one state of a file from the next, as JSON has it; a copy with its time is the same file."""
    return list(stamp_of(path) or ())[:2]


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""


def _stamps_below(folder: Path) -> Iterator[str]:
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.suffix != ".pyc":
            yield f"{path.name} {stamp(path)}"
