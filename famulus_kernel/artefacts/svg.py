"""SVG as data: only what draws is kept (spec 5.2).

Read by expat and written anew from a list of what is allowed, so that nothing passes that was not thought of.
Of the parsers at hand nh3 knows no SVG (it parses HTML), and lxml would be a dependency for this alone.
Refused are files that declare an entity (bombs, external files), that are no XML, that are nested more than
200 deep or larger than 16 MiB. Left out are scripts, foreign objects, animations, links (their content
stays), comments, processing instructions, the DOCTYPE, metadata, event handlers, every reference but `#id`
and images as data, and styles that name anything else.
"""

from __future__ import annotations

import re
from typing import Final
from xml.parsers import expat
from xml.sax.saxutils import escape, quoteattr

LARGEST: Final = 16 * 1024 * 1024
_DEEPEST: Final = 200
_SVG: Final = "http://www.w3.org/2000/svg"
_XLINK: Final = "http://www.w3.org/1999/xlink"
_XML: Final = "http://www.w3.org/XML/1998/namespace"
_BETWEEN: Final = " "

_ELEMENTS: Final = frozenset(
    """
    svg g defs symbol use switch title desc style path rect circle ellipse line polyline polygon text tspan
    textPath image marker pattern clipPath mask linearGradient radialGradient stop filter feBlend
    feColorMatrix feComposite feComponentTransfer feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur
    feMerge feMergeNode feMorphology feOffset feTile feTurbulence
    """.split()  # noqa: SIM905 - each name in quotes of its own would hide them
)
_UNWRAPPED: Final = frozenset({"a"})
"""Elements that go while their content stays."""

_ATTRIBUTES: Final = frozenset(
    """
    style viewBox version width height x y x1 x2 y1 y2 cx cy r rx ry fx fy dx dy d points pathLength transform
    transform-origin preserveAspectRatio offset rotate textLength lengthAdjust startOffset method spacing side
    gradientUnits gradientTransform spreadMethod patternUnits patternContentUnits patternTransform
    clipPathUnits maskUnits maskContentUnits markerUnits markerWidth markerHeight refX refY orient filterUnits
    primitiveUnits in in2 result mode type values operator k1 k2 k3 k4 stdDeviation radius tableValues slope
    intercept amplitude exponent baseFrequency numOctaves seed stitchTiles edgeMode systemLanguage color fill
    fill-opacity fill-rule stroke stroke-width stroke-opacity stroke-linecap stroke-linejoin stroke-miterlimit
    stroke-dasharray stroke-dashoffset opacity visibility display overflow clip clip-path clip-rule mask
    filter flood-color flood-opacity stop-color stop-opacity lighting-color marker marker-start marker-mid
    marker-end paint-order vector-effect shape-rendering text-rendering image-rendering color-interpolation
    color-interpolation-filters color-rendering font font-family font-size font-size-adjust font-stretch
    font-style font-variant font-weight text-anchor text-decoration letter-spacing word-spacing
    dominant-baseline alignment-baseline baseline-shift direction unicode-bidi writing-mode pointer-events
    cursor
    """.split()  # noqa: SIM905 - each name in quotes of its own would hide them
)
_WORDS: Final = re.compile(r"id|class|lang|role|(?:aria|data)-[a-z][a-z0-9-]*")
"""Attributes that hold words or names: nothing in them acts."""

_INSIDE: Final = re.compile(r"#[^\s\"'()<>\\]+")
_IMAGE: Final = re.compile(r"data:image/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=\s]*")
_REFERENCE: Final = re.compile(r"url\(\s*(?!['\"]?#)", re.IGNORECASE)
_ACTIVE: Final = re.compile(
    r"@|\\|<|expression|script:|behavior|-moz-binding|image\(|image-set|src\(", re.IGNORECASE
)
_SCHEME: Final = re.compile(r"@media \(prefers-color-scheme: (?:dark|light)\)")
"""The one rule that is allowed: other colours on a dark page."""


class SvgError(ValueError):
    """The file is no SVG that may be shown; the text says why."""


