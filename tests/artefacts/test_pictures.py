from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from itertools import combinations

import pytest

from famulus_kernel.artefacts import svg
from famulus_kernel.artefacts.bar_picture import MOST_BARS, Span, Years, bar_picture
from famulus_kernel.artefacts.drawing import GROUPS, INK, MUTED, PAPER, RULE, SMALL, WIDTH, length_of, number, wrapped
from famulus_kernel.artefacts.graph_picture import force_picture, layered_picture
from famulus_kernel.artefacts.view import Edge, Node

SVG = "{http://www.w3.org/2000/svg}"
NODES = tuple(Node(id=str(at), label=f"Person {at}", group="ab"[at % 2], weight=at + 1) for at in range(12))
EDGES = tuple(Edge(source="0", target=str(at), weight=at) for at in range(1, 12))


def numbers(root: ET.Element, element: str, *names: str) -> list[tuple[float, ...]]:
    return [tuple(float(one.get(name, "0")) for name in names) for one in root.iter(SVG + element)]


def words(root: ET.Element) -> list[str]:
    return [one.text or "" for one in root.iter(SVG + "text")]


def test_a_graph_lies_on_its_paper_and_says_what_it_is() -> None:
    root = ET.fromstring(force_picture(NODES, EDGES, "Twelve persons"))
    height = float(root.get("height", "0"))
    assert root.find(SVG + "title").text == "Twelve persons"
    assert len(numbers(root, "circle", "cx")) == 12
    discs = numbers(root, "circle", "cx", "cy", "r")
    assert all(x - r >= 0 and x + r <= WIDTH and y - r >= 0 and y + r <= height for x, y, r in discs)
    assert len(list(root.iter(SVG + "line"))) == 11
    assert {"a", "b"} <= set(words(root))


def test_heavier_nodes_and_edges_are_larger() -> None:
    root = ET.fromstring(force_picture(NODES, EDGES, ""))
    radii = [r for (r,) in numbers(root, "circle", "r")]
    widths = [width for (width,) in numbers(root, "line", "stroke-width")]
    assert radii == sorted(radii)
    assert radii[0] < radii[-1]
    assert widths == sorted(widths)
    assert widths[0] < widths[-1]


def test_the_words_of_one_edge_do_not_cover_those_of_another() -> None:
    grounds = tuple(Node(id=str(at), label=f"Ground {at}") for at in range(3))
    edges = tuple(Edge(source=str(at), target="end", label=f"supports what follows {at}") for at in range(3))
    root = ET.fromstring(layered_picture((*grounds, Node(id="end", label="End")), edges, ""))
    places = [
        (float(one.get("x", "0")), float(one.get("y", "0")), length_of(one.text or "", SMALL))
        for one in root.iter(SVG + "text")
        if (one.text or "").startswith("supports")
    ]
    assert len(places) == 3
    for (x1, y1, size1), (x2, y2, size2) in combinations(places, 2):
        assert abs(y1 - y2) >= 10 or abs(x1 - x2) >= (size1 + size2) / 2


def test_a_layered_graph_has_its_words_in_boxes_and_its_grounds_on_top() -> None:
    claims = (
        Node(id="1", label="What follows from it all"),
        Node(id="2", label="A ground that takes many words and therefore more than one line of its box"),
    )
    root = ET.fromstring(layered_picture(claims, (Edge(source="2", target="1", label="supports"),), ""))
    boxes = [one for one in numbers(root, "rect", "x", "y", "width", "height") if one[2] < WIDTH]
    assert len(boxes) == 2
    assert boxes[1][1] + boxes[1][3] < boxes[0][1]
    assert "supports" in words(root)
    assert " ".join(words(root)).startswith("What follows from it all A ground that takes many words")


@pytest.mark.parametrize("picture", [force_picture, layered_picture])
def test_a_graph_of_nothing_of_one_and_of_loops_is_a_picture(picture) -> None:
    one = (Node(id="1", label="alone", weight=0),)
    loop, into_nothing = (Edge(source="1", target=target) for target in "19")
    for nodes, edges in [((), ()), (one, ()), (one, (loop,)), (one, (into_nothing,))]:
        ET.fromstring(picture(nodes, edges, ""))


