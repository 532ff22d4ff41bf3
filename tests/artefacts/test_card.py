from __future__ import annotations

import pytest

from famulus_kernel.artefacts import html, markdown, text
from famulus_kernel.artefacts.card import Mark, card, meta_parts, oracle_rows, verdict_badge

PASSED = {
    "id": "count",
    "golden": None,
    "status": "pass",
    "oracle": {"n_letters": 1234, "note": "by hand"},
    "observed": {"n_letters": {"value": 1234, "ok": True}, "score": 1.0},
}
FACTS = {"block": "count", "version": "v0003", "created": "2026-09-22T10:00:00Z"}


def drawn(verdict: dict[str, object] | None, **facts: object) -> str:
    return text.plain(
        text.render_card(
            card({"question": "How many?", "answer": "**Many.**", "verdict": verdict}, **FACTS, **facts), "en"
        )
    )


@pytest.mark.parametrize(
    ("verdict", "badge"),
    [
        (PASSED, "pass"),
        ({**PASSED, "oracle": None, "observed": {}}, "unchecked"),
        ({**PASSED, "oracle": {"note": "later"}, "observed": {}}, "unchecked"),
        ({**PASSED, "status": "fail"}, "fail"),
        ({**PASSED, "status": "gap", "oracle": None}, "gap"),
        ({**PASSED, "status": "error", "oracle": None}, "error"),
        ({}, "unchecked"),
    ],
)
def test_pass_without_anything_compared_is_unchecked_and_never_passed(verdict: dict[str, object], badge: str) -> None:
    assert verdict_badge(verdict) == badge
    words = drawn(verdict)
    assert ("✓ passed" in words) == (badge == "pass")


def test_a_card_says_question_answer_verdict_version_and_age_in_every_renderer() -> None:
    shown = card(
        {"question": "How many?", "answer": "**Many.**", "verdict": PASSED},
        **FACTS,
        newest_file_ns=1_785_000_000 * 10**9,
        stale_since="2026-09-25T01:00:00Z",
        unverified=True,
    )
    for words in (
        html.render_card(shown, "en"),
        markdown.render_card(shown, "en"),
        text.plain(text.render_card(shown, "en")),
    ):
        for piece in (
            "How many?",
            "Many.",
            "✓",
            "passed",
            "◔",
            "stale since 25 September 2026",
            "◐",
            "text not verified",
            "v0003",
            "22 September 2026",
            "data of 25 July 2026",
            "1,234",
            "agrees",
        ):
            assert piece in words


def test_the_note_of_an_oracle_is_not_compared() -> None:
    assert [row.key for row in oracle_rows(PASSED)] == ["n_letters"]


@pytest.mark.parametrize(
    ("key", "expected", "german"),
    [
        ("n", 1234, "1.234"),
        ("n", {"min": 15}, "ab 15"),
        ("n", {"max": 2000}, "bis 2.000"),
        ("n", {"min": 15, "max": 20}, "15 bis 20"),
        ("x", {"value": 0.5, "tolerance": 0.01}, "0,5 ± 0,01"),
        ("terms", ["saphea", 1520], "saphea, 1.520"),
        ("terms", {"all": ["a", "b"]}, "alle: a, b"),
        ("terms", {"min_share": 0.8, "of": ["a", "b"]}, "mindestens 80\u00a0% von: a, b"),
        ("subject_contains", "saphea", "enthält saphea"),
        ("locked", True, "ja"),
        ("odd", {"x": 1}, '{"x": 1}'),
    ],
)
def test_what_was_expected_is_said_in_words(key: str, expected: object, german: str) -> None:
    verdict = {"status": "fail", "oracle": {key: expected}, "observed": {key: {"value": None, "ok": False}}}
    assert oracle_rows(verdict)[0].expected_text("de").replace("\xa0", " ") == german.replace("\xa0", " ")


def test_the_share_of_a_list_is_said() -> None:
    verdict = {
        "status": "pass",
        "oracle": {"terms": ["a", "b"]},
        "observed": {"terms": {"value": ["a"], "ok": True, "share": 0.5}},
    }
    assert oracle_rows(verdict)[0].observed_text("en") == "a (50% of it)"


@pytest.mark.parametrize("nested", [False, True])
def test_an_error_is_shown_with_its_remedy_and_place(nested: bool) -> None:
    error = {
        "code": "sql-failed",
        "message": "no column **sender**",
        "hint": "did you mean sender_id?",
        "where": {"file": "a.fam", "line": 7},
    }
    verdict = {"status": "error", "oracle": None, "observed": {"error": error} if nested else error}
    words = drawn(verdict)
    for piece in ("▲ error", "no column sender", "Hint: did you mean sender_id?", "a.fam:7"):
        assert piece in words
    shown = card({"verdict": verdict}, **FACTS)
    assert "no column <strong>sender</strong>" in html.render_card(shown, "en")


def test_a_known_gap_says_why_it_is_one() -> None:
    error = {"code": "not-available", "message": "**request** needs another harness", "hint": "wait", "where": {}}
    words = drawn({"status": "gap", "oracle": {"n": 3}, "observed": {"error": error}})
    for piece in ("◇ gap", "request needs another harness", "Hint: wait"):
        assert piece in words
    assert "▲" not in words


def test_an_escaped_asterisk_of_a_message_is_an_asterisk() -> None:
    error = {"code": "x", "message": "**a\\*b** and c\\*"}
    shown = card({"verdict": {"status": "error", "oracle": None, "observed": error}}, **FACTS)
    assert "<strong>a*b</strong> and c*" in html.render_card(shown, "en")


def test_a_report_that_says_nothing_makes_a_card_too() -> None:
    shown = card({}, **FACTS, stale=True)
    assert shown.marks == (Mark("unchecked"), Mark("stale"))
    assert "stale" in html.render_card(shown, "en")


def test_a_day_that_no_calendar_has_is_left_out() -> None:
    assert meta_parts(card({}, **FACTS, newest_file_ns=10**40), "en") == [
        ("v0003", None),
        ("22 September 2026", "2026-09-22"),
    ]


GUARDED = {**PASSED, "observed": {**PASSED["observed"], "guard": {"checked": 4, "unsupported": 1, "where": [{}]}}}


def test_a_note_of_the_oracle_and_what_the_guard_found_stand_on_every_card() -> None:
    shown = card({"question": "How many?", "verdict": GUARDED}, **FACTS)
    for words in (
        html.render_card(shown, "en"),
        markdown.render_card(shown, "en"),
        text.plain(text.render_card(shown, "en")),
    ):
        assert "Note: by hand" in words
        assert "checked: 4 · unsupported: 1" in words
        assert "where" not in words
    assert "Anmerkung: by hand" in html.render_card(shown, "de")


def test_a_card_without_note_and_guard_says_nothing_of_them(contract) -> None:
    shown = card({"verdict": {**PASSED, "oracle": {"n_letters": 1234}}}, **FACTS)
    assert not contract(html.render_card(shown, "en")).classes & {"famulus-note", "famulus-guard"}
    assert "Note" not in text.plain(text.render_card(shown, "en"))


def test_hostile_notes_and_guards_are_text(hostile, contract) -> None:
    for words in hostile.values():
        verdict = {**PASSED, "oracle": {"n": 1, "note": words}, "observed": {"guard": {words: words}}}
        drawn_card = contract(html.render_card(card({"verdict": verdict}, **FACTS), "en"))
        assert {"famulus-note", "famulus-guard"} <= drawn_card.classes
