"""Kind `d3-graph`: nodes and edges laid out by force, as of a correspondence (spec 5.1)."""

from __future__ import annotations

from typing import Final

from famulus_kernel.artefacts.build import BuildContext, Built
from famulus_kernel.artefacts.graph_picture import force_picture
from famulus_kernel.artefacts.network import alt_text, cut_text, edge_table, graph_parts, read_network
from famulus_kernel.artefacts.records import first_items
from famulus_kernel.artefacts.view import Graph, View

MOST_NODES: Final = 400


class D3GraphBuilder:
    """`data` is `{nodes, edges, n_nodes, n_edges}`, the strongest of them; all edges lie beside it as a table."""

    kind = "d3-graph"
    extension = "json"

    def build(self, payload: object, context: BuildContext) -> Built:
        """Build from edges and perhaps nodes, or from a table of edges (`network.read_network`)."""
        network = read_network(payload, MOST_NODES, context)
        nodes, edges = graph_parts(network)
        picture, path = context.companion(".svg")
        path.write_bytes(force_picture(nodes, edges, alt_text(network, context.lang)))
        full = network.given.write_full(context, ".edges")
        graph = Graph(nodes=nodes, edges=edges, layout="force", svg=picture)
        table = (edge_table(network, full),) if network.edges else ()
        data = {
            "nodes": first_items(network.nodes),
            "edges": first_items(network.edges),
            "n_nodes": network.n_nodes,
            "n_edges": network.n_edges,
        }
        view = View(caption=cut_text(network, context.lang), parts=(graph, *table))
        return Built(data, view, (picture, *(full.names if full else ())))


BUILDER = D3GraphBuilder()
