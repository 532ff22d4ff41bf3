"""The example's data against counts that were made from its register by other means, in plain SQL."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import duckdb
import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from types import ModuleType

YEARS = "year(date_from) >= 1520 AND year(date_to) <= 1530"
HIM = "pirckheimer-willibald"
OPPOSITE = f"""
  SELECT letter_id, recipient_id AS ent_id, recipient_basis AS basis, 'from' AS direction, date_from, date_to
  FROM letters_resolved WHERE sender_id = '{HIM}'
  UNION
  SELECT letter_id, sender_id, sender_basis, 'to', date_from, date_to
  FROM letters_resolved WHERE recipient_id = '{HIM}'
"""


@pytest.fixture(scope="module")
def database(built: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect(built / "data/pirckheimer/pirckheimer.duckdb", read_only=True) as connection:
        yield connection


def one(database: duckdb.DuckDBPyConnection, sql: str) -> Any:
    row = database.execute(sql).fetchone()
    assert row is not None
    return row[0] if len(row) == 1 else row


def test_there_are_116_letters_40_from_him_and_76_to_him(database: duckdb.DuckDBPyConnection) -> None:
    assert one(
        database,
        f"""SELECT count(DISTINCT letter_id), count(DISTINCT letter_id) FILTER (WHERE sender_id = '{HIM}'),
                   count(DISTINCT letter_id) FILTER (WHERE recipient_id = '{HIM}') FROM letters_resolved""",
    ) == (116, 40, 76)


def test_every_pair_of_a_sender_and_a_recipient_is_one_row(database: duckdb.DuckDBPyConnection) -> None:
    several = "SELECT letter_id, count(*) FROM letters_resolved GROUP BY 1 HAVING count(*) > 1 ORDER BY 1"
    assert database.execute(several).fetchall() == [("P012", 2), ("P079", 2), ("P080", 2), ("P109", 8)]


def test_74_letters_have_an_exact_day_and_42_anything_less(database: duckdb.DuckDBPyConnection) -> None:
    assert one(
        database, "SELECT count(*) FILTER (WHERE taggenau), count(*) FILTER (WHERE NOT taggenau) FROM briefe"
    ) == (74, 42)


def test_an_exact_day_is_a_day_that_nothing_queries(database: duckdb.DuckDBPyConnection) -> None:
    plain = r"regexp_full_match(date_when, '\d{4}-\d{2}-\d{2}')"
    exact = f"SELECT count(DISTINCT letter_id) FROM letters_resolved WHERE {plain} AND date_from = date_to"
    assert one(database, exact) == 74


def test_the_sources_add_up(database: duckdb.DuckDBPyConnection) -> None:
    assert one(
        database,
        """SELECT count(*) FILTER (WHERE aus_datensatz AND NOT zweite_stelle),
                  count(*) FILTER (WHERE aus_datensatz AND zweite_stelle),
                  count(*) FILTER (WHERE NOT aus_datensatz), count(*) FILTER (WHERE eingesehen) FROM briefe""",
    ) == (90, 21, 5, 116)


def test_38_of_43_persons_have_a_gnd_and_41_a_wikidata_entry(database: duckdb.DuckDBPyConnection) -> None:
    assert one(database, "SELECT count(*), count(gnd), count(wikidata) FROM personen") == (43, 38, 41)
    assert one(database, "SELECT count(*) FROM ent_canonical WHERE kind = 'org'") == 1


def test_28_correspondents_of_1520_to_1530_stand_in_40_letters(database: duckdb.DuckDBPyConnection) -> None:
    assert one(database, f"SELECT count(DISTINCT letter_id) FROM letters_resolved WHERE {YEARS}") == 40
    named = f"SELECT count(DISTINCT ent_id) FROM ({OPPOSITE}) WHERE {YEARS} AND basis <> 'uncertain'"
    assert one(database, named) == 28


def test_there_are_22_when_the_eight_of_wpbw_1173_are_one_unnamed_group(database: duckdb.DuckDBPyConnection) -> None:
    joint = one(database, "SELECT letter_id FROM briefe WHERE ausgabe = 'WPBw VII 1173'")
    others = f"{YEARS} AND basis <> 'uncertain' AND letter_id <> '{joint}'"
    assert one(database, f"SELECT count(DISTINCT ent_id) FROM ({OPPOSITE}) WHERE {others}") == 22


@pytest.mark.parametrize(
    ("ent_id", "letters"),
    [("erasmus-desiderius", 18), ("duerer-albrecht", 15), ("pirckheimer-caritas-elder", 5)],
)
def test_the_letters_of_a_correspondent_are_counted(
    database: duckdb.DuckDBPyConnection, ent_id: str, letters: int
) -> None:
    assert one(database, f"SELECT count(DISTINCT letter_id) FROM ({OPPOSITE}) WHERE ent_id = '{ent_id}'") == letters


def test_ten_of_duerers_letters_come_from_venice_in_1506(database: duckdb.DuckDBPyConnection) -> None:
    venice = "sender_id = 'duerer-albrecht' AND place = 'Venice' AND year(date_from) = 1506"
    assert one(database, f"SELECT count(*) FROM letters_resolved WHERE {venice}") == 10


@pytest.mark.parametrize(("condition", "partners"), [("true", 23), ("basis <> 'uncertain'", 21)])
def test_partners_in_both_directions_are_counted_with_and_without_queried_ones(
    database: duckdb.DuckDBPyConnection, condition: str, partners: int
) -> None:
    both = f"""SELECT count(*) FROM (
      SELECT ent_id FROM ({OPPOSITE}) WHERE ent_id IS NOT NULL AND {condition}
      GROUP BY ent_id HAVING count(DISTINCT direction) = 2)"""
    assert one(database, both) == partners
    assert one(database, f"SELECT count(DISTINCT ent_id) FROM ({OPPOSITE})") == 42


def test_the_table_of_the_other_side_says_the_same_as_the_pairs(database: duckdb.DuckDBPyConnection) -> None:
    both = f"""SELECT letter_id, ent_id FROM ({OPPOSITE}) EXCEPT SELECT letter_id, ent_id FROM gegenueber"""
    assert database.execute(both).fetchall() == []
    assert one(database, "SELECT count(*) FROM gegenueber") == one(database, f"SELECT count(*) FROM ({OPPOSITE})")


def test_unknown_parties_are_no_person(database: duckdb.DuckDBPyConnection) -> None:
    unknown = "SELECT count(*) FROM letters_resolved WHERE sender_name LIKE '[%' AND sender_id IS NOT NULL"
    assert one(database, unknown) == 0
    assert one(database, "SELECT count(*) FROM ent_canonical WHERE canonical LIKE '[%'") == 0


def test_a_person_is_called_as_the_pages_call_it_and_the_register_s_name_is_a_variant(
    database: duckdb.DuckDBPyConnection,
) -> None:
    differing = "SELECT count(*) FROM ent_canonical JOIN personen USING (ent_id) WHERE canonical <> name"
    assert one(database, differing) == 0
    both = "SELECT canonical FROM ent_canonical JOIN ent_variants USING (ent_id) WHERE variant = 'Desiderius Erasmus'"
    assert one(database, both) == "Erasmus von Rotterdam"
    assert (
        one(database, "SELECT count(*) FROM ent_canonical JOIN ent_variants USING (ent_id) WHERE variant = canonical")
        == 0
    )


def test_the_parquet_file_holds_the_letters(built: Path, database: duckdb.DuckDBPyConnection) -> None:
    file = str(built / "data/pirckheimer/briefe.parquet")
    with duckdb.connect() as connection:
        parquet = connection.read_parquet(file).fetchall()
    assert parquet == database.execute("FROM briefe ORDER BY letter_id").fetchall()


def test_the_credit_names_the_dataset(built: Path) -> None:
    status = (built / "data/pirckheimer/status.json").read_text(encoding="utf-8")
    assert "Christoph Kudella" in status
    assert "CKudella/corr_data" in status


def test_a_second_build_leaves_every_file_as_it_is(build: ModuleType, built: Path) -> None:
    files = sorted(file for file in built.rglob("*") if file.is_file())
    before = [(file, file.stat().st_mtime_ns, file.stat().st_ino) for file in files]
    build.build(built)
    assert sorted(file for file in built.rglob("*") if file.is_file()) == files
    assert [(file, file.stat().st_mtime_ns, file.stat().st_ino) for file in files] == before


@pytest.mark.parametrize(
    ("edtf", "words"),
    [
        ("1506-01-06", "6. Januar 1506"),
        ("1506-10-13~", "um 13. Oktober 1506"),
        ("1502-22?", "Sommer 1502 (?)"),
        ("[..1506-08-18]", "bis 18. August 1506"),
        ("[1518-10-02,1518-10-09]", "2. oder 9. Oktober 1518"),
        ("{1517-10-03,1517-10-09}", "3. und 9. Oktober 1517"),
        ("[1516-09,1516-10]", "September oder Oktober 1516"),
        ("[1525-04-16..1525-05-31]", "zwischen 16. April und 31. Mai 1525"),
        ("[1502-12-16..1503-02-28]", "zwischen 16. Dezember 1502 und 28. Februar 1503"),
    ],
)
def test_dates_are_told_in_german(build: ModuleType, edtf: str, words: str) -> None:
    assert build.german_date(edtf) == words


def test_the_figure_draws_every_letter_that_belongs_to_one_year(built: Path, build: ModuleType) -> None:
    svg = (built / build.FIGURE).read_text(encoding="utf-8")
    scale = (build.HEIGHT - build.TOP - build.BOTTOM) / 12
    bars = [line for line in svg.splitlines() if line.startswith("<rect") and 'height="13.0"' not in line][1:]
    heights = [float(bar.split('height="')[1].split('"')[0]) for bar in bars]
    assert round(sum(heights) / scale) == 111
