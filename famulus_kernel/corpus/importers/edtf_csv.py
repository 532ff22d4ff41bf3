"""Reading tables of letters with EDTF dates, as csv2cmi and many editors' own lists have them (spec 4.2).

One row is one letter. The columns are found by their names in the header, however they are spelled (`senderID`,
`sender_id`); several senders or recipients stand in one cell, separated by `|` or `;`, their numbers likewise.
"""

from __future__ import annotations

import csv
from itertools import zip_longest
from typing import TYPE_CHECKING, Final, NamedTuple

from famulus_kernel.corpus.importers.dates import UNDATED, LetterDate, not_after, read_date
from famulus_kernel.corpus.importers.letter import Party, SourceLetter, Unreadable
from famulus_kernel.corpus.importers.names import Basis, read_name, spaced
from famulus_kernel.errors import ImportRefused, Where

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_NAMES: Final[dict[str, tuple[str, ...]]] = {
    "number": ("key", "letter_no", "letter_id", "number", "no", "nr", "id"),
    "edition": ("edition", "source", "volume"),
    "url": ("url", "letter_url", "link"),
    "sender": ("sender", "sender_name", "author", "from"),
    "sender_id": ("senderID", "author_id", "from_id"),
    "sender_basis": ("sender_basis",),
    "recipient": ("addressee", "recipient", "recipient_name", "receiver", "to"),
    "recipient_id": ("addresseeID", "recipient_id", "receiver_id", "to_id"),
    "recipient_basis": ("recipient_basis", "addressee_basis"),
    "date": ("senderDate", "date", "date_when"),
    "date_text": ("senderDateText", "date_text"),
    "date_basis": ("date_basis",),
    "received": ("addresseeDate", "received_date"),
    "place": ("senderPlace", "place_sent", "place"),
    "calendar": ("calendar",),
}
"""Our name of a column, and what tables call it; blanks, underscores, hyphens and case do not count."""

_NEEDED: Final = ("sender", "recipient", "date")
_SEPARATORS: Final = ",;\t|"


class _Row(NamedTuple):
    line: int
    cells: list[str]


def read_letters(path: Path) -> Iterator[SourceLetter | Unreadable]:
    """Yield the letter of every row, or why it is none.

    Raises
    ------
    ImportRefused
        There is no header, it lacks a column that is needed, or the file is not UTF-8.
    """
    rows = _rows(path)
    header = next(rows, None)
    if header is None:
        raise ImportRefused.unreadable("it is empty", "its first line names the columns").at(Where(str(path), 1))
    places = _places(header.cells, path)
    for row in rows:
        if len(row.cells) != len(header.cells):
            why = f"the row has {len(row.cells)} cells, the header {len(header.cells)}"
            yield Unreadable(path.name, row.line, why)
            continue
        yield _letter(path.name, row.line, {name: row.cells[place].strip() for name, place in places.items()})


def _rows(path: Path) -> Iterator[_Row]:
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
                    yield _Row(begins, cells)
                begins = reader.line_num + 1
        except UnicodeDecodeError as error:
            raise ImportRefused.unreadable(
                f"it is not UTF-8 ({error.reason} after byte {error.start})", "save it as UTF-8"
            ).at(Where(str(path))) from None
        except csv.Error as error:
            raise ImportRefused.unreadable(f"its quotes do not match ({error})", "mend that row").at(
                Where(str(path), reader.line_num)
            ) from None


def _places(header: list[str], path: Path) -> dict[str, int]:
    """Return where each of our columns stands."""
    plain = {_plain(cell): place for place, cell in reversed(list(enumerate(header)))}
    places = {}
    for name, called in _NAMES.items():
        if found := [plain[_plain(one)] for one in called if _plain(one) in plain]:
            places[name] = found[0]
        elif name in _NEEDED:
            raise ImportRefused.no_column(name, called, header).at(Where(str(path), 1))
    return places


def _plain(name: str) -> str:
    return "".join(sign for sign in name.casefold() if sign.isalnum())


def _letter(file: str, line: int, row: dict[str, str]) -> SourceLetter:
    return SourceLetter(
        file,
        line,
        number=row.get("number", ""),
        edition=row.get("edition", ""),
        url=row.get("url", ""),
        date=_date(row),
        senders=_parties(row["sender"], row.get("sender_id", ""), row.get("sender_basis", "")),
        recipients=_parties(row["recipient"], row.get("recipient_id", ""), row.get("recipient_basis", "")),
        place=read_name(row.get("place", "")).text,
        remarks=tuple(_unpaired(row, role) for role in ("sender", "recipient") if _unpaired(row, role)[1]),
    )


def _unpaired(row: dict[str, str], role: str) -> tuple[str, str]:
    """Return the remark that a cell has another count of numbers than of names; with no words where it has not."""
    names, numbers = _several(row[role]), _several(row.get(f"{role}_id", ""))
    if not numbers or len(names) == len(numbers):
        return "ids-and-names", ""
    return "ids-and-names", f"{row[role]} has {len(names)} names and {len(numbers)} numbers"


def _date(row: dict[str, str]) -> LetterDate:
    date = read_date(row["date"])
    if date.when is None:
        return not_after(read_date(row["received"])) if row.get("received") else UNDATED
    bracketed = read_name(row.get("date_text", "")).basis == "supplied"
    basis = _said(row.get("date_basis", "")) or ("inferred" if bracketed and date.basis == "stated" else date.basis)
    calendar = row.get("calendar", "").casefold()
    return LetterDate(
        date.when,
        date.earliest,
        date.latest,
        basis,
        date.remark,
        calendar if calendar in ("julian", "gregorian") else None,
    )


def _said(basis: str) -> Basis | None:
    """Return what a basis column says: one of our words, also as the last of several (`year inferred`)."""
    words: dict[str, Basis] = {
        "stated": "stated", "supplied": "supplied", "inferred": "inferred",
        "uncertain": "uncertain", "unknown": "unknown",
    }  # fmt: skip
    return next((words[word] for word in reversed(basis.casefold().split()) if word in words), None)


def _parties(names: str, numbers: str, bases: str) -> tuple[Party, ...]:
    """Return the parties of a cell; names and numbers go together in their order."""
    pairs = zip_longest(_several(names), _several(numbers), fillvalue="")
    said = _several(bases)
    return tuple(
        Party(name, number, basis=_said((said[at] if at < len(said) else said[-1]) if said else "") or "stated")
        for at, (name, number) in enumerate(pairs)
        if name or number
    )


def _several(cell: str) -> list[str]:
    return [spaced(part) for part in cell.replace("|", ";").split(";")] if cell.strip() else []
