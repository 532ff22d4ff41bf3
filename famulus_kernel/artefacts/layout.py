"""Where the nodes of a graph stand: by forces, or in layers (spec 5.1).

Pure functions of node numbers and edges. They compute with `+ - * /` and square roots only, which every machine rounds
alike, so that the same graph gives the same picture. Own code, since the libraries that draw graphs bring numpy with
them, and a picture of 400 nodes needs none.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

Point = tuple[float, float]
Link = tuple[int, int, float]
"""From, to (numbers of nodes) and weight."""

_PAIRS: Final = 2_500_000
"""How many pairs of nodes may be pushed apart in all: about a second."""
_MOST_ROUNDS: Final = 300
_GRAVITY: Final = 0.08
_APART: Final = 2.5
"""How far apart pieces stand that no edge joins."""
_GOLDEN: Final = (-0.7373688780783197, 0.6754902942615238)
"""Cosine and sine of the golden angle: each node starts this far around from the one before."""
_SWEEPS: Final = 4


def by_force(count: int, links: Sequence[Link]) -> list[Point]:
    """Return places where linked nodes are near and all are apart (Fruchterman and Reingold 1991).

    Parameters
    ----------
    count : int
        How many nodes there are.
    links : sequence of (from, to, weight)
        Heavier ones pull more.

    Returns
    -------
    list of (x, y)
        One for each node, in units of the wanted distance between two neighbours.
    """
    places: list[Point] = [(0.0, 0.0)] * count
    heaviest = max((weight for *_, weight in links), default=1.0) or 1.0
    pieces = []
    for nodes in _pieces(count, links):
        own = {node: at for at, node in enumerate(nodes)}
        pulls = [
            (own[source], own[target], 0.4 + 0.6 * math.sqrt(max(weight, 0.0) / heaviest))
            for source, target, weight in links
            if source in own
        ]
        pieces.append((nodes, _drawn_together(len(nodes), pulls)))
    corners = _packed([_extent(points) for _, points in pieces])
    for (nodes, points), (left, top) in zip(pieces, corners, strict=True):
        least_x, least_y = min(x for x, _ in points), min(y for _, y in points)
        for node, (x, y) in zip(nodes, points, strict=True):
            places[node] = (x - least_x + left, y - least_y + top)
    return places


def in_layers(count: int, links: Sequence[Link], widest: int) -> list[list[int]]:
    """Return rows of nodes in which edges lead downwards, but for those that close a circle (Sugiyama 1981).

    Parameters
    ----------
    count : int
        How many nodes there are.
    links : sequence of (from, to, weight)
        Their weights do not matter here.
    widest : int
        How many nodes a row may have; a fuller layer becomes several rows.
    """
    after = _without_circles(count, links)
    layer = [0] * count
    for node in _sorted_down(count, after):
        for follower in after[node]:
            layer[follower] = max(layer[follower], layer[node] + 1)
    rows = [[node for node in range(count) if layer[node] == depth] for depth in range(max(layer, default=-1) + 1)]
    near: list[list[int]] = [[] for _ in range(count)]
    for source, target, _ in links:
        near[source].append(target)
        near[target].append(source)
    for sweep in range(_SWEEPS):
        _bring_near(rows, near, downwards=sweep % 2 == 0)
    found: list[list[int]] = []
    for row in rows:
        size = _even(len(row), widest)
        found += [row[at : at + size] for at in range(0, len(row), size)]
    return found


def _pieces(count: int, links: Sequence[Link]) -> list[list[int]]:
    """Return the nodes of each piece that hangs together, the largest piece first."""
    near: list[list[int]] = [[] for _ in range(count)]
    for source, target, _ in links:
        near[source].append(target)
        near[target].append(source)
    seen = [False] * count
    pieces = []
    for start in range(count):
        piece = [] if seen[start] else [start]
        seen[start] = True
        for node in piece:
            for other in near[node]:
                if not seen[other]:
                    seen[other] = True
                    piece.append(other)
        if piece:
            pieces.append(sorted(piece))
    return sorted(pieces, key=lambda piece: (-len(piece), piece[0]))


def _drawn_together(count: int, pulls: Sequence[Link]) -> list[Point]:
    """Return places for the nodes of one piece."""
    degree = [0] * count
    for source, target, _ in pulls:
        degree[source] += 1
        degree[target] += 1
    xs, ys = _spiral(count, degree)
    rounds = min(_MOST_ROUNDS, max(30, _PAIRS // max(1, count * count // 2)))
    for turn in range(rounds):
        _step(xs, ys, pulls, reach=0.02 + 0.15 * math.sqrt(count) * (1 - turn / rounds) ** 2)
    wide, high = _extent(list(zip(xs, ys, strict=True)))
    # Paper is wider than high, and names run to the right.
    return list(zip(xs, ys, strict=True) if wide >= high else zip(ys, xs, strict=True))


def _extent(points: Sequence[Point]) -> Point:
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return max(xs) - min(xs), max(ys) - min(ys)


def _packed(sizes: Sequence[Point]) -> list[Point]:
    """Return the upper left corner of each piece: in rows below each other, about half as wide again as high."""
    widest = max((wide for wide, _ in sizes), default=0.0)
    area = sum((wide + _APART) * (high + _APART) for wide, high in sizes)
    room = max(widest, math.sqrt(1.5 * area))
    corners = []
    x = y = row = 0.0
    for wide, high in sizes:
        if x > 0 and x + wide > room:
            x, y, row = 0.0, y + row + _APART, 0.0
        corners.append((x, y))
        x += wide + _APART
        row = max(row, high)
    return corners


def _spiral(count: int, degree: Sequence[int]) -> tuple[list[float], list[float]]:
    """Return the places before any force: those with most neighbours in the middle."""
    xs, ys = [0.0] * count, [0.0] * count
    x, y = 1.0, 0.0
    for rank, node in enumerate(sorted(range(count), key=lambda one: (-degree[one], one))):
        radius = 0.7 * math.sqrt(rank)
        xs[node], ys[node] = radius * x, radius * y
        x, y = x * _GOLDEN[0] - y * _GOLDEN[1], x * _GOLDEN[1] + y * _GOLDEN[0]
    return xs, ys


def _step(xs: list[float], ys: list[float], pulls: Sequence[Link], reach: float) -> None:
    """Move every node by what pushes and pulls it, at most `reach` far."""
    count = len(xs)
    dxs, dys = [-_GRAVITY * x for x in xs], [-_GRAVITY * y for y in ys]
    for one in range(1, count):
        x, y, dx, dy = xs[one], ys[one], 0.0, 0.0
        for other in range(one):
            away_x, away_y = x - xs[other], y - ys[other]
            force = 1.0 / (away_x * away_x + away_y * away_y + 1e-9)
            push_x, push_y = away_x * force, away_y * force
            dx += push_x
            dy += push_y
            dxs[other] -= push_x
            dys[other] -= push_y
        dxs[one] += dx
        dys[one] += dy
    for source, target, strength in pulls:
        away_x, away_y = xs[source] - xs[target], ys[source] - ys[target]
        pull = strength * math.sqrt(away_x * away_x + away_y * away_y)
        dxs[source] -= away_x * pull
        dys[source] -= away_y * pull
        dxs[target] += away_x * pull
        dys[target] += away_y * pull
    for node in range(count):
        length = math.sqrt(dxs[node] * dxs[node] + dys[node] * dys[node])
        part = min(1.0, reach / length) if length else 0.0
        xs[node] += dxs[node] * part
        ys[node] += dys[node] * part


def _without_circles(count: int, links: Sequence[Link]) -> list[list[int]]:
    """Return what follows each node, without the edges that a walk from the beginnings finds to lead back."""
    after: list[list[int]] = [[] for _ in range(count)]
    begins = [True] * count
    for source, target, _ in links:
        if source != target and target not in after[source]:
            after[source].append(target)
            begins[target] = False
    kept: list[list[int]] = [[] for _ in range(count)]
    open_, done = [False] * count, [False] * count
    for start in sorted(range(count), key=lambda node: not begins[node]):
        stack = [] if done[start] else [(start, iter(after[start]))]
        open_[start] = bool(stack)
        while stack:
            node, following = stack[-1]
            follower = next(following, None)
            if follower is None:
                open_[node], done[node] = False, True
                stack.pop()
            elif not open_[follower]:
                kept[node].append(follower)
                if not done[follower]:
                    open_[follower] = True
                    stack.append((follower, iter(after[follower])))
    return kept


def _sorted_down(count: int, after: Sequence[Sequence[int]]) -> list[int]:
    waiting = [0] * count
    for followers in after:
        for follower in followers:
            waiting[follower] += 1
    ready = [node for node in range(count) if not waiting[node]]
    for node in ready:
        for follower in after[node]:
            waiting[follower] -= 1
            if not waiting[follower]:
                ready.append(follower)
    return ready


def _bring_near(rows: list[list[int]], near: Sequence[Sequence[int]], *, downwards: bool) -> None:
    """Sort each row by where the neighbours of its nodes stand in the rows that were sorted before it."""
    before: dict[int, float] = {}
    for row in rows if downwards else reversed(rows):
        own = {node: at - len(row) / 2 for at, node in enumerate(row)}
        wanted = {node: _mean([before[one] for one in near[node] if one in before], own[node]) for node in row}
        row.sort(key=wanted.__getitem__)
        before |= {node: at - len(row) / 2 for at, node in enumerate(row)}


def _mean(values: Sequence[float], without: float) -> float:
    return sum(values) / len(values) if values else without


def _even(count: int, widest: int) -> int:
    """Return the size of rows that are at most `widest` and share `count` evenly."""
    return -(-count // max(1, -(-count // widest)))
