"""Who is meant: the number of a person or body in an authority file, in one spelling (spec 4.2).

`http://d-nb.info/gnd/118541013`, `https://d-nb.info/gnd/118541013`, `118541013` and `(DE-588) 118 541 013` are one
person: `gnd:118541013`. A number without an address counts as GND only where its check digit agrees, so that the
numbers of a project's own list are not taken for it.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

IdentityKind = Literal["authority", "local", "place", "unknown", "none"]


class Identity(NamedTuple):
    """What a reference stands for.

    Attributes
    ----------
    kind
        `authority`: the same everywhere. `local`: of the file that it stands in. `place`: GeoNames, which names no
        person. `unknown`: an address that stands for anybody unknown. `none`: nothing was written.
    value
        `gnd:118541013`, `viaf:9847974`, `https://…` of any other authority; the text itself of a local one.
    """

    kind: IdentityKind
    value: str


NOBODY: Final = Identity("none", "")

_NUMBER: Final = r"(?P<number>[0-9][0-9-]*[0-9xX])(?:/.*)?"
_AUTHORITIES: Final[tuple[tuple[str, re.Pattern[str]], ...]] = tuple(
    (name, re.compile(pattern, re.IGNORECASE))
    for name, pattern in (
        ("gnd", rf"d-nb\.info/(?:gnd|pnd)/{_NUMBER}"),
        ("gnd", rf"(?:gnd:|pnd:|gnd|pnd|\(de-588\)){_NUMBER}"),
        ("gnd", r"deutsche-biographie\.de/(?:pnd|gnd)(?P<number>[0-9]+[0-9xX])(?:\.html)?"),
        ("viaf", r"(?:viaf\.org/(?:viaf/)?|viaf:)(?P<number>[0-9]+)(?:/.*)?"),
        ("wikidata", r"(?:wikidata\.org/(?:wiki|entity)/|wikidata:|wd:)?(?P<number>Q[0-9]+)"),
        ("lccn", r"id\.loc\.gov/(?:authorities/names|rwo/agents)/(?P<number>[a-z]+[0-9]+)(?:\.html)?"),
        ("bnf", r"(?:catalogue|data)\.bnf\.fr/(?:ark:/12148/)?(?P<number>cb[0-9]+[a-z0-9]?)"),
        ("isni", r"isni\.org/(?:isni/)?(?P<number>[0-9]{15}[0-9X])"),
        ("cerl", r"(?:thesaurus|data)\.cerl\.org/(?:record|thesaurus)/(?P<number>cn[a-z][0-9]+)"),
    )
)
_ADDRESSES: Final[Mapping[str, tuple[str, ...]]] = {
    "gnd": ("", "d-nb.info/gnd/"),
    "viaf": ("viaf.org/viaf/",),
    "wikidata": ("", "wikidata.org/entity/", "wikidata.org/wiki/"),
}
"""What stands before a number in other spellings; nothing where the number alone says whose it is."""
_SPELLED_HIGH: Final = frozenset({"gnd", "wikidata", "isni"})
_PLACE: Final = re.compile(r"(?:sws\.|www\.)?geonames\.org/.*|geonames:.*", re.IGNORECASE)
_ANYBODY: Final = frozenset({"correspsearch.net/unknown", "wikidata:Q4233718", "wikidata:Q24238356"})
"""What the guidelines of CMIF give for an unknown person, and Wikidata's entries "anonymous" and "unknown"."""
_BARE_GND: Final = re.compile(r"[0-9]{8,9}[0-9X]")
_SCHEME: Final = re.compile(r"https?://(?:www\.)?", re.IGNORECASE)
_NUMBERLESS: Final = re.compile(
    r"(?:d-nb\.info(?:/(?:gnd|pnd))?|(?:gnd|pnd):?|viaf\.org(?:/viaf)?|viaf:|wikidata\.org(?:/(?:wiki|entity))?|wikidata:|"
    r"id\.loc\.gov(?:/authorities/names)?|isni\.org(?:/isni)?|[#?_.\W-]+|none|null|n/?a)",
    re.IGNORECASE,
)
"""What stands where a number was to be put and none was: it is everybody's and names nobody."""


@lru_cache(maxsize=65536)
def identity(text: str) -> Identity:
    """Return what one reference stands for; blanks inside it do not count.

    Parameters
    ----------
    text
        A URI, a prefixed or a bare number. Several in one text: see :func:`references`.
    """
    bare = "".join(text.split())
    rest = _SCHEME.sub("", bare, count=1).rstrip("/")
    if not rest or _NUMBERLESS.fullmatch(rest):
        return NOBODY
    if _PLACE.fullmatch(rest):
        return Identity("place", rest)
    value = _authority(rest) or (f"gnd:{rest.upper()}" if _is_gnd(rest.upper()) else "")
    if (value or rest.casefold()) in _ANYBODY:
        return Identity("unknown", value or rest)
    if value:
        return Identity("authority", value)
    return Identity("authority", f"https://{rest}") if _SCHEME.match(bare) else Identity("local", bare)


def spellings(text: str) -> tuple[str, ...]:
    """Return the ids that a reference may have in a collection, our own first: all mean the same person.

    `118541013` is `gnd:118541013`, `118541013`, `http://d-nb.info/gnd/118541013` and the same with https.
    """
    found = identity(text)
    if found.kind != "authority":
        return (text,)
    name, _, number = found.value.partition(":")
    if name == "https":
        return (found.value, f"http:{number}")
    spelled = [found.value]
    for address in _ADDRESSES.get(name, ()):
        hosts = (address, f"www.{address}") if address else ()
        spelled += [f"{scheme}://{host}{number}" for scheme in ("http", "https") for host in hosts] or [number]
    return tuple(dict.fromkeys((*spelled, text)))


def references(text: str) -> list[str]:
    """Return the references of an attribute: TEI separates several by blanks, and data have blanks inside one.

    A piece begins a new reference where it looks like the beginning of one; otherwise it belongs to the piece before.
    """
    pieces: list[str] = []
    for piece in text.split():
        if not pieces or "://" in piece or piece.startswith("#") or _authority(piece):
            pieces.append(piece)
        else:
            pieces[-1] += piece
    return pieces


def _authority(rest: str) -> str:
    for name, pattern in _AUTHORITIES:
        if found := pattern.fullmatch(_SCHEME.sub("", rest, count=1).partition("#")[0]):
            number = found["number"]
            return f"{name}:{number.upper() if name in _SPELLED_HIGH else number.lower()}"
    return ""


def _is_gnd(text: str) -> bool:
    """Say whether a number has the form and the check digit of the persons' part of the GND."""
    if not _BARE_GND.fullmatch(text):
        return False
    weighted = sum(int(digit) * weight for weight, digit in enumerate(reversed(text[:-1]), start=2))
    return text[-1] == "0123456789X"[-weighted % 11]
