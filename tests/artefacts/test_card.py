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


ANSWER = "There are 75 letters, the last of 1531."
CLAIMS = [
    {"kind": "number", "text": "75", "start": 10, "end": 12, "supported": True},
    {"kind": "number", "text": "1531", "start": 34, "end": 38, "supported": False},
]
GUARD = {"status": "failed", "task": "notebook-text", "checked": 2, "findings": CLAIMS}


def guarded(guard: object) -> dict[str, object]:
    return {"answer": ANSWER, "verdict": {**PASSED, "observed": {**PASSED["observed"], "guard": guard}}}


def test_a_note_of_the_oracle_and_what_the_guard_found_stand_on_every_card() -> None:
    shown = card({"question": "How many?", **guarded(GUARD)}, **FACTS)
    for words in (
        html.render_card(shown, "en"),
        markdown.render_card(shown, "en"),
        text.plain(text.render_card(shown, "en")),
    ):
        assert "Note: by hand" in words
        assert "checked: 2 · without support: 1 · notebook-text" in words
        assert "not all supported" in words
        assert "characters 35 to 38" in words
    assert "Anmerkung: by hand" in html.render_card(shown, "de")


def test_a_guard_shows_where_in_the_text_support_is_missing(contract) -> None:
    shown = card(guarded(GUARD), **FACTS)
    drawn = html.render_card(shown, "en")
    contract(drawn)
    assert '<rect class="famulus-guard-open" x="871" y="0" width="102" height="10"></rect>' in drawn
    assert 'the last of <mark class="famulus-unsupported">1531</mark>. (characters 35 to 38)' in drawn
    assert "▪" in text.plain(text.render_card(shown, "en"))
    assert "[1531]" in text.plain(text.render_card(shown, "en"))


@pytest.mark.parametrize(
    ("guard", "badge", "word"),
    [
        ({"status": "unreachable", "checked": False, "findings": []}, "unverified", "not checked"),
        ({"status": "none", "checked": 0, "findings": []}, "unchecked", "nothing to check"),
        ({"status": "passed", "checked": 0, "findings": []}, "unchecked", "nothing to check"),
        ({"status": "passed", "findings": CLAIMS[:1]}, "pass", "supported"),
    ],
)
def test_a_text_that_was_not_checked_never_looks_passed(guard, badge, word, contract) -> None:
    shown = card(guarded(guard), **FACTS)
    assert shown.guard.badge == badge
    assert word in text.plain(text.render_card(shown, "en"))
    assert f'data-status="{badge}"' in html.render_card(shown, "en").partition("famulus-guard")[2]


def test_many_findings_are_counted_and_not_all_told() -> None:
    findings = [{"kind": "number", "text": str(n), "start": 0, "end": 1, "supported": False} for n in range(30)]
    lines = card(guarded({"status": "failed", "findings": findings}), **FACTS).guard_texts("en")
    assert len(lines) == 22
    assert "10" in lines[-1]


def test_a_card_without_note_and_guard_says_nothing_of_them(contract) -> None:
    shown = card({"verdict": {**PASSED, "oracle": {"n_letters": 1234}}}, **FACTS)
    assert not contract(html.render_card(shown, "en")).classes & {"famulus-note", "famulus-guard"}
    assert "Note" not in text.plain(text.render_card(shown, "en"))


def test_hostile_notes_and_guards_are_text(hostile, contract) -> None:
    for words in hostile.values():
        findings = [{"kind": words, "text": words, "start": 0, "end": 1, "supported": words}, words, {words: words}]
        guard = {"status": words, "task": words, "text": words, "findings": findings, words: words}
        verdict = {**PASSED, "oracle": {"n": 1, "note": words}, "observed": {"guard": guard}}
        drawn_card = contract(html.render_card(card({"verdict": verdict}, **FACTS), "en"))
        assert {"famulus-note", "famulus-guard"} <= drawn_card.classes