def sanitised(source: bytes) -> bytes:
    """Return an SVG image with only what draws.

    Parameters
    ----------
    source : bytes
        The file.

    Returns
    -------
    bytes
        UTF-8, without XML declaration. The same source gives the same bytes, and cleaning twice changes
        nothing.

    Raises
    ------
    SvgError
        It is no XML, its root is no SVG, or it is one of the files that are refused.
    """
    if len(source) > LARGEST:
        raise SvgError(f"it is larger than {LARGEST // 2**20} MiB")
    writer = _Writer()
    parser = expat.ParserCreate(namespace_separator=_BETWEEN)
    parser.buffer_text = True
    parser.ordered_attributes = True
    parser.StartElementHandler = writer.start
    parser.EndElementHandler = writer.end
    parser.CharacterDataHandler = writer.text
    parser.EntityDeclHandler = _refuse_entity
    parser.SkippedEntityHandler = _refuse_skipped
    try:
        parser.Parse(source, True)  # noqa: FBT003 - expat takes no keyword
    except expat.ExpatError as error:
        raise SvgError(f"it is no XML ({error})") from error
    return writer.result()


def _refuse_entity(name: str, *_: object) -> None:
    raise SvgError(f"it declares the entity {name}")


def _refuse_skipped(name: str, *_: object) -> None:
    raise SvgError(f"it uses the unknown entity {name}")


class _Writer:
    """Writes what is allowed while expat reads."""

    def __init__(self) -> None:
        self._out: list[str] = []
        self._ends: list[str | None] = []
        self._left_out = 0
        self._style: list[str] | None = None

    def start(self, name: str, attributes: list[str]) -> None:
        if len(self._ends) + self._left_out >= _DEEPEST:
            raise SvgError(f"it is nested more than {_DEEPEST} deep")
        namespace, _, local = name.rpartition(_BETWEEN)
        if not self._ends and not self._left_out and (namespace, local) != (_SVG, "svg"):
            raise SvgError("its root is no svg element of the SVG namespace")
        if (
            self._left_out
            or self._style is not None
            or namespace != _SVG
            or local not in _ELEMENTS | _UNWRAPPED
        ):
            self._left_out += 1
        elif local in _UNWRAPPED:
            self._ends.append(None)
        else:
            self._open(local, attributes)

    def _open(self, local: str, attributes: list[str]) -> None:
        names = "" if self._ends else f' xmlns="{_SVG}" xmlns:xlink="{_XLINK}"'
        pairs = zip(attributes[::2], attributes[1::2], strict=True)
        # href and xlink:href become one; dict keeps the place of the first and the value of the last.
        kept = dict(filter(None, (_attribute(local, name, value) for name, value in pairs)))
        self._out.append(
            f"<{local}{names}{''.join(f' {name}={quoteattr(value)}' for name, value in kept.items())}>"
        )
        self._ends.append(f"</{local}>")
        if local == "style":
            self._style = []

    def end(self, _name: str) -> None:
        if self._left_out:
            self._left_out -= 1
            return
        closing = self._ends.pop()
        if closing == "</style>" and self._style is not None:
            style = "".join(self._style)
            self._out.append(escape(style) if _is_plain_style(style) else "")
            self._style = None
        self._out.append(closing or "")

    def text(self, text: str) -> None:
        if self._left_out:
            return
        if self._style is not None:
            self._style.append(text)
        else:
            self._out.append(escape(text))

    def result(self) -> bytes:
        return ("".join(self._out) + "\n").encode()


def _attribute(element: str, name: str, value: str) -> tuple[str, str] | None:
    """Return name and value of an attribute as they are written; None for one that is left out."""
    namespace, _, local = name.rpartition(_BETWEEN)
    if local == "href" and namespace in ("", _XLINK):
        good = _INSIDE.fullmatch(value) or (element == "image" and _IMAGE.fullmatch(value))
        return ("xlink:href", value) if good else None
    if namespace == _XML and local in ("space", "lang"):
        return f"xml:{local}", value
    if namespace:
        return None
    if _WORDS.fullmatch(local) or (local in _ATTRIBUTES and _is_plain_style(value)):
        return local, value
    return None


def _is_plain_style(text: str) -> bool:
    """Return whether a style or presentation attribute draws with nothing but what the file itself holds."""
    text = _SCHEME.sub("", text)
    return not _REFERENCE.search(text) and not _ACTIVE.search(text)
