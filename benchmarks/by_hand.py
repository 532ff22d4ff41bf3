"""The same answers by hand: SQL for this one collection, with all that its writer knows of it.

It reads no mapping of columns, no second collection and no other form of the question; what it writes is what the
subtask writes: all findings in their order, what they come to, and the rows of the artefact. Where several ways were
tried, the fastest stands here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from duckdb import DuckDBPyConnection

URL: Final = "'https://texts.example/large/' || doc_id || '?p=' || (pidx + 1)"
PLACE: Final = "'large' AS collection, 'grounding' AS evidence"
SPOT: Final = f"doc_id, pidx, sent_idx, pidx + 1 AS page, text, {URL} AS url"
ORDER: Final = "ORDER BY doc_id, pidx, sent_idx"
FIRST_DAY: Final = "DATE '1550-01-01'"
LAST_DAY: Final = "DATE '1600-12-31'"
TIME: Final = f"""CASE WHEN date_from IS NULL THEN 'undated' WHEN date_from >= {FIRST_DAY} AND date_to <= {LAST_DAY}
  THEN 'certain' WHEN date_to >= {FIRST_DAY} AND date_from <= {LAST_DAY} THEN 'possible' END"""


class Desk:
    """A connection to the collection, and the folder where results are written."""

    def __init__(self, connection: DuckDBPyConnection, folder: Path, index: Path) -> None:
        self._connection = connection
        self._folder = folder
        self.index = f"read_parquet('{index}')"

    def write(self, name: str, sql: str) -> str:
        """Write all rows of a query, and return the SQL that reads them."""
        target = self._folder / f"{name}.parquet"
        self._connection.execute(f"COPY ({sql}) TO '{target}' (FORMAT parquet, COMPRESSION zstd)")
        return f"read_parquet('{target}')"

    def keep(self, name: str, sql: str) -> str:
        """Keep the rows of a query in a temporary table, and return its name."""
        self._connection.execute(f"CREATE TEMP TABLE {name} AS {sql}")
        return name

    def one(self, sql: str) -> tuple[Any, ...]:
        """Return the only row of a query."""
        (row,) = self._connection.execute(sql).fetchall()
        return tuple(row)


def letters(desk: Desk, *, years: bool) -> dict[str, int]:
    """The correspondence of p0: its letters, its partners."""
    doubt = "coalesce(sender_basis = 'uncertain' OR recipient_basis = 'uncertain', false)"
    time = TIME if years else "'certain'"
    found = desk.write(
        "findings",
        f"""
WITH own AS (
  SELECT *, sender_id = 'p0' AS sent, recipient_id = 'p0' AS received, {time} AS time,
    CASE WHEN sender_id = 'p0' THEN recipient_id ELSE sender_id END AS other
  FROM l.letters_resolved WHERE (sender_id = 'p0' OR recipient_id = 'p0') AND time IS NOT NULL),
pages AS (
  SELECT letter_id, min(doc_id) AS doc_id, min(pidx) AS pidx FROM l.letter_pages SEMI JOIN own USING (letter_id)
  GROUP BY letter_id)
SELECT 'letter' AS kind, {PLACE}, coalesce(p.doc_id, o.doc_id) AS doc_id, pidx, NULL::INTEGER AS sent_idx,
  pidx + 1 AS page, concat(sender_name, ' → ', recipient_name, ', ' || date_when) AS text,
  coalesce('https://texts.example/large/' || coalesce(p.doc_id, o.doc_id) || coalesce('?p=' || (pidx + 1), ''), o.url)
    AS url, letter_id, date_when AS date, time, {doubt} AS uncertain, sent, received, sent AND received AS himself,
  CASE WHEN NOT (sent AND received) AND e.kind <> 'unknown' THEN other END AS partner_id, canonical AS partner,
  date_from, date_to
