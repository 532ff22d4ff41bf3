"""The picture of a graph, for paper and for pages without JavaScript (spec 5.1)."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from famulus_kernel.artefacts.characters import cut, one_line
from famulus_kernel.artefacts.drawing import (
    FONT,
    GROUPS,
    MUTED,
    PAPER,
    RULE,
    SMALL,
    WIDTH,
    Sheet,
    legend,
    length_of,
    wrapped,
)
from famulus_kernel.artefacts.layout import Link, Point, by_force, in_layers

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from famulus_kernel.artefacts.view import Edge, Node

_HEIGHT: Final = 640.0
_MARGIN: Final = 70.0
_NAMES: Final = 80
_NAME_CHARACTERS: Final = 32
_MANY: Final = 100
_RADIUS: Final = 6.0
_EDGE: Final = 2.0
_ROW: Final = 4
_BOX: Final = 162.0
_GAP_X, _GAP_Y = 20.0, 46.0
_LINE: Final = 15.0
_ALONG: Final = (0.5, 0.15, 0.85)
"""Where on its bend the words of an edge may stand."""
_BOX_LINES: Final = 6

Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""


def force_picture(nodes: Sequence[Node], edges: Sequence[Edge], title: str) -> bytes:
    """Return an SVG with the nodes as discs by their weights and the names of the heaviest, laid out by force."""
    links = _links(nodes, edges)
    points, height = _on_paper(by_force(len(nodes), links))
    radii = _radii(nodes)
    colours = group_colours(nodes)
    sheet = Sheet()
    heaviest = max((weight for *_, weight in links), default=1.0) or 1.0
    for source, target, weight in links:
        (x1, y1), (x2, y2) = points[source], points[target]
        width = 0.7 + 3 * math.sqrt(max(weight, 0.0) / heaviest)
        sheet.shape("line", x1=x1, y1=y1, x2=x2, y2=y2, stroke=RULE, stroke_width=width)
    for node, (x, y), radius in zip(nodes, points, radii, strict=True):
        fill = colours.get(node.group or "", GROUPS[0])
        sheet.shape("circle", node.label, cx=x, cy=y, r=radius, fill=fill, stroke=PAPER, stroke_width=1)
    for at, x, y, anchor in _named(nodes, points, radii):
        name = cut(one_line(nodes[at].label), _NAME_CHARACTERS)
        halo: dict[str, float | str] = {"stroke": PAPER, "stroke_width": 3, "stroke_linejoin": "round"}
        sheet.text(x, y, name, text_anchor=anchor, font_size=SMALL, paint_order="stroke", **halo)
    return sheet.finish(_legend(sheet, colours, height), title)


def force_places(nodes: Sequence[Node], edges: Sequence[Edge]) -> tuple[list[Point], float]:
    """Return where :func:`force_picture` puts the nodes, in px from the left and from above, and its height."""
    return _on_paper(by_force(len(nodes), _links(nodes, edges)))


def layered_picture(nodes: Sequence[Node], edges: Sequence[Edge], title: str) -> bytes:
    """Return an SVG with the nodes as boxes of words in rows; edges lead downwards wherever they can."""
    place = {node.id: at for at, node in enumerate(nodes)}
    colours = group_colours(nodes)
    words = [wrapped(node.label or node.id, _BOX - 16, _BOX_LINES, FONT - 1) for node in nodes]
    boxes: dict[int, Box] = {}
    bands: list[list[Box]] = []
    top = 10.0
    for row in in_layers(len(nodes), _links(nodes, edges), _ROW):
        height = max(len(words[at]) for at in row) * _LINE + 16
        left = (WIDTH - len(row) * _BOX - (len(row) - 1) * _GAP_X) / 2
        for number, at in enumerate(row):
            x = left + number * (_BOX + _GAP_X)
            own = len(words[at]) * _LINE + 16
            boxes[at] = (x, top + (height - own) / 2, x + _BOX, top + (height + own) / 2)
        bands.append([(boxes[at][0], top, boxes[at][2], top + height) for at in row])
        top += height + _GAP_Y
    sheet = Sheet()
    ends = [(place.get(edge.source, -1), place.get(edge.target, -1), edge) for edge in edges]
    drawn = [(boxes[one], boxes[other], edge) for one, other, edge in ends if one != other and min(one, other) >= 0]
    ways = [(_way(source, target, bands), edge.label) for source, target, edge in drawn]
    for way, _ in ways:
        _arrow(sheet, way)
    for at, (left, upper, right, lower) in sorted(boxes.items()):
        colour = colours.get(nodes[at].group or "", MUTED)
        sheet.shape(
            "rect", nodes[at].label, x=left, y=upper, width=right - left, height=lower - upper, rx=3, fill=PAPER,
            stroke=colour, stroke_width=1.5,
        )  # fmt: skip
        for number, line in enumerate(words[at]):
            y = upper + 8 + (number + 0.75) * _LINE
            sheet.text((left + right) / 2, y, line, text_anchor="middle", font_size=FONT - 1)
    taken = list(boxes.values())
    for (start, second, *_), words_of_edge in ways:
        if words_of_edge:
            label = cut(one_line(words_of_edge), _NAME_CHARACTERS)
            x, y = _beside(start, second, length_of(label, SMALL), taken)
            halo: dict[str, float | str] = {"stroke": PAPER, "stroke_width": 4, "stroke_linejoin": "round"}
            sheet.text(x, y, label, text_anchor="middle", font_size=SMALL, fill=MUTED, paint_order="stroke", **halo)
    return sheet.finish(_legend(sheet, colours, max(10.0, top - _GAP_Y + 10)), title)


def group_colours(nodes: Sequence[Node]) -> dict[str, str]:
    """Return the colour of each group, in the order in which the groups occur; none for a single group."""
    groups = list(dict.fromkeys(node.group for node in nodes if node.group))
    if not groups or (len(groups) == 1 and all(node.group for node in nodes)):
        return {}
    return {group: GROUPS[min(at, len(GROUPS) - 1)] for at, group in enumerate(groups)}


def _links(nodes: Sequence[Node], edges: Sequence[Edge]) -> list[Link]:
    place = {node.id: at for at, node in enumerate(nodes)}
    return [
        (place[edge.source], place[edge.target], edge.weight)
        for edge in edges
        if edge.source != edge.target and edge.source in place and edge.target in place
    ]


def _on_paper(points: Sequence[Point]) -> tuple[list[Point], float]:
    """Return the places in px, as large as the paper allows, and the height that they need."""
    if not points:
        return [], 40.0
    xs, ys = [x for x, _ in points], [y for _, y in points]
    wide, high = max(xs) - min(xs), max(ys) - min(ys)
    scale = min((WIDTH - 2 * _MARGIN) / (wide or 1), (_HEIGHT - _MARGIN) / (high or 1), 90.0)
    left = (WIDTH - wide * scale) / 2 - min(xs) * scale
    upper = _MARGIN / 2 - min(ys) * scale
    placed = [(round(x * scale + left, 1), round(y * scale + upper, 1)) for x, y in zip(xs, ys, strict=True)]
    return placed, high * scale + _MARGIN


def _radii(nodes: Sequence[Node]) -> list[float]:
    heaviest = max((node.weight for node in nodes), default=1.0)
    if all(node.weight == heaviest for node in nodes):
        return [_RADIUS] * len(nodes)
    largest = 14.0 if len(nodes) < _MANY else 9.0
    return [3 + (largest - 3) * math.sqrt(max(node.weight, 0.0) / heaviest if heaviest > 0 else 0) for node in nodes]


def _named(
    nodes: Sequence[Node], points: Sequence[Point], radii: Sequence[float]
) -> list[tuple[int, float, float, str]]:
    """Return which nodes are named and where: the heaviest first, and none over another one's name or disc."""
    discs = [(x - radius, y - radius, x + radius, y + radius) for (x, y), radius in zip(points, radii, strict=True)]
    taken: list[Box] = []
    named = []
    for at in sorted(range(len(nodes)), key=lambda one: (-nodes[one].weight, one))[: 2 * _NAMES]:
        (x, y), radius = points[at], radii[at]
        size = length_of(cut(one_line(nodes[at].label), _NAME_CHARACTERS), SMALL)
        for anchor, text_x, text_y in (
            ("start", x + radius + 3, y + 4),
            ("end", x - radius - 3, y + 4),
            ("middle", x, y - radius - 4),
            ("middle", x, y + radius + 11),
        ):
            left = text_x - size * {"start": 0.0, "middle": 0.5, "end": 1.0}[anchor]
            box = (left, text_y - 9, left + size, text_y + 2)
            others = (disc for number, disc in enumerate(discs) if number != at)
            inside = box[0] >= _EDGE and box[2] <= WIDTH - _EDGE and box[1] >= _EDGE
            if inside and not any(_overlap(box, other) for other in (*taken, *others)):
                taken.append(box)
                named.append((at, text_x, text_y, anchor))
                break
        if len(named) == _NAMES:
            break
    return named


