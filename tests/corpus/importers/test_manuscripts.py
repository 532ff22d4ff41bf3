"""Lists of manuscripts: every row is kept or named, and what stood beside them stays."""

from __future__ import annotations

import json
from pathlib import Path

import duckdb
import pytest
from collections_made import Asking

from famulus_kernel.corpus.collection import Collection
from famulus_kernel.corpus.importers import import_manuscripts, import_table
from famulus_kernel.corpus.overview import overview
from famulus_kernel.corpus.soundness import check_collection
from famulus_kernel.errors import ImportRefused

TABLE = """Signatur;Titel;Datum;Seiten;doc_id
Cod. 1;Briefe;1520/1530;12;d1
Cod. 2;"Reden;
und Antworten";1751-12-Ende;8;d2
Cod. 3;Ohne alles;;zwölf Blatt;
;Nichts;1520;1;
Cod. 4;Zu kurz;1520
Cod. 1;Briefe;1520/1530;12;d1
Cod. 9;Andere Briefe;um 1520;3;d1
Cod. 5;Kein Datum;gestern;4;d5
"""
LETTERS = "sender,recipient,date\nAnna,Berta,1520\n"


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def rows(folder: Path, sql: str) -> list[tuple[object, ...]]:
    with duckdb.connect(str(Collection.at(folder).letters_path), read_only=True) as connection:
        return connection.execute(sql).fetchall()


def test_every_row_is_kept_or_named_with_its_line(tmp_path: Path) -> None:
    report = import_manuscripts([write(tmp_path, "hss.csv", TABLE)], tmp_path / "c")
    assert (report.read, report.kept) == (8, 5)
    assert [note.line for note in report.rejects] == [6, 7]
    assert [str(note) for note in report.doubles] == ["hss.csv:8: d1 stands in hss.csv:2 already"]
    assert {kind: [note.line for note in notes] for kind, notes in report.notes.items()} == {
        "date": [3, 9, 10],
        "undated-manuscript": [5],
        "no-pages": [5],
        "same-manuscript": [9],
    }
    assert rows(tmp_path / "c", "FROM manuscripts") == [
        ("d1", "Briefe", "1520/1530", 12, "Cod. 1"),
        ("d2", "Reden; und Antworten", "1751-12", 8, "Cod. 2"),
        ("Cod. 3", "Ohne alles", None, None, "Cod. 3"),
        ("d1", "Andere Briefe", "1520~", 3, "Cod. 9"),
        ("d5", "Kein Datum", "gestern", 4, "Cod. 5"),
    ]


def test_a_list_of_manuscripts_alone_is_a_sound_collection_that_can_be_asked(tmp_path: Path) -> None:
    import_manuscripts([write(tmp_path, "hss.csv", TABLE)], tmp_path / "root" / "c")
    made = Collection(tmp_path / "root", "c")
    assert not [one for one in check_collection(made) if one.level == "error"]
    assert overview(made).manuscripts == {"n_manuscripts": 5, "n_undated": 1, "n_pages": 27}
    ask = Asking(tmp_path / "root", tmp_path)
    counts = ask("manuscript-inventory", collections=["c"], years={"from": 1520, "to": 1530}).counts
    assert counts == {"n_manuscripts": 2, "n_pages": 15, "n_possible": 0, "n_undated": 2}


def test_letters_manuscripts_and_registers_leave_one_another_in_place(tmp_path: Path) -> None:
    manuscripts, letters = write(tmp_path, "hss.csv", TABLE), write(tmp_path, "briefe.csv", LETTERS)
    folder = tmp_path / "c"
    import_manuscripts([manuscripts], folder)
    import_table([letters], folder)
    with duckdb.connect(str(Collection.at(folder).letters_path)) as connection:
        connection.execute("CREATE TABLE orte AS SELECT 'Padua' AS name")
    import_manuscripts([manuscripts], folder)
    import_table([letters], folder)
    assert rows(folder, "SELECT (SELECT count(*) FROM manuscripts), (SELECT count(*) FROM letters_resolved), name"
                        " FROM orte") == [(5, 1, "Padua")]  # fmt: skip
    status = json.loads((folder / "status.json").read_bytes())
    assert set(status["imports"]) == {"letters", "manuscripts"}
    assert status["gaps"] == ["2 manuscripts could not be read (import_manuscripts.json)"]


def test_other_manuscripts_take_their_place_only_when_told_to(tmp_path: Path) -> None:
    import_manuscripts([write(tmp_path, "hss.csv", TABLE)], tmp_path / "c")
    other = write(tmp_path, "andere.csv", "title,signature\nNeu,X\n")
    with pytest.raises(ImportRefused, match=r"hss\.csv"):
        import_manuscripts([other], tmp_path / "c")
    import_manuscripts([other], tmp_path / "c", replace=True)
    assert rows(tmp_path / "c", "SELECT doc_id, title FROM manuscripts") == [("X", "Neu")]


def test_a_table_without_titles_is_refused_and_nothing_is_made(tmp_path: Path) -> None:
    with pytest.raises(ImportRefused, match="title"):
        import_manuscripts([write(tmp_path, "hss.csv", "a,b\n1,2\n")], tmp_path / "c")
    assert not (tmp_path / "c").exists()
