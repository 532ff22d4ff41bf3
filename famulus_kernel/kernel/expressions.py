"""`block.name:path`, in a cell of its own or inside a line of text: what the store holds of it.

In a line of text, where no cell has to be told apart from a block, a blank may stand in place of the colon.

The path is that of a shortcode's `value=` (spec 5.4): dotted keys into the artefact's data; a number counts the entries
of a list from 0. Nothing is run for an expression.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from famulus_kernel.errors import UnresolvedReference
from famulus_kernel.language.references import Reference, parse_dependency

if TYPE_CHECKING:
    from famulus_kernel.adapter.showing import Shown
    from famulus_kernel.artefacts.card import Mark
    from famulus_kernel.project.project import Project


_BETWEEN = re.compile(r":|[ \t]+")


@dataclass(frozen=True, slots=True)
class Value:
    """One value of an artefact, as a line of text has it, and the marks of its block that a reader must see."""

    text: str
    marks: tuple[Mark, ...]
    lang: str

    def bundle(self, *, for_page: bool = True) -> dict[str, Any]:
        """Return it as a MIME bundle; what is read by people carries the marks. A notebook may be printed as well."""
        from famulus_kernel.artefacts import latex  # noqa: PLC0415 - see Desk.get_ready
        from famulus_kernel.artefacts.markup import text as as_markdown  # noqa: PLC0415 - the same

        marks = tuple(f"{mark.glyph} **{as_markdown(mark.text(self.lang))}**" for mark in self.marks)
        bundle = {"text/plain": self.text, "text/markdown": " ".join([as_markdown(self.text), *marks])}
        if for_page or not marks:
            return bundle
        printed = " ".join([latex.text(self.text), *(latex.mark(mark, self.lang) for mark in self.marks)])
        return {**bundle, "text/latex": latex.document([printed])}


def evaluate(project: Project, written: str) -> Value | Shown:
    """Return what an expression means: one value where it has a path, else a version or an artefact as it is shown.

    Raises
    ------
    FamulusError
        When it is no reference, nothing is there, or the path leads to no single value.
    """
    from famulus_kernel.artefacts.cells import cell_text  # noqa: PLC0415 - see Desk.get_ready

    name, path = _parts(written.strip())
    found, data = _found(project, name)
    if not path:
        return found
    marks = tuple(mark for mark in found.marks if mark.status != "pass")
    return Value(cell_text(at_path(data, path, written), found.lang), marks, found.lang)


def keys_below(project: Project, name: str, path: str) -> list[str]:
    """Return the steps by which a path into the data of a block or an artefact can go on; none below a single value.

    Raises
    ------
    FamulusError
        When there is no such thing, or the path leads nowhere.
    """
    _, here = _found(project, name)
    for step in path.split(".") if path else ():
        here = _step(here, step, f"{name}:{path}")
    return _keys(here)


def _found(project: Project, name: str) -> tuple[Shown, Any]:
    """Return what a name means, and the data into which a path leads: for a block those of its report."""
    reference = parse_dependency(name)
    found = _shown(project, reference, name)
    return found, found.envelopes[0].data if isinstance(reference, Reference) else found.version.report()["data"]


def _parts(written: str) -> tuple[str, str]:
    """Return the reference and the path; the colon of `fam:` is none that parts them."""
    prefix = "fam:" if written.startswith("fam:") else ""
    name, *path = _BETWEEN.split(written.removeprefix(prefix), maxsplit=1)
    return prefix + name, path[0] if path else ""


def _shown(project: Project, reference: object, name: str) -> Shown:
    from famulus_kernel.adapter.showing import shown  # noqa: PLC0415 - see Desk.get_ready

    if not isinstance(reference, Reference) or reference.project is None:
        return shown(project, name)
    partner = project.partner(reference.project)
    return shown(partner, str(Reference(reference.block, reference.name, reference.version)))


def at_path(data: Any, path: str, written: str) -> Any:
    """Return the single value that a dotted path leads to.

    Raises
    ------
    UnresolvedReference
        When it leads nowhere, or to a list or mapping; the error lists what is there.
    """
    here = data
    for step in path.split("."):
        here = _step(here, step, written)
    if isinstance(here, dict | list):
        raise UnresolvedReference.of(written, "it is a list or a group of values", _keys(here))
    return here


def _step(here: Any, step: str, written: str) -> Any:
    known = _keys(here)
    if step not in known:
        raise UnresolvedReference.of(written, f"there is no value {step}", known)
    return here[int(step)] if isinstance(here, list) else here[step]


def _keys(value: object) -> list[str]:
    if isinstance(value, list):
        return [str(number) for number in range(len(value))]
    return list(value) if isinstance(value, dict) else []
