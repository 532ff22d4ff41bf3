from __future__ import annotations

import math

from hypothesis import given, settings
from hypothesis import strategies as st

from famulus_kernel.artefacts.layout import by_force, in_layers


def graphs() -> st.SearchStrategy[tuple[int, list[tuple[int, int, float]]]]:
    """Graphs of up to 12 nodes, with circles, loops and edges of weight nought."""

    def of(count: int) -> st.SearchStrategy[tuple[int, list[tuple[int, int, float]]]]:
        node = st.integers(0, count - 1)
        return st.tuples(st.just(count), st.lists(st.tuples(node, node, st.floats(0, 1e6)), max_size=20))

    return st.integers(1, 12).flatmap(of)


def distance(one: tuple[float, float], other: tuple[float, float]) -> float:
    return math.dist(one, other)


def test_neighbours_stand_nearer_than_strangers() -> None:
    ring = [(at, (at + 1) % 12, 1.0) for at in range(12)]
    points = by_force(12, ring)
    next_to = max(distance(points[at], points[(at + 1) % 12]) for at in range(12))
    across = min(distance(points[at], points[(at + 6) % 12]) for at in range(12))
    assert next_to < across / 2


def test_the_middle_of_a_star_stands_in_the_middle() -> None:
    points = by_force(20, [(0, at, 1.0) for at in range(1, 20)])
    centre = (sum(x for x, _ in points) / 20, sum(y for _, y in points) / 20)
    assert min(range(20), key=lambda at: distance(points[at], centre)) == 0


@settings(max_examples=20, deadline=None)
@given(graphs())
def test_no_two_nodes_stand_on_each_other_and_every_place_is_a_number(graph: tuple) -> None:
    count, links = graph
    points = by_force(count, [link for link in links if link[0] != link[1]])
    assert len(points) == count
    assert all(math.isfinite(x) and math.isfinite(y) for x, y in points)
    assert all(distance(points[one], points[two]) > 1e-3 for one in range(count) for two in range(one))
    assert points == by_force(count, [link for link in links if link[0] != link[1]])


@given(graphs(), st.integers(1, 5))
def test_every_node_has_one_place_in_rows_that_are_not_too_wide(graph: tuple, widest: int) -> None:
    rows = in_layers(*graph, widest)
    assert sorted(node for row in rows for node in row) == list(range(graph[0]))
    assert all(1 <= len(row) <= widest for row in rows)


@given(graphs())
def test_without_circles_every_edge_leads_downwards(graph: tuple) -> None:
    count, links = graph
    down = [(min(one, two), max(one, two), weight) for one, two, weight in links if one != two]
    row_of = {node: at for at, row in enumerate(in_layers(count, down, 4)) for node in row}
    assert all(row_of[source] < row_of[target] for source, target, _ in down)


def test_a_circle_breaks_where_it_closes() -> None:
    assert in_layers(4, [(0, 1, 1.0), (1, 2, 1.0), (2, 1, 1.0), (2, 3, 1.0)], 4) == [[0], [1], [2], [3]]


def test_neighbours_stand_below_each_other() -> None:
    rows = in_layers(6, [(0, 5, 1.0), (1, 4, 1.0), (2, 3, 1.0)], 4)
    assert [rows[0].index(at) for at in (0, 1, 2)] == [rows[1].index(at) for at in (5, 4, 3)]


def test_pieces_that_no_edge_joins_stand_beside_each_other() -> None:
    star = [(0, at, 1.0) for at in range(1, 20)]
    points = by_force(26, [*star, (20, 21, 1.0), (21, 22, 1.0)])
    wide = max(x for x, _ in points) - min(x for x, _ in points)
    high = max(y for _, y in points) - min(y for _, y in points)
    alone = by_force(20, star)
    assert wide * high < 4 * (max(x for x, _ in alone) - min(x for x, _ in alone)) ** 2
    star_right = max(x for x, _ in points[:20])
    star_bottom = max(y for _, y in points[:20])
    assert all(x > star_right or y > star_bottom for x, y in points[20:])
