from __future__ import annotations

import pyarrow.parquet as pq
import pytest

from famulus_kernel.artefacts import text
from famulus_kernel.artefacts.build import TablePayload
from famulus_kernel.artefacts.kinds.d3_graph import MOST_NODES
from famulus_kernel.artefacts.network import SHOWN_EDGES
from famulus_kernel.artefacts.view import Facts, Graph, Prose, Table

LETTERS = {
    "nodes": [
        {"id": "p", "label": "Pirckheimer", "group": "Nürnberg", "url": "https://example.org/p"},
        {"id": "lonely"},
    ],
    "edges": [{"source": "p", "target": "e", "weight": 5}, {"source": "c", "target": "p"}],
}


def rows(table: Table) -> list[tuple]:
    return list(table.rows)


def test_a_graph_has_nodes_by_their_strength_and_edges_by_their_weight(build) -> None:
    built = build("d3-graph", LETTERS)
    assert built.data["nodes"] == [
        LETTERS["nodes"][0] | {"weight": 6}, {"id": "e", "label": "e", "weight": 5},
        {"id": "c", "label": "c", "weight": 1}, {"id": "lonely", "label": "lonely", "weight": 1},
    ]  # fmt: skip
    assert built.data["edges"] == [
        {"source": "p", "target": "e", "weight": 5}, {"source": "c", "target": "p", "weight": 1},
    ]  # fmt: skip
    assert (built.data["n_nodes"], built.data["n_edges"]) == (4, 2)
    assert built.companions == ("artefacts/probe.svg", "artefacts/probe.edges.parquet", "artefacts/probe.edges.csv")


def test_the_view_is_a_picture_and_a_table_of_its_edges_by_name(build, tmp_path) -> None:
    graph, table = build("d3-graph", LETTERS).view.parts
    assert isinstance(graph, Graph)
    assert (graph.layout, graph.svg, [node.label for node in graph.nodes]) == (
        "force", "artefacts/probe.svg", ["Pirckheimer", "e", "c", "lonely"],
    )  # fmt: skip
    assert [(edge.source, edge.target, edge.weight) for edge in graph.edges] == [("1", "2", 5.0), ("3", "1", 1.0)]
    assert graph.nodes[0].url == "https://example.org/p"
    assert (tmp_path / graph.svg).read_bytes().startswith(b"<svg")
    assert [column.key for column in table.columns] == ["source", "target", "weight", "source_url", "target_url"]
    assert rows(table)[0] == ("Pirckheimer", "e", 5, "https://example.org/p", None)


def test_a_query_of_letters_is_added_up_over_all_its_rows(build, query, tmp_path) -> None:
    sql = "SELECT 'p' || range % 2 AS sender, 'q' AS recipient, 1 AS n_letters FROM range(50001)"
    built = build("d3-graph", query(sql))
    assert [(edge["source"], edge["weight"]) for edge in built.data["edges"]] == [("p0", 25001), ("p1", 25000)]
    assert built.view.parts[1].full.file == "artefacts/probe.edges.parquet"
    assert pq.read_metadata(tmp_path / built.companions[1]).num_rows == 50_001
    assert built.data["n_edges"] == 2


def test_the_strongest_of_many_are_drawn_and_the_page_says_so(build, query) -> None:
    sql = "SELECT 'hub' AS source, format('n{:04d}', range) AS target, 5000 - range AS weight FROM range(5000)"
    built = build("d3-graph", query(sql), lang="de")
    graph, table = built.view.parts
    assert (len(graph.nodes), len(graph.edges), len(table.rows)) == (MOST_NODES, MOST_NODES - 1, SHOWN_EDGES)
    assert (built.data["n_nodes"], built.data["n_edges"], table.total) == (5001, 5000, 5000)
    assert built.data["nodes"][1]["id"] == "n0000"
    assert built.view.caption == "Gezeigt sind die stärksten 400 von 5.001 Knoten und 399 von 5.000 Kanten."
    assert build("d3-graph", LETTERS, "small").view.caption is None


