"""The block structure of a markdown text, as far as it decides which fences are fences (spec 1.1).

A line scanner after CommonMark 0.31: block quotes, list items, fences, indented code, headings, raw HTML, paragraphs
with lazy continuation. It keeps offsets and no tree, and takes each character a bounded number of times, whatever the
nesting.

It leaves CommonMark in two places, for what pandoc makes of a page is what a reader sees:

- A comment may open inside a line of text and then hides everything up to its `-->`, blank lines and fences too.
  Without a `-->` further down it is text. (A comment that begins a line hides all up to its `-->`, or to the end.)
- Tags such as `<div>` or `<details>` do not make what stands under them raw: a fence right below is a fence. `<pre>`,
  `<script>`, `<style>` and `<textarea>` do.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from enum import Enum, auto

from famulus_kernel.language.cursor import TAB, LineCursor
from famulus_kernel.language.inline import COMMENT, inline_spans
from famulus_kernel.language.lines import front_matter_lines, line_starts
from famulus_kernel.language.structure import RawFence, Scan, Segment

_FENCE = re.compile(r"(`{3,})(?=[^`\r\n]*(?:[\r\n]|\Z))|~{3,}")
_BULLET = re.compile(r"[-+*](?=[ \t\r\n]|\Z)")
_ORDERED = re.compile(r"([0-9]{1,9})[.)](?=[ \t\r\n]|\Z)")
_HEADING = re.compile(r"#{1,6}(?=[ \t\r\n]|\Z)")
_SETEXT = re.compile(r"(?:=+|-+)[ \t]*(?=[\r\n]|\Z)")
_RAW = (
    (
        re.compile(r"<(?:script|pre|style|textarea)(?=[ \t>\r\n]|\Z)", re.I),
        re.compile(r"</(?:script|pre|style|textarea)>", re.I),
    ),
    (re.compile(r"<\?"), re.compile(r"\?>")),
    (re.compile(r"<![A-Za-z]"), re.compile(r">")),
    (re.compile(r"<!\[CDATA\["), re.compile(r"\]\]>")),
)
_QUOTE = 0
"""A container's number: 0 for a block quote, else the columns that a list item's content is indented by."""
_DEPTH = 100
"""Containers inside one another; what is nested deeper is text, as for other parsers."""
_CODE_INDENT = 4


def scan(text: str) -> Scan:
    """Find the structure of a text. Never raises."""
    starts = line_starts(text)
    matter = front_matter_lines(text, starts)
    scanner = _Scanner(text, starts)
    number = matter[1] + 1 if matter else 0
    while number < len(starts) - 1 and text:
        number = scanner.read(number)
    return Scan(starts, matter, tuple(scanner.fences), tuple(map(tuple, scanner.texts)))


class _Leaf(Enum):
    NONE = auto()
    PARAGRAPH = auto()
    FENCE = auto()
    RAW = auto()
    COMMENT = auto()
    INLINE_COMMENT = auto()


_COMMENTS = frozenset({_Leaf.COMMENT, _Leaf.INLINE_COMMENT})


class _Start(Enum):
    QUOTE = auto()
    HEADING = auto()
    FENCE = auto()
    COMMENT = auto()
    RAW = auto()
    SETEXT = auto()
    BREAK = auto()
    ITEM = auto()
    CODE = auto()


class _Scanner(LineCursor):
    """One pass over the lines, with the containers and the leaf that are open."""

    def __init__(self, text: str, starts: list[int]) -> None:
        super().__init__(text)
        self.starts = starts
        self.number = 0
        self.fences: list[RawFence] = []
        self.texts: list[list[Segment]] = []
        self.containers: list[int] = []
        self.quotes: list[int] = []
        """Indices of the block quotes among the containers, so that a blank line need not visit every list item."""
        self.indents: list[int] = [0]
        """Columns of all list items among the first n containers, for the same reason."""
        self.empty_item = False
        self.leaf = _Leaf.NONE
        self.raw_end = _RAW[0][1]
        self.paragraph: list[Segment] = []
        self.suspect = False
        """The open paragraph holds a `<!--`."""
        self.last_close = text.rfind("-->")
        self.tails: dict[str, int] = {}
        """For `*`, `-` and `_`: from where on the line holds nothing but that character and blanks."""

    def read(self, number: int) -> int:
        """Take in a line and return the number of the next one to read."""
        text = self.text
        start, end = self.starts[number], self.starts[number + 1]
        if self.leaf is _Leaf.NONE and text[start] in "\r\n" and not self.quotes and not self.empty_item:
            return number + 1
        if self.leaf in _COMMENTS and not self.containers:
            close = text.find("-->", start)
            if not start <= close < end:
                return bisect_right(self.starts, close) - 1 if close >= 0 else len(self.starts)
        while end > start and text[end - 1] in "\r\n":
            end -= 1
        self.number = number
        self.begin(start + 1 if number == 0 and text.startswith("\ufeff") else start, end)
        self.tails.clear()
        self._line()
        return number + 1

    # --- containers ---

    def _matched(self) -> int:
        """Walk the cursor through the open containers that this line continues, and return how many those are."""
        matched, quotes, total = 0, 0, len(self.containers)
        while matched < total:
            self.look()
            width = self.containers[matched]
            if width == _QUOTE:
                if self.blank or self.indent >= _CODE_INDENT or self.text[self.word] != ">":
                    break
                self._enter_quote()
                matched, quotes = matched + 1, quotes + 1
            elif self.blank:
                # a blank line continues list items, but no quote
                reach = self.quotes[quotes] if quotes < len(self.quotes) else total
                self.advance(self.indents[reach] - self.indents[matched])
                matched = reach
                break
            elif self.indent >= width:
                self.advance(width)
                matched += 1
            else:
                break
        self.look()
        return matched

    def _enter_quote(self) -> None:
        self.jump(1)
        self.look()
        if self.position < self.word:
            self.advance(1)

    def _push(self, width: int) -> None:
        if width == _QUOTE:
            self.quotes.append(len(self.containers))
        self.containers.append(width)
        self.indents.append(self.indents[-1] + width)

    def _close_to(self, depth: int) -> None:
        """Leave the containers that the line does not continue, and the leaf in them."""
        self.leaf = _Leaf.NONE
        del self.containers[depth:], self.indents[depth + 1 :]
        while self.quotes and self.quotes[-1] >= depth:
            self.quotes.pop()

    # --- one line ---

    def _line(self) -> None:
        depth = len(self.containers)
        matched = self._matched()
        whole = matched == depth
        if self.leaf not in (_Leaf.NONE, _Leaf.PARAGRAPH):
            if whole:
                self._continue_leaf()
                return
            self.leaf = _Leaf.NONE
        in_paragraph = self.leaf is _Leaf.PARAGRAPH and whole
        start = self._start(in_paragraph=in_paragraph)
        if in_paragraph and self.suspect and (self.blank or start) and self._comment_opened():
            self.leaf = _Leaf.INLINE_COMMENT
            self._continue_leaf()
            return
        if self.leaf is _Leaf.PARAGRAPH and not self.blank and start is None:
            # lazy continuation where not `whole`
            self._add_text(self.position)
            return
        if not whole or start or self.blank:
            self._close_to(matched)
        if self.blank and self.empty_item and whole:
            # an item may begin with one blank line, not with two
            self._close_to(depth - 1)
        self.empty_item = False
        self._open(start)

    def _open(self, start: _Start | None) -> None:
        """Open what begins here, container after container, and then the leaf."""
        while (start is _Start.QUOTE or start is _Start.ITEM) and len(self.containers) < _DEPTH:
            if start is _Start.QUOTE:
                self._enter_quote()
                self._push(_QUOTE)
            else:
                self._enter_item()
            self.look()
            start = self._start(in_paragraph=False)
        if start is _Start.FENCE:
            self._open_fence()
        elif start is _Start.COMMENT:
            self.leaf = _Leaf.COMMENT
            self._comment_from(self.word + 2)
        elif start is _Start.RAW:
            self.leaf = _Leaf.RAW
            self._raw_from(self.word)
        elif start is _Start.HEADING:
            self._add_text(self.word)
            self._end_heading()
        elif not self.blank and start in (None, _Start.QUOTE, _Start.ITEM):
            self._add_text(self.position)

    def _start(self, *, in_paragraph: bool) -> _Start | None:  # noqa: PLR0911 - one return for each kind of start
        """Say what begins at the cursor; nothing is changed but what it finds out about the line."""
        if self.blank:
            return None
        if self.indent >= _CODE_INDENT:
            return None if self.leaf is _Leaf.PARAGRAPH else _Start.CODE
        char, text, word = self.text[self.word], self.text, self.word
        if char == ">":
            return _Start.QUOTE
        if char == "#":
            return _Start.HEADING if _HEADING.match(text, word) else None
        if char in "`~":
            return _Start.FENCE if _FENCE.match(text, word) else None
        if char == "<":
            return self._raw_start()
        if in_paragraph and char in "=-" and _SETEXT.match(text, word):
            return _Start.SETEXT
        if char in "*-_" and self._is_break(char):
            return _Start.BREAK
        if char in "-+*0123456789" and self._is_item(in_paragraph=in_paragraph):
            return _Start.ITEM
        return None

    def _raw_start(self) -> _Start | None:
        if self.text.startswith(COMMENT, self.word):
            return _Start.COMMENT
        for begin, end in _RAW:
            if begin.match(self.text, self.word):
                self.raw_end = end
                return _Start.RAW
        return None

    def _is_break(self, char: str) -> bool:
        """Say whether the rest of the line is three or more `char` and blanks.

        `- - - - x` asks at each marker: what was found out is kept.
        """
        if char not in self.tails:
            self.tails[char] = len(self.text[self.word : self.end].rstrip(f"{char} \t")) + self.word
        return self.word >= self.tails[char] and self.text.count(char, self.word, self.end) >= 3  # noqa: PLR2004 - CommonMark's three

    def _is_item(self, *, in_paragraph: bool) -> bool:
        match = _BULLET.match(self.text, self.word) or _ORDERED.match(self.text, self.word)
        if not match:
            return False
        if in_paragraph:
            number = match.group(1) if match.re is _ORDERED else "1"
            return int(number) == 1 and bool(self.text[match.end() : self.end].strip(" \t"))
        return True

    def _enter_item(self) -> None:
        match = _BULLET.match(self.text, self.word) or _ORDERED.match(self.text, self.word)
        marker = match.end() - match.start() if match else 1
        offset = self.indent
        self.jump(marker)
        self.look()
        padding = self.indent
        if self.blank:
            self.empty_item = True
            padding = 1
        elif not 1 <= padding <= _CODE_INDENT:
            padding = 1
        self.advance(padding)
        self._push(offset + marker + padding)
        if not self.blank:
            self.empty_item = False

    # --- leaves ---

    def _add_text(self, start: int) -> None:
        if self.leaf is not _Leaf.PARAGRAPH:
            self.leaf = _Leaf.PARAGRAPH
            self.paragraph = []
            self.suspect = False
            self.texts.append(self.paragraph)
        self.paragraph.append((start, self.end))
        self.suspect = self.suspect or self.text.find(COMMENT, start, self.end) >= 0

    def _end_heading(self) -> None:
        self.leaf = _Leaf.INLINE_COMMENT if self.suspect and self._comment_opened() else _Leaf.NONE

    def _comment_opened(self) -> bool:
        """Say whether the open paragraph leaves a comment open that is closed further down."""
        self.suspect = False
        text = "\n".join(self.text[start:end] for start, end in self.paragraph)
        return self.last_close >= self.paragraph[-1][1] and inline_spans(text).open_comment is not None

    def _open_fence(self) -> None:
        match = _FENCE.match(self.text, self.word)
        run = match.group() if match else ""
        info = self.text[self.word + len(run) : self.end].strip(" \t")
        self.leaf = _Leaf.FENCE
        fence = RawFence(
            self.number, self.number, self.word, info, run[0], len(run), self.indent, tuple(self.containers)
        )
        self.fences.append(fence)

    def _continue_leaf(self) -> None:
        if self.leaf is _Leaf.FENCE:
            self._continue_fence(self.fences[-1])
        elif self.leaf is _Leaf.RAW:
            self._raw_from(self.position)
        else:
            self._comment_from(self.position)

    def _continue_fence(self, fence: RawFence) -> None:
        fence.end = self.number
        text = self.text
        if self.indent < _CODE_INDENT and not self.blank and text[self.word] == fence.char:
            rest = text[self.word : self.end].rstrip(" \t")
            if len(rest) >= fence.length and not rest.strip(fence.char):
                fence.closed = True
                self.leaf = _Leaf.NONE
                return
        self.advance(fence.indent)
        pad = 0
        start = self.position
        if self.half_tab:
            pad, start = TAB - self.column % TAB, start + 1
        fence.body.append((pad, start, self.starts[self.number + 1]))

    def _raw_from(self, start: int) -> None:
        if self.raw_end.search(self.text, start, self.end):
            self.leaf = _Leaf.NONE

    def _comment_from(self, start: int) -> None:
        """Go on in a comment at `start`; after its end the line may hold text, and another comment."""
        close = self.text.find("-->", start, self.end)
        if close < 0:
            return
        inline = self.leaf is _Leaf.INLINE_COMMENT
        self.leaf = _Leaf.NONE
        self.position = close + 3
        self._add_text(self.position)
        if self.suspect and self._comment_opened():
            self.leaf = _Leaf.INLINE_COMMENT
        elif not inline:
            self.leaf = _Leaf.NONE