FROM own o LEFT JOIN l.ent_canonical e ON other = e.ent_id LEFT JOIN pages p USING (letter_id)
ORDER BY date_from NULLS LAST, date_to NULLS LAST, letter_id, partner_id NULLS LAST, partner""",
    )
    counts = desk.one(f"""
WITH each AS (
  SELECT letter_id, bool_or(time = 'certain') AS counted, bool_or(time = 'certain' AND sent) AS sent,
    bool_or(time = 'certain' AND received) AS received, bool_or(time = 'possible') AS possible,
    bool_or(date_from IS NULL) AS undated, bool_or(time = 'certain' AND uncertain) AS uncertain,
    bool_or(time = 'certain' AND partner_id IS NULL AND NOT himself) AS unknown
  FROM {found} GROUP BY letter_id)
SELECT (SELECT count(DISTINCT partner_id) FILTER (time = 'certain') FROM {found}), countif(counted), countif(sent),
  countif(received), countif(possible), countif(undated), countif(uncertain), countif(unknown) FROM each""")
    entries = desk.write(
        "entries",
        f"""
WITH each AS (
  SELECT partner_id, letter_id, min(doc_id) AS doc_id, bool_or(sent) AS sent, bool_or(received) AS received
  FROM {found} WHERE time = 'certain' AND partner_id IS NOT NULL GROUP BY partner_id, letter_id),
sums AS (
  SELECT partner_id, count(*) AS count, countif(sent) AS n_sent, countif(received) AS n_received,
    count(DISTINCT doc_id) AS n_docs,
    (list(DISTINCT doc_id ORDER BY doc_id) FILTER (doc_id IS NOT NULL))[:1000] AS doc_ids
  FROM each GROUP BY partner_id),
variants AS (
  SELECT ent_id, list(DISTINCT variant ORDER BY variant) AS variants FROM l.ent_variants SEMI JOIN sums
  ON partner_id = ent_id GROUP BY ent_id)
SELECT canonical AS name, canonical, variants, kind, sums.* EXCLUDE (partner_id), partner_id AS ent_id
FROM sums JOIN l.ent_canonical ON partner_id = ent_id LEFT JOIN variants USING (ent_id)
ORDER BY count DESC, name, ent_id""",
    )
    desk.write("labels", _labels(f"SELECT unnest([name, canonical] || variants) AS label FROM {entries}"))
    names = ("n_correspondents", "n_letters", "n_sent", "n_received", "n_possible", "n_undated", "n_uncertain",
             "n_unknown_partner")  # fmt: skip
    return dict(zip(names, counts, strict=True))


def subject(desk: Desk) -> dict[str, int]:
    """What the letters of p0 from 1550 to 1600 that have a text are about."""
    chosen = desk.keep(
        "chosen",
        f"""
SELECT letter_id, any_value(date_from) AS day, any_value(date_when) AS date, any_value({TIME}) AS time,
  bool_or(sender_basis = 'uncertain') AS uncertain
FROM l.letters_resolved WHERE (sender_id = 'p0' OR recipient_id = 'p0') AND {TIME} IS NOT NULL GROUP BY letter_id""",
    )
    numbers = desk.one(
        f"SELECT countif(time = 'certain'), countif(time = 'possible'), countif(time = 'undated'),"
        f" countif(time = 'certain' AND uncertain) FROM {chosen}"
    )
    found = desk.write(
        "findings",
        f"""
SELECT 'sentence' AS kind, {PLACE}, {SPOT}, letter_id, date, time
FROM t.stz_sentences JOIN (FROM l.letter_pages JOIN {chosen} USING (letter_id)) USING (doc_id, pidx)
ORDER BY day NULLS LAST, letter_id, doc_id, pidx, sent_idx""",
    )
    entries = desk.write(
        "entries",
        f"""
WITH words AS (SELECT lemma, upos, doc_id, pidx, sent_idx FROM {desk.index}),
own AS (
  SELECT lemma, min(upos) AS kind, count(*) AS count, count(DISTINCT doc_id) AS n_docs
  FROM words SEMI JOIN (FROM {found} WHERE time = 'certain') USING (doc_id, pidx, sent_idx)
  WHERE upos IN ('NOUN', 'PROPN') GROUP BY lemma),
