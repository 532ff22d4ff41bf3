"""Pygments lexers (entry-point group `pygments.lexers`): of a block, for nbconvert; of a `.fam` file, for docs."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import accumulate, chain
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final

import yaml
from pygments.lexer import Lexer
from pygments.lexers.data import YamlLexer
from pygments.lexers.markup import MarkdownLexer
from pygments.lexers.sql import SqlLexer
from pygments.token import Comment, Generic, Keyword, Text, Token

from famulus_kernel.language.document import fences_of
from famulus_kernel.language.scan import scan

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pygments.token import _TokenType

    Tokens = Iterator[tuple[int, _TokenType, str]]

_RULE: Final = re.compile(r"---[ \t]*\r?\n?")
_OPTION: Final = re.compile(r"#[ \t]*\|")
_REFERENCE: Final = re.compile(r"\{\{[ \t]*ref:[^{}\n]*\}\}")


class FamulusLexer(Lexer):  # type: ignore[misc] # pygments is not annotated
    """A block: cell options, the preamble's YAML with its SQL, the instruction with its references."""

    name = "Famulus"
    aliases = ("famulus",)
    filenames = ()
    mimetypes = ("text/x-famulus",)
    url = "https://quarto.org"
    priority = 0.0

    def get_tokens_unprocessed(self, text: str) -> Tokens:
        """Yield offset, token and text of every piece; together they are `text`."""
        parts = _parts(text)
        yield from _lines(text, 0, parts.opening, Comment.Special)
        yield from _lines(text, parts.opening, parts.preamble, Keyword.Declaration)
        yield from _preamble(text[parts.preamble : parts.closing], parts.preamble)
        yield from _lines(text, parts.closing, parts.instruction, Keyword.Declaration)
        yield from _instruction(text, parts.instruction)


class FamulusDocumentLexer(Lexer):  # type: ignore[misc] # pygments is not annotated
    """A `.fam` file: markdown whose blocks are lexed as blocks."""

    name = "Famulus document"
    aliases = ("fam", "famulus-document")
    filenames = ("*.fam",)
    mimetypes = ("text/x-famulus-document",)
    url = "https://quarto.org"
    priority = 0.0

    def get_tokens_unprocessed(self, text: str) -> Tokens:
        """Yield offset, token and text of every piece; together they are `text`."""
        at = 0
        for fence in fences_of(text, scan(text)):
            body = text.find(fence.body, fence.offset_start) if fence.body and not fence.prefix else -1
            if body < 0:
                continue  # a block in a list or a quote keeps the look of its surroundings
            yield from _moved(MarkdownLexer(), text[at : fence.offset_start], at)
            yield from _lines(text, fence.offset_start, body, Generic.Subheading)
            yield from _moved(FamulusLexer(), fence.body, body)
            at = body + len(fence.body)
            closing = fence.offset_end
            yield from _lines(text, at, closing, Generic.Subheading)
            at = closing
        yield from _moved(MarkdownLexer(), text[at:], at)


@dataclass(frozen=True, slots=True)
class _Parts:
    """Where the parts of a block begin: its `---` line, the preamble, the closing line, the instruction."""

    opening: int
    preamble: int
    closing: int
    instruction: int


def _parts(text: str) -> _Parts:
    lines = text.splitlines(keepends=True)
    offsets = [0, *accumulate(map(len, lines))]
    first = next((at for at, line in enumerate(lines) if line.strip() and not _OPTION.match(line)), len(lines))
    if first == len(lines) or not _RULE.fullmatch(lines[first].removeprefix("\ufeff")):
        options = offsets[_leading_options(lines)]
        return _Parts(options, options, options, options)
    closing = next((at for at in range(first + 1, len(lines)) if _RULE.fullmatch(lines[at])), len(lines))
    return _Parts(offsets[first], offsets[first + 1], offsets[closing], offsets[min(closing + 1, len(lines))])


def _leading_options(lines: list[str]) -> int:
    return next((number for number, line in enumerate(lines) if not _OPTION.match(line)), len(lines))


def _lines(text: str, start: int, end: int, token: _TokenType) -> Tokens:
    if end > start:
        yield start, token, text[start:end]


def _preamble(text: str, at: int) -> Tokens:
    """Lex YAML, and what a key `sql` holds as SQL, in whatever way YAML writes it."""
    spans = sql_spans(text)
    pieces = [one for start, end in spans for one in _moved(SqlLexer(), text[start:end], start)]
    edges = [0, *chain.from_iterable(spans), len(text)]
    for offset, token, piece in YamlLexer().get_tokens_unprocessed(text):
        for start, end in zip(edges[::2], edges[1::2], strict=True):  # what lies between the queries
            first, last = max(offset, start), min(offset + len(piece), end)
            if first < last:
                pieces.append((first, token, text[first:last]))
    for offset, token, piece in sorted(pieces, key=itemgetter(0)):
        yield at + offset, token, piece


def sql_spans(text: str) -> list[tuple[int, int]]:
    """Return where SQL stands in a preamble: what keys `sql` hold.

    Parameters
    ----------
    text
        YAML, or what is to become it: queries are found up to where it can be read.

    Returns
    -------
    list of (int, int)
        Offsets of begin and end, without quotes and `|`, in order.
    """
    spans = []
    key: yaml.Token | None = None
    mark: yaml.Token | None = None
    try:
        for token in yaml.scan(text, Loader=yaml.SafeLoader):
            is_value = isinstance(key, yaml.ScalarToken) and key.value == "sql" and isinstance(mark, yaml.ValueToken)
            if is_value and isinstance(token, yaml.ScalarToken):
                spans.append(_inner(text, token))
            key, mark = mark, token
    except yaml.YAMLError:
        pass  # a preamble may be lexed before it is right
    return [(start, end) for start, end in spans if start < end]


def _inner(text: str, scalar: yaml.ScalarToken) -> tuple[int, int]:
    start, end = scalar.start_mark.index, scalar.end_mark.index
    if scalar.style in {"|", ">"}:
        return text.find("\n", start, end) + 1 or end, end
    quote = 0 if scalar.plain else 1
    return start + quote, end - quote


def _instruction(text: str, start: int) -> Tokens:
    at = start
    for match in _REFERENCE.finditer(text, start):
        yield from _lines(text, at, match.start(), Text)
        yield match.start(), Token.Literal.String.Interpol, match[0]
        at = match.end()
    yield from _lines(text, at, len(text), Text)


def _moved(lexer: Any, text: str, by: int) -> Tokens:
    for at, token, piece in lexer.get_tokens_unprocessed(text) if text else ():
        yield by + at, token, piece
