"""What an import says of itself: what came in, what is there now, what was odd and where (spec 4.2)."""

from __future__ import annotations

from collections import Counter
from typing import Any, Final, NamedTuple

MOST_NOTES: Final = 1000
"""Of each kind of oddity this many are kept word for word; all are counted. Of what was lost, every one is kept."""

LONGEST_NOTE: Final = 400
"""Signs of a note: a name or date of a megabyte is told by its beginning."""

ODDITIES: Final = {
    "malformed": "files that are not well-formed XML; their letters were read one by one",
    "date": "dates that are no EDTF, or were read with care",
    "blank-in-id": "numbers of persons with blanks inside, which were taken out",
    "place-as-person": "numbers of places that stand where a person's number should; the name is the person",
    "no-id": "addresses of persons without a number; the name is the person",
    "several-ids": "names with several numbers; the first one is the person",
    "unknown-with-id": "words for an unknown person with a number, which names nobody",
    "ids-and-names": "rows with another count of numbers than of names",
    "same-name": "persons who may be one: the same words of a name, but another number or none",
    "like-name": "persons who may be one: names that are alike word by word",
    "nobody": "rows of who is who that are about nobody in the files",
    "several-names": "numbers with several names, which count as one person",
    "self": "letters whose sender is their recipient",
    "no-sender": "letters without a sender",
    "no-recipient": "letters without a recipient",
    "undated": "letters without a date",
    "same-number": "numbers of letters that stand twice for different letters; both are kept",
    "wide-date": "letters whose date is as wide as the whole edition",
    "same-manuscript": "ids that several manuscripts have; all of them are kept",
    "undated-manuscript": "manuscripts without a date",
    "no-pages": "manuscripts without a number of pages; they add nothing to the extent",
    "other-action": "actions that are neither the sending nor the receipt; who stands in them is no party",
    "page": "pages that have no number; they are counted on from the page before",
    "glued": "sentences without a blank line before them",
    "range": "surface forms of words that are not there; the text is made of the words",
    "empty-node": "empty nodes, which stand for no word of the text",
    "no-lemma": "words without a lemma; the lemma index leaves them out",
    "no-names": "texts in which nobody looked for names",
    "same-document": "documents that stand in several files; their sentences are numbered on",
}
"""Kind of an oddity, and what it is, for the report."""


class Note(NamedTuple):
    """Something odd: its kind, where, and what in words."""

    kind: str
    file: str
    line: int
    what: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.what}" if self.file else self.what


class Report:
    """What an import met. `read` is always `kept` + rejects + doubles.

    Attributes
    ----------
    unit
        What is counted: letters, sentences or manuscripts.
    read, kept
        How many were in the files, how many are in the collection.
    rejects
        Those that could not be read, each with its line.
    doubles
        Those that say the same as one already there: one letter in two files.
    contents
        What the collection holds now, by name.
    """

    def __init__(self, unit: str) -> None:
        self.unit = unit
        self.read = 0
        self.kept = 0
        self.rejects: list[Note] = []
        self.doubles: list[Note] = []
        self.contents: dict[str, int] = {}
        self.counts: Counter[str] = Counter()
        self.notes: dict[str, list[Note]] = {}

    def odd(self, kind: str, file: str, line: int, what: str) -> None:
        """Note an oddity of one of the kinds of `ODDITIES`."""
        self.counts[kind] += 1
        noted = self.notes.setdefault(kind, [])
        if len(noted) < MOST_NOTES:
            noted.append(Note(kind, file, line, what[:LONGEST_NOTE]))

    def reject(self, file: str, line: int, what: str) -> None:
        """Note one that was read but cannot be kept."""
        self.rejects.append(Note("reject", file, line, what))

    def double(self, file: str, line: int, what: str) -> None:
        """Note one that is there already."""
        self.doubles.append(Note("double", file, line, what))

    def settle(self) -> None:
        """Check that nothing was lost on the way; a difference is a defect of the importer."""
        told = self.kept + len(self.rejects) + len(self.doubles)
        if self.read != told:
            raise AssertionError(f"{self.read} {self.unit} came in, {told} are accounted for")

    def as_dict(self) -> dict[str, Any]:
        """Return the report as it lies beside the collection and as `--json` prints it."""
        return {
            "unit": self.unit,
            "read": self.read,
            "kept": self.kept,
            "rejected": [str(note) for note in self.rejects],
            "doubles": [str(note) for note in self.doubles],
            "contents": self.contents,
            "odd": {
                kind: {
                    "meaning": ODDITIES[kind],
                    "count": self.counts[kind],
                    "notes": [str(note) for note in self.notes[kind]],
                }
                for kind in ODDITIES
                if kind in self.counts
            },
        }