spread AS (SELECT lemma, count(DISTINCT doc_id) AS documents FROM words SEMI JOIN own USING (lemma) GROUP BY lemma),
every AS (SELECT count(DISTINCT doc_id) AS documents FROM t.stz_sentences)
SELECT lemma AS name, lemma AS canonical, kind, count, n_docs,
  round(count * ln(1 + every.documents / spread.documents), 6) AS weight
FROM own JOIN spread USING (lemma), every ORDER BY weight DESC, name""",
    )
    desk.write("labels", _labels(f"SELECT name AS label FROM {entries}"))
    (sentences,) = desk.one(f"SELECT countif(time = 'certain') FROM {found}")
    _by_document(desk, found)
    return dict(zip(("n_letters", "n_sentences", "n_possible", "n_undated", "n_uncertain"),
                    (numbers[0], sentences, *numbers[1:]), strict=True))  # fmt: skip


def mentioned_in_letters(desk: Desk) -> dict[str, int]:
    """Who names p5, in letters to whom."""
    found = desk.write(
        "findings",
        f"""
WITH named AS (
  SELECT doc_id, pidx, sent_idx, min(text) AS keyword, count(*) AS n_mentions FROM t.stz_entities WHERE ent_id = 'p5'
  GROUP BY doc_id, pidx, sent_idx)
SELECT 'mention' AS kind, {PLACE}, {SPOT}, keyword, n_mentions, letter_id, date_when AS date, 'certain' AS time,
  coalesce(sender_basis = 'uncertain' OR recipient_basis = 'uncertain', false) AS uncertain, sender_id, sender_name,
  recipient_id, recipient_name, date_from, date_to
FROM named JOIN t.stz_sentences USING (doc_id, pidx, sent_idx) JOIN l.letter_pages USING (doc_id, pidx)
  JOIN (SELECT * EXCLUDE (doc_id, url) FROM l.letters_resolved) USING (letter_id)
ORDER BY date_from NULLS LAST, letter_id, doc_id, pidx, sent_idx, sender_id, recipient_id""",
    )
    entries = desk.write(
        "entries",
        f"""
WITH spoken AS (
  SELECT sender_id, sum(n_mentions) AS count FROM (
    SELECT DISTINCT sender_id, doc_id, pidx, sent_idx, n_mentions FROM {found}) GROUP BY sender_id),
written AS (
  SELECT sender_id, count(DISTINCT letter_id) AS n_letters, count(DISTINCT doc_id) AS n_docs,
    list(DISTINCT doc_id ORDER BY doc_id)[:1000] AS doc_ids, list(DISTINCT canonical ORDER BY canonical) AS recipients
  FROM {found} JOIN l.ent_canonical ON recipient_id = ent_id GROUP BY sender_id),
variants AS (
  SELECT ent_id, list(DISTINCT variant ORDER BY variant) AS variants FROM l.ent_variants SEMI JOIN written
  ON sender_id = ent_id GROUP BY ent_id)
SELECT canonical AS name, canonical, variants, kind, count, n_docs, doc_ids, n_letters, recipients, sender_id AS ent_id
FROM written JOIN spoken USING (sender_id) JOIN l.ent_canonical ON sender_id = ent_id LEFT JOIN variants USING (ent_id)
WHERE kind <> 'unknown' ORDER BY count DESC, name, ent_id""",
    )
    desk.write("labels", _labels(f"SELECT unnest([name, canonical] || variants) AS label FROM {entries}"))
    counts = desk.one(f"""
