from __future__ import annotations

import pytest

from famulus_kernel.artefacts import html
from famulus_kernel.artefacts.kinds.entfaltung_teil import SECTIONS
from famulus_kernel.artefacts.labels import resolve
from famulus_kernel.artefacts.view import Facts, Table
from famulus_kernel.errors import ArtefactError

REPORT = {
    "format": "famulus-enfolding/1",
    "protocol": "famulus-zielentfaltung",
    "block": "astrolab",
    "body": "briefe@0123456789",
    "question": "Wer nennt das Astrolab?",
    "slots": {"begriff": "astrolabium", "zeitraum": "1520-1530"},
    "filter": {"form": "thema", "rule": "begriff"},
    "coverage": {"n_documents": 40, "n_in": 30, "n_out": 8, "n_undatable": 2, "n_unaccounted": 0},
    "channels": [{"channel": "register", "yield": 12}, {"channel": "regest", "yield": 3}],
    "subgoals": [{"subgoal": "b1", "state": "gespielt", "budget": {"zeit_s": 3}}],
    "candidates": [
        {"address": "briefe/d1?p=3#2", "grade": "gewiss", "decision": "accepted", "reasons": ["Register", "Lemma"]},
        {"address": "briefe/d2?p=1#0", "grade": "schwach", "decision": "open", "reasons": [{"text": "Regest"}]},
    ],
    "excluded": [{"address": "briefe/d9", "reasons": ["anderes Jahr"]}],
    "rest": [{"address": "briefe/d2?p=1#0", "grade": "schwach", "reasons": ["unter dem Annahmegrad"]}],
    "verdict": "validiert-mit-rest",
    "grade": "stark",
    "measures": {"rest_quote": 0.04, "n_rest": 1, "n_belege": 1, "gate_match": True},
}


def facts_of(built, lang: str = "de") -> dict[str, object]:
    return {
        resolve(fact.label, lang): fact.value if not hasattr(fact.value, "message") else resolve(fact.value, lang)
        for part in built.view.parts
        if isinstance(part, Facts)
        for fact in part.items
    }


@pytest.mark.parametrize("teil", SECTIONS)
def test_every_section_is_drawn_with_words_of_the_page_only(build, teil: str) -> None:
    built = build("entfaltung-teil", {"teil": teil, "enfolding": REPORT}, lang="de")
    assert built.data["teil"] == teil
    labels = [fact.label for part in built.view.parts if isinstance(part, Facts) for fact in part.items]
    labels += [column.label for part in built.view.parts if isinstance(part, Table) for column in part.columns]
    assert [label.text for label in labels if label.message is None] in ([], ["rule"])
    assert built.view.title is not None


def test_the_keys_of_the_report_may_stand_beside_teil(build) -> None:
    assert build("entfaltung-teil", {"teil": "ziel", **REPORT}).data == {
        "teil": "ziel", **{key: REPORT[key] for key in ("question", "protocol", "block", "body", "slots")},
    }  # fmt: skip


def test_the_verdict_is_told_by_badge_and_grade(build) -> None:
    built = build("entfaltung-teil", {"teil": "urteil", "enfolding": REPORT})
    (part,) = built.view.parts
    assert part.items[0].badge == "pass"
    assert facts_of(built) == {
        "Urteil": "validiert mit Rest", "Grad": "stark", "Anteil des Rests": 0.04, "Belege": 1,
        "Erwartung getroffen": True,
    }  # fmt: skip
    question = build("entfaltung-teil", {"teil": "urteil", "verdict": {"urteil": "Rückfrage"}}, "back")
    assert question.view.parts[0].items[0].badge == "error"


def test_the_funnel_counts_documents_and_what_was_decided(build) -> None:
    built = build("entfaltung-teil", {"teil": "trichter", "enfolding": REPORT})
    assert {key: value for key, value in facts_of(built).items() if isinstance(value, int)} == {
        "Dokumente": 40, "im Evidenzraum": 30, "außerhalb": 8, "nicht datierbar": 2, "Kandidaten": 2, "angenommen": 1,
        "offen": 1, "ausgeschlossen": 1, "Rest": 1, "ohne Nachweis": 0,
    }  # fmt: skip


def test_candidates_are_a_table_with_all_of_them_beside_it(build, tmp_path) -> None:
    many = [{"address": f"briefe/d{at}", "reasons": ["a", {"text": "b", "seite": 2}]} for at in range(1500)]
    built = build("entfaltung-teil", {"teil": "entfaltung", "candidates": many})
    (table,) = built.view.parts
    assert isinstance(table, Table)
    assert table.total == 1500
    assert table.rows[0] == ("briefe/d0", "a\nb, 2")
    assert len(built.data["candidates"]) == 1000
    assert built.companions == ("artefacts/probe.candidates.parquet", "artefacts/probe.candidates.csv")
    assert all((tmp_path / name).is_file() for name in built.companions)


def test_a_section_of_which_the_report_says_nothing_says_so(build) -> None:
    (part,) = build("entfaltung-teil", {"teil": "ausschluss", "enfolding": {"block": "x"}}).view.parts
    assert part.items[0].value.message == "value.none"


def test_hostile_words_of_a_report_stay_words(build) -> None:
    hostile = "<script>alert(1)</script>"
    report = {"question": hostile, "slots": {hostile: hostile}, "form": [hostile]}
    built = build("entfaltung-teil", {"teil": "ziel", "enfolding": report})
    assert "<script>" not in html.render(built.view, "de")
    assert hostile in str(built.view.model_dump())


@pytest.mark.parametrize(
    ("payload", "said"),
    [
        ({"enfolding": REPORT}, "it needs teil: one of ziel"),
        ({"teil": "anhang", "enfolding": REPORT}, "not anhang"),
        ({"teil": "ziel"}, "it needs enfolding"),
        ({"teil": "ziel", "enfolding": [1]}, "it needs enfolding"),
        ("ziel", "it needs teil"),
    ],
)
def test_what_is_no_section_is_told(build, payload: object, said: str) -> None:
    with pytest.raises(ArtefactError, match=said):
        build("entfaltung-teil", payload)
