"""Where cells are answered: the one object behind the protocol, with the project that it works for."""

from __future__ import annotations

import importlib
import threading
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from famulus_kernel.errors import FamulusError
from famulus_kernel.kernel.cells import BlockCell, Command, EmptyCell, Expression, Question, read_cell
from famulus_kernel.kernel.commands import run_command
from famulus_kernel.kernel.completion import complete
from famulus_kernel.kernel.expressions import Value, evaluate
from famulus_kernel.kernel.naming import Naming
from famulus_kernel.kernel.place import is_for_page
from famulus_kernel.kernel.workspace import Workspace

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from famulus_kernel.kernel.frontend import Frontend
    from famulus_kernel.kernel.offers import Completion
    from famulus_kernel.kernel.playing import Drawings
    from famulus_kernel.project.project import Project


_FIRST: Final = "---\nid: x\nsubtask: "
"""What is completed once beforehand: it loads what every completion needs."""


class Desk:
    """Answers cells, and what is asked about cells.

    Parameters
    ----------
    environ
        The environment of the kernel, in which Jupyter and Quarto name the notebook.
    folder
        The kernel's working folder, absolute.
    """

    def __init__(self, environ: Mapping[str, str], folder: Path) -> None:
        self._environ = environ
        self._workspace = Workspace(environ, folder)
        self._naming = Naming()
        self._reading = threading.Lock()
        self.turn_to()

    def get_ready(self) -> None:
        """Read the project beforehand, so that the first key and the first cell need not wait for it.

        What an editor asks comes first, then what a cell is played and drawn with, which takes as long again to load.
        Of collections only those that famulus.yml names: to look through all there are would cost every kernel seconds.
        """
        with self._reading:
            project = self._project()
            names = self._naming.of(project)
            complete(_FIRST, len(_FIRST), names)
        if project is not None:
            project.remember()  # the next kernel need not parse what did not change
        if project is not None and project.config.defaults.get("collections"):
            names.persons(None)
            names.lemmata(None)
        names.plans()
        names.catalog(None)
        names.goldens()
        for module in ("duckdb", "famulus_kernel.kernel.inspection", "famulus_kernel.kernel.playing"):
            importlib.import_module(module)

    @cached_property
    def _drawings(self) -> Drawings:
        from famulus_kernel.kernel.playing import Drawings  # noqa: PLC0415 - see Desk.get_ready

        return Drawings(for_page=is_for_page(self._environ))

    def turn_to(self, metadata: Mapping[str, Any] | None = None) -> None:
        """Find out which notebook the next cell stands in; `metadata` is that of its request."""
        self._workspace.turn_to(metadata)

    def answer(self, code: str, frontend: Frontend) -> None:
        """Answer a cell through the frontend.

        Raises
        ------
        FamulusError
            When it is no cell, or its block ended in error; whatever else goes wrong comes through as it is.
        """
        from famulus_kernel.kernel.inspection import about_name  # noqa: PLC0415 - see Desk.get_ready
        from famulus_kernel.kernel.playing import play  # noqa: PLC0415 - see Desk.get_ready

        with self._reading:
            pass  # what is being read already need not be read twice
        match read_cell(code):
            case EmptyCell():
                return
            case BlockCell(body):
                play(*self._workspace.with_cell(body), self._workspace.home, self._drawings, frontend)
            case Expression(text):
                frontend.result(self.value(text))
            case Question(name):
                frontend.page(about_name(self._workspace.project(), name))
            case Command(name, words):
                run_command(name, words, self._workspace.project(), frontend)

    def value(self, expression: str) -> dict[str, Any]:
        """Return what an expression is, as a MIME bundle.

        Raises
        ------
        FamulusError
            When there is no such thing.
        """
        found = evaluate(self._workspace.project(), expression)
        if isinstance(found, Value):
            return found.bundle(for_page=is_for_page(self._environ))
        from famulus_kernel.adapter.bundle import LATEX, bundle_of, latex_of  # noqa: PLC0415 - see Desk.get_ready

        bundle = bundle_of(found, self._workspace.home)
        return bundle if is_for_page(self._environ) else {**bundle, LATEX: latex_of(found, self._workspace.home)}

    def complete(self, code: str, cursor: int) -> Completion:
        """Return what may be written at offset `cursor` (in characters) of a cell."""
        with self._reading:  # twice at once would take twice as long
            names = self._naming.of(self._project())
        return complete(code, cursor, names)

    def inspect(self, code: str, cursor: int) -> dict[str, Any] | None:
        """Return what is known of the word at offset `cursor` of a cell, as a MIME bundle; None for nothing."""
        from famulus_kernel.kernel.inspection import inspect  # noqa: PLC0415 - see Desk.get_ready

        return inspect(code, cursor, self._project())

    def _project(self) -> Project | None:
        """Return the project, or None where it cannot be read: the language is known all the same."""
        try:
            return self._workspace.project()
        except FamulusError:
            return None
