"""Where a sentence stands, when it was written and whether it is in the scope (spec 4.3)."""

# ruff: noqa: S608 - texts in this SQL are quoted, all else is ours

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from famulus_kernel.corpus.collection import LETTER_PAGES, LETTERS, MANUSCRIPTS
from famulus_kernel.corpus.edtf import parse_edtf
from famulus_kernel.corpus.sql import quoted
from famulus_kernel.errors import NotEdtf, UndatedCollection

if TYPE_CHECKING:
    from collections.abc import Sequence

    from famulus_kernel.corpus.holdings import Holdings
    from famulus_kernel.corpus.persons import Person
    from famulus_kernel.corpus.scope import Scope

SENTENCE: Final = "m, doc_id, pidx, sent_idx"
"""What a sentence is known by, in every collection of a question."""


def page_url(page: str = "pidx + 1") -> str:
    """Return the SQL of a finding's address, from `viewer`, `collection`, `doc_id` and a page; NULL without viewer."""
    document = "viewer || '/' || url_encode(collection) || '/' || url_encode(doc_id)"
    return f"({document} || coalesce('?p=' || ({page}), ''))"


@dataclass(frozen=True, slots=True)
class TextScope:
    """The part of the scope that is about texts, as SQL around rows `h` that have `m, doc_id, pidx`.

    Attributes
    ----------
    ctes : str
        CTEs, each with a comma after it.
    joins : str
        Joins to `h`.
    time : str
        `certain`, `possible`, `undated`, or NULL (outside); see `Scope.time`.
    condition : str
        What rows must fulfil beside their time.
    """

    ctes: str
    joins: str
    time: str
    condition: str


def text_scope(holdings: Holdings, scope: Scope, persons: Sequence[Person] = ()) -> TextScope:
    """Return the scope of texts: documents, years, and letters that all of `persons` wrote or received.

    Raises
    ------
    UndatedCollection
        Years are asked of texts none of which has a date.
    """
    ctes, joins, condition = "", "", scope.documents_condition("h.doc_id")
    if scope.has_years or persons:
        ctes += f"{letter_texts(holdings)},\n"
    if scope.has_years:
        _demand_dates(holdings)
        ctes += f"{_dates(holdings)},\n"
        joins += (
            " LEFT JOIN page_dates p ON h.m = p.m AND h.doc_id = p.doc_id AND h.pidx = p.pidx"
            " LEFT JOIN doc_dates d ON h.m = d.m AND h.doc_id = d.doc_id"
        )
    if persons:
        parties = " AND ".join(f"bool_or({one.is_('sender_id')} OR {one.is_('recipient_id')})" for one in persons)
        ctes += (
            f"party_letters AS (SELECT m, letter_id FROM {holdings.source(LETTERS)} GROUP BY ALL HAVING {parties}),\n"
            "party_texts AS (FROM letter_texts SEMI JOIN party_letters USING (m, letter_id)),\n"
        )
        condition += (
            " AND ((h.m, h.doc_id, h.pidx) IN (SELECT m, doc_id, pidx FROM party_texts WHERE pidx IS NOT NULL)"
            " OR (h.m, h.doc_id) IN (SELECT m, doc_id FROM party_texts WHERE pidx IS NULL))"
        )
    known = "p.doc_id IS NOT NULL"
    time = scope.time(
        f"CASE WHEN {known} THEN p.date_from ELSE d.date_from END",
        f"CASE WHEN {known} THEN p.date_to ELSE d.date_to END",
    )
    return TextScope(ctes, joins, time, condition)


def letter_texts(holdings: Holdings, *, among: str = "") -> str:
    """Return the CTE `letter_texts(m, letter_id, doc_id, pidx)`; pidx NULL: the whole document.

    `among` is a relation with the (m, letter_id) of the letters that matter; all do where none is given.
    """
    only = f"SEMI JOIN {among} AS a USING (m, letter_id) " if among else ""
    pages = holdings.source(LETTER_PAGES, optional=True)
    return (
        f"letter_texts AS (SELECT DISTINCT m, letter_id, doc_id, pidx FROM {pages} AS t {only}"
        "WHERE doc_id IS NOT NULL UNION ALL"
        f" SELECT DISTINCT m, letter_id, doc_id, NULL FROM {holdings.source(LETTERS, optional=True)} AS l"
        f" {only}ANTI JOIN {pages} AS p USING (m, letter_id) WHERE doc_id IS NOT NULL)"
    )


def _dates(holdings: Holdings) -> str:
    """Return the CTEs `page_dates` and `doc_dates`: the span of days of what stands there."""
    spans = "SELECT DISTINCT m, letter_id, date_from, date_to FROM " + holdings.source(LETTERS, optional=True)
    # A bound that one of several letters lacks is a bound that the text lacks.
    whole = (
        "CASE WHEN count(date_from) = count(*) THEN min(date_from) END AS date_from, "
        "CASE WHEN count(date_to) = count(*) THEN max(date_to) END AS date_to"
    )
    source = holdings.source(MANUSCRIPTS, optional=True)
    manuscripts = (
        f"SELECT m, doc_id, first_day, last_day FROM {source} LEFT JOIN {edtf_days(holdings, source)} USING (date_when)"
    )
    return (
        f"letter_days AS ({spans}),\n"
        f"page_dates AS (SELECT m, doc_id, pidx, {whole} FROM letter_texts JOIN letter_days USING (m, letter_id)"
        " WHERE pidx IS NOT NULL GROUP BY ALL),\n"
        "doc_days AS (SELECT m, doc_id, date_from, date_to FROM letter_texts JOIN letter_days USING (m, letter_id)"
        f" WHERE pidx IS NULL UNION ALL {manuscripts}),\n"
        f"doc_dates AS (SELECT m, doc_id, {whole} FROM doc_days GROUP BY ALL)"
    )


def edtf_days(holdings: Holdings, relation: str) -> str:
    """Return the relation `(date_when, first_day, last_day)` of the dates in a relation's date_when, read as EDTF."""
    written = holdings.ask(f"SELECT DISTINCT date_when FROM {relation} WHERE date_when IS NOT NULL ORDER BY ALL")
    rows = ", ".join(_days(str(one)) for (one,) in written) or "(NULL, NULL, NULL)"
    return (
        "(SELECT date_when::VARCHAR AS date_when, first_day::DATE AS first_day, last_day::DATE AS last_day"
        f" FROM (VALUES {rows}) AS days(date_when, first_day, last_day))"
    )


def _days(written: str) -> str:
    """Return a row of a date and its bounds; what is no date has none."""
    try:
        bounds = parse_edtf(written)
    except NotEdtf:
        return f"({quoted(written)}, NULL, NULL)"
    days = (day.to_duckdb() if day else None for day in (bounds.earliest, bounds.latest))
    return f"({quoted(written)}, {', '.join(quoted(day) if day else 'NULL' for day in days)})"


def _demand_dates(holdings: Holdings) -> None:
    letters, manuscripts = (holdings.source(table, optional=True) for table in (LETTERS, MANUSCRIPTS))
    for member in holdings.members:
        dated = (
            f"SELECT 1 FROM {letters} WHERE m = {member.number} AND coalesce(date_from, date_to) IS NOT NULL UNION ALL"
            f" SELECT 1 FROM {manuscripts} WHERE m = {member.number} AND date_when IS NOT NULL"
        )
        if not holdings.ask(f"FROM ({dated}) LIMIT 1"):
            raise UndatedCollection.of(member.collection.name)
