"""Reading tables of letters with EDTF dates, as csv2cmi and many editors' own lists have them (spec 4.2).

One row is one letter. The columns are found by their names in the header, however they are spelled (`senderID`,
`sender_id`); several senders or recipients stand in one cell, separated by `|` or `;`, their numbers likewise.
"""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING, Final

from famulus_kernel.corpus.importers.csv_rows import read_rows
from famulus_kernel.corpus.importers.dates import UNDATED, LetterDate, not_after, read_date
from famulus_kernel.corpus.importers.letter import Party, SourceLetter, Unreadable
from famulus_kernel.corpus.importers.names import Basis, read_name, spaced

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_NAMES: Final[dict[str, tuple[str, ...]]] = {
    "number": ("key", "letter_no", "letter_id", "number", "no", "nr", "nummer", "briefnummer", "id"),
    "edition": ("edition", "source", "volume", "band", "ausgabe"),
    "url": ("url", "letter_url", "link"),
    "sender": ("sender", "sender_name", "author", "from", "absender", "verfasser"),
    "sender_id": ("senderID", "author_id", "from_id", "absender_id", "absender_gnd"),
    "sender_basis": ("sender_basis",),
    "recipient": ("addressee", "recipient", "recipient_name", "receiver", "to", "empfänger", "adressat"),
    "recipient_id": ("addresseeID", "recipient_id", "receiver_id", "to_id", "empfänger_id", "empfänger_gnd"),
    "recipient_basis": ("recipient_basis", "addressee_basis"),
    "date": ("senderDate", "date", "date_when", "datum"),
    "date_text": ("senderDateText", "date_text"),
    "date_basis": ("date_basis",),
    "received": ("addresseeDate", "received_date"),
    "place": ("senderPlace", "place_sent", "place", "ort", "absendeort"),
    "calendar": ("calendar",),
}
_NEEDED: Final = ("sender", "recipient", "date")


def read_letters(path: Path) -> Iterator[SourceLetter | Unreadable]:
    """Yield the letter of every row, or why it is none; raises as :func:`csv_rows.read_rows` does."""
    for row in read_rows(path, _NAMES, _NEEDED):
        yield row if isinstance(row, Unreadable) else _letter(*row)


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
