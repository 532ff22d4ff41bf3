"""Where a cursor stands in a cell: in which part, under which keys of the preamble, and on which word.

The text is as unfinished as text under a cursor is, so nothing is parsed as YAML here: indentation, dashes and the
open brackets of the line tell enough. All offsets count characters (code points), as the protocol does.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal

Path = tuple[str | int, ...]
Part = Literal["options", "preamble", "instruction", "other"]
Asks = Literal["entry", "value", "text"]

_RULE = re.compile(r"---[ \t]*\r?")
_OPTION = re.compile(r"#[ \t]*\|")
_LINE = re.compile(r"(?P<indent> *)(?P<dashes>(?:-(?: +|$))*)(?P<rest>.*)", re.DOTALL)
_PAIR = re.compile(r"(?P<key>[\w-]+)[ \t]*:(?P<value>[ \t].*|$)", re.DOTALL)
_OPENS_TEXT = re.compile(r"[ \t]+[|>][0-9+-]*[ \t]*(?:#.*)?\r?")
_BEFORE_QUOTE = ("", " ", "\t", "[", "{", ",", ":", "-")
_LONGEST_WORD = 1_000
_LONGEST_FLOW = 20_000
"""Characters of brackets that are still open: who writes more of them is not helped to write, and not kept waiting."""
_DEEPEST_FLOW = 50
_IN_WORD = re.compile(r"[^\s,\[\]{}\"'()=<>;|?%]")


@dataclass(frozen=True, slots=True)
class Spot:
    """A place in a cell.

    Attributes
    ----------
    part
        In which part of the cell.
    path
        In a preamble: the keys and places in lists (always 0) that lead to what is being written.
    asks
        What that is: an entry of the mapping or list at `path`, the value of the key that ends `path`, or running text
        (SQL, an instruction).
    word, start, end
        The word around the cursor and where it lies.
    typed
        The part of the word before the cursor.
    opened
        Where the value begins that is being written, after the quote if one is open. A name may hold blanks and
        commas, so this is not where the word begins.
    quote
        The quote that is open, or "".
    in_flow
        A bracket is open: a comma ends the value.
    """

    part: Part
    path: Path
    asks: Asks
    word: str
    typed: str
    start: int
    end: int
    opened: int = 0
    quote: str = ""
    in_flow: bool = False


def preamble_lines(lines: list[str]) -> tuple[int | None, int | None]:
    """Return the indices of the two `---` lines: the first is None where none begins, the second while it is open."""
    for number, line in enumerate(lines):
        if _RULE.fullmatch(line.removeprefix("\ufeff")):
            return number, next((at for at in range(number + 1, len(lines)) if _RULE.fullmatch(lines[at])), None)
        if line.strip() and not _OPTION.match(line):
            break
    return None, None


def only_options(lines: list[str]) -> bool:
    """Say whether there is nothing yet but cell options and blank lines."""
    return all(not line.strip() or _OPTION.match(line) for line in lines)


def spot(code: str, cursor: int) -> Spot:
    """Return what lies at offset `cursor` of a cell."""
    cursor = max(0, min(cursor, len(code)))
    start, end = _word(code, cursor)
    before = code[:cursor].split("\n")
    lines = [*before[:-1], *code[cursor - len(before[-1]) :].split("\n")]
    opening, closing = preamble_lines(lines)
    number = len(before) - 1
    part = _part(number, opening, closing, lines)
    word = code[start:end], code[start:cursor], start, end
    if part != "preamble":
        return Spot(part, (), "text", *word, opened=start)
    inside = [line.rstrip("\r") for line in before[(opening or 0) + 1 :]]
    begins = next((at for at in reversed(range(len(inside))) if inside[at][:1].strip() and _PAIR.match(inside[at])), 0)
    path, asks, in_flow = _inside(inside[begins:])
    at, quote = _open_value(before[-1], in_flow=in_flow)
    return Spot(part, path, asks, *word, opened=cursor - len(before[-1]) + at, quote=quote, in_flow=in_flow)


def _word(code: str, cursor: int) -> tuple[int, int]:
    start = end = cursor
    while start > max(0, cursor - _LONGEST_WORD) and _IN_WORD.match(code[start - 1]):
        start -= 1
    while end < min(len(code), cursor + _LONGEST_WORD) and _IN_WORD.match(code[end]):
        end += 1
    return start, end


def _part(number: int, opening: int | None, closing: int | None, lines: list[str]) -> Part:
    if opening is None:
        return "options" if _OPTION.match(lines[number]) else "other"
    if number <= opening:
        return "options"
    return "preamble" if closing is None or number < closing else "instruction"


@dataclass
class _Outline:
    """The keys and dashes that are open, each with its column; and the column of a key whose text (`|`) goes on."""

    open: list[tuple[int, str | int]] = field(default_factory=list)
    text: int | None = None

    def path(self) -> Path:
        return tuple(step for _, step in self.open)

    def dedent(self, column: int, *, to_dash: bool = False) -> None:
        """Close what ends where something begins at `column`. A list may stand in the column of its key."""
        while self.open and (
            self.open[-1][0] > column or (self.open[-1][0] == column and not (to_dash and self.open[-1][1] != 0))
        ):
            self.open.pop()

    def enter(self, line: str) -> str | None:
        """Take in the blanks and dashes of a line and return what follows; None for a line of running text."""
        match = _LINE.match(line)
        assert match is not None, "every line matches"  # noqa: S101 - each of the groups may be empty
        indent = len(match["indent"])
        if self.is_text(line):
            return None
        self.text = None
        column = indent
        for piece in re.findall(r"- *", match["dashes"]):
            self.dedent(column, to_dash=True)
            self.open.append((column, 0))
            column += len(piece)
        self.dedent(column)
        return match["rest"]

    def is_text(self, line: str) -> bool:
        """Say whether a line belongs to the running text of a key above it."""
        return self.text is not None and (len(line) - len(line.lstrip(" ")) > self.text or not line.strip())

    def add(self, line: str) -> None:
        """Take in a whole line."""
        if not line.strip() or line.lstrip().startswith("#"):
            return
        rest = self.enter(line)
        pair = _PAIR.match(rest) if rest is not None else None
        if rest is None or pair is None:
            return
        column = len(line) - len(rest)
        self.open.append((column, pair["key"]))
        self.text = column if _OPENS_TEXT.fullmatch(pair["value"]) else None


def _inside(lines: list[str]) -> tuple[Path, Asks, bool]:
    """Return the path and what is asked at the end of the last of these lines, and whether a bracket is open there."""
    outline = _Outline()
    begun = ""
    brackets = _Brackets()
    for line in lines[:-1]:
        if _begins_anew(begun, line):
            begun, brackets = "", _Brackets()
        if not begun and outline.is_text(line):
            outline.add(line)
            continue
        piece = line[: _comment(line)]
        begun = _joined(begun, piece)
        brackets.read(piece)
        if len(begun) > _LONGEST_FLOW:
            return outline.path(), "text", False
        if not brackets.depth:
            outline.add(begun)
            begun, brackets = "", _Brackets()
    last = lines[-1]
    if outline.text is not None and not last.strip() and len(last) <= outline.text:
        outline.text = None  # the cursor has gone back to the left of the text
    last = last if _begins_anew(begun, last) else _joined(begun, last)
    if len(last) > _LONGEST_FLOW:
        return outline.path(), "text", False
    rest = outline.enter(last)
    if rest is None or _comment(last) is not None:
        return outline.path(), "text", False
    return *_in_flow(outline.path(), rest), _open_bracket(rest) is not None


@dataclass
class _Brackets:
    """How many brackets are open, and the quote that is, after what was read."""

    depth: int = 0
    quote: str = ""

    def read(self, text: str) -> None:
        """Read on."""
        for at, char in enumerate(text):
            if self.quote:
                self.quote = "" if char == self.quote else self.quote
            elif char in "\"'" and text[:at][-1:] in _BEFORE_QUOTE:
                self.quote = char
            elif char in "{[":
                self.depth += 1
            elif char in "}]" and self.depth:
                self.depth -= 1


def _begins_anew(begun: str, line: str) -> bool:
    """Say whether a line begins at the left margin with a key, whatever brackets are still open before it."""
    return bool(begun and line[:1].strip() and _PAIR.match(line))


def _joined(begun: str, line: str) -> str:
    """Return a line with the lines before it whose brackets are still open."""
    if not begun:
        return line
    return f"{begun} {line.strip()}" if line.strip() else f"{begun} "


def _comment(line: str) -> int | None:
    """Return where the comment of a line begins; None where it has none."""
    quote = ""
    for at, char in enumerate(line):
        before = line[at - 1 : at]
        if quote:
            quote = "" if char == quote else quote
        elif char in "\"'" and before in _BEFORE_QUOTE:
            quote = char
        elif char == "#" and not before.strip():
            return at
    return None


def _open_value(line: str, *, in_flow: bool) -> tuple[int, str]:
    """Return where in a line the value begins that its end belongs to, and the quote that is open there."""
    start, quote, depth = 0, "", 0
    for at, char in enumerate(line):
        after = line[at + 1 : at + 2]
        if quote:
            quote = "" if char == quote else quote
        elif char in "\"'" and not line[start:at].strip():
            quote, start = char, at + 1
        elif char in "[{" or (char == "," and (depth or in_flow)):
            depth += char != ","
            start = at + 1
        elif not after.strip() and (char == ":" or (char == "-" and not line[:at].strip(" -"))):
            start = at + 1
    if not quote:
        start += len(line[start:]) - len(line[start:].lstrip())
    return start, quote


def _in_flow(path: Path, text: str) -> tuple[Path, Asks]:
    """Follow `key: {key: [` to the innermost bracket that is open and return what is asked there."""
    for _ in range(_DEEPEST_FLOW):
        pair = _PAIR.match(text)
        if pair is not None and not pair["value"]:
            pair = None  # without a blank behind it the colon is part of a word: `fam:`
        if pair is not None:
            path, text = (*path, pair["key"]), pair["value"]
        bracket = _open_bracket(text)
        if bracket is None:
            return path, "entry" if pair is None else "value"
        sign, text = bracket
        if sign == "[":
            path = (*path, 0)
    return path, "text"


def _open_bracket(value: str) -> tuple[str, str] | None:
    """Return the outermost bracket that is still open at the end of `value`, and the last entry begun in it."""
    opened: list[tuple[str, int]] = []
    quote = ""
    for at, char in enumerate(value):
        if quote:
            quote = "" if char == quote else quote
        elif char in "\"'" and value[:at][-1:] in _BEFORE_QUOTE:
            quote = char
        elif char in "{[":
            opened.append((char, at + 1))
        elif char in "}]" and opened:
            opened.pop()
        elif char == "," and len(opened) == 1:
            opened[0] = (opened[0][0], at + 1)
    return (opened[0][0], value[opened[0][1] :].lstrip()) if opened else None
