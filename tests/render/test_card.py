"""What a card of the page says of the oracle: its order, which JSON in Lua loses, and its note (spec 6.2)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from famulus_kernel.store.manifest import Verdict

if TYPE_CHECKING:
    from collections.abc import Callable

ANSWER = "Es schrieben ihm 30 Partner, darunter Erasmus & <b>Luther</b>; das ist aus den Briefen um 1520 bekannt."


def keys_shown(page: str) -> list[str]:
    """Return the first cells of the oracle's rows."""
    table = page.partition("famulus-oracle")[2].partition("</table>")[0]
    return re.findall(r"<tr[^>]*>\s*<t[dh][^>]*>(.*?)</t[dh]>", table.partition("<tbody>")[2], re.DOTALL)


def of(oracle: dict[str, Any]) -> Verdict:
    """Return a verdict of which every key holds."""
    observed = {key: {"value": value, "ok": True} for key, value in oracle.items() if key != "note"}
    return Verdict(id="z", golden=None, status="pass", oracle=oracle, observed={**observed, "score": 1.0})


def test_the_rows_of_the_oracle_stand_in_the_order_of_the_block(project: Any, draw: Callable[..., Any]) -> None:
    oracle = {"z": 1, "a": {"min": 1, "max": 2}, "m": ["b", "a"], 'k": "': "x", "q\\": "y", "0": 3, "ä": '": ', "b": 4}
    project.block("z", verdict=of(oracle))
    drawn = draw(project.page("{{< famulus z card >}}\n"))
    assert drawn.problems == []
    assert [key.replace("&quot;", '"') for key in keys_shown(drawn.text)] == list(oracle)


def test_the_note_stands_below_the_rows_and_alone_where_there_are_none(project: Any, draw: Callable[..., Any]) -> None:
    project.block("z", verdict=of({"n": 1, "note": "counted by hand {{< env HOME >}}"}))
    project.block("y", verdict=of({"note": "to be counted"}))
    drawn = draw(project.page("---\nlang: de\n---\n\n{{< famulus z card >}}\n\n{{< famulus y card >}}\n"))
    assert keys_shown(drawn.text) == ["n"]
    assert "Anmerkung: counted by hand {{&lt; env HOME &gt;}}" in drawn.text
    assert "Anmerkung: to be counted" in drawn.text
    assert drawn.text.count('<p class="famulus-note">') == 2


def test_an_oracle_without_a_note_has_no_line_for_it(project: Any, draw: Callable[..., Any]) -> None:
    project.block("z", verdict=of({"n": 1}))
    assert "famulus-note" not in draw(project.page("{{< famulus z card >}}\n")).text


def guarded(project: Any, block: str, guard: Any, answer: str = ANSWER) -> None:
    """Put a block into the project about whose answer a guard said something."""
    observed = {"n": {"value": 1, "ok": True}, "score": 1.0, "guard": guard}
    verdict = Verdict(id=block, golden=None, status="fail", oracle={"n": 1}, observed=observed)
    project.block(block, verdict=verdict, report={"answer": answer})


def finding(words: str, *, supported: bool, kind: str = "number") -> dict[str, Any]:
    """Return a finding of the guard at the place where the answer has the words."""
    start = ANSWER.index(words)
    return {"kind": kind, "text": words, "start": start, "end": start + len(words), "supported": supported}