SELECT count(DISTINCT letter_id), (SELECT count(*) FROM {entries}),
  (SELECT sum(n)::BIGINT FROM (SELECT any_value(n_mentions) AS n FROM {found} GROUP BY doc_id, pidx, sent_idx)),
  0, count(DISTINCT letter_id) FILTER (date_from IS NULL), count(DISTINCT letter_id) FILTER (uncertain) FROM {found}""")
    _by_document(desk, found)
    return dict(zip(("n_letters", "n_writers", "n_mentions", "n_possible", "n_undated", "n_uncertain"), counts,
                    strict=True))  # fmt: skip


def attested(desk: Desk) -> dict[str, int]:
    """Each word of the lemma w50, with what stands before and behind it."""
    found = desk.write("findings", _words(f"SELECT * FROM {desk.index} WHERE lemma = 'w50'", "['w50']"))
    _kwic(desk, found)
    desk.write("labels", _labels(f"SELECT unnest([keyword, lemma]) AS label FROM {found}"))
    return _text_counts(desk, found, "n_occurrences")


def together(desk: Desk) -> dict[str, int]:
    """The sentences with the lemmata w50 and w60."""
    chosen = f"""
SELECT doc_id, pidx, sent_idx, min(tid) AS tid, 'w50, w60' AS lemma, min_by(upos, tid) AS upos FROM {desk.index}
WHERE lemma IN ('w50', 'w60') GROUP BY doc_id, pidx, sent_idx HAVING count(DISTINCT lemma) = 2"""
    found = desk.write("findings", _words(chosen, "['w50', 'w60']"))
    _kwic(desk, found)
    desk.write("labels", _labels(f"SELECT unnest([keyword, lemma] || asked) AS label FROM {found}"))
    return _text_counts(desk, found)


def spoken_of(desk: Desk) -> dict[str, int]:
    """The sentences of letters from 1550 to 1600 with the lemma w500."""
    found = desk.write(
        "findings",
        f"""
WITH spots AS (SELECT DISTINCT doc_id, pidx, sent_idx FROM {desk.index} WHERE lemma = 'w500'),
dated AS (
  SELECT doc_id, pidx, min(date_from) AS date_from, max(date_to) AS date_to
  FROM l.letter_pages SEMI JOIN spots USING (doc_id, pidx)
  JOIN (SELECT letter_id, date_from, date_to FROM l.letters_resolved) USING (letter_id) GROUP BY doc_id, pidx)
SELECT 'sentence' AS kind, {PLACE}, {SPOT}, 'w500' AS lemma, ['w500'] AS asked, {TIME} AS time
FROM spots JOIN dated USING (doc_id, pidx) JOIN t.stz_sentences USING (doc_id, pidx, sent_idx)
WHERE {TIME} IS NOT NULL {ORDER}""",
    )
    desk.write("labels", _labels(f"SELECT unnest([lemma] || asked) AS label FROM {found}"))
    return _text_counts(desk, found, years=True)


def cited(desk: Desk) -> dict[str, int]:
    """The documents that name Person Nummer 5."""
    found = desk.write(
        "findings",
        f"""
WITH named AS (SELECT DISTINCT doc_id, pidx, sent_idx FROM t.stz_entities WHERE ent_id = 'p5')
SELECT 'sentence' AS kind, {PLACE}, {SPOT}, 'certain' AS time
FROM (SELECT doc_id, pidx, sent_idx, nfc_normalize(text) AS text FROM t.stz_sentences LEFT JOIN
  (SELECT *, true AS has FROM named) USING (doc_id, pidx, sent_idx)
  WHERE has OR contains(nfc_normalize(text), 'Person Nummer 5')) {ORDER}""",
    )
    entries = desk.write(
        "entries",
        f"""
SELECT doc_id, 'large' AS collection, count(*) AS n_sentences, list(text ORDER BY pidx, sent_idx)[:3] AS excerpts,
  min_by(url, (pidx, sent_idx)) AS url FROM {found} GROUP BY doc_id ORDER BY doc_id""",
    )
    desk.write("labels", _labels(f"SELECT doc_id AS label FROM {entries}"))
    return _text_counts(desk, found)


def said(desk: Desk) -> dict[str, int]:
    """The sentences with the string w77us."""
    found = desk.write(
        "findings",
        f"""
