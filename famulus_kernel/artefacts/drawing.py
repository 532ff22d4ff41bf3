"""A sheet of SVG on which pictures are drawn: white paper, dark ink, words as words (spec 5.1, 5.2).

On a dark page paper and ink change places: browsers tell an image in which scheme it stands, everything else draws it
light. Only what `svg.sanitised` keeps is written. Data is text in it, on one line and without characters that act.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from xml.sax.saxutils import escape, quoteattr

from famulus_kernel.artefacts.characters import cut, one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

WIDTH: Final = 720.0
"""Width of every picture in px; it is scaled to the page."""
FONT: Final = 13.0
SMALL: Final = 11.0
MARGIN: Final = 10.0
INK, MUTED, RULE, PAPER = "#1d2125", "#565c63", "#bfc4ca", "#ffffff"
GROUPS: Final = ("#2f6690", "#c1542d", "#3f7d54", "#8a5a9e", "#b0852a", "#4a8b96", "#a23e5c", "#6b6f76")
"""Colours of groups, each with 3 : 1 or more on white; past the last one the last stays."""
_IN_THE_DARK: Final = {
    INK: "#e6e3dd",
    MUTED: "#a9abae",
    RULE: "#4d4f52",
    PAPER: "#1b1a18",
    **dict(
        zip(
            GROUPS,
            ("#7fb2d9", "#ea9a7e", "#86c7a0", "#c9a3d9", "#d9b565", "#8cc6d0", "#e08fa8", "#a9adb3"),
            strict=True,
        )
    ),
}
"""What each colour is on a dark page: of ink and groups the same contrast or more, on paper that is dark too."""
_DARK_STYLE: Final = "@media (prefers-color-scheme: dark) {{ {} }}".format(
    " ".join(
        f'[{property_}="{light}"] {{ {property_}: {dark} }}'
        for light, dark in _IN_THE_DARK.items()
        for property_ in ("fill", "stroke")
    )
)
_FONTS: Final = "Source Sans Pro, Noto Sans, Helvetica, Arial, Liberation Sans, DejaVu Sans, sans-serif"
_LETTER: Final = 0.55
"""Mean width of a letter in parts of the font's size."""


class Sheet:
    """Collects what is drawn; later things lie on earlier ones."""

    def __init__(self) -> None:
        self._drawn: list[str] = []

    def shape(self, element: str, words: str = "", /, **attributes: float | str) -> None:
        """Draw one element; `words` are what a pointer that rests on it is told."""
        inside = f"<title>{_text(words)}</title>" if words else ""
        self._drawn.append(f"<{element}{_attributes(attributes)}>{inside}</{element}>")

    def text(self, x: float, y: float, words: str, /, **attributes: float | str) -> None:
        """Write words; they end, begin or stand in the middle at `x` by `text_anchor`."""
        self._drawn.append(f"<text{_attributes({'x': x, 'y': y, **attributes})}>{_text(words)}</text>")

    def finish(self, height: float, title: str) -> bytes:
        """Return the picture; `title` says in words what it shows."""
        size: dict[str, float | str] = {"width": WIDTH, "height": height}
        root = _attributes(
            {**size, "viewBox": f"0 0 {number(WIDTH)} {number(height)}", "role": "img", "font_family": _FONTS}
            | {"font_size": FONT, "fill": INK}
        )
        opening = [
            f'<svg xmlns="http://www.w3.org/2000/svg"{root}>',
            f"<title>{_text(title)}</title>",
            f"<style>{_DARK_STYLE}</style>",
            f"<rect{_attributes(size | {'fill': PAPER})}></rect>",
        ]
        return "\n".join([*opening, *self._drawn, "</svg>\n"]).encode()


def number(value: float) -> str:
    """Return a length with at most one decimal."""
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def length_of(words: str, size: float = FONT) -> float:
    """Return about how long a text is drawn, in px."""
    return len(words) * size * _LETTER


def wrapped(words: str, width: float, lines: int, size: float = FONT) -> list[str]:
    """Return a text in at most so many lines that fit a width; a text that is longer ends in an ellipsis."""
    most = max(4, int(width / (size * _LETTER)))
    found: list[str] = []
    rest = one_line(words)
    while rest:
        if len(rest) <= most or len(found) == lines - 1:
            return [*found, cut(rest, most)]
        end = rest.rfind(" ", 0, most + 1)
        end = end if end > most // 3 else most
        found.append(rest[:end].rstrip())
        rest = rest[end:].lstrip()
    return found


def legend(sheet: Sheet, entries: Sequence[tuple[str, str]], top: float) -> float:
    """Write what the colours mean, in lines from `top`, and return where the lines end."""
    x, y = MARGIN, top + 14
    for colour, words in entries:
        shown = cut(one_line(words), 40)
        width = 24 + length_of(shown, SMALL)
        if x > MARGIN and x + width > WIDTH - MARGIN:
            x, y = MARGIN, y + 18
        sheet.shape("rect", x=x, y=y - 9, width=10, height=10, rx=2, fill=colour)
        sheet.text(x + 15, y, shown, font_size=SMALL)
        x += width + 12
    return y + 8


def _attributes(attributes: dict[str, float | str]) -> str:
    pairs = ((name.replace("_", "-"), value) for name, value in attributes.items())
    return "".join(
        f" {name}={quoteattr(value if isinstance(value, str) else number(value))}" for name, value in pairs
    )


def _text(words: str) -> str:
    return escape(one_line(words))
