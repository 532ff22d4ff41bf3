"""Markdown of unknown origin as prose: CommonMark with tables, and nothing that acts (spec 5.2).

It is parsed once; each surface draws the tokens. Raw HTML is text, an image is its alternative text (a page
that shows data loads nothing that the data names), a link is one that `urls.safe_url` lets be one, and
whatever else a dialect knows (shortcodes, citations, footnotes, maths, raw blocks, front matter) is the
characters it is written with.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

import nh3
from markdown_it import MarkdownIt

from famulus_kernel.artefacts.characters import visible
from famulus_kernel.artefacts.urls import safe_url

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markdown_it.token import Token

_HEADINGS_BELOW: Final = 3
_TAGS: Final = frozenset(
    "p h4 h5 h6 em strong s code pre blockquote ul ol li a br hr table thead tbody tr th td".split()  # noqa: SIM905
)
_ATTRIBUTES: Final = {"a": {"href", "title"}, "ol": {"start"}}
_SCHEMES: Final = frozenset({"http", "https", "mailto"})


def parse(markdown: str) -> list[Token]:
    """Return the tokens of markdown-it for a text; images in it are already text."""
    tokens = _parser().parse(visible(markdown))
    for token in tokens:
        if token.children:
            token.children = [_without_image(child) for child in token.children]
    return tokens


def to_html(markdown: str) -> str:
    """Return prose as HTML. Its headings are below those of a page (h4 to h6)."""
    tokens = parse(markdown)
    for token in tokens:
        if token.tag in ("h1", "h2", "h3", "h4", "h5", "h6"):
            token.tag = f"h{min(6, int(token.tag[1]) + _HEADINGS_BELOW)}"
        if token.type in ("th_open", "td_open"):
            token.attrs.pop("style", None)
    drawn = _parser().renderer.render(tokens, _parser().options, {})
    # A second fence of another make: the parser above already writes nothing but this.
    return nh3.clean(
        drawn,
        tags=set(_TAGS),
        attributes={tag: set(names) for tag, names in _ATTRIBUTES.items()},
        url_schemes=set(_SCHEMES),
        link_rel="noopener noreferrer",
    )


def plain(tokens: Sequence[Token]) -> str:
    """Return the words of inline tokens without their markup."""
    return "".join(plain(token.children) if token.children else _words(token) for token in tokens)


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    # Both names are markdown-it's own hooks for this.
    parser.validateLink = lambda url: safe_url(url) is not None  # type: ignore[method-assign]
    return parser


def _without_image(token: Token) -> Token:
    return (
        token.copy(type="text", tag="", content=plain(token.children or []), children=None, attrs={})
        if token.type == "image"
        else token
    )


def _words(token: Token) -> str:
    return "\n" if token.type in ("softbreak", "hardbreak") else token.content
