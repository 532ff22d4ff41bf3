"""Rows of a table in a text file: found by the names in its header, each with the line where it begins (spec 4.2)."""

from __future__ import annotations

import csv
import unicodedata
from typing import TYPE_CHECKING, Final, NamedTuple

from famulus_kernel.corpus.importers.letter import Unreadable
from famulus_kernel.errors import ImportRefused, Where

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence
    from pathlib import Path

    Names = Mapping[str, Sequence[str]]
    """Our name of a column, and what tables call it; blanks, underscores, hyphens and case do not count."""

_SEPARATORS: Final = ",;\t|"


class Row(NamedTuple):
    """A row: the name of its file, the line where it begins, and its cells under our names."""

    file: str
    line: int
    cells: dict[str, str]


def read_rows(path: Path, names: Names, needed: Collection[str]) -> Iterator[Row | Unreadable]:
    """Yield every row that is not blank, or why it is none.

    Raises
    ------
    ImportRefused
        There is no header, it lacks a column that is needed, or the file is not UTF-8.
    """
    rows = _rows(path)
    _, header = next(rows, (1, None))
    if header is None:
        raise ImportRefused.unreadable("it is empty", "its first line names the columns").at(Where(str(path), 1))
    places = _places(header, names, needed, path)
    for line, cells in rows:
        if len(cells) != len(header):
            yield Unreadable(path.name, line, f"the row has {len(cells)} cells, the header {len(header)}")
        else:
            yield Row(path.name, line, {name: cells[place].strip() for name, place in places.items()})


def _rows(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows that are not blank, with the line where each begins."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        try:
            first = file.readline()
            separator = max(_SEPARATORS, key=first.count)
            file.seek(0)
            reader = csv.reader(file, delimiter=separator, strict=True)
            begins = 1
            for cells in reader:
                if any(cell.strip() for cell in cells):
                    yield begins, cells
                begins = reader.line_num + 1
        except UnicodeDecodeError as error:
            raise ImportRefused.encoding(error.reason).at(Where(str(path), first_line_not_utf8(path))) from None
        except csv.Error as error:
            raise ImportRefused.unreadable(f"its quotes do not match ({error})", "mend that row").at(
                Where(str(path), begins)
            ) from None


def first_line_not_utf8(path: Path) -> int:
    """Return the first line of a file whose bytes are no UTF-8."""
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            try:
                line.decode()
            except UnicodeDecodeError:
                return number
    return 1


def _places(header: list[str], names: Names, needed: Collection[str], path: Path) -> dict[str, int]:
    """Return where each of our columns stands."""
    plain = {_plain(cell): place for place, cell in reversed(list(enumerate(header)))}
    places = {}
    for name, called in names.items():
        if found := [plain[_plain(one)] for one in called if _plain(one) in plain]:
            places[name] = found[0]
        elif name in needed:
            raise ImportRefused.no_column(name, called, header).at(Where(str(path), 1))
    return places


def _plain(name: str) -> str:
    return "".join(sign for sign in unicodedata.normalize("NFC", name).casefold() if sign.isalnum())
