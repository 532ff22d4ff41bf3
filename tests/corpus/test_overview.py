"""What collection show counts."""

from __future__ import annotations

from pathlib import Path

from importing import A, B, Place, cmif, letter, person

from famulus_kernel.corpus.overview import overview

LATIN = "# lang = la\n1\tPax\tpax\tNOUN\t_\t_\t_\t_\t_\t_\n2\tpacis\tpax\tNOUN\t_\t_\t_\t_\t_\t_\n\n"


def test_letters_are_counted_once_however_many_rows_they_have(tmp_path: Path) -> None:
    place = Place(tmp_path)
    place.cmif(
        cmif(
            letter("1", A, B + person("Carl")),
            letter("2", B, A, '<date notBefore="1522-12-30" notAfter="1523-01-02"/>'),
            letter("3", A, person("Unbekannt"), '<date when="-0043-03-15"/>'),
            letter("4", A, "", ""),
        )
    )
    found = overview(place.collection)
    assert found.letters == {"n_letters": 4, "n_undated": 1, "n_persons": 3, "n_unnamed": 1}
    assert (found.years, found.n_wider) == ({-43: 1, 1522: 1}, 1)
    assert found.persons == (
        ("Anna", "gnd:118541013", 3, 1), ("Bert", "gnd:118616099", 1, 1), ("Carl", "name:Carl", 0, 1),
    )  # fmt: skip
    assert found.texts == {}
    assert found.status.credit == "Akademie"


def test_texts_are_counted_without_letters(tmp_path: Path) -> None:
    place = Place(tmp_path)
    place.conllu("# newdoc id = a\n" + LATIN + "# newpage\n" + LATIN, LATIN.replace("# lang = la\n", ""))
    found = overview(place.collection)
    assert found.letters == {}
    assert found.texts == {"n_documents": 2, "n_pages": 3, "n_sentences": 3, "n_words": 6, "n_lemmata": 1}
    assert found.languages == {"la": 2, None: 1}
