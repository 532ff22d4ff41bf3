"""Who is who: a scholar's table of the persons whom a source has under several names or numbers (spec 4.2).

A row says that whoever stands in the files as `name` is `person`. Both are written as the report of an import has them:
a name, a number in any spelling, or an ent_id such as `name:Zwingli, Ulrich`. A name means those that have no number.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from famulus_kernel.corpus.identity import identity
from famulus_kernel.corpus.importers.csv_rows import read_rows
from famulus_kernel.corpus.importers.letter import Unreadable
from famulus_kernel.corpus.importers.names import read_name
from famulus_kernel.errors import ImportRefused, Where

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_NAMES: Final[dict[str, tuple[str, ...]]] = {
    "name": ("name", "variant"),
    "person": ("person", "same_as", "person_id", "number"),
}
_NAMED: Final = "name:"


class SamePersons:
    """A table of who is who, read; without a file everybody is who they are.

    Parameters
    ----------
    path
        The table: a header with `name` and `person`, a row for each name.

    Raises
    ------
    ImportRefused
        It cannot be read, a row is not whole, a name stands for two persons, or somebody is himself in a circle.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._persons: dict[str, str] = {}
        self._lines: dict[str, int] = {}
        self._met: set[str] = set()
        for line, name, person in _rows(path) if path else ():
            if self._persons.setdefault(name, person) != person:
                why = f"{name} is {self._persons[name]} in line {self._lines[name]}, and {person} here"
                raise ImportRefused.unreadable(why, "keep one of the two rows").at(Where(str(path), line))
            self._lines.setdefault(name, line)
        for name in self._persons:
            self._last(name)

    def of(self, ent_id: str) -> str:
        """Return the ent_id of the person that an ent_id of the files stands for."""
        if ent_id not in self._persons:
            return ent_id
        self._met.add(ent_id)
        return self._last(ent_id)

    def unmet(self) -> Iterator[tuple[int, str]]:
        """Yield line and name of the rows that are about nobody in the files."""
        return ((line, name) for name, line in self._lines.items() if name not in self._met)

    def _last(self, name: str) -> str:
        seen = {name}
        while (person := self._persons.get(name, name)) != name:
            if person in seen:
                where = Where(str(self._path), self._lines[name])
                raise ImportRefused.unreadable(f"{person} is himself in a circle", "name one person last").at(where)
            seen.add(person)
            name = person
        return name


def _rows(path: Path) -> Iterator[tuple[int, str, str]]:
    for row in read_rows(path, _NAMES, tuple(_NAMES)):
        if isinstance(row, Unreadable):
            raise ImportRefused.unreadable(row.why, "mend that row").at(Where(str(path), row.line))
        name, person = (_ent_id(row.cells[column]) for column in _NAMES)
        if not (name and person):
            raise ImportRefused.unreadable("a name or a person is missing", "fill both cells").at(
                Where(str(path), row.line)
            )
        yield row.line, name, person


def _ent_id(written: str) -> str:
    """Return the ent_id that a cell means; "" for none."""
    known = identity(written)
    if known.kind == "authority":
        return known.value
    name = read_name(written).text
    is_ent_id = ":" in name and not name.partition(":")[0].count(" ") and not name.partition(":")[2].startswith(" ")
    return name if is_ent_id or not name else f"{_NAMED}{name}"
