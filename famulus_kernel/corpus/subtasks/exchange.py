"""The letters that a person exchanged, row by row: what both correspondence subtasks count (spec 4.3, 4.4)."""

# ruff: noqa: S608 - texts in this SQL are quoted, all else is ours

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from famulus_kernel.corpus.collection import ENTITIES, LETTER_PAGES, LETTERS
from famulus_kernel.corpus.persons import centre, named_in, resolve
from famulus_kernel.corpus.subtasks.counting import by_evidence
from famulus_kernel.corpus.subtasks.wording import names, rule, scope_rules
from famulus_kernel.corpus.texts import page_url
from famulus_kernel.errors import UnboundInput, UndatedCollection

if TYPE_CHECKING:
    from famulus_kernel.corpus.holdings import Holdings
    from famulus_kernel.corpus.persons import Person
    from famulus_kernel.corpus.result import TableResult
    from famulus_kernel.corpus.subtasks.answer import Question

COUNTED: Final = "(time = 'certain' AND counts AND partner IS NOT NULL)"
"""The condition on a finding that it is counted, and not counted apart."""

DIRECTIONS: Final = ("sent", "received")
"""What `direction` of a correspondence may be: only the letters that the person at the centre sent, or received."""

MAIN: Final = ("n_correspondents", "n_letters")

_NUMBERS: Final = (
    "n_correspondents",
    "n_letters",
    "n_sent",
    "n_received",
    "n_possible",
    "n_undated",
    "n_uncertain",
    "n_unknown_partner",
    "n_correspondents_at_most",
    "n_letters_at_most",
)


@dataclass(frozen=True, slots=True)
class Exchange:
    """The letters of one person.

    Attributes
    ----------
    centre : Person
    others : tuple of Person
        Where the question is about letters with these only.
    findings : TableResult
        One row for each letter and each party opposite the centre.
    counts : mapping
        By oracle names; see `Answer.counts`.
    direction : str, optional
        One of DIRECTIONS, where the question is about these letters only.
    """

    centre: Person
    others: tuple[Person, ...]
    findings: TableResult
    counts: dict[str, int]
    direction: str | None = None

    @property
    def is_empty(self) -> bool:
        """Whether there is no letter, not even one that is counted apart."""
        return self.findings.n_rows == 0 or not any(self.counts[name] for name in self.counts if "n_letters" in name)

    def notes(self) -> dict[str, Any]:
        """Return what the trace says of the persons."""
        return {"centre": self.centre.described(), "others": [other.described() for other in self.others]}


def exchange(question: Question) -> Exchange:
    """Find the letters of the person at the centre, and count them.

    Raises
    ------
    CollectionError, UndatedCollection, UnknownPerson, AmbiguousPerson, UnboundInput
    """
    holdings, scope = question.holdings, question.scope
    holdings.demand_rows(LETTERS)
    if scope.has_years:
        demand_dates(holdings)
    person = centre(holdings, scope, question.text)
    others = resolve(holdings, scope.persons[1:])
    if not scope.locked and not others:
        others = tuple(one for one in named_in(holdings, question.text) if set(one.ids).isdisjoint(person.ids))
    direction = _direction(question)
    findings = holdings.run(_findings(question, person, others, direction), "findings")
    return Exchange(person, others, findings, _counted(holdings), direction)


def _direction(question: Question) -> str | None:
    given = question.arguments.get("direction")
    if given is not None and given not in DIRECTIONS:
        raise UnboundInput.bad_value("direction", "subtask", " or ".join(DIRECTIONS))
    return None if given is None else str(given)


def demand_dates(holdings: Holdings) -> None:
    """Raise UndatedCollection where years are asked of a collection none of whose letters has a date."""
    for member in holdings.members:
        if not holdings.holds(LETTERS, member):
            continue
        dated = f"m = {member.number} AND coalesce(date_from, date_to) IS NOT NULL"
        if not holdings.ask(f"SELECT 1 FROM {holdings.source(LETTERS)} WHERE {dated} LIMIT 1"):
            raise UndatedCollection.of(member.collection.name)


def rules(question: Question, found: Exchange) -> tuple[str, ...]:
    """Return the rules of a correspondence in words."""
    lang, scope = question.lang, question.scope
    read = names((member.collection.name for member in question.holdings.members), lang)
    both = (rule("evidence", lang),) if scope.evidence == "both" else ()
    others = names((other.name for other in found.others), lang)
    return (
        rule("collections", lang, names=read),
        *both,
        rule("letter", lang),
        rule("partner", lang, centre=found.centre.name),
        *((rule("others", lang, names=others),) if others else ()),
        *((rule(found.direction, lang, centre=found.centre.name),) if found.direction else ()),
        *scope_rules(scope, lang),
        *(() if scope.has_years else (rule("no-years", lang),)),
        rule("stated" if scope.stated_only else "uncertain", lang),
    )


