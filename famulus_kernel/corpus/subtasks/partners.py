"""The partners of an exchange of letters: as a roster, as a graph and year by year (spec 4.4, 5.1)."""

# ruff: noqa: S608 - texts in this SQL are quoted, all else is ours

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from famulus_kernel.corpus.collection import ENTITIES, VARIANTS
from famulus_kernel.corpus.sql import quoted
from famulus_kernel.corpus.subtasks.exchange import COUNTED
from famulus_kernel.corpus.subtasks.payloads import listing, payload, records
from famulus_kernel.corpus.subtasks.wording import say

if TYPE_CHECKING:
    from collections.abc import Mapping

    from famulus_kernel.corpus.holdings import Holdings
    from famulus_kernel.corpus.result import TableResult
    from famulus_kernel.corpus.subtasks.answer import Question
    from famulus_kernel.corpus.subtasks.exchange import Exchange
    from famulus_kernel.corpus.subtasks.wording import Words

DIRECTIONS: Final[Mapping[str, Words]] = {
    "sent": {"de": "gesandt", "en": "sent"},
    "received": {"de": "empfangen", "en": "received"},
}
KINDS: Final[Mapping[str, Words]] = {
    "person": {"de": "Person", "en": "person"},
    "org": {"de": "Körperschaft", "en": "organisation"},
    "group": {"de": "Gruppe", "en": "group"},
}
MOST_DOCUMENTS: Final = 1_000
"""How many doc_ids an entry names; `n_docs` says how many there are."""


@dataclass(frozen=True, slots=True)
class Partners:
    """The partners of an exchange, those with most letters first.

    Attributes
    ----------
    entries : TableResult
    labels : TableResult
        Their names and variants.
    first : list of dict
        The first entries.
    payloads : mapping
        For roster-table, d3-graph and timeline.
    """

    entries: TableResult
    labels: TableResult
    first: list[dict[str, Any]]
    payloads: Mapping[str, Any] = field(default_factory=dict)


def partners(question: Question, found: Exchange) -> Partners:
    """List the partners of the letters that are counted, and make of both what is asked for."""
    holdings = question.holdings
    entries = holdings.run(_entries(holdings), "entries")
    labels = holdings.run(name_labels(holdings), "labels")
    two = len({member.evidence for member in holdings.members}) > 1
    payloads: dict[str, Any] = {
        "roster-table": {
            "entries": listing(entries, without=("ent_id", *(() if two else ("evidence",)))),
            "headings": {"count": "n_letters"},
        }
    }
    if question.wants("d3-graph"):
        nodes, edges = _graph(holdings, found, question.lang)
        payloads["d3-graph"] = {
            "nodes": payload(holdings.run(nodes, "nodes")),
            "edges": payload(holdings.run(edges, "edges")),
        }
    if question.wants("timeline"):
        payloads["timeline"] = {"events": payload(holdings.run(_events(holdings, question.lang), "events"))}
    return Partners(entries, labels, records(entries), payloads)


def name_labels(holdings: Holdings) -> str:
    """Return the query for the names by which the entries of a roster are known."""
    entries = holdings.result("entries")
    return (
        f"SELECT DISTINCT label FROM (SELECT name AS label FROM {entries} UNION ALL SELECT canonical FROM {entries}"
        f" UNION ALL SELECT unnest(variants) FROM {entries}) WHERE label IS NOT NULL ORDER BY label"
    )


def document_ids() -> str:
    """Return the SQL of the list of an entry's documents."""
    every = "list(DISTINCT doc_id ORDER BY doc_id) FILTER (doc_id IS NOT NULL)"
    return f"coalesce({every}, [])[:{MOST_DOCUMENTS}]"


def described(holdings: Holdings) -> str:
    """Return the CTE `described(ent_id, canonical, kind, variants)`, one row a person."""
    variants = holdings.source(VARIANTS, optional=True)
    return (
        f"known AS (SELECT ent_id, min(canonical) AS canonical, min(kind) AS kind FROM {holdings.source(ENTITIES)}"
        f" GROUP BY ent_id),\nothers AS (SELECT ent_id, list(DISTINCT variant ORDER BY variant) AS variants"
        f" FROM {variants} GROUP BY ent_id),\ndescribed AS (FROM known LEFT JOIN others USING (ent_id))"
    )


def _entries(holdings: Holdings) -> str:
    return f"""
WITH {described(holdings)},
letters AS (
  SELECT evidence, partner_id, min(partner) AS partner, m, letter_id, min(doc_id) AS doc_id, bool_or(sent) AS sent,
    bool_or(received) AS received
  FROM {holdings.result("findings")} WHERE {COUNTED} AND partner_id IS NOT NULL
  GROUP BY evidence, partner_id, m, letter_id),
sums AS (
  SELECT evidence, partner_id, min(partner) AS partner, count(*) AS count, count(*) FILTER (sent) AS n_sent,
    count(*) FILTER (received) AS n_received, count(DISTINCT doc_id) AS n_docs,
    {document_ids()} AS doc_ids
  FROM letters GROUP BY evidence, partner_id)
SELECT coalesce(canonical, partner) AS name, canonical, coalesce(variants, []) AS variants, kind, count, n_sent,
  n_received, n_docs, doc_ids, evidence, partner_id AS ent_id
FROM sums LEFT JOIN described ON partner_id = ent_id
ORDER BY evidence, count DESC, name, ent_id
"""


def _events(holdings: Holdings, lang: str) -> str:
    """Return the query for the dated letters by year, sent ones and received ones apart."""
    sent, received = (quoted(say(DIRECTIONS[key], lang)) for key in ("sent", "received"))
    return f"""
WITH letters AS (
  SELECT DISTINCT m, letter_id, sent, year(date_from) AS first, year(date_to) AS last FROM {holdings.result("findings")}
  WHERE {COUNTED} AND date_from IS NOT NULL AND date_to IS NOT NULL)
SELECT CASE WHEN sent THEN {sent} ELSE {received} END AS label, first AS "from", last AS "to", count(*) AS count
FROM letters GROUP BY ALL ORDER BY first, last, label
"""


def _graph(holdings: Holdings, found: Exchange, lang: str) -> tuple[str, str]:
    """Return the queries for the nodes and the edges: the centre, its partners, and how many letters lie between."""
    entries, (_, centre) = holdings.result("entries"), found.centre.ids[0]
    own = f'SELECT {quoted(centre)} AS id, {quoted(found.centre.name)} AS label, NULL AS "group"'
    kinds = " ".join(f"WHEN {quoted(kind)} THEN {quoted(say(words, lang))}" for kind, words in KINDS.items())
    nodes = (
        f"{own} UNION ALL SELECT DISTINCT ent_id, name, CASE kind {kinds} ELSE kind END FROM {entries}"
        " ORDER BY label, id"
    )
    edges = (
        f"SELECT {quoted(centre)} AS source, ent_id AS target, sum(count)::BIGINT AS weight FROM {entries}"
        " GROUP BY ALL ORDER BY weight DESC, target"
    )
    return nodes, edges
