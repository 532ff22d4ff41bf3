"""What a collection is: names, files, tables, columns, status.json."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

from famulus_kernel.corpus.collection import (
    ENTITIES,
    LETTERS,
    TABLES,
    Collection,
    collection_names,
    create_tables,
)
from famulus_kernel.errors import CollectionError


def columns_of(connection: duckdb.DuckDBPyConnection, table: str) -> list[tuple[str, str]]:
    return [(row[0], row[1]) for row in connection.execute(f"DESCRIBE {table}").fetchall()]


def test_created_tables_have_the_columns_and_types_that_are_defined() -> None:
    with duckdb.connect() as connection:
        for file in ("letters", "texts"):
            create_tables(connection, file)
        for name in (row[0] for row in connection.execute("SHOW TABLES").fetchall()):
            assert columns_of(connection, name) == [(one.name, one.type) for one in TABLES[name].columns]


def test_a_collection_has_its_files_under_its_name() -> None:
    one = Collection.at("/data/pirckheimer")
    assert (one.root, one.name) == (Path("/data"), "pirckheimer")
    assert Collection.at("/data/x/../pirckheimer/") == one
    assert one.letters_path == Path("/data/pirckheimer/pirckheimer.duckdb")
    assert one.texts_path == Path("/data/pirckheimer/pirckheimer_stanza.duckdb")
    assert one.path_of("lemmata") == Path("/data/pirckheimer/lemma_index.parquet")


@pytest.mark.parametrize(("name", "sibling"), [("kepler-prim", "kepler-sec"), ("pirckheimer", "pirckheimer-sec")])
def test_secondary_literature_lies_beside_what_it_is_about(tmp_path: Path, name: str, sibling: str) -> None:
    assert Collection(tmp_path, name).secondary is None
    (tmp_path / sibling).mkdir()
    assert Collection(tmp_path, name).secondary == Collection(tmp_path, sibling)
    assert Collection(tmp_path, sibling).secondary is None


def test_names_are_those_of_folders_with_a_file_of_a_collection(tmp_path: Path) -> None:
    for name in ("b", "a", "empty"):
        (tmp_path / name).mkdir()
    (tmp_path / "a" / "a.duckdb").touch()
    (tmp_path / "b" / "status.json").touch()
    assert collection_names(tmp_path) == ["a", "b"]
    assert collection_names(tmp_path / "not there") == []


def test_a_collection_that_is_not_there_is_named_with_those_that_are(tmp_path: Path) -> None:
    (tmp_path / "pirckheimer").mkdir()
    (tmp_path / "pirckheimer" / "status.json").touch()
    with pytest.raises(CollectionError) as caught:
        Collection(tmp_path, "pirkheimer").require()
    assert "no collection pirkheimer" in str(caught.value)
    assert caught.value.hint == "did you mean pirckheimer?"


def test_a_root_without_collections_hints_at_the_mount(tmp_path: Path) -> None:
    with pytest.raises(CollectionError) as caught:
        Collection(tmp_path, "x").require()
    assert "PDAI_COLLECTIONS" in caught.value.hint


def test_a_table_made_elsewhere_is_read_under_our_names(tmp_path: Path) -> None:
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE l AS SELECT 7 AS letter_id, 'a' AS From_Ent, 'b' AS recipient_id")
        sql = LETTERS.select("l", ["letter_id", "From_Ent", "recipient_id"], {"sender_id": "from_ent"})
        found = connection.execute(f"SELECT letter_id, sender_id, date_basis, date_from FROM ({sql})").fetchall()
        assert found == [("7", "a", "stated", None)]
        assert columns_of(connection, f"({sql})") == [(one.name, one.type) for one in LETTERS.columns]


@pytest.mark.parametrize(
    ("date", "first", "last"),
    [
        ("'1522-05-03'", "1522-05-03", "1522-05-03"),
        ("'1522-02'", "1522-02-01", "1522-02-28"),
        ("' 1522 '", "1522-01-01", "1522-12-31"),
        ("DATE '1522-05-03'", "1522-05-03", "1522-05-03"),
        ("1522", "1522-01-01", "1522-12-31"),
        ("'1522/1523'", None, None),
        ("NULL", None, None),
    ],
)
def test_bounds_that_a_collection_does_not_have_come_from_plain_dates(
    date: str, first: str | None, last: str | None
) -> None:
    with duckdb.connect() as connection:
        connection.execute(
            f"CREATE TABLE l AS SELECT 1 AS letter_id, 2 AS sender_id, 3 AS recipient_id, {date} AS datum"
        )
        sql = LETTERS.select("l", ["letter_id", "sender_id", "recipient_id", "datum"], {"date_when": "datum"})
        found = connection.execute(f"SELECT date_from::VARCHAR, date_to::VARCHAR FROM ({sql})").fetchall()
    assert found == [(first, last)]


def test_a_missing_column_is_named_with_its_table_and_the_key_that_maps_it() -> None:
    with pytest.raises(CollectionError) as caught:
        ENTITIES.select("e", ["ent_id", "name"], collection="probe")
    assert "the table ent_canonical of the collection probe has no column canonical" in str(caught.value)
    assert caught.value.hint == "map it in famulus.yml: schema: {ent_canonical: {canonical: its name there}}"


def test_a_column_that_the_mapping_names_must_be_there_even_if_it_is_optional() -> None:
    with pytest.raises(CollectionError, match="has no column art"):
        ENTITIES.select("e", ["ent_id", "canonical"], {"kind": "art"})


def test_the_name_of_a_column_is_no_way_into_the_sql() -> None:
    hostile = "x\" FROM read_text('/etc/passwd') --"
    sql = ENTITIES.select("e", ["ent_id", hostile], {"canonical": hostile})
    with duckdb.connect() as connection:
        connection.execute('CREATE TABLE e (ent_id VARCHAR, "' + hostile.replace('"', '""') + '" VARCHAR)')
        assert connection.execute(sql).fetchall() == []


def test_a_missing_status_says_nothing(tmp_path: Path) -> None:
    status = Collection(tmp_path, "x").open_status()
    assert (status.overall, status.gaps, status.registers) == (None, (), ())


@pytest.mark.parametrize(
    ("text", "key"), [("{", None), ("[1]", None), ('{"registers": 7}', "registers"), ('{"person": [1]}', "person")]
)
def test_a_broken_status_is_an_error_with_file_and_key(tmp_path: Path, text: str, key: str | None) -> None:
    (tmp_path / "x").mkdir()
    one = Collection(tmp_path, "x")
    one.status_path.write_text(text)
    with pytest.raises(CollectionError) as caught:
        one.open_status()
    assert caught.value.where.file == str(one.status_path)
    assert caught.value.where.key == key


def test_keys_of_status_that_are_not_ours_are_kept(tmp_path: Path) -> None:
    (tmp_path / "x").mkdir()
    one = Collection(tmp_path, "x")
    one.status_path.write_text('{"overall": "ready", "theirs": {"a": 1}, "gaps": ["one"]}')
    assert one.open_status().model_extra == {"theirs": {"a": 1}}