def test_hostile_labels_are_words_of_a_picture_that_cleaning_leaves_as_it_is(hostile: dict[str, str]) -> None:
    nodes = tuple(Node(id=text, label=text, group=text) for text in hostile.values())
    edges = tuple(Edge(source=nodes[0].id, target=node.id, label=node.label) for node in nodes[1:])
    spans = [Span(1500, 1510, text) for text in hostile.values()]
    counts = {text: {1500: 1.0} for text in hostile.values()}
    title = " ".join(hostile.values())
    for picture in (
        force_picture(nodes, edges, title),
        layered_picture(nodes, edges, title),
        bar_picture(Years(counts, spans), title, "en"),
    ):
        cleaned = ET.fromstring(svg.sanitised(picture))
        raw = ET.fromstring(picture)
        assert [(one.tag, dict(one.attrib), one.text) for one in raw.iter()] == [
            (one.tag, dict(one.attrib), one.text) for one in cleaned.iter()
        ]
        tags = {one.tag.removeprefix(SVG) for one in raw.iter()}
        assert tags <= {"svg", "title", "rect", "line", "circle", "text", "path", "style"}


def test_each_year_has_a_bar_as_high_as_its_count() -> None:
    picture = bar_picture(Years({"": {1500: 10.0, 1501: 5.0, 1503: 1.0}}), "", "en")
    root = ET.fromstring(picture)
    heights = [height for width, height in numbers(root, "rect", "width", "height") if width < WIDTH]
    assert heights == pytest.approx([200, 100, 20], abs=0.2)
    assert [one.text for one in root.iter(SVG + "title")][1:] == ["1500: 10", "1501: 5", "1503: 1"]


def test_a_long_time_has_bars_of_several_years() -> None:
    years = Years({"": dict.fromkeys(range(-500, 2000), 1.0)})
    root = ET.fromstring(bar_picture(years, "", "en"))
    bars = [one.text for one in root.iter(SVG + "title")][1:]
    assert len(bars) <= MOST_BARS
    assert bars[0] == f"-500\N{EN DASH}{-500 + years.step - 1}: {years.step}"


@pytest.mark.parametrize("count", [0.0, 0.5, 1.0, 7.0, 1e15])
def test_any_count_of_any_single_year_is_a_picture(count: float) -> None:
    root = ET.fromstring(bar_picture(Years({"": {1: count}}), "", "de"))
    assert all(0 <= y <= 300 for _, y in numbers(root, "text", "x", "y"))


def test_spans_stand_below_the_axis_with_their_words() -> None:
    root = ET.fromstring(bar_picture(Years({"": {}}, [Span(1500, 1510, "1500-1510 a journey")]), "", "en"))
    assert "1500-1510 a journey" in words(root)


def luminance(colour: str) -> float:
    parts = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_on_a_dark_page_every_colour_is_another_that_reads_as_well() -> None:
    style = ET.fromstring(force_picture(NODES, EDGES, "")).findtext(SVG + "style")
    dark = dict(re.findall(r'\[fill="(#\w+)"\] \{ fill: (#\w+) \}', style))
    assert dict(re.findall(r'\[stroke="(#\w+)"\] \{ stroke: (#\w+) \}', style)) == dark
    assert set(dark) == {INK, MUTED, RULE, PAPER, *GROUPS}
    paper = luminance(dark[PAPER])
    contrast = {light: (luminance(colour) + 0.05) / (paper + 0.05) for light, colour in dark.items()}
    assert contrast[INK] >= 7
    assert contrast[MUTED] >= 4.5
    assert min(contrast[group] for group in GROUPS) >= 4.5


def test_words_wrap_at_blanks_and_end_in_an_ellipsis() -> None:
    assert wrapped("a few words that wrap", 60, 3, 10) == ["a few", "words that", "wrap"]
    assert wrapped("one two three four five", 60, 2, 10) == ["one two", "three fou…"]
    assert wrapped("x" * 30, 60, 2, 10) == ["x" * 10, "x" * 9 + "…"]
    assert wrapped("", 60, 2) == []


def test_lengths_have_one_decimal_at_most() -> None:
    assert [number(value) for value in (1.0, -0.04, 2.25, 1e3)] == ["1", "0", "2.2", "1000"]
    assert not re.search(rb"[0-9]\.[0-9]{2}", force_picture(NODES, EDGES, ""))
