"""Reading TEI CMIF, the exchange format of correspondence metadata (spec 4.2).

Each `correspDesc` is a record of its own, and is parsed on its own. That is how a file that is not well-formed can
still be read: a stray tag or a bare `&` in its header harms no letter, a letter that is broken itself is reported
with its line, and its neighbours are kept. Refusing such a file whole would lose hundreds of letters for one sign
that their reader cannot mend at the source.

No entity is expanded: a file that declares any is refused. Nothing is fetched.
"""

from __future__ import annotations

import mmap
import re
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple
from xml.parsers import expat

from famulus_kernel.corpus.importers.dates import UNDATED, LetterDate, new_style, not_after, read_date, read_dates
from famulus_kernel.corpus.importers.letter import Imprint, Party, SourceLetter, Unreadable
from famulus_kernel.corpus.importers.names import Basis, spaced
from famulus_kernel.errors import ImportRefused, Where

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


def _record_pattern(prefix: bytes) -> re.Pattern[bytes]:
    """Return what begins or ends a record, or hides one; `prefix` matches that of the element's name."""
    return re.compile(
        rb"<(?:!--(?:.*?-->|(?P<comment>.*\Z))|!\[CDATA\[(?:.*?\]\]>|(?P<section>.*\Z))|\?(?:.*?\?>|(?P<instruction>.*\Z))"
        rb"|(?P<start>" + prefix + rb"correspDesc(?=[\s/>]))|(?P<end>/" + prefix + rb"correspDesc\s*>))",
        re.DOTALL,
    )