def _findings(question: Question, person: Person, others: tuple[Person, ...], direction: str | None) -> str:
    """Return the query for one row a letter and a party opposite the centre, those counted apart included."""
    holdings, scope = question.holdings, question.scope
    with_others = " OR ".join(other.among("other_id", "o.m") for other in others) or "true"
    in_pages = f"SELECT m, letter_id FROM {holdings.source(LETTER_PAGES, optional=True)}"
    documents = scope.documents_condition()
    if scope.documents is not None and holdings.holds(LETTER_PAGES):
        documents = f"({documents} OR (m, letter_id) IN ({in_pages} WHERE {documents}))"
    doubts = ["sender_basis", "recipient_basis", *(["date_basis"] if scope.has_years else [])]
    parties = {"sent": ["sender_id"], "received": ["recipient_id"]}.get(direction or "", ["sender_id", "recipient_id"])
    his_own = " OR ".join(person.among(party) for party in parties)
    uncertain = " OR ".join(f"coalesce({basis} = 'uncertain', false)" for basis in doubts)
    return f"""
WITH {holdings.place()},
own AS (
  SELECT *, {person.is_("sender_id")} AS sent, {person.is_("recipient_id")} AS received, {scope.time()} AS time
  FROM {holdings.source(LETTERS)}
  WHERE ({his_own}) AND {documents}),
opposite AS (
  SELECT *, CASE WHEN sent THEN recipient_id ELSE sender_id END AS other_id,
    CASE WHEN sent THEN recipient_name ELSE sender_name END AS other_name, ({uncertain}) AS uncertain
  FROM own WHERE time IS NOT NULL),
chosen AS (
  SELECT o.*, e.canonical, sent AND received AS himself,
    CASE WHEN NOT (sent AND received) AND e.kind IS DISTINCT FROM 'unknown' THEN other_id END AS partner_id
  FROM opposite o LEFT JOIN {holdings.source(ENTITIES)} e ON o.m = e.m AND o.other_id = e.ent_id
  WHERE {with_others}),
pages AS (
  SELECT m, letter_id, min((doc_id, pidx)) AS first FROM {holdings.source(LETTER_PAGES, optional=True)}
  SEMI JOIN chosen USING (m, letter_id) GROUP BY ALL),
placed AS (
  SELECT c.* EXCLUDE (doc_id), coalesce(first[1], c.doc_id) AS doc_id, first[2]::INTEGER AS pidx,
    collection, evidence, viewer
  FROM chosen c JOIN place USING (m) LEFT JOIN pages USING (m, letter_id))
SELECT 'letter' AS kind, collection, evidence, doc_id, pidx, NULL::INTEGER AS sent_idx, pidx + 1 AS page,
  concat(coalesce(sender_name, '?'), ' → ', coalesce(recipient_name, '?'), ', ' || date_when) AS text,
  coalesce({page_url()}, url) AS url, letter_id, date_when AS date, time, uncertain,
  NOT (uncertain AND {str(scope.stated_only).lower()}) AS counts, sent, received, himself, partner_id,
  coalesce(canonical, other_name, other_id) AS partner, date_from, date_to, m
FROM placed
ORDER BY {holdings.order}date_from NULLS LAST, date_to NULLS LAST, letter_id, partner_id NULLS LAST, partner
"""


def _counted(holdings: Holdings) -> dict[str, int]:
    findings = holdings.result("findings")
    rows = holdings.ask(f"""
WITH letters AS (
  SELECT any_value(evidence) AS evidence, bool_or({COUNTED}) AS counted, bool_or({COUNTED} AND sent) AS sent,
    bool_or({COUNTED} AND received) AS received,
    bool_or(time = 'possible' AND counts AND partner IS NOT NULL) AS possible,
    bool_or(counts AND date_from IS NULL AND date_to IS NULL) AS undated,
    bool_or(time = 'certain' AND uncertain) AS uncertain,
    bool_or(time = 'certain' AND counts AND partner_id IS NULL AND NOT himself) AS unknown
  FROM {findings} GROUP BY m, letter_id),
sums AS (
  SELECT evidence, countif(counted), countif(sent), countif(received), countif(possible), countif(undated),
    countif(uncertain), countif(unknown), countif(counted OR possible) FROM letters GROUP BY evidence),
partners AS (
  SELECT evidence, count(DISTINCT partner_id) FILTER ({COUNTED}) AS sure,
    count(DISTINCT partner_id) FILTER (counts AND time <> 'undated') AS at_most FROM {findings} GROUP BY evidence)
FROM partners JOIN sums USING (evidence) SELECT evidence, sure, sums.* EXCLUDE (evidence), at_most
""")
    return by_evidence(
        {str(evidence): (sure, *numbers[:-1], at_most, numbers[-1]) for evidence, sure, *numbers, at_most in rows},
        _NUMBERS,
        holdings,
    )
