"""Kind `proof-structure`: claims and what they rest on, in layers, with the verdict on them (spec 5.1)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from famulus_kernel.artefacts.build import BuildContext, Built
from famulus_kernel.artefacts.characters import storable
from famulus_kernel.artefacts.graph_picture import layered_picture
from famulus_kernel.artefacts.network import alt_text, cut_text, edge_table, graph_parts, read_network
from famulus_kernel.artefacts.records import first_items, heading, shown
from famulus_kernel.artefacts.tables import FIRST_ROWS
from famulus_kernel.artefacts.values import json_safe
from famulus_kernel.artefacts.view import Fact, Facts, Graph, Part, Prose, View, message

MOST_NODES: Final = 100


class ProofStructureBuilder:
    """`data` is `{nodes, edges, verdict, synthesis, n_nodes, n_edges}`; all edges lie beside it as a table."""

    kind = "proof-structure"
    extension = "json"

    def build(self, payload: object, context: BuildContext) -> Built:
        """Build from a mapping of `nodes` and `edges`, and perhaps `verdict` (words or facts) and `synthesis`.

        An edge leads from a ground to what rests on it. A table of edges alone is one too.
        """
        whole = payload if isinstance(payload, Mapping) else {}
        network = read_network(payload, MOST_NODES, context)
        nodes, edges = graph_parts(network)
        picture, path = context.companion(".svg")
        path.write_bytes(layered_picture(nodes, edges, alt_text(network, context.lang)))
        full = network.given.write_full(context, ".edges")
        verdict = json_safe(whole.get("verdict"))
        synthesis = storable(str(whole.get("synthesis") or ""))
        parts: list[Part] = [Facts(items=facts)] if (facts := _facts(verdict)) else []
        parts += [Prose(markdown=synthesis)] if synthesis.strip() else []
        parts += [Graph(nodes=nodes, edges=edges, layout="layered", svg=picture)]
        parts += [edge_table(network, full, most=FIRST_ROWS)] if network.edges else []
        data = {
            "nodes": first_items(network.nodes),
            "edges": first_items(network.edges),
            "verdict": verdict,
            "synthesis": synthesis,
            "n_nodes": network.n_nodes,
            "n_edges": network.n_edges,
        }
        view = View(caption=cut_text(network, context.lang), parts=tuple(parts))
        return Built(data, view, (picture, *(full.names if full else ())))


def _facts(verdict: object) -> tuple[Fact, ...]:
    if isinstance(verdict, Mapping):
        return tuple(Fact(label=heading(key), value=shown(value)) for key, value in verdict.items())
    return (Fact(label=message("verdict"), value=shown(verdict)),) if verdict not in (None, "") else ()


BUILDER = ProofStructureBuilder()