_START: Final = re.compile(rb"<(?:[\w.-]+:)?correspDesc(?=[\s/>])")
_RECORD: Final = _record_pattern(b"")
_PREFIXED_RECORD: Final = _record_pattern(rb"(?:[\w.-]+:)?")
_HIDING: Final = {"comment": "a comment", "section": "a CDATA section", "instruction": "a processing instruction"}
_CLOSED_AT_ONCE: Final = re.compile(rb"[^<>]*/>")
_ENCODING: Final = re.compile(rb"""<\?xml[^>]*?encoding\s*=\s*["']([A-Za-z0-9._-]+)["']""")
_WIDE_MARKS: Final = ((b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"), (b"<\0", "utf-16-le"), (b"\0<", "utf-16-be"))
_WIDE_NAMES: Final = ("utf-16", "utf16", "utf-32", "utf32", "ucs", "iso-10646")
_CHUNK: Final = 1 << 20

_PARTIES: Final = {"persName": "person", "orgName": "org", "rs": "person", "name": "person"}
_UNCERTAIN: Final = frozenset({"low", "medium", "unknown"})
_KEEPS_TEXT: Final = frozenset({*_PARTIES, "placeName", "date", "title", "publisher", "licence", "idno"})
_NAME_PARTS: Final = frozenset({"forename", "surname", "nameLink", "roleName", "addName", "genName"})
"""What begins a new word of a name, whether a blank stands before it or not."""
_DEEPEST: Final = 64
"""How deep elements are kept. TEI needs ten; a file of a million open tags needs no more than this."""


@dataclass(slots=True)
class Element:
    """An element of a record: its local name, attributes without prefix, text and children in order."""

    name: str
    attributes: dict[str, str]
    children: list[Element] = field(default_factory=list)
    text: list[str] = field(default_factory=list)

    def whole_text(self) -> str:
        """Return the text of the element and all below it."""
        return " ".join(spaced("".join(self.text)).split())

    def all(self, *names: str) -> Iterator[Element]:
        """Yield the elements of these names below this one; not those inside one that was yielded."""
        for child in self.children:
            if child.name in names:
                yield child
            else:
                yield from child.all(*names)


class Fault(NamedTuple):
    """Where a file stops being well-formed, and why."""

    line: int
    column: int
    why: str


class Survey(NamedTuple):
    """What a first pass through a file finds: its imprint, and its fault if it has one."""

    imprint: Imprint
    fault: Fault | None


def survey(path: Path) -> Survey:
    """Read a file once from begin to end: is it XML that we may read, and what does its header say.

    Raises
    ------
    ImportRefused
        It declares entities.
    """
    header = _Tree()
    parser = _parser(header)

    def start(name: str, attributes: dict[str, str]) -> None:
        if _local(name) == "correspDesc":
            # The header is over: from here on only the parser itself need look.
            parser.StartElementHandler = parser.EndElementHandler = parser.CharacterDataHandler = None
        else:
            header.start(name, attributes)

    parser.StartElementHandler = start
    parser.EntityDeclHandler = _refuse_entities(path, parser)
    fault = None
    with path.open("rb") as file:
        try:
            while chunk := file.read(_CHUNK):
                parser.Parse(chunk, False)  # noqa: FBT003 - pyexpat takes it by position
            parser.Parse(b"", True)  # noqa: FBT003 - same
        except expat.ExpatError as error:
            fault = Fault(error.lineno, error.offset + 1, expat.ErrorString(error.code))
        except (LookupError, ValueError) as error:  # the parser asks Python for encodings that it does not know
            fault = Fault(1, 1, str(error))
    return Survey(_imprint(header.root), fault)


def read_letters(path: Path) -> Iterator[SourceLetter | Unreadable]:
    """Yield every letter of a CMIF file in its order, read or unreadable.

    Yields
    ------
    SourceLetter or Unreadable
        One for each `correspDesc` that begins in the file, comments left aside.
    """
    with _bytes_of(path) as (data, encoding):
        for line, record, broken in _records(data):
            if broken:
                yield Unreadable(path.name, line, broken)
                continue
            tree = _Tree()
            try:
                _parser(tree, encoding).Parse(record, True)  # noqa: FBT003 - pyexpat takes it by position
            except expat.ExpatError as error:
                why = f"{expat.ErrorString(error.code)} (line {line + error.lineno - 1})"
                yield Unreadable(path.name, line, why)
                continue
            if tree.root is not None:
                yield _letter(tree.root, path.name, line)


@contextmanager
def _bytes_of(path: Path) -> Iterator[tuple[bytes | mmap.mmap, str]]:
    """Give the bytes of a file, mapped and not read, and their encoding; UTF-16 comes as UTF-8."""
    if path.stat().st_size == 0:
        yield b"", "utf-8"
        return
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        if wide := next((encoding for mark, encoding in _WIDE_MARKS if data[: len(mark)] == mark), None):
            yield data[:].decode(wide, "replace").encode(), "utf-8"
        else:
            declared = _ENCODING.match(data[:200].removeprefix(b"\xef\xbb\xbf").lstrip())
            yield _decoded(data, declared[1].decode() if declared else "utf-8")


def _decoded(data: mmap.mmap, encoding: str) -> tuple[bytes | mmap.mmap, str]:
    """Return bytes and an encoding that the parser reads; UTF-8 where the file names one that is none, or is wrong."""
    if encoding.casefold().startswith(_WIDE_NAMES):
        return data, "utf-8"  # the declaration itself was read byte by byte
    try:
        expat.ParserCreate(encoding).Parse(b"<a/>", True)  # noqa: FBT003 - pyexpat takes it by position
    except (expat.ExpatError, LookupError, ValueError):
        try:
            return data[:].decode(encoding, "replace").encode(), "utf-8"
        except (LookupError, UnicodeError):
            return data, "utf-8"
    return data, encoding


def _records(data: bytes | mmap.mmap) -> Iterator[tuple[int, bytes, str]]:
    """Yield line, bytes and what is broken ("" if nothing) of each `correspDesc`."""
    line, counted, start = 1, 0, -1
    # Trying a prefix at every tag takes longer than the rest of the search.
    pattern = _RECORD if data.find(b":correspDesc") < 0 else _PREFIXED_RECORD
    for found in pattern.finditer(data):
        if found.lastgroup == "start":
            if start >= 0:
                yield line, b"", "its correspDesc is not closed before the next one begins"
            start = found.start()
            line += data[counted:start].count(b"\n")
            counted = start
            if empty := _CLOSED_AT_ONCE.match(data, found.end()):
                yield line, data[start : empty.end()], ""
                start = -1
        elif found.lastgroup == "end" and start >= 0:
            yield line, data[start : found.end()], ""
            start = -1
        elif found.lastgroup in _HIDING:
            what = f"{_HIDING[found.lastgroup]} that is not closed"
            if start >= 0:
                yield line, b"", f"in it begins {what}"
                start = -1
            # One match to the end of the file: looking for its end again and again would take for ever.
            first = line + data[counted : found.start()].count(b"\n")
            for lost in _START.finditer(found[0]):
                at = first + found[0][: lost.start()].count(b"\n")
                yield at, b"", f"it stands in {what} and begins in line {first}"
    if start >= 0:
        yield line, b"", "its correspDesc is not closed before the file ends"


class _Tree:
    """Builds elements out of the parser's events.

    Elements that lie deeper than any of TEI's are left out.
    """

    def __init__(self) -> None:
        self.root: Element | None = None
        self._open: list[Element] = []
        self._keeping: list[Element] = []
        self._left_out = 0

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if self._left_out or len(self._open) >= _DEEPEST:
            self._left_out += 1
            return
        local = _local(name)
        if self._keeping and local in _NAME_PARTS:
            self.text(" ")
        element = Element(local, {_local(key): value for key, value in attributes.items()})
        if local in _KEEPS_TEXT:
            self._keeping.append(element)
        if self._open:
            self._open[-1].children.append(element)
        else:
            self.root = element
        self._open.append(element)

    def end(self, _name: str) -> None:
        if self._left_out:
            self._left_out -= 1
        else:
            element = self._open.pop()
            if element.name in _KEEPS_TEXT:
                self._keeping.pop()

    def text(self, text: str) -> None:
        if self._left_out or not self._keeping:
            return
        if self._keeping[-1].name == "idno":  # a number inside a name is no part of it
            self._keeping[-1].text.append(text)
            return
        for element in self._keeping:
            element.text.append(text)


@lru_cache(maxsize=1024)
def _local(name: str) -> str:
    return name.rpartition(":")[2]


def _parser(tree: _Tree, encoding: str | None = None) -> expat.XMLParserType:
    try:
        parser = expat.ParserCreate(encoding)
    except LookupError:
        parser = expat.ParserCreate("utf-8")
    parser.buffer_text = True
    parser.StartElementHandler = tree.start
    parser.EndElementHandler = tree.end
    parser.CharacterDataHandler = tree.text
    return parser


def _refuse_entities(path: Path, parser: expat.XMLParserType) -> Callable[..., None]:
    def refuse(name: str, *_: object) -> None:
        raise ImportRefused.entities(name).at(Where(str(path), parser.CurrentLineNumber))

    return refuse


def _imprint(root: Element | None) -> Imprint:
    if root is None:
        return Imprint()
    first = {name: next(root.all(name), None) for name in ("title", "publisher", "licence", "idno")}
    text = {name: element.whole_text() if element else "" for name, element in first.items()}
    licence = first["licence"]
    target = licence.attributes.get("target", "") if licence else ""
    return Imprint(text["title"], text["publisher"], target or text["licence"], text["idno"])


def _letter(record: Element, file: str, line: int) -> SourceLetter:
    actions: dict[str, list[Element]] = {"sent": [], "received": []}
    for action in record.all("correspAction"):
        actions.setdefault(action.attributes.get("type", "").strip().casefold(), []).append(action)
    others = {kind: found for kind, found in actions.items() if kind not in ("sent", "received")}
    places = [place.whole_text() for action in actions["sent"] for place in action.all("placeName")]
    date = _date(actions["sent"])
    if date.when is None and (received := not_after(_date(actions["received"]))).when:
        date = received
    url = spaced(record.attributes.get("ref", ""))
    return SourceLetter(
        file,
        line,
        number=spaced(record.attributes.get("key", "")),
        edition=spaced(record.attributes.get("source", "")).lstrip("#"),
        url=url,
        xml_id=record.attributes.get("id", ""),
        date=date,
        senders=_parties(actions["sent"]),
        recipients=_parties(actions["received"]),
        place="; ".join(dict.fromkeys(filter(None, places))),
        remarks=tuple(("other-action", _told(kind, found)) for kind, found in others.items()),
    )


def _told(kind: str, actions: list[Element]) -> str:
    """Return what stands in actions of another kind."""
    who = ", ".join(party.name for party in _parties(actions)) or "nobody"
    return f"{kind or 'an action without a type'}: {who}"


def _date(actions: list[Element]) -> LetterDate:
    dates = [date for action in actions for date in action.all("date")]
    read = [read_dates(date.attributes) for date in dates]
    said = [date for date in read if date.when is not None]
    if said:
        return _said(said) or _several(said)
    words = next((text for date in dates if (text := date.whole_text())), "")
    return LetterDate(remark=f"the date is in words alone: {words}") if words else UNDATED


def _said(dates: list[LetterDate]) -> LetterDate | None:
    """Return the one date that all say, of a day in both calendars that of the Gregorian; None where they differ."""
    gregorian = [date for date in dates if date.calendar == "gregorian"]
    days = {(date.earliest, date.latest) for date in dates}
    if len(days) > 1 and gregorian:
        days = {new_style(date) for date in dates}
    return (gregorian or dates)[0] if len(days) == 1 else None


def _several(dates: list[LetterDate]) -> LetterDate:
    """Return the span of the dates of a letter that bears several, as an EDTF set."""
    when = "{" + ",".join(str(date.when) for date in dates) + "}"
    date = read_date(when)
    return replace(date, remark=f"several dates are given: {when}", calendar=dates[0].calendar)


def _parties(actions: list[Element]) -> tuple[Party, ...]:
    return tuple(_party(element) for action in actions for element in action.all(*_PARTIES))


def _party(element: Element) -> Party:
    attributes = element.attributes
    inner = (one.attributes.get("target") or one.whole_text() for one in element.all("ref", "ptr", "idno"))
    kind = "org" if _PARTIES[element.name] == "org" or attributes.get("type") == "org" else "person"
    return Party(
        element.whole_text(),
        attributes.get("ref") or attributes.get("key") or next(filter(None, inner), ""),
        "org" if kind == "org" else "person",
        _basis(attributes),
    )


def _basis(attributes: dict[str, str]) -> Basis:
    if attributes.get("cert") in _UNCERTAIN:
        return "uncertain"
    return "supplied" if attributes.get("evidence") else "stated"