SELECT 'sentence' AS kind, {PLACE}, {SPOT}, text[:begins - 1] AS "left", 'w77us' AS keyword,
  text[begins + 5:] AS "right", 'certain' AS time
FROM (SELECT doc_id, pidx, sent_idx, nfc_normalize(text) AS text, strpos(nfc_normalize(text), 'w77us') AS begins
  FROM t.stz_sentences WHERE contains(nfc_normalize(text), 'w77us')) {ORDER}""",
    )
    _kwic(desk, found)
    desk.write("labels", _labels(f"SELECT keyword AS label FROM {found}"))
    return _text_counts(desk, found)


def manuscripts(desk: Desk) -> dict[str, int]:
    """All manuscripts, with the days of their dates."""
    year, month = "try_cast(left(date_when, 4) || '-01-01' AS DATE)", "try_cast(left(date_when, 7) || '-01' AS DATE)"
    found = desk.write(
        "findings",
        f"""
SELECT 'manuscript' AS kind, {PLACE}, doc_id, NULL::INTEGER AS pidx, NULL::INTEGER AS sent_idx, NULL::INTEGER AS page,
  title AS text, 'https://texts.example/large/' || doc_id AS url, signature, date_when AS date, n_pages,
  'certain' AS time, coalesce(try_cast(date_when AS DATE), {month}, {year}) AS first_day,
  coalesce(try_cast(date_when AS DATE), last_day({month}), {year} + INTERVAL 1 YEAR - INTERVAL 1 DAY)::DATE AS last_day
FROM l.manuscripts ORDER BY first_day, last_day, signature, doc_id, title""",
    )
    entries = desk.write(
        "entries",
        f"""
SELECT text AS name, signature AS canonical, kind, date, n_pages AS count, [doc_id] AS doc_ids, url, collection,
  evidence
FROM {found}""",
    )
    desk.write(
        "events",
        f'SELECT year(first_day) AS "from", year(last_day) AS "to", count(*) AS count FROM {found}'
        " GROUP BY ALL ORDER BY ALL",
    )
    desk.write("labels", _labels(f"SELECT unnest([name, canonical, doc_ids[1]]) AS label FROM {entries}"))
    counts = desk.one(f"SELECT count(*), sum(n_pages)::BIGINT FROM {found}")
    return dict(zip(("n_manuscripts", "n_pages"), counts, strict=True))


def register(desk: Desk) -> dict[str, int]:
    """The entries of the register of places."""
    found = desk.write(
        "findings",
        f"""
SELECT 'entry' AS kind, {PLACE}, doc_id, pidx, NULL::INTEGER AS sent_idx, pidx + 1 AS page, name AS text, {URL} AS url,
  id::VARCHAR AS id, places.kind AS entry_kind FROM l.places ORDER BY text, id, doc_id, pidx""",
    )
    entries = desk.write(
        "entries",
        f"""
SELECT text AS name, id AS canonical, min(entry_kind) AS kind, count(*) AS count, count(DISTINCT doc_id) AS n_docs,
  list(DISTINCT doc_id ORDER BY doc_id)[:1000] AS doc_ids, min_by(url, (doc_id, pidx)) AS url, collection, evidence
FROM {found} GROUP BY collection, evidence, text, id ORDER BY name, canonical""",
    )
    desk.write("labels", _labels(f"SELECT unnest([name, canonical]) AS label FROM {entries}"))
    return {"n_entries": desk.one(f"SELECT count(*) FROM {entries}")[0]}


def named(desk: Desk) -> dict[str, int]:
    """The mentions of p5."""
    found = desk.write(
        "findings",
        f"""
