"""Where a sentence stands, when it was written and whether it is in the scope (spec 4.3)."""

# ruff: noqa: S608 - texts in this SQL are quoted, all else is ours

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from famulus_kernel.corpus.collection import LETTER_PAGES, LETTERS, MANUSCRIPTS
from famulus_kernel.corpus.edtf import parse_edtf
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
        CTEs, each with a comma after it, to stand after `h`: they tell only of the documents that it names.
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

    def found(self) -> str:
        """Return the CTEs up to `found`: the rows of `h` in the scope, each with its `time`."""
        rows = f"SELECT h.*, {self.time} AS time FROM h {self.joins} WHERE {self.condition} AND time IS NOT NULL"
        return f"{self.ctes}found AS ({rows})"


def text_scope(holdings: Holdings, scope: Scope, persons: Sequence[Person] = ()) -> TextScope:
    """Return the scope of texts: documents, years, and letters that all of `persons` wrote or received.

    Raises
    ------
    UndatedCollection
        Years are asked of texts none of which has a date.
    """
    ctes, joins, condition = "", "", scope.documents_condition("h.doc_id")
    if scope.has_years or persons:
        ctes += f"documents AS (SELECT DISTINCT m, doc_id FROM h),\n{letter_texts(holdings, of='documents')},\n"
    if scope.has_years:
        _demand_dates(holdings)
        ctes += f"{text_dates(holdings)},\n"
        joins += (
            " LEFT JOIN page_dates p ON h.m = p.m AND h.doc_id = p.doc_id AND h.pidx = p.pidx"
            " LEFT JOIN doc_dates d ON h.m = d.m AND h.doc_id = d.doc_id"
        )
    if persons:
        every = " AND ".join(f"bool_or({one.is_('sender_id')} OR {one.is_('recipient_id')})" for one in persons)
        some = " OR ".join(f"{one.among('sender_id')} OR {one.among('recipient_id')}" for one in persons)
        ctes += (
            f"party_letters AS (SELECT m, letter_id FROM {holdings.source(LETTERS)} WHERE {some}"
            f" GROUP BY ALL HAVING {every}),\n"
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


def letter_texts(holdings: Holdings, *, among: str = "", of: str = "") -> str:
    """Return the CTE `letter_texts(m, letter_id, doc_id, pidx)`; pidx NULL: the whole document.

    `among` is a relation with the (m, letter_id) of the letters that matter, `of` one with the (m, doc_id) of the
    documents that do; all do where none is given.
    """
    only = f" SEMI JOIN {among} AS a USING (m, letter_id)" if among else ""
    only += f" SEMI JOIN {of} AS o USING (m, doc_id)" if of else ""
    pages, letters = (holdings.source(table, optional=True) for table in (LETTER_PAGES, LETTERS))
    # Most letters with a document have pages in it: what is left to be looked for among all pages is little.
    return (
        f"page_texts AS (SELECT DISTINCT m, letter_id, doc_id, pidx FROM {pages} AS t{only} WHERE doc_id IS NOT NULL),"
        f" whole_texts AS (SELECT DISTINCT m, letter_id, doc_id FROM {letters} AS l{only}"
        " ANTI JOIN page_texts AS p USING (m, letter_id) WHERE doc_id IS NOT NULL),"
        " letter_texts AS (FROM page_texts UNION ALL SELECT m, letter_id, doc_id, NULL FROM whole_texts"
        f" ANTI JOIN {pages} AS p USING (m, letter_id))"
    )


def text_dates(holdings: Holdings) -> str:
    """Return the CTEs `page_dates` and `doc_dates`: the span of days of what stands there.

    They are made for the (m, doc_id) of a CTE `documents`, from `letter_texts`.
    """
    # A bound that one of several letters lacks is a bound that the text lacks.
    whole = (
        "CASE WHEN count(date_from) = count(*) THEN min(date_from) END AS date_from, "
        "CASE WHEN count(date_to) = count(*) THEN max(date_to) END AS date_to"
    )
    return (
        f"letter_days AS (SELECT DISTINCT m, letter_id, date_from, date_to FROM"
        f" {holdings.source(LETTERS, optional=True)} AS l SEMI JOIN letter_texts USING (m, letter_id)),\n"
        f"page_dates AS (SELECT m, doc_id, pidx, {whole} FROM letter_texts JOIN letter_days USING (m, letter_id)"
        " WHERE pidx IS NOT NULL GROUP BY ALL),\n"
        "doc_days AS (SELECT m, doc_id, date_from, date_to FROM letter_texts JOIN letter_days USING (m, letter_id)"
        " WHERE pidx IS NULL UNION ALL"
        f" SELECT m, doc_id, first_day, last_day FROM {dated(holdings, holdings.source(MANUSCRIPTS, optional=True))}"
        " SEMI JOIN documents USING (m, doc_id)),\n"
        f"doc_dates AS (SELECT m, doc_id, {whole} FROM doc_days GROUP BY ALL)"
    )


_PLAIN: Final = r"regexp_full_match(date_when, '[0-9]{4}(-(0[1-9]|1[0-2])(-[0-9]{2})?)?[?~%]?')"
"""A day, month or year, which need no reader of EDTF; its mark moves no bound."""
_DIGITS: Final = "rtrim(date_when, '?~%')"
_FROM: Final = f"TRY_CAST({_DIGITS} || '-01-01'[length({_DIGITS}) - 3:] AS DATE)"
_TO: Final = (
    f"CASE length({_DIGITS}) WHEN 4 THEN TRY_CAST({_DIGITS} || '-12-31' AS DATE) WHEN 7 THEN last_day({_FROM})"
    f" ELSE {_FROM} END"
)


def dated(holdings: Holdings, relation: str) -> str:
    """Return a relation with `first_day` and `last_day` beside its columns: its date_when, read as EDTF."""
    odd = holdings.column(f"SELECT DISTINCT date_when FROM {relation} WHERE NOT {_PLAIN} ORDER BY ALL")
    bounds = {str(written): _days(str(written)) for written in odd}
    if not bounds:
        return f"(SELECT *, {_FROM} AS first_day, {_TO} AS last_day FROM {relation})"
    first, last = zip(*bounds.values(), strict=True)
    days = holdings.lay({"date_when": list(bounds), "first_day": list(first), "last_day": list(last)}, "days")
    return (
        f"(SELECT t.*, CASE WHEN {_PLAIN} THEN {_FROM} ELSE d.first_day::DATE END AS first_day,"
        f" CASE WHEN {_PLAIN} THEN {_TO} ELSE d.last_day::DATE END AS last_day"
        f" FROM {relation} AS t LEFT JOIN {days} AS d USING (date_when))"
    )


def _days(written: str) -> tuple[str | None, str | None]:
    """Return the bounds of a date as DuckDB writes them; what is no date has none."""
    try:
        bounds = parse_edtf(written)
    except NotEdtf:
        return None, None
    first, last = bounds.earliest, bounds.latest
    return first and first.to_duckdb(), last and last.to_duckdb()


def _demand_dates(holdings: Holdings) -> None:
    letters, manuscripts = (holdings.source(table, optional=True) for table in (LETTERS, MANUSCRIPTS))
    for member in holdings.members:
        dated = (
            f"SELECT 1 FROM {letters} WHERE m = {member.number} AND coalesce(date_from, date_to) IS NOT NULL UNION ALL"
            f" SELECT 1 FROM {manuscripts} WHERE m = {member.number} AND date_when IS NOT NULL"
        )
        if not holdings.ask(f"FROM ({dated}) LIMIT 1"):
            raise UndatedCollection.of(member.collection.name)