def test_weights_that_are_no_numbers_do_not_count_and_edges_without_ends_are_left_out(build) -> None:
    edges = [
        {"source": "a", "target": "b", "weight": float("nan")}, {"source": "a", "target": "b", "weight": "many"},
        {"source": "a", "target": None}, {"source": "a", "target": "b", "weight": float("inf")},
    ]  # fmt: skip
    assert build("d3-graph", edges).data["edges"] == [{"source": "a", "target": "b", "weight": 1}]


def test_parts_of_weights_stay_parts(build) -> None:
    (edge,) = build("d3-graph", [{"source": "a", "target": "b", "weight": 0.25}] * 3).data["edges"]
    assert edge["weight"] == 0.75


def test_nodes_and_edges_may_each_be_a_table(build, query) -> None:
    payload = {
        "nodes": query("SELECT 'n' || range AS id, 'Name ' || range AS name FROM range(2000)"),
        "edges": query("SELECT 'n1999' AS source, 'n0' AS target"),
    }
    built = build("d3-graph", payload)
    assert built.data["nodes"][0]["label"] in ("Name 0", "Name 1999")
    assert built.data["n_nodes"] == 2000


@pytest.mark.parametrize("key", ["edges", "links", "rows"])
def test_edges_are_found_under_each_of_their_names(build, key: str) -> None:
    assert build("d3-graph", {key: LETTERS["edges"]}).data["n_edges"] == 2


def test_edges_of_different_labels_are_different_edges(build) -> None:
    edges = [{"source": "a", "target": "b", "label": label} for label in ("cites", "cites", "mocks")]
    built = build("d3-graph", edges)
    assert [(edge["label"], edge["weight"]) for edge in built.data["edges"]] == [("cites", 2), ("mocks", 1)]
    assert [column.key for column in built.view.parts[1].columns] == ["source", "label", "target", "weight"]


def test_a_table_in_memory_is_one_too(build) -> None:
    table = TablePayload((("source", "VARCHAR"), ("target", "VARCHAR"), ("weight", "BIGINT")), [["a", "b", 3]], 1)
    assert build("d3-graph", table).data["edges"] == [{"source": "a", "target": "b", "weight": 3}]


def test_a_proof_shows_its_verdict_its_words_its_layers_and_its_edges(build) -> None:
    payload = {
        "nodes": [{"id": "a", "text": "A letter of 1520", "kind": "ground"}, {"id": "t", "text": "The claim"}],
        "edges": [{"source": "a", "target": "t", "relation": "supports"}],
        "verdict": "valid",
        "synthesis": "The claim **holds**.",
    }
    built = build("proof-structure", payload)
    facts, prose, graph, table = built.view.parts
    assert isinstance(facts, Facts)
    assert [fact.value for fact in facts.items] == ["valid"]
    assert isinstance(prose, Prose)
    assert (graph.layout, graph.nodes[0].group) == ("layered", "ground")
    assert rows(table) == [("A letter of 1520", "supports", "The claim")]
    assert (built.data["verdict"], built.data["synthesis"], built.data["n_nodes"]) == ("valid", payload["synthesis"], 2)


def test_a_verdict_of_several_facts_is_a_list_of_facts(build) -> None:
    payload = {"edges": LETTERS["edges"], "verdict": {"grade": 2, "rest": ["x", "y"]}}
    (facts, *_) = build("proof-structure", payload).view.parts
    assert [fact.value for fact in facts.items] == [2, "x; y"]


def test_a_terminal_lists_the_edges_of_a_graph_that_has_no_table(build) -> None:
    view = build("d3-graph", LETTERS).view
    alone = view.model_copy(update={"parts": view.parts[:1]})
    assert "Pirckheimer → e 5" in " ".join(text.plain(text.render(alone, "en")).split())
    assert "→" not in text.plain(text.render(view, "en"))
