"""An import is whole or was never: built beside, the same twice, and nothing replaced that it did not make."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import pytest
from filelock import FileLock
from importing import A, B, Place, cmif, letter, person
from pexpect import EOF
from terminals import terminal

from famulus_kernel.corpus.importers import Report, import_cmif
from famulus_kernel.corpus.importers.building import undisturbed
from famulus_kernel.errors import ImportRefused

ROWS = "FROM letters_resolved", "FROM ent_canonical", "FROM ent_variants", "FROM letter_pages"
LETTERS = cmif(letter("1", A, B), letter("2", B, person("Carl") + person("Unbekannt")), letter("3", A, A))
TEXT = "# newdoc id = v1:1\n1\tPax\tpax\tNOUN\t_\t_\t_\t_\t_\t_\n\n"


def test_a_second_import_of_the_same_files_gives_the_same_rows_and_the_same_status(place: Place) -> None:
    place.cmif(LETTERS)
    first = [place.letters(sql) for sql in ROWS], place.collection.status_path.read_bytes()
    place.cmif(LETTERS)
    assert ([place.letters(sql) for sql in ROWS], place.collection.status_path.read_bytes()) == first


def test_nothing_but_the_collection_is_left_in_its_folder(place: Place) -> None:
    place.cmif(LETTERS)
    assert {path.name for path in place.collection.folder.iterdir()} == {
        "probe.duckdb", "status.json", "import_letters.json", ".import.lock",
    }  # fmt: skip


def test_files_of_other_names_are_refused_unless_they_are_to_replace(place: Place) -> None:
    place.cmif(LETTERS)
    with pytest.raises(ImportRefused, match="made of a"):
        place.cmif(LETTERS, cmif(letter("9", A, B)))
    assert place.letters("SELECT count(DISTINCT letter_id) FROM letters_resolved") == [(3,)]
    place.cmif(LETTERS, cmif(letter("9", A, B)), replace=True)
    assert place.letters("SELECT count(DISTINCT letter_id) FROM letters_resolved") == [(4,)]


def test_a_database_that_no_import_made_is_never_replaced_unasked(place: Place) -> None:
    place.collection.folder.mkdir(parents=True)
    place.collection.letters_path.write_bytes(b"somebody else's")
    with pytest.raises(ImportRefused, match="no import made it"):
        place.cmif(LETTERS)
    assert place.collection.letters_path.read_bytes() == b"somebody else's"


def test_two_files_of_one_name_are_refused(place: Place) -> None:
    (place.root / "sub").mkdir()
    files = [place.file("a.xml", LETTERS), place.file("sub/a.xml", LETTERS)]
    with pytest.raises(ImportRefused, match="have the same name"):
        import_cmif(files, place.collection.folder)


def test_a_failed_import_leaves_the_collection_as_it_was(place: Place) -> None:
    place.cmif(LETTERS)
    before = {path.name: path.read_bytes() for path in place.collection.folder.iterdir()}
    with pytest.raises(ImportRefused):
        place.cmif("no letters here")
    assert {path.name: path.read_bytes() for path in place.collection.folder.iterdir()} == before


def test_an_import_at_work_keeps_another_one_out(place: Place) -> None:
    place.cmif(LETTERS)
    with FileLock(place.collection.folder / ".import.lock"), pytest.raises(ImportRefused, match="another import"):
        place.cmif(LETTERS)


def test_what_a_killed_import_left_is_gone_after_the_next(place: Place) -> None:
    place.cmif(LETTERS)
    (place.collection.folder / ".import-dead").mkdir()
    (place.collection.folder / ".import-dead" / "probe.duckdb").write_bytes(b"half")
    place.cmif(LETTERS)
    assert not list(place.collection.folder.glob(".import-*"))


def test_a_kill_in_the_middle_leaves_the_collection_whole(place: Place) -> None:
    place.cmif(LETTERS)
    before = place.letters(ROWS[0])
    many = cmif(*(letter(str(at), A, B) for at in range(20_000)))
    path = place.file("a.xml", many)
    script = (
        "from famulus_kernel.corpus.importers import import_cmif; from pathlib import Path; "
        f"import_cmif([Path({str(path)!r})], Path({str(place.collection.folder)!r}))"
    )
    process = subprocess.Popen([sys.executable, "-c", script])
    deadline = time.monotonic() + 30
    while not list(place.collection.folder.glob(".import-*/probe.duckdb")) and time.monotonic() < deadline:
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert place.letters(ROWS[0]) == before
    assert place.cmif(LETTERS).kept == 3


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_ctrl_c_in_a_terminal_that_shows_how_far_the_import_is_leaves_the_collection_as_it_was(place: Place) -> None:
    place.cmif(LETTERS)
    before = {path.name: path.read_bytes() for path in place.collection.folder.iterdir()}
    path = place.file("a.xml", cmif(*(letter(str(at), A, B) for at in range(20_000))))
    words = ["collection", "import", "cmif", str(path), "--into", str(place.collection.folder)]
    with terminal(sys.executable, "-m", "famulus_kernel.cli", *words, cwd=place.root, NO_COLOR="1") as shown:
        shown.expect(r"\d%[^%]* [1-9][\d,]* letters\S* \S*0:00:")
        shown.sendintr()
        shown.expect(EOF)
        shown.close()
    assert shown.exitstatus == 130
    assert {path.name: path.read_bytes() for path in place.collection.folder.iterdir()} == before
    assert place.cmif(LETTERS).kept == 3


def test_ctrl_c_waits_until_the_files_of_a_collection_are_all_in_place() -> None:
    done = []

    def work() -> None:
        with undisturbed():
            signal.raise_signal(signal.SIGINT)
            done.append("the renames after it")

    with pytest.raises(KeyboardInterrupt):
        work()
    assert done
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)


def test_a_folder_that_cannot_be_made_is_an_error_that_names_it(place: Place) -> None:
    place.file("collections", "a file stands where the root should be")
    with pytest.raises(ImportRefused, match="cannot be written"):
        place.cmif(LETTERS)


def test_what_somebody_wrote_into_status_json_stays(place: Place) -> None:
    place.collection.folder.mkdir(parents=True)
    place.collection.status_path.write_text(json.dumps({"person": "Anna", "licence": "CC0", "ours": 1, "gaps": ["x"]}))
    place.cmif(LETTERS)
    status = place.collection.open_status()
    assert (status.person, status.licence, status.gaps) == ("Anna", "CC0", ("x",))
    assert status.model_extra is not None
    assert status.model_extra["ours"] == 1
    assert status.overall == "partial"


def test_lost_letters_are_a_gap_that_goes_when_they_are_mended(place: Place) -> None:
    place.cmif(cmif(letter("1", A, B), letter("2", A, "&")))
    assert place.collection.open_status().gaps == ("1 letters could not be read (import_letters.json)",)
    report = json.loads((place.collection.folder / "import_letters.json").read_bytes())
    assert (report["read"], report["kept"], len(report["rejected"])) == (2, 1, 1)
    place.cmif(cmif(letter("1", A, B), letter("2", A, B)))
    assert place.collection.open_status().gaps == ()


@pytest.mark.parametrize("texts_first", [True, False])
def test_a_letter_and_the_document_of_its_id_belong_together(place: Place, texts_first: bool) -> None:
    for step in ("texts", "letters") if texts_first else ("letters", "texts"):
        place.conllu(TEXT) if step == "texts" else place.cmif(LETTERS)
    assert place.letters("FROM letter_pages") == [("v1:1", "v1:1", 0)]
    assert place.report.contents["letters with text"] == 1
    status = place.collection.open_status()
    assert status.artifacts["letters"] == 3
    assert status.artifacts["sentences"] == 1


def test_counts_that_do_not_add_up_are_a_defect_and_stop_the_import() -> None:
    report = Report("letters")
    report.read, report.kept = 2, 1
    with pytest.raises(AssertionError, match="2 letters came in, 1 are accounted for"):
        report.settle()
