"""Reading CoNLL-U: treebanks of Universal Dependencies, and what Stanza and others write (spec 4.2).

What the format does not fix is read so:

- A document begins with `# newdoc`; without any, the file is one document with the file's name.
- A page begins with `# newpage`, or with `# page = 12` (pages count from 1 there, `pidx` from 0). A page that is
  called otherwise (`12r`) is counted on from the one before, and reported. Without either, a document is one page.
  Paragraphs are not kept.
- A word 1 begins a sentence, with a blank line before it or without.
- The language is that of `# lang = la`, of a document or a sentence; else the one given with the import.
- Words are the syntactic ones: of `zum` the lines `zu` and `dem` count, and the surface line only makes the text.
- Entities are those of `ner=B-PER` in the last column, in the schemes IOB and IOBES.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import TYPE_CHECKING, Final

from famulus_kernel.corpus.importers.letter import Unreadable
from famulus_kernel.corpus.importers.names import spaced
from famulus_kernel.corpus.importers.sentence import Mention, SourceSentence, Word

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

_COMMENT: Final = re.compile(r"#\s*(?P<key>[^=]*?)\s*(?:=\s*(?P<value>.*?)\s*)?$")
_RANGE: Final = re.compile(r"([1-9][0-9]*)-([1-9][0-9]*)")
_EMPTY_NODE: Final = re.compile(r"[0-9]+\.[1-9][0-9]*")
_COLUMNS: Final = ("ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC")
_NEEDED: Final = ("ID", "FORM")
_ABSENT: Final = "_"
_LONGEST_NUMBER: Final = 9


@dataclass(slots=True)
class _Place:
    """Where in the text the reader is: what comments have said so far."""

    doc_id: str
    lang: str | None
    documents: int = 0
    pidx: int = 0
    begins: bool = True
    text: str | None = None
    sentence_lang: str | None = None
    page_name: str = ""
    remarks: list[tuple[str, str]] = field(default_factory=list)
    columns: Sequence[str] = _COLUMNS


class _BadSentenceError(ValueError):
    """Why a sentence cannot be read, and in which line."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(why)
        self.line = line


def read_sentences(path: Path, lang: str | None = None) -> Iterator[SourceSentence | Unreadable]:
    """Yield every sentence of a CoNLL-U file in its order, read or unreadable.

    Parameters
    ----------
    path
        The file: CoNLL-U, or CoNLL-U Plus with `# global.columns`.
    lang
        The language of sentences that do not say theirs.
    """
    name = path.name
    place = _Place(PurePath(name).stem, lang)
    for first, lines, is_glued in _blocks(path):
        place.remarks += [("glued", "no blank line stands before it")] if is_glued else []
        try:
            words = [(number, text) for number, text in _decoded(lines) if not _comment(text, place, name)]
            if words:
                yield _sentence(name, first, words, place)
                place.remarks = []
            elif place.text is not None:
                yield Unreadable(name, first, "the sentence has no words")
        except _BadSentenceError as problem:
            yield Unreadable(name, problem.line, str(problem))
        place.text = place.sentence_lang = None


def _blocks(path: Path) -> Iterator[tuple[int, list[tuple[int, bytes]], bool]]:
    """Yield the lines of each sentence with their numbers, after the number of the first.

    Sentences lie between blank lines; those that do not are told by a second word 1, and come with True.
    """
    lines: list[tuple[int, bytes]] = []
    is_glued = has_first = False
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            bare = line.rstrip(b"\r\n")
            if number == 1:
                bare = bare.removeprefix(b"\xef\xbb\xbf")
            if not bare.strip():
                if lines:
                    yield lines[0][0], lines, is_glued
                lines, is_glued, has_first = [], False, False
                continue
            if has_first and bare.startswith((b"1\t", b"1-")):
                own = len(lines)
                while lines[own - 1][1].startswith(b"#"):
                    own -= 1
                yield lines[0][0], lines[:own], is_glued
                lines, is_glued, has_first = lines[own:], True, False
            has_first = has_first or bare.startswith(b"1\t")
            lines.append((number, bare))
    if lines:
        yield lines[0][0], lines, is_glued


def _decoded(lines: Sequence[tuple[int, bytes]]) -> Iterator[tuple[int, str]]:
    for number, line in lines:
        try:
            yield number, line.decode()
        except UnicodeDecodeError as error:
            raise _BadSentenceError(number, f"the line is not UTF-8 ({error.reason})") from None


def _comment(line: str, place: _Place, file: str) -> bool:
    """Take in a comment; False if the line is none."""
    if not line.startswith("#"):
        return False
    if found := _COMMENT.fullmatch(line):
        _take_in(found["key"], found["value"], place, file)
    return True