def test_the_guard_says_what_it_checked_what_has_no_support_and_where(project: Any, draw: Callable[..., Any]) -> None:
    findings = [finding("30", supported=False), finding("<b>Luther</b>", supported=False, kind="name"),
                finding("1520", supported=True)]  # fmt: skip
    guarded(project, "z", {"task": "notebook-text", "status": "failed", "checked": 3, "findings": findings})
    drawn = draw(project.page("---\nlang: de\n---\n\n{{< famulus z card >}}\n")).text
    guard = drawn.partition("famulus-guard")[2].partition("famulus-meta")[0]
    assert "nicht alles belegt" in guard
    assert "geprüft: 3 · ohne Beleg: 2 · notebook-text" in guard
    assert 'aria-label="Wo im Text: 2 ohne Beleg, 3 geprüft"' in guard
    marks = [int(x) for x in re.findall(r'famulus-guard-open" x="(\d+)"', guard)]
    assert marks == [1000 * ANSWER.index(words) // len(ANSWER) for words in ("30", "<b>Luther</b>")]
    assert len(re.findall("famulus-guard-held", guard)) == 1
    assert 'Zahl: Es schrieben ihm <mark class="famulus-unsupported">30</mark> Partner' in guard
    assert '<mark class="famulus-unsupported">&lt;b&gt;Luther&lt;/b&gt;</mark>' in guard
    assert "(Zeichen 18 bis 19)" in guard


def test_a_guard_that_could_not_be_reached_or_had_nothing_to_check_never_looks_passed(
    project: Any, draw: Callable[..., Any]
) -> None:
    guarded(project, "fort", {"task": "notebook-text", "status": "unreachable", "checked": False, "findings": []})
    guarded(project, "leer", {"task": "notebook-text", "status": "passed", "checked": 0, "findings": []})
    drawn = draw(project.page("{{< famulus fort card >}}\n\n{{< famulus leer card >}}\n")).text
    badges = re.findall(r'class="famulus-badge" data-status="(\w+)"', drawn)
    assert badges == ["fail", "unverified", "fail", "unchecked"]
    assert "nothing to check" in drawn


@pytest.mark.parametrize(
    "guard",
    [
        {}, {"status": 3, "findings": "x"}, {"status": "failed", "findings": [1, None, {"start": "a", "end": {}}]},
        {"status": "failed", "findings": [{"start": -1, "end": 5, "text": "<img>"}, {"start": 5, "end": 10**9}]},
        {"status": "passed", "checked": ["<i>", 3], "task": '"><script>', "findings": [{"supported": "yes"}]},
    ],
)  # fmt: skip
@pytest.mark.parametrize("to", ["html", "gfm", "latex", "typst"])
def test_whatever_a_guard_wrote_the_card_is_drawn(project: Any, draw: Callable[..., Any], guard: Any, to: str) -> None:
    guarded(project, "z", guard)
    drawn = draw(project.page("{{< famulus z card >}}\n"), to)
    assert drawn.problems == []
    assert to != "html" or not re.search(r"<(img|i|script)\b", drawn.text)


def test_a_finding_beyond_the_twentieth_is_counted_only(project: Any, draw: Callable[..., Any]) -> None:
    findings = [{"kind": "number", "text": str(at), "supported": False} for at in range(25)]
    guarded(project, "z", {"status": "failed", "checked": 25, "findings": findings})
    drawn = draw(project.page("{{< famulus z card >}}\n")).text
    assert drawn.count("famulus-unsupported") == 20
    assert "… 5 more" in drawn


def test_the_card_links_the_documents_and_pages_it_rests_on_each_once(project: Any, draw: Callable[..., Any]) -> None:
    findings = [{"doc_id": f"P{at // 2:03}", "page": 2, "url": f"https://example.org/{at}"} for at in range(24)]
    findings += [{"doc_id": "<b>", "page": None, "url": "javascript:alert(1)"}, {"text": "x"}]
    project.block("z", report={"findings": findings})
    drawn = draw(project.page("---\nlang: de\n---\n\n{{< famulus z card >}}\n")).text
    line = drawn.partition('<p class="famulus-evidence">')[2].partition("</p>")[0]
    assert line.count("<a ") == 8
    assert '<a href="https://example.org/2" rel="noopener noreferrer">P001, S. 2</a>' in line
    assert line.strip().endswith("5 weitere")
    assert "javascript" not in line


def test_the_card_says_who_took_the_version_for_good_and_why(project: Any, draw: Callable[..., Any]) -> None:
    project.block("z", verdict=of({"n": 1}))
    accepted = {"who": "Ada <b>", "when": "2026-10-02T09:00:00Z", "why": "nur die Schreibung"}
    project.status("z", state="fresh", accepted=accepted)
    drawn = draw(project.page("---\nlang: de\n---\n\n{{< famulus z card >}}\n\n{{< famulus z@v1 card >}}\n")).text
    assert drawn.count("bestätigt von Ada &lt;b&gt; am 2. Oktober 2026: nur die Schreibung") == 1
