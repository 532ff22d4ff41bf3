"""The pages of the last render: one whose ingredients are as they were, and whose file too, need not be made again.

Kept in `_famulus/rendered.json`, by output folder and format. It is a cache: without it every page is made.
"""

from __future__ import annotations

import json
import logging
import os
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, Self

from famulus_kernel.errors import FamulusError, StoreError
from famulus_kernel.render.ingredients import Stamp, moves, stamp
from famulus_kernel.store.durable import locked, replace_file

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from famulus_kernel.render.ingredients import Ingredients
    from famulus_kernel.render.pages import Page

FILE = "rendered.json"
FORMAT = 1
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Record:
    """One page as it was made.

    Attributes
    ----------
    ingredients
        What it was made of; see :class:`~famulus_kernel.render.ingredients.Ingredients`.
    output
        The stamp of its file.
    needed
        Files of the project that it names.
    problems
        What was to be said of it.
    """

    ingredients: Mapping[str, Any]
    output: Stamp
    needed: tuple[str, ...] = ()
    problems: tuple[FamulusError, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Return the form of the file."""
        problems = [problem.as_dict() for problem in self.problems]
        return {
            "ingredients": self.ingredients,
            "output": self.output,
            "needed": [*self.needed],
            "problems": problems,
        }

    @classmethod
    def of_json(cls, data: Mapping[str, Any]) -> Self:
        """Read :meth:`as_json`."""
        problems = tuple(FamulusError.from_dict(problem) for problem in data["problems"])
        return cls(data["ingredients"], data["output"], tuple(data["needed"]), problems)


class Memory:
    """What is known of the pages of one output folder in one format.

    Parameters
    ----------
    folder
        The project's `_famulus`; nothing is kept where there is none.
    output
        Where pages go.
    form
        Name of the format.
    """

    def __init__(self, folder: Path, output: Path, form: str) -> None:
        self._file = folder / FILE
        self._name = f"{form} {os.path.relpath(output, folder)}"
        self._records: dict[str, Any] = self._read().get(self._name, {})

    def unchanged(self, page: Page, target: Path, ingredients: Ingredients) -> Record | None:
        """Return the record of a page that need not be made again; None where it must be."""
        known = self._records.get(page.source)
        if known is None or moves(page):
            return None
        try:
            record = Record.of_json(known)
            was = record.ingredients
            now = ingredients.of_page(page, was["files"], was["blocks"])
        except (KeyError, TypeError, AttributeError):  # somebody wrote into the cache
            return None
        return record if was == now and record.output == stamp(target) else None

    def keep(self, page: Page, record: Record) -> None:
        """Take in a page that was made."""
        self._records[page.source] = record.as_json()

    def sweep(self, root: Path, target: Callable[[str], Path]) -> None:
        """Forget the pages whose sources are gone from the folder `root`, and delete what was made of them.

        A file that is not as it was made is somebody else's by now, and stays.
        """
        for name in [name for name in self._records if not (root / name).exists()]:
            record = self._records.pop(name)
            parts = PurePosixPath(name).parts
            ours = isinstance(record, dict) and parts and not {"..", "/"}.intersection(parts)
            if ours and record.get("output") == stamp(target(name)) != []:
                try:
                    target(name).unlink()
                except OSError as error:
                    _log.warning("%s is left of a page that is gone: %s", target(name), error.strerror)

    def write(self) -> None:
        """Write down what is known of the pages."""
        if not self._file.parent.is_dir():
            return
        try:
            with locked(self._file):
                told = {"format": FORMAT, "outputs": {**self._read(), self._name: self._records}}
                replace_file(self._file, json.dumps(told, indent=1).encode())
        except (StoreError, OSError) as error:
            _log.info("what was rendered is not remembered: %s", error)

    def _read(self) -> dict[str, Any]:
        try:
            data = json.loads(self._file.read_bytes())
            outputs = data["outputs"] if data["format"] == FORMAT else {}
        except (OSError, ValueError, KeyError, TypeError):
            return {}
        return {name: pages for name, pages in outputs.items() if isinstance(pages, dict)}