def _take_in(key: str, value: str | None, place: _Place, file: str) -> None:
    if key.startswith("newdoc"):
        place.documents += 1
        place.doc_id = value or f"{PurePath(file).stem}-{place.documents}"
        place.pidx, place.begins, place.page_name = 0, True, ""
    elif key == "page" and value:
        _turn_to(value, place)
    elif key.startswith("newpage"):
        place.pidx += 0 if place.begins else 1
    elif key == "text":
        place.text = value or ""
    elif key in ("lang", "language", "newdoc lang") and value:
        place.sentence_lang = value
        if place.begins:
            place.lang = value
    elif key == "global.columns" and value:
        place.columns = value.split()


def _turn_to(page: str, place: _Place) -> None:
    """Turn to the page of that number; to the next one where it is called otherwise than before, by no number."""
    if page.isascii() and page.isdigit() and len(page) <= _LONGEST_NUMBER and int(page):
        place.pidx = int(page) - 1
    elif page != place.page_name:
        place.pidx += 0 if place.begins else 1
        place.remarks.append(("page", f"the page {page[:20]} of {place.doc_id} is page {place.pidx + 1}"))
    place.page_name = page


def _sentence(file: str, first: int, lines: Sequence[tuple[int, str]], place: _Place) -> SourceSentence:
    words: list[Word] = []
    forms: list[tuple[str, str]] = []
    surface: list[tuple[str, str]] = []
    tags: list[str] = []
    skipped_to = empty = 0
    is_spanned = True
    columns = place.columns
    if any(name not in columns for name in _NEEDED):
        raise _BadSentenceError(first, f"global.columns does not name {' and '.join(_NEEDED)}")
    for number, line in lines:
        cells = _cells(number, line, columns)
        tid, form, misc = cells["ID"], cells["FORM"], cells.get("MISC", _ABSENT)
        if tid.isdigit():
            words.append(_word(number, cells, len(words) + 1))
            tags.append("O" if misc == _ABSENT else _tag(misc))
            forms.append((form, misc))
            if len(words) > skipped_to:
                surface.append((form, misc))
        elif span := _RANGE.fullmatch(tid):
            surface.append((form, misc))
            is_spanned = is_spanned and span[1] == str(len(words) + 1) and len(span[2]) <= _LONGEST_NUMBER
            skipped_to = int(span[2][:_LONGEST_NUMBER])
            is_spanned = is_spanned and skipped_to > len(words)
        elif _EMPTY_NODE.fullmatch(tid):
            empty += 1
        else:
            raise _BadSentenceError(number, f"{tid[:20]!r} is no number of a word")
    if not words:
        raise _BadSentenceError(first, "the sentence has no words")
    if empty:
        place.remarks.append(("empty-node", f"{empty} empty nodes"))
    if not is_spanned or skipped_to > len(words):
        surface = forms
        place.remarks.append(("range", "a surface form spans words that are not there"))
    begins, place.begins = place.begins, False
    return SourceSentence(
        file,
        first,
        place.doc_id,
        place.pidx,
        place.sentence_lang or place.lang,
        spaced(place.text) if place.text else _joined(surface),
        tuple(words),
        tuple(_mentions(words, tags)),
        begins,
        tuple(place.remarks),
    )


def _cells(number: int, line: str, columns: Sequence[str]) -> dict[str, str]:
    """Return the cells of a line by the names of their columns."""
    cells = line.split("\t")
    if len(cells) != len(columns):
        raise _BadSentenceError(number, f"the line has {len(cells)} columns, not {len(columns)} between tabs")
    return dict(zip(columns, cells, strict=True))


def _word(number: int, cells: Mapping[str, str], expected: int) -> Word:
    tid, form = cells["ID"], cells["FORM"]
    if tid != str(expected):
        raise _BadSentenceError(number, f"the word has the number {tid[:20]!r}, expected is {expected}")
    lemma, upos = cells.get("LEMMA", _ABSENT), cells.get("UPOS", _ABSENT)
    # A lemma that is itself the sign "_" belongs to a word "_".
    return Word(
        expected,
        spaced(form),
        None if lemma == _ABSENT and form != _ABSENT else spaced(lemma) or None,
        None if upos == _ABSENT else upos,
    )


def _joined(surface: Sequence[tuple[str, str]]) -> str:
    """Return the text of a sentence that has no `# text`, from its forms."""
    parts = [form + ("" if "SpaceAfter=No" in misc.split("|") else " ") for form, misc in surface]
    return spaced("".join(parts))


def _tag(misc: str) -> str:
    tags = (part[4:] for part in misc.split("|") if part[:4].casefold() == "ner=")
    return next(tags, "O")


def _mentions(words: Sequence[Word], tags: Sequence[str]) -> Iterator[Mention]:
    """Yield the entities of a sentence from their tags, as `B-PER I-PER O` or `S-LOC`."""
    begun: list[str] = []
    kind = ""
    for word, tag in zip(words, tags, strict=True):
        position, _, its_kind = tag.partition("-")
        if begun and (position not in ("I", "E") or its_kind != kind):
            yield Mention(" ".join(begun), kind)
            begun = []
        if its_kind:
            begun.append(word.form)
            kind = its_kind
    if begun:
        yield Mention(" ".join(begun), kind)
