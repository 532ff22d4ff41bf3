"""Nodes and edges of a result, counted together, and the strongest of them: what a graph is drawn from (spec 5.1).

Edges with the same ends (and the same label) are one, their weights added; an edge without a weight counts one. A
node's weight is its own where it has one, else the sum of its edges'. DuckDB does this, over the whole table: a
correspondence of millions of letters is one query.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from famulus_kernel.artefacts.characters import cut, storable
from famulus_kernel.artefacts.labels import label
from famulus_kernel.artefacts.numbers import format_number
from famulus_kernel.artefacts.records import read_records, table_of
from famulus_kernel.artefacts.tables import FIRST_ROWS, stream
from famulus_kernel.artefacts.urls import is_web_url
from famulus_kernel.artefacts.values import FLOAT, WHOLE, json_safe
from famulus_kernel.artefacts.view import Edge, Node, message

if TYPE_CHECKING:
    from famulus_kernel.artefacts.build import BuildContext
    from famulus_kernel.artefacts.records import Records
    from famulus_kernel.artefacts.tables import FullFiles
    from famulus_kernel.artefacts.view import Table

LABEL_CHARACTERS: Final = 300
URL_CHARACTERS: Final = 2_000
SHOWN_EDGES: Final = 20
"""How many edges are listed below a graph; all of them lie beside it."""

_EDGE_NAMES: Final[Mapping[str, Sequence[str]]] = {
    "source": ("from", "sender", "sender_name", "von", "absender", "source_name", "node1"),
    "target": ("to", "recipient", "receiver", "recipient_name", "an", "empfänger", "target_name", "node2"),
    "weight": ("value", "count", "n", "n_letters", "letters", "anzahl", "briefe"),
    "label": ("relation", "kind", "type", "beziehung"),
}
_NODE_NAMES: Final[Mapping[str, Sequence[str]]] = {
    "id": ("node", "key", "name", "label"),
    "label": ("name", "text", "title"),
    "group": ("kind", "type", "class"),
    "weight": ("value", "count", "n", "size"),
    "url": ("link", "href"),
}
_ADDED_UP: Final = """
CREATE TEMP TABLE edges AS
SELECT source, target, label, sum(weight) AS weight FROM (
    SELECT CAST(source AS VARCHAR) AS source, CAST(target AS VARCHAR) AS target, {label} AS label,
        CASE WHEN isfinite({weight}) THEN {weight} ELSE 0 END AS weight
    FROM given
) WHERE source IS NOT NULL AND target IS NOT NULL GROUP BY ALL
"""
_STRENGTHS: Final = """
CREATE TEMP TABLE strengths AS
SELECT id, sum(weight) AS weight FROM (
    SELECT source AS id, weight FROM edges
    UNION ALL SELECT target AS id, weight FROM edges WHERE target <> source
) GROUP BY id
"""


@dataclass(frozen=True)
class Network:
    """The strongest nodes and the strongest edges among them, the strongest first.

    Attributes
    ----------
    nodes : list of dict
        Each with `id`, `label`, `weight`, and whatever else it came with (`group`, `url`, …).
    edges : list of dict
        Each with `source`, `target`, `weight` and, where it has one, `label`.
    n_nodes, n_edges : int
        How many there are in all.
    given : Records
        The edges as they were given.
    """

    nodes: list[dict[str, Any]]
    edges: list[dict[str, Any]]
    n_nodes: int
    n_edges: int
    given: Records


def read_network(payload: object, most_nodes: int, context: BuildContext) -> Network:
    """Return the network that a payload holds.

    Parameters
    ----------
    payload : TablePayload, sequence or mapping
        A table of edges; or a mapping with `edges` (or `links`) and perhaps `nodes`, each a list of mappings or a
        table. Edges have `source`, `target` and perhaps `weight` and `label`, nodes `id` and perhaps `label`,
        `group`, `weight`, `url`, or columns that are called alike.
    most_nodes : int
        How many nodes may be kept; of their edges the 1,000 strongest are.
    context : BuildContext
        For the errors.

    Raises
    ------
    ArtefactError
        There are no edges and no nodes in it, or an edge has no ends.
    """
    whole: Mapping[str, Any] = payload if isinstance(payload, Mapping) else {"edges": payload}
    for key in ("nodes", "edges"):
        total = whole.get(f"n_{key}")
        if isinstance(total, int) and isinstance(whole.get(key), Sequence) and total > len(whole[key]):
            raise context.error(f"its input holds {len(whole[key])} of {total} {key}; it needs the whole table")
    own = _own_nodes(whole["nodes"], context) if "nodes" in whole else {}
    given = whole.get("edges", whole.get("links", whole.get("rows", () if own else None)))
    edges = read_records({"edges": given}, "edges", _EDGE_NAMES, context)
    missing = [name for name in ("source", "target") if edges.table.total and name not in edges.names]
    if missing:
        raise context.error(f"its edges need {missing[0]}; the fields are {', '.join(edges.names)}")
    return _strongest(edges, own, most_nodes)


def graph_parts(network: Network) -> tuple[tuple[Node, ...], tuple[Edge, ...]]:
    """Return nodes and edges of a view. Their ids are numbers: what a query calls them may be of any length."""
    place = {node["id"]: str(number) for number, node in enumerate(network.nodes, 1)}
    nodes = tuple(
        Node(
            id=place[node["id"]],
            label=cut(storable(node["label"]), LABEL_CHARACTERS),
            group=cut(storable(str(node["group"])), LABEL_CHARACTERS) if node.get("group") not in (None, "") else None,
            weight=float(node["weight"]),
            url=_link(node.get("url")),
        )
        for node in network.nodes
    )
    edges = tuple(
        Edge(
            source=place[edge["source"]],
            target=place[edge["target"]],
            weight=float(edge["weight"]),
            label=cut(edge["label"], LABEL_CHARACTERS) if edge.get("label") else None,
        )
        for edge in network.edges
    )
    return nodes, edges


def edge_table(network: Network, full: FullFiles | None, most: int = SHOWN_EDGES) -> Table:
    """Return the view of the strongest edges, with the names of their ends."""
    own = {node["id"]: node for node in network.nodes}
    rows = [
        edge
        | {"source": own[edge["source"]]["label"], "target": own[edge["target"]]["label"]}
        | {"source_url": own[edge["source"]].get("url"), "target_url": own[edge["target"]].get("url")}
        for edge in network.edges[:most]
    ]
    linked = any(row["source_url"] or row["target_url"] for row in rows)
    columns = ["source", *(["label"] if any(row.get("label") for row in rows) else []), "target"]
    columns += ["weight"] if any(row["weight"] != 1 for row in rows) else []
    return table_of(
        rows,
        columns + (["source_url", "target_url"] if linked else []),
        types={"weight": WHOLE if all(isinstance(row["weight"], int) for row in rows) else FLOAT},
        total=network.n_edges,
        full=full,
        title=message("edges"),
        links={"source": "source_url", "target": "target_url"} if linked else {},
    )


def alt_text(network: Network, lang: str) -> str:
    """Return what a picture of the network shows, in words."""
    numbers = {"nodes": len(network.nodes), "edges": len(network.edges)}
    return label("graph.alt", lang, **{key: format_number(value, lang) for key, value in numbers.items()})


def cut_text(network: Network, lang: str) -> str | None:
    """Return what a picture does not show, in words; None where it shows everything."""
    kept = {"nodes": len(network.nodes), "edges": len(network.edges)}
    whole = {"all_nodes": network.n_nodes, "all_edges": network.n_edges}
    if list(kept.values()) == list(whole.values()):
        return None
    return label("graph.cut", lang, **{key: format_number(value, lang) for key, value in (kept | whole).items()})


def _link(url: object) -> str | None:
    return url if isinstance(url, str) and len(url) <= URL_CHARACTERS and is_web_url(url) else None


def _own_nodes(given: object, context: BuildContext) -> dict[str, dict[str, Any]]:
    """Return the nodes that a payload describes, by id."""
    nodes = read_records({"nodes": given}, "nodes", _NODE_NAMES, context)
    if nodes.total and "id" not in nodes.names:
        raise context.error(f"its nodes need id; the fields are {', '.join(nodes.names)}")
    if nodes.total > len(nodes.items):
        rows = stream(nodes.table, nodes.names).read_all().to_pylist()
        items = [{str(key): json_safe(value) for key, value in row.items()} for row in rows]
    else:
        items = nodes.items
    described = (item | {"id": storable(str(item["id"]))} for item in items if item.get("id") is not None)
    return {item["id"]: item for item in described}


def _strongest(edges: Records, own: Mapping[str, dict[str, Any]], most_nodes: int) -> Network:
    """Add the edges up and keep the strongest nodes and the edges among them."""
    import duckdb  # noqa: PLC0415 - loaded where it is used
    import pyarrow as pa  # noqa: PLC0415

    columns = [name for name in ("source", "target", "weight", "label") if name in edges.names]
    kinds = dict(edges.table.columns)
    with duckdb.connect(config={"threads": 1}) as connection:
        if edges.total:
            connection.register("given", stream(edges.table, columns))
            weight = "coalesce(TRY_CAST(weight AS DOUBLE), 1)" if "weight" in columns else "1.0::DOUBLE"
            words = "CAST(label AS VARCHAR)" if "label" in columns else "NULL::VARCHAR"
            connection.execute(_ADDED_UP.format(weight=weight, label=words))
        else:
            connection.execute(
                "CREATE TEMP TABLE edges (source VARCHAR, target VARCHAR, label VARCHAR, weight DOUBLE)"
            )
        connection.execute(_STRENGTHS)
        weights = pa.array([_weight(node) for node in own.values()], pa.float64())
        connection.register("own", pa.table({"id": pa.array(list(own), pa.string()), "weight": weights}))
        connection.execute(
            "CREATE TEMP TABLE nodes AS SELECT id, coalesce(own.weight, strengths.weight, 1) AS weight"
            " FROM strengths FULL JOIN own USING (id)"
        )
        n_nodes, n_edges = (_count(connection, name) for name in ("nodes", "edges"))
        connection.execute(
            f"CREATE TEMP TABLE kept AS FROM nodes ORDER BY weight DESC, id LIMIT {most_nodes:d}"
        )
        nodes = connection.execute("FROM kept ORDER BY weight DESC, id").fetchall()
        found = connection.execute(
            "FROM edges SELECT source, target, label, weight WHERE source IN (SELECT id FROM kept)"  # noqa: S608 - an int
            f" AND target IN (SELECT id FROM kept) ORDER BY weight DESC, source, target, label LIMIT {FIRST_ROWS:d}"
        ).fetchall()
    whole = kinds.get("weight", WHOLE) != FLOAT
    return Network(
        [{**_described(key, own.get(key)), "weight": _plain(weight, whole=whole)} for key, weight in nodes],
        [
            {"source": source, "target": target, "weight": _plain(weight, whole=whole)}
            | ({"label": words} if words else {})
            for source, target, words, weight in found
        ],
        n_nodes,
        n_edges,
        edges,
    )


def _described(key: str, node: Mapping[str, Any] | None) -> dict[str, Any]:
    name = (node or {}).get("label")
    return {**(node or {}), "id": key, "label": str(name) if name not in (None, "") else key}


def _weight(node: Mapping[str, Any]) -> float | None:
    value = node.get("weight")
    is_number = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    return float(value) if is_number else None  # type: ignore[arg-type] # is_number says so


def _plain(value: float, *, whole: bool) -> float | int:
    return int(value) if whole and value.is_integer() else value


def _count(connection: Any, name: str) -> int:
    (count,) = connection.execute(f"SELECT count(*) FROM {name}").fetchone()  # noqa: S608 - one of two names of ours
    return int(count)