def _overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _ends(source: Box, target: Box) -> tuple[Point, Point]:
    """Return where an edge leaves its box and where it comes in: below and above, or the other way round."""
    down = source[3] <= target[1] or source == target
    x1, x2 = (source[0] + source[2]) / 2, (target[0] + target[2]) / 2
    if down:
        return (x1, source[3]), (x2, target[1])
    if target[3] <= source[1]:
        return (x1 + 12, source[1]), (x2 + 12, target[3])
    side = 1 if x2 > x1 else -1
    middle = (source[1] + source[3]) / 2, (target[1] + target[3]) / 2
    return (x1 + side * _BOX / 2, middle[0]), (x2 - side * _BOX / 2, middle[1])


def _way(source: Box, target: Box, bands: Sequence[Sequence[Box]]) -> list[Point]:
    """Return the points through which an edge goes; it passes rows of boxes in the gaps between them."""
    start, end = _ends(source, target)
    beside = source[1] < target[3] and target[1] < source[3]
    return [start, *([] if beside else _gaps(start, end, bands)), end]


def _arrow(sheet: Sheet, points: Sequence[Point]) -> None:
    """Draw an edge: bends that begin and end upright, or a straight line between boxes of one row."""
    path = [f"M{points[0][0]:.1f} {points[0][1]:.1f}"]
    sideways = abs(points[-1][1] - points[0][1]) < _GAP_Y / 2
    for (x1, y1), (x2, y2) in pairwise(points):
        bend = 0.0 if sideways else (y2 - y1) / 2
        path.append(f"C{x1:.1f} {y1 + bend:.1f} {x2:.1f} {y2 - bend:.1f} {x2:.1f} {y2:.1f}")
    sheet.shape("path", d="".join(path), fill="none", stroke=MUTED, stroke_width=1.2)
    (x1, y1), (x, y) = points[-2:]
    if sideways:
        head = f"M{x:.1f} {y:.1f}l{-6.0 if x > x1 else 6.0:.1f} -3.5l0 7z"
    else:
        head = f"M{x:.1f} {y:.1f}l-3.5 {-7.0 if y > y1 else 7.0:.1f}l7 0z"
    sheet.shape("path", d=head, fill=MUTED)


