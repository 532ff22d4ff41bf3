"""A large collection that DuckDB makes of numbers: the same size gives the same rows, and nothing is downloaded.

A million letters have 20 million words: every fifth letter has a text, of five sentences on two pages, twenty words
each. How often a lemma stands follows Zipf's law: the lemma `w50` is one word in 540. One person, `p0`, is a party of
half of all letters, as in the edition of somebody's correspondence; every twentieth has two addressees. The tables lie
as an import leaves them: texts in their order, the lemma index by lemma.
"""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING, Final

import duckdb

from famulus_kernel.corpus.collection import MANUSCRIPTS, TABLES, Collection, create_tables

if TYPE_CHECKING:
    from pathlib import Path

NAME: Final = "large"
WORDS: Final = 20
"""Words of a sentence."""
LETTERS_A_PERSON: Final = 78

_MACROS: Final = """
CREATE TEMP MACRO stirred(i) AS (i * 48271 + 12345) % 2147483647;
CREATE TEMP MACRO random(i, salt) AS stirred(xor(stirred(i + salt * 7919), stirred(i + salt) >> 11));
CREATE TEMP MACRO rank(n) AS floor(exp((random(n, 1) % 1000003) / 1000003.0 * ln(50000)))::INTEGER;
CREATE TEMP MACRO word(n) AS 'w' || rank(n) || CASE WHEN n % 3 = 0 THEN 'um' ELSE 'us' END;
CREATE TEMP MACRO person(i, salt) AS 'p' || (random(i, salt) % {persons});
CREATE TEMP MACRO day(i) AS DATE '1500-01-01' + (random(i, 2) % 70000)::INTEGER;
"""
_LETTERS: Final = """
INSERT INTO ent_canonical
SELECT 'p' || i, 'Person Nummer ' || i, CASE WHEN i % 1000 = 7 THEN 'unknown' ELSE 'person' END
FROM range({persons}) t(i);
INSERT INTO ent_variants SELECT 'p' || i, 'Persona ' || i FROM range({persons}) t(i);
INSERT INTO letters_resolved
SELECT 'L' || i, 'd' || i // 5, sender, 'N. ' || sender, recipient, 'N. ' || recipient, day::VARCHAR, day,
  day + CASE WHEN i % 5 = 0 THEN 365 ELSE 0 END, NULL, 'stated',
  CASE WHEN i % 50 = 0 THEN 'uncertain' ELSE 'stated' END, 'stated', NULL, 'https://letters.example/' || i
FROM (SELECT i, CASE WHEN i % 4 = 0 THEN 'p0' ELSE person(i, 3) END AS sender,
  CASE WHEN i % 4 = 1 THEN 'p0' ELSE person(i, 4) END AS recipient,
  CASE WHEN i % 97 <> 0 THEN day(i) END AS day FROM range({letters}) t(i));
INSERT INTO letters_resolved BY NAME
SELECT * REPLACE ('p' || length(letter_id) AS recipient_id, 'N. p' || length(letter_id) AS recipient_name)
FROM letters_resolved WHERE substr(letter_id, 2)::BIGINT % 20 = 3;
UPDATE letters_resolved SET doc_id = NULL WHERE substr(letter_id, 2)::BIGINT % 5 <> 0;
INSERT INTO letter_pages
SELECT 'L' || i * 5, 'd' || i, pidx FROM range({documents}) t(i), (VALUES (0), (1)) AS p(pidx) ORDER BY i, pidx;
CREATE TABLE places AS
SELECT i AS id, 'Ort ' || i % {places} AS name, 'place' AS kind, 'd' || random(i, 5) % {documents} AS doc_id,
  i % 2 AS pidx
FROM range({documents}) t(i);
INSERT INTO manuscripts
SELECT 'm' || i, 'Handschrift ' || i, CASE i % 10 WHEN 0 THEN year(day(i))::VARCHAR WHEN 1 THEN year(day(i)) || '~'
  WHEN 2 THEN strftime(day(i), '%Y-%m') ELSE day(i)::VARCHAR END, i % 400, 'Cod. ' || i
FROM range({manuscripts}) t(i);
"""
_TEXTS: Final = """
INSERT INTO stz_sentences
SELECT 'd' || s // 5, s % 5 // 3, s % 5 % 3, 'la',
  array_to_string(list_transform(range({words}), lambda j: word(s * {words} + j)), ' ') || '.'
FROM range({sentences}) t(s);
INSERT INTO stz_tokens
SELECT 'd' || s // 5, s % 5 // 3, s % 5 % 3, n % {words} + 1, word(n), 'w' || rank(n),
  CASE rank(n) % 3 WHEN 0 THEN 'NOUN' WHEN 1 THEN 'VERB' ELSE 'ADJ' END
FROM (SELECT n, n // {words} AS s FROM range({sentences} * {words}) t(n));
INSERT INTO stz_entities
SELECT 'd' || s // 5, s % 5 // 3, s % 5 % 3, CASE WHEN s % 100 = 0 THEN 'p5' ELSE person(s, 6) END,
  word(s * {words}), 'PER'
FROM range({sentences}) t(s);
"""


def make(root: Path, letters: int) -> Path:
    """Make the collection `large` in a folder, if it is not there, and return the collections' root.

    Parameters
    ----------
    root
        Where it lies; its size is part of the name.
    letters
        How many letters; there are twenty times as many words.
    """
    place = root / f"collections-{letters}"
    ready = place / "ready"
    if ready.exists():
        return place
    shutil.rmtree(place, ignore_errors=True)
    collection = Collection(place, NAME)
    collection.folder.mkdir(parents=True)
    sizes = {
        "letters": letters,
        "persons": letters // LETTERS_A_PERSON,
        "documents": letters // 5,
        "sentences": letters,
        "words": WORDS,
        "places": letters // 50,
        "manuscripts": letters // 25,
    }
    macros = _MACROS.format_map(sizes)
    with duckdb.connect(str(collection.letters_path)) as connection:
        create_tables(connection, "letters")
        connection.execute(MANUSCRIPTS.definition())
        connection.execute(macros + _LETTERS.format_map(sizes))
    with duckdb.connect(str(collection.texts_path)) as connection:
        connection.execute("SET memory_limit = '6GB'")
        create_tables(connection, "texts")
        connection.execute(macros + _TEXTS.format_map(sizes))
        columns = ", ".join(column.name for column in TABLES["lemma_index"].columns)
        target = str(collection.lemmata_path).replace("'", "''")
        ordered = f"SELECT {columns} FROM stz_tokens ORDER BY ALL"
        connection.execute(f"COPY ({ordered}) TO '{target}' (FORMAT parquet, COMPRESSION zstd)")
    status = {"overall": "ready", "person": "p0", "registers": ["places"], "viewer": "https://texts.example"}
    collection.status_path.write_text(json.dumps(status) + "\n")
    ready.touch()
    return place
