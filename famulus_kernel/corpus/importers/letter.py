"""A letter as a source has it, before persons are resolved: what the readers give and the register takes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from famulus_kernel.corpus.importers.dates import UNDATED

if TYPE_CHECKING:
    from famulus_kernel.corpus.importers.dates import LetterDate
    from famulus_kernel.corpus.importers.names import Basis


@dataclass(frozen=True, slots=True)
class Party:
    """A sender or a recipient.

    Attributes
    ----------
    name
        As written, marks of the editor included.
    reference
        As written: a URI, a number, several of them, or nothing.
    kind
        person or org.
    basis
        What the markup says of how it is known; brackets in the name may say more.
    """

    name: str
    reference: str = ""
    kind: Literal["person", "org"] = "person"
    basis: Basis = "stated"


@dataclass(frozen=True, slots=True)
class SourceLetter:
    """One letter of a source.

    Attributes
    ----------
    file, line
        Where it stands.
    edition, number
        The volume and the number in it. Numbers restart in each volume.
    url
        Where the letter itself is published.
    xml_id
        The name of its record in the file.
    remarks
        What the reader found odd: kind (of `report.ODDITIES`) and words.
    """

    file: str
    line: int
    number: str = ""
    edition: str = ""
    url: str = ""
    xml_id: str = ""
    date: LetterDate = UNDATED
    senders: tuple[Party, ...] = ()
    recipients: tuple[Party, ...] = ()
    place: str = ""
    remarks: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A letter of a source that cannot be read, and why."""

    file: str
    line: int
    why: str


@dataclass(frozen=True, slots=True)
class Imprint:
    """What a source says of itself: title, publisher, licence, address."""

    title: str = ""
    publisher: str = ""
    licence: str = ""
    url: str = ""