SELECT 'mention' AS kind, {PLACE}, {SPOT}, keyword, 'certain' AS time
FROM (SELECT doc_id, pidx, sent_idx, text AS keyword FROM t.stz_entities WHERE ent_id = 'p5')
JOIN t.stz_sentences USING (doc_id, pidx, sent_idx) {ORDER}, keyword""",
    )
    desk.write("entries", f"SELECT evidence, collection, doc_id, page, keyword, text, url, pidx, sent_idx FROM {found}")
    desk.write("labels", _labels(f"SELECT keyword AS label FROM {found}"))
    return _text_counts(desk, found, "n_mentions")


def _words(chosen: str, asked: str) -> str:
    """Return the query for words in their sentences; all that stands before a word is split by its form."""
    return f"""
WITH chosen AS MATERIALIZED ({chosen}),
words AS MATERIALIZED (
  SELECT doc_id, pidx, sent_idx, tid, form FROM t.stz_tokens SEMI JOIN chosen USING (doc_id, pidx, sent_idx)),
keyed AS (SELECT chosen.*, form FROM chosen JOIN words USING (doc_id, pidx, sent_idx, tid)),
earlier AS (
  SELECT k.doc_id, k.pidx, k.sent_idx, k.tid,
    sum((length(w.form) - length(replace(w.form, k.form, ''))) // length(k.form)) AS n
  FROM keyed k JOIN words w USING (doc_id, pidx, sent_idx) WHERE w.tid < k.tid AND contains(w.form, k.form)
  GROUP BY ALL),
written AS (
  SELECT *, list_sum(list_transform(string_split(text, form)[:coalesce(n, 0)::INTEGER + 1], lambda part: length(part)))
    + coalesce(n, 0) * length(form) AS before
  FROM keyed JOIN t.stz_sentences USING (doc_id, pidx, sent_idx) LEFT JOIN earlier USING (doc_id, pidx, sent_idx, tid))
SELECT 'attestation' AS kind, {PLACE}, {SPOT}, text[:before] AS "left", form AS keyword,
  text[before + length(form) + 1:] AS "right", lemma, upos, {asked} AS asked, 'certain' AS time, tid
FROM written {ORDER}, tid"""


def _kwic(desk: Desk, found: str) -> None:
    columns = ("collection", "doc_id", "page", '"left"', "keyword", '"right"', "text", "url", "pidx", "sent_idx")
    desk.write("entries", f"SELECT {', '.join(columns)} FROM {found}")


def _labels(labels: str) -> str:
    return f"SELECT DISTINCT label FROM ({labels}) ORDER BY label"


def _by_document(desk: Desk, found: str) -> None:
    certain = "WHERE time = 'certain'"
    desk.one(f"SELECT list(t) FROM (SELECT doc_id, count(*) AS n FROM {found} {certain} GROUP BY doc_id"
             " ORDER BY n DESC, doc_id LIMIT 1000) t")  # fmt: skip


def _text_counts(desk: Desk, found: str, first: str | None = None, *, years: bool = False) -> dict[str, int]:
    counts = desk.one(f"""
WITH each AS (SELECT doc_id, time, count(*) AS n FROM {found} GROUP BY doc_id, pidx, sent_idx, time)
SELECT sum(n) FILTER (time = 'certain'), countif(time = 'certain'), count(DISTINCT doc_id) FILTER (time = 'certain'),
  countif(time = 'possible'), countif(time = 'undated') FROM each""")
    _by_document(desk, found)
    names = (first or "", "n_sentences", "n_documents", *(("n_possible", "n_undated") if years else ()))
    return {name: int(number) for name, number in zip(names, counts, strict=False) if name}


BY_HAND: Final[dict[str, Callable[[Desk], dict[str, int]]]] = {
    "correspondence-count": lambda desk: letters(desk, years=True),
    "correspondence-roster": lambda desk: letters(desk, years=False),
    "letter-subject": subject,
    "mention-in-letters": mentioned_in_letters,
    "terminology-find": attested,
    "concept-statements": spoken_of,
    "source-attestation": cited,
    "sentence-mention": said,
    "cooccurrence": together,
    "manuscript-inventory": manuscripts,
    "register-inventory": register,
    "entity-mention-count": named,
}
