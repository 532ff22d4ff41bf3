"""Importing a list of 64,000 letters, beside a mere parse of the same file."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING
from xml.parsers import expat

from benchmarks.measuring import Result, against, seconds
from famulus_kernel.corpus.importers import import_cmif

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LETTERS = 64_000
HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><fileDesc>'
    "<titleStmt><title>Letters</title></titleStmt></fileDesc><profileDesc>\n"
)
LETTER = """<correspDesc key="{number}" ref="https://letters.example/{number}" source="#edition">
  <correspAction type="sent">
    <persName ref="http://d-nb.info/gnd/{sender}">Person {sender}</persName>
    <placeName ref="http://www.geonames.org/2879139">Leipzig</placeName>
    <date when="{date}"/>
  </correspAction>
  <correspAction type="received">
    <persName ref="https://d-nb.info/gnd/{recipient}">Person {recipient}</persName>
  </correspAction>
</correspDesc>
"""


def measure(work: Path, *, quick: bool = False) -> Iterator[Result]:
    """Yield the time of the import over that of the parse."""
    count = 2_000 if quick else LETTERS
    path = work / f"letters-{count}.xml"
    if not path.exists():
        path.write_text(HEAD + "".join(map(_letter, range(count))) + "</profileDesc></teiHeader></TEI>\n")

    def parsed() -> None:
        with path.open("rb") as file:
            expat.ParserCreate().ParseFile(file)

    def imported() -> None:
        shutil.rmtree(work / "imported", ignore_errors=True)
        kept = import_cmif([path], work / "imported").kept
        if kept != count:
            raise RuntimeError(f"{kept} of {count} letters were kept")

    took = against(seconds(imported, repeat=1 if quick else 3), seconds(parsed, repeat=3))
    yield Result(f"import of {count:,} letters from CMIF, over a parse", took)


def _letter(number: int) -> str:
    persons = (number * 7919 % 8_191, number * 104_729 % 8_191)
    sender, recipient = (f"1{person + 1:07}X" for person in persons)
    date = f"{1500 + number % 200}-{number % 12 + 1:02}-{number % 28 + 1:02}"
    return LETTER.format(number=number, sender=sender, recipient=recipient, date=date)