def _beside(start: Point, end: Point, size: float, taken: list[Box]) -> Point:
    """Return where the words of an edge stand: in the middle of its first bend, or where they cover nothing `taken`."""
    (x1, y1), (x2, y2) = start, end
    places = []
    for part in _ALONG:
        x, y = x1 + (x2 - x1) * part**2 * (3 - 2 * part), y1 + (y2 - y1) * (1.5 * part * (1 - part) + part**3) + 4
        places.append((x, y, (x - size / 2 - 2, y - 9, x + size / 2 + 2, y + 3)))
    x, y, box = next((one for one in places if not any(_overlap(one[2], other) for other in taken)), places[0])
    taken.append(box)
    return x, y


def _gaps(start: Point, end: Point, bands: Sequence[Sequence[Box]]) -> list[Point]:
    """Return where an edge enters and leaves each row that it passes: in the gap nearest to its straight way."""
    (x1, y1), (x2, y2) = start, end
    down = y1 < y2
    low, high = min(y1, y2), max(y1, y2)
    points: list[Point] = []
    for band in bands if down else reversed(bands):
        top, bottom = band[0][1], band[0][3]
        if low < top and bottom < high:
            straight = x1 + (x2 - x1) * ((top + bottom) / 2 - y1) / (y2 - y1)
            edges = [band[0][0] - _GAP_X, *(x for box in band for x in (box[0], box[2])), band[-1][2] + _GAP_X]
            middles = [(edges[at] + edges[at + 1]) / 2 for at in range(0, len(edges), 2)]
            x = min(max(min(middles, key=lambda middle: abs(middle - straight)), 3.0), WIDTH - 3)
            points += [(x, top), (x, bottom)] if down else [(x, bottom), (x, top)]
    return points


def _legend(sheet: Sheet, colours: Mapping[str, str], height: float) -> float:
    return legend(sheet, [(colour, group) for group, colour in colours.items()], height) if colours else height
