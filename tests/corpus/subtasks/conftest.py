"""A house of letters with every trap in it, and its texts."""

from __future__ import annotations

from pathlib import Path

import pytest
from collections_made import Asking, Letter, make_collection

UNSURE = ("stated", "uncertain", "stated")
LETTERS = [
    Letter("L01", "w", "a", "1520-05-03", doc="d1", url="https://edition.example/1"),
    Letter("L02", "a", "w", "1521-01-01", "1521-12-31", doc="d2"),
    Letter("L03", "w", "a", "1522-02-02"),
    Letter("L03", "c", "a", "1522-02-02"),
    Letter("L04", "o", "w", "1525-01-01"),
    Letter("L04", "o", "a", "1525-01-01"),
    Letter("L05", "w", "u", "1526-01-01"),
    Letter("L06", None, "w", "1527-01-01"),
    Letter("L07", "w", "w", "1528-01-01"),
    Letter("L08", "w", "c", "1519-06-01", "1521-06-01"),
    Letter("L09", "c", "w"),
    Letter("L10", "b", "w", "1523-01-01", basis=UNSURE),
    Letter("L11", "a", "c", "1524-01-01", doc="d3"),
    Letter("L12", "w", "a", "1531-01-01"),
]
PERSONS = [
    ("w", "Willibald Wirt", "person"),
    ("a", "Albrecht Maler", "person"),
    ("b", "Beata Vogt", "person"),
    ("c", "Caritas Wirt", "person"),
    ("o", "Rat der Stadt", "org"),
    ("u", "Unbekannt", "unknown"),
    ("n1", "Namensvetter der Ältere", "person"),
    ("n2", "Namensvetter der Jüngere", "person"),
]
VARIANTS = [("a", "Albertus Pictor"), ("b", "Beata Uogt\u017f"), ("n1", "Namensvetter"), ("n2", "Namensvetter")]
GOD, MAN, PEACE = ("deus", "deus", "NOUN"), ("homo", "homo", "NOUN"), ("pacem", "pax", "NOUN")
NATURE, NATURAL = ("natura", "natura", "NOUN"), ("naturalis", "naturalis", "ADJ")
AND, IS = ("et", "et", "CCONJ"), ("est", "sum", "AUX")
SENTENCES = [
    ("d1", 0, 0, "la", [GOD, AND, MAN]),
    ("d1", 0, 1, "la", [GOD, IS, ("naturae", "natura", "NOUN"), AND, ("Albertus", "Albertus", "PROPN")]),
    ("d1", 1, 0, "la", [PEACE, AND, ("Deum", "deus", "NOUN"), AND, GOD]),
    ("d2", 0, 0, "de", [("Gott", "deus", "NOUN"), ("und", "und", "CCONJ"), ("Straße", "straße", "NOUN")]),
    ("d3", 0, 0, "la", [NATURAL, IS, ("saphea", "saphea", "NOUN")]),
    ("d4", 0, 0, "la", [("essentia", "essentia", "NOUN"), ("est", "sum", "AUX"), NATURE]),
]
HAUS = {
    "letters": LETTERS,
    "persons": PERSONS,
    "variants": VARIANTS,
    "pages": [("L01", "d1", 0), ("L01", "d1", 1), ("L02", "d2", 0)],
    "sentences": SENTENCES,
    "mentions": [
        ("d1", 0, 1, "a", "Albertus"),
        ("d1", 0, 1, "a", "Albertus"),
        ("d2", 0, 0, "w", "Gott"),
        ("d3", 0, 0, "a", "saphea"),
    ],
    "family": [("natura", "naturalis", "ADJ"), ("natura", "essentia", "NOUN")],
    "manuscripts": [
        ("m1", "Briefe", "1520", 12, "Cod. 1"),
        ("m2", "Reden", "1519/1521", 8, "Cod. 2"),
        ("m3", "Ohne Datum", None, None, None),
    ],
    "sql": """CREATE TABLE orte AS SELECT * FROM (VALUES ('Nürnberg', 'o1', 'd1', 0), ('Nürnberg', 'o1', 'd2', 1),
        ('Padua', 'o2', 'd1', 0)) AS t(headword, id, doc_id, pidx)""",
    "status": {"person": "Willibald Wirt", "registers": ["orte"]},
}


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a root with the collections `haus` and `haus-sec`; tests leave it as it is."""
    root = tmp_path_factory.mktemp("collections")
    make_collection(root, "haus", **HAUS)  # type: ignore[arg-type]
    make_collection(
        root,
        "haus-sec",
        letters=[Letter("S1", "w", "x", "1520-01-01")],
        persons=[("w", "Willibald Wirt", "person"), ("x", "Xaver Leser", "person")],
        sentences=[("s1", 3, 0, "de", [GOD, ("Straße", "straße", "NOUN")])],
    )
    return root


@pytest.fixture
def ask(house: Path, tmp_path: Path) -> Asking:
    """Put questions to the house."""
    return Asking(house, tmp_path, "https://viewer.example/")
