"""The order of blocks: an edge for every depends_on and every reference, across notebooks (spec 2.5)."""

from __future__ import annotations

from dataclasses import dataclass
from graphlib import CycleError as GraphCycle
from graphlib import TopologicalSorter
from typing import TYPE_CHECKING

from famulus_kernel.errors import CycleError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from famulus_kernel.project.blocks import Block
    from famulus_kernel.project.needs import Need


@dataclass(frozen=True)
class Graph:
    """Blocks by id in an order in which each comes after what it needs."""

    order: tuple[str, ...]
    needs: Mapping[str, tuple[Need, ...]]
    upstream: Mapping[str, frozenset[str]]
    """The blocks of this project that each names directly. Unknown names are left out: they fail when resolved."""

    def with_upstream(self, blocks: Iterable[str]) -> list[str]:
        """Return the given blocks and everything they need, directly or not, in order."""
        wanted = reached(blocks, self.upstream.__getitem__)
        return [block for block in self.order if block in wanted]


def reached(starts: Iterable[str], next_of: Callable[[str], Iterable[str]]) -> set[str]:
    """Return names and all that can be reached from them, step by step."""
    found: set[str] = set()
    waiting = list(starts)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting.extend(next_of(name))
    return found


def build_graph(blocks: Mapping[str, Block], project_id: str) -> Graph:
    """Return the graph of a project's blocks.

    Raises
    ------
    CycleError
        Showing the cycle.
    """
    needs = {name: block.facts.needs for name, block in blocks.items()}
    upstream = {
        name: frozenset(need.block for need in found if need.project in {None, project_id} and need.block in blocks)
        for name, found in needs.items()
    }
    try:
        # sorted: the order of a set is another one in every process
        order = tuple(TopologicalSorter({name: sorted(found) for name, found in upstream.items()}).static_order())
    except GraphCycle as error:
        cycle = list(reversed(error.args[1]))
        raise CycleError.of(cycle).at(blocks[cycle[0]].where) from error
    return Graph(order, needs, upstream)
