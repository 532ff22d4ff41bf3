"""The Lua filter in plain pandoc: what stands in the place of a shortcode (spec 5.3 to 5.5)."""

from __future__ import annotations

import json
import re
import time
from typing import TYPE_CHECKING, Any

import pytest

from famulus_kernel.artefacts.view import Column, Figure, Graph, Table, View, literal
from famulus_kernel.store.manifest import Verdict

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def body(drawn: Any) -> str:
    """Return the page without tags and with single blanks."""
    text = re.sub(r"<!--.*?-->|<[^>]+>", "", drawn.text)
    for entity, sign in (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&#39;", "'"), ("&amp;", "&")):
        text = text.replace(entity, sign)
    return " ".join(text.split())


# --- whole artefacts --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "call",
    [
        "{{< famulus partner roster >}}",
        "<<< famulus partner roster >>>",
        "{{< famulus partner.roster >}}",
        "{{< famulus partner roster version=v1 >}}",
        "{{< famulus partner@v1 roster >}}",
        "{{< famulus partner roster@v0001 >}}",
        "<<< famulus fam:briefe/index/partner.roster@v0001 >>>",
    ],
)
def test_a_paragraph_of_its_own_is_the_whole_artefact(roster: Any, draw: Callable[..., Any], call: str) -> None:
    drawn = draw(roster.page(f"---\nlang: de\n---\n\n{call}\n"))
    assert drawn.problems == []
    assert 'id="famulus-partner.roster" class="famulus-view' in drawn.text
    assert '<p class="famulus-title">' in drawn.text
    assert "<caption>" in drawn.text
    assert '<th scope="col">Name</th>' in drawn.text
    assert '<a href="https://example.org/e" rel="noopener noreferrer">Erasmus</a>' in drawn.text
    assert "1.234" in body(drawn)
    assert "3 von 12.345 Zeilen · vollständige Tabelle: Parquet (1,2 MB)" in body(drawn)
    assert "javascript" not in drawn.text


def test_options_choose_columns_order_rows_caption_and_label(roster: Any, draw: Callable[..., Any]) -> None:
    page = roster.page(
        "Siehe @tbl-liste.\n\n"
        "<<< famulus partner roster columns=count,name sort=-count,name max-rows=2 "
        'caption="Die *Liste*" label=tbl-liste >>>\n\n'
        "{{< famulus partner roster caption=false title=false >}}\n\n"
        "<<< famulus partner verdict >>>\n\n{{< famulus partner roster title='My *own* title' >}}\n"
    )
    drawn = draw(page)
    text = body(drawn)
    assert drawn.problems == []
    assert '<a href="#tbl-liste">Table\xa01</a>' in drawn.text
    assert '<table id="tbl-liste">' in drawn.text
    assert "Table 1: Die Liste" in text
    assert "<em>Liste</em>" in drawn.text
    assert text.index("Briefe Name") < text.index("1,234 Dürer") < text.index("40 Erasmus")
    assert "2 of 12,345 rows · sorted within the first 3" in text
    second, _, third = drawn.text[drawn.text.index("sorted within") :].partition("famulus-marks")
    assert "famulus-title" not in second
    assert "<caption>" not in second
    assert '<p class="famulus-title">\nMy <em>own</em> title' in third


def test_words_of_ours_are_read_by_the_page_and_hidden_columns_are_drawn_when_named(
    project: Any, draw: Callable[..., Any]
) -> None:
    columns = (
        Column(key="name", label=literal("Name")),
        Column(key="kind", label=literal("Art"), words="value.kind"),
        Column(key="note", label=literal("Notiz"), hidden=True),
    )
    view = View(parts=(Table(columns=columns, rows=(("Rat", "org", "n"), ("Wer", "Zunft", "n")), total=2),))
    project.block("b", {"t": ({}, view)})
    drawn = draw(project.page("---\nlang: de\n---\n\n<<< famulus b t >>>\n\n<<< famulus b t columns=name,note >>>\n"))
    assert drawn.problems == []
    assert body(drawn).count("Notiz") == 1
    assert "Rat Körperschaft" in body(drawn)
    assert "Wer Zunft" in body(drawn)


@pytest.mark.parametrize("form", ["html", "typst"])
def test_a_second_use_of_a_label_is_told(roster: Any, draw: Callable[..., Any], form: str) -> None:
    once = "{{< famulus partner roster label=tbl-liste >}}\n\n"
    drawn = draw(roster.page("Siehe @tbl-liste.\n\n" + once * 2 + "{{< famulus partner roster >}}\n"), to=form)
    assert [problem["code"] for problem in drawn.problems] == ["label-twice"]
    assert drawn.text.count('id="tbl-liste"' if form == "html" else "\n<tbl-liste>") == 1
    assert "The label @tbl-liste a second time" in drawn.text.replace("\\", "").replace("~", " ")


def test_figures_and_graphs_are_images_of_the_store(project: Any, draw: Callable[..., Any], png: bytes) -> None:
    figure = View(parts=(Figure(file="artefacts/bild.png", alt='Ein "Punkt"', caption="Rot", width="40%"),))
    graph = View(parts=(Graph(nodes=(), edges=(), svg="artefacts/netz.svg"),))
    bad_width = View(parts=(Figure(file="artefacts/bild.png", alt="x", width="1px;color:red"),))
    svg = b'<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'
    files = {"bild.png": png, "netz.svg": svg}
    project.block("b", {"bild": ({}, figure), "netz": ({}, graph), "breit": ({}, bad_width)}, files=files)
    page = project.page(
        "{{< famulus b bild >}}\n\n{{< famulus b netz >}}\n\n{{< famulus b breit >}}\n\n"
        "![alt]({{< famulus b bild >}})\n"
    )
    drawn = draw(page)
    assert drawn.problems == []
    place = "_famulus/store/index/b/v0001/artefacts"
    assert f'<img src="{place}/bild.png" style="width:40.0%" alt="Ein &quot;Punkt&quot;" />' in drawn.text
    assert f'<img src="{place}/netz.svg" alt="Graph of 0 nodes and 0 edges" />' in drawn.text
    assert 'data-layout="force"' in drawn.text
    assert "color:red" not in drawn.text
    assert drawn.text.count(f'src="{place}/bild.png"') == 3


def test_a_figure_without_pandoc_knowing_the_folder_is_embedded(
    project: Any, draw: Callable[..., Any], png: bytes
) -> None:
    view = View(parts=(Figure(file="artefacts/bild.png", alt="x"),))
    project.block("b", {"bild": ({}, view)}, files={"bild.png": png})
    drawn = draw(project.page("{{< famulus b bild >}}\n"), "docx", options=("--output", "out.docx"))
    assert drawn.stderr == ""
    assert (project.root / "out.docx").stat().st_size > 5000


# --- within a line ----------------------------------------------------------------------------------------------------


def test_one_value_is_written_in_the_language_of_the_page(roster: Any, draw: Callable[..., Any]) -> None:
    text = (
        "A {{< famulus partner report value=counts.n_letters >}}, "
        "B <<< famulus partner report value=counts.n_letters format=d >>>, "
        "C ({{< famulus partner report value=counts.share format='.1%' >}}). "
        "D {{< famulus partner roster value=entries.1.name >}}"
    )
    head = "credits: false"
    german = draw(roster.page(f"---\nlang: de-AT\n{head}\n---\n\n{text}\n"))
    assert body(german) == "A 1.234, B 1234, C (25,0 %). D Dürer"
    assert body(draw(roster.page(f"---\n{head}\n---\n\n{text}\n"))) == "A 1,234, B 1234, C (25.0%). D Dürer"


def test_a_name_alone_in_a_line_is_a_link_to_where_it_stands(roster: Any, draw: Callable[..., Any]) -> None:
    here = draw(roster.page("Siehe {{< famulus partner roster >}}.\n\n{{< famulus partner roster >}}\n"))
    assert '<a href="#famulus-partner.roster">Briefpartner</a>' in here.text
    elsewhere = draw(roster.page("Siehe {{< famulus partner roster caption='die *Liste*' >}}.\n", "kapitel/eins.md"))
    assert body(elsewhere).startswith("Siehe die Liste.")
    roster.page("x", "index.fam")
    linked = draw(roster.page("Siehe {{< famulus partner roster >}}.\n", "kapitel/eins.md"))
    assert '<a href="../index.fam#famulus-partner">Briefpartner</a>' in linked.text


def test_shortcodes_work_wherever_text_stands(roster: Any, draw: Callable[..., Any]) -> None:
    value = "{{< famulus partner report value=counts.n_letters >}}"
    angle = "<<< famulus partner report value=counts.n_letters >>>"
    page = roster.page(
        f"---\ntitle: T {value}\n---\n\n# Kopf {value} hier\n\n- Punkt {angle}\n- {value}\n\n"
        f"| a | b |\n|---|---|\n| {value} | {angle} |\n| {{{{< famulus partner roster >}}}} | x |\n\n"
        "::: {.callout-note}\n{{< famulus partner roster >}}\n:::\n\n"
        f'Fuß[^1] "Zitat {angle}" *betont {value}*\n\n'
        f"![Bild {value}](x.png)\n\nBegriff {value}\n: Erklärung {angle}\n\n> {value}\n\n"
        f"[^1]: Note {value} und {{{{< famulus partner roster >}}}}\n"
    )
    drawn = draw(page, options=("--standalone",))
    assert drawn.problems == []
    assert "famulus partner" not in drawn.text
    assert drawn.text.count("1,234") >= 13
    assert '<h1 id="kopf-hier">' in drawn.text
    assert '<p class="title">' in drawn.text or '<h1 class="title">T' in drawn.text
    cell = drawn.text[drawn.text.index("<td>") : drawn.text.index("</table>")]
    assert "famulus-view" not in cell
    assert ">Briefpartner</a>" in cell
    assert 'alt="Bild 1,234"' in drawn.text


def test_in_code_a_shortcode_stays_text_and_an_escaped_one_is_shown(roster: Any, draw: Callable[..., Any]) -> None:
    page = roster.page(
        "`{{< famulus partner roster >}}` {{{< famulus partner roster >}}} `{{{< meta x >}}}`\n\n"
        "```\n<<< famulus partner roster >>> {{{< famulus a b >}}}\n```\n\n<!-- {{< famulus nope x >}} -->\n"
    )
    drawn = draw(page)
    assert drawn.problems == []
    assert body(drawn) == (
        "{{< famulus partner roster >}} {{< famulus partner roster >}} {{< meta x >}} "
        "<<< famulus partner roster >>> {{< famulus a b >}}"
    )


def test_an_address_may_be_a_shortcode(roster: Any, draw: Callable[..., Any]) -> None:
    drawn = draw(roster.page("[Daten]({{< famulus partner roster >}}) [x](<<<<famulus>>>)\n"))
    assert 'href="_famulus/store/index/partner/v0001/artefacts/roster.parquet"' in drawn.text


# --- cards, verdicts, credits, marks ----------------------------------------------------------------------------------


def test_the_card_says_question_answer_verdict_and_what_it_rests_on(project: Any, draw: Callable[..., Any]) -> None:
    oracle = {
        "n": 75,
        "m": {"min": 15, "max": 20},
        "s_contains": "saphea",
        "terms": {"min_share": 0.5, "of": ["a", "b"]},
        "note": "x",
    }
    observed = {
        "n": {"value": 77, "ok": False},
        "m": {"value": 17, "ok": True},
        "s_contains": {"value": "die saphea", "ok": True},
        "terms": {"value": ["a"], "ok": True, "share": 0.5},
        "score": 0.75,
    }
    verdict = Verdict(id="z", golden=None, status="fail", oracle=oracle, observed=observed)
    project.block("z", verdict=verdict, report={"question": "Wie viele\nPartner?", "answer": "Es sind *77*.\n\n# Kopf"})
    drawn = draw(project.page("---\nlang: de\n---\n\n{{< famulus z card >}}\n"))
    text = body(drawn)
    assert 'class="famulus-card mathjax_ignore" role="region" aria-label="Ergebnis z"' in drawn.text
    assert "Wie viele Partner?" in text
    assert "<em>77</em>" in drawn.text
    assert "<h1" not in drawn.text
    assert '<span class="famulus-badge" data-status="fail">' in drawn.text
    assert "✗ nicht bestanden" in text
    for row in (
        "m 15 bis 20 17 ✓ ja",
        "n 75 77 ✗ nein",
        "s_contains enthält saphea die saphea ✓ ja",
        "terms mindestens 50\u00a0% von: a, b a (50\u00a0% davon) ✓ ja",
    ):
        assert " ".join(row.split()) in text
    assert '<time datetime="2026-09-22">22. September 2026</time>' in drawn.text
    assert "Daten vom 12. August 2026" in text
    assert "note" not in text


def test_a_version_that_was_never_checked_never_reads_as_passed(project: Any, draw: Callable[..., Any]) -> None:
    unchecked = Verdict(id="u", golden=None, status="pass", oracle=None, observed={})
    project.block("u", verdict=unchecked, report={"counts": {"n": 5}})
    page = project.page(
        "{{< famulus u verdict >}}\n\nn = {{< famulus u report value=counts.n >}}, {{< famulus u verdict >}}\n\n"
        "{{< famulus u report >}}\n"
    )
    drawn = draw(page)
    assert body(drawn).count("○ unchecked") == 4
    assert "passed" not in body(drawn)


def test_a_stale_block_is_marked_unless_the_page_says_not_to(roster: Any, draw: Callable[..., Any]) -> None:
    roster.stale("partner")
    text = (
        "{{< famulus partner roster >}}\n\nn = {{< famulus partner report value=counts.n_letters >}}\n\n"
        "{{< famulus partner roster version=v1 >}}\n"
    )
    drawn = draw(roster.page(text))
    assert body(drawn).count("◔ stale since 1 October 2026") == 1
    assert body(drawn).count("◔ stale") == 2
    quiet = draw(roster.page(f"---\nfamulus:\n  mark-stale: false\n---\n\n{text}"))
    assert "stale" not in body(quiet)


def test_an_errored_block_is_a_box_on_the_page_and_a_problem(project: Any, draw: Callable[..., Any]) -> None:
    error = {"code": "sql", "message": "no table **briefe** (2 \\* 3)", "hint": "look at duckdb:", "where": {}}
    project.block("k", verdict=project.failing("k", error=error))
    drawn = draw(project.page("{{< famulus k card >}}\n\n{{< famulus k roster >}}\n\n{{< famulus k verdict >}}\n"))
    text = body(drawn)
    assert text.count("no table briefe (2 * 3)") == 2
    assert "look at duckdb:" in text
    assert "▲ error" in text
    assert [problem["code"] for problem in drawn.problems] == ["block-error", "block-error"]
    assert drawn.problems[0]["message"] == "Block k ended in an error. no table briefe (2 * 3)"
    assert drawn.problems[0]["block"] == "k"


def test_a_value_of_an_errored_block_says_the_error_and_not_that_there_is_no_such_value(
    project: Any, draw: Callable[..., Any]
) -> None:
    error = {"code": "sql", "message": "no table briefe", "hint": "look at duckdb:", "where": {}}
    project.block("k", verdict=project.failing("k", error=error))
    drawn = draw(project.page("There are {{< famulus k report value=counts.n_letters >}}.\n"))
    assert [(one["code"], one["hint"]) for one in drawn.problems] == [("block-error", "look at duckdb:")]


def test_the_row_with_which_duckdb_points_at_a_place_is_left_out_of_prose(
    project: Any, draw: Callable[..., Any]
) -> None:
    message = "no b\n\nLINE 1: SELECT 2 ^ 3 FROM b\n                ^^^"
    error = {"code": "sql", "message": message, "hint": "", "where": {}}
    project.block("k", verdict=project.failing("k", error=error))
    text = body(draw(project.page("{{< famulus k card >}}\n")))
    assert "SELECT 2 ^ 3 FROM b" in text
    assert "^^^" not in text


def test_a_known_gap_is_a_box_that_says_why_and_no_problem(project: Any, draw: Callable[..., Any]) -> None:
    project.block("k", verdict=project.failing("k", "gap", error={"code": "x", "message": "no **request** here"}))
    drawn = draw(project.page("---\nlang: de\n---\n\n{{< famulus k card >}}\n"), "plain")
    assert "◇ Block k trifft auf eine bekannte Lücke" in drawn.text
    assert "no request here" in drawn.text
    assert drawn.problems == []


def test_in_the_place_of_a_block_one_box_says_it_for_all_its_artefacts(project: Any, draw: Callable[..., Any]) -> None:
    cell = "\n\n".join(f"{{{{< famulus fehlt {name} at=7 cell=true >}}}}" for name in ("card", "a", "b"))
    drawn = draw(project.page(f"::: {{.famulus-cell #famulus-fehlt}}\n{cell}\n:::\n"))
    assert drawn.text.count('class="famulus-box"') == 1
    assert len(drawn.problems) == 1
    assert drawn.problems[0]["at"] == "7"


def test_an_artefact_that_the_guard_could_not_check_is_marked(
    project: Any, draw: Callable[..., Any], table: Any
) -> None:
    verdict = project.failing("g", error={"code": "guard", "message": "unreachable", "hint": "", "where": {}})
    project.block("g", {"t": ({}, table([["x"]], [("a", "VARCHAR")]))}, verdict=verdict)
    drawn = draw(project.page("{{< famulus g t >}}\n"))
    assert "◐ text not verified" in body(drawn)
    assert 'data-status="unverified"' in drawn.text


def test_credits_end_a_page_once_and_can_be_turned_off(roster: Any, draw: Callable[..., Any]) -> None:
    call = "{{< famulus partner roster >}}\n\n{{< famulus partner card >}}\n"
    drawn = draw(roster.page(call))
    assert drawn.text.count("Pirckheimer-Briefwechsel") == 1
    assert body(drawn).endswith("Sources Pirckheimer-Briefwechsel · Reicke 1940 · CC BY 4.0")
    assert '<a href="https://e.org">Pirckheimer-Briefwechsel</a>' in drawn.text
    for key in ("credits: false", "famulus:\n  credits: false"):
        assert "Pirckheimer-Briefwechsel" not in draw(roster.page(f"---\n{key}\n---\n\n{call}")).text
    assert "Sources" not in draw(roster.page("nothing here\n")).text
    assert "CC BY 4.0" in draw(roster.page("---\ncredits: false\n---\n\n{{< famulus partner credit >}}\n")).text


# --- what cannot be shown ---------------------------------------------------------------------------------------------

UNRESOLVED = {
    "{{< famulus nope roster >}}": "block-unknown",
    "{{< famulus partner rostr >}}": "artefact-unknown",
    "{{< famulus partner roster version=v9 >}}": "version-unknown",
    "{{< famulus partner roster version=3 >}}": "option-value",
    "{{< famulus partner@v9 roster >}}": "version-unknown",
    "{{< famulus partner@3 roster >}}": "option-value",
    "{{< famulus leer roster >}}": "version-none",
    "{{< famulus partner >}}": "name-missing",
    "{{< famulus >}}": "call-empty",
    "{{< famulus a b c >}}": "call-words",
    "{{< famulus fam:nirgends/index/partner.roster >}}": "project-unknown",
    "{{< famulus fam:briefe/anders/partner.roster >}}": "notebook-other",
    "{{< famulus partner roster colums=name >}}": "option-unknown",
    "{{< famulus partner roster columns=nam >}}": "column-unknown",
    "{{< famulus partner roster max-rows=0 >}}": "option-value",
    "{{< famulus partner roster label=x >}}": "option-value",
    "{{< famulus partner report sort=x >}}": "table-none",
    "x {{< famulus partner report value=counts.nn >}}": "value-unknown",
    "x {{< famulus partner report value=counts >}}": "value-many",
    "x {{< famulus partner report value=counts.share format=%.2f >}}": "option-value",
    "{{< famulus neu roster >}}": "format",
    "{{< famulus kaputt roster >}}": "unreadable",
    "{{< famulus quer roster >}}": "internal",
    "{{< famulus ohne roster >}}": "file-missing",
    "{{< famulus ohne credit >}}": "credit-none",
    "@fig-nirgends": "reference-unknown",
    "x {{< famulus partner roster": "call-unclosed",
}


@pytest.fixture
def troubled(roster: Any, table: Any) -> Any:
    """A project in which everything is wrong that can be."""
    view = table([["x"]], [("a", "VARCHAR")])
    roster.block("neu", {"roster": ({}, view)}, format=2)
    folder = roster.block("kaputt", {"roster": ({}, view)})
    (folder / "artefacts" / "roster.json").write_bytes(b"{no json")
    folder = roster.block("quer", {"roster": ({}, view)})
    raw = json.loads((folder / "artefacts" / "roster.json").read_bytes())
    raw["view"]["parts"] = [{"type": "table", "columns": 7, "rows": [], "total": 0}]
    (folder / "artefacts" / "roster.json").write_text(json.dumps(raw))
    roster.block("ohne", {"roster": ({}, View(parts=(Figure(file="artefacts/weg.png", alt="Bild", caption="c"),)))})
    roster.index["blocks"]["leer"] = {**roster.index["blocks"]["neu"], "folder": "_famulus/store/index/leer"}
    roster.write_index()
    return roster


def test_every_situation_is_a_box_and_a_problem_and_the_page_is_written(
    troubled: Any, draw: Callable[..., Any]
) -> None:
    page = troubled.page("\n\n".join(UNRESOLVED) + "\n\nEnde.\n")
    drawn = draw(page)
    found = {problem["shortcode"]: problem["code"] for problem in drawn.problems}
    expected = {text.removeprefix("x "): code for text, code in UNRESOLVED.items() if code != "call-unclosed"}
    assert {key: found.get(key) for key in expected} == expected
    assert "call-unclosed" in [problem["code"] for problem in drawn.problems]
    assert all(problem["message"] and problem["severity"] == "error" for problem in drawn.problems)
    assert not [problem["message"] for problem in drawn.problems if "?." in problem["message"]]
    assert drawn.text.count("famulus-box") >= len(UNRESOLVED) - 3
    assert "Ende." in drawn.text
    # what it is, what would have been possible, what to do
    assert "Did you mean roster?" in body(drawn)
    assert "Did you mean columns?" in body(drawn)
    assert "/work" not in drawn.text


def test_problems_are_told_in_the_language_of_the_page_and_recorded_in_english(
    roster: Any, draw: Callable[..., Any]
) -> None:
    drawn = draw(roster.page("---\nlang: de\nfamulus:\n  on-error: warn\n---\n\n{{< famulus nope roster at=12 >}}\n"))
    assert "Kein Block nope im Speicher" in body(drawn)
    (problem,) = drawn.problems
    assert problem["message"].startswith("No block nope in the store.")
    assert (problem["severity"], problem["at"], problem["document"]) == ("warning", "12", "index.fam")
    assert problem["shortcode"] == "{{< famulus nope roster >}}"


def test_without_a_file_for_problems_they_are_said_on_stderr(
    roster: Any, draw: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = draw(roster.page("{{< famulus nope roster >}}\n"), log=False)
    assert drawn.stderr.startswith(
        "[famulus] ERROR index.fam: {{< famulus nope roster >}}: No block nope in the store."
    )


def test_a_manifest_that_makes_no_sense_spoils_only_its_own_place(
    roster: Any, draw: Callable[..., Any], table: Any
) -> None:
    folder = roster.block("quer", {"t": ({}, table([["x"]], [("a", "VARCHAR")]))})
    manifest = json.loads((folder / "manifest.json").read_bytes())
    manifest["artefacts"] = [7, {"name": "t", "file": None}]
    manifest["inputs"] = {"files": [{"mtime_ns": 1e40}]}
    (folder / "manifest.json").write_text(json.dumps(manifest))
    drawn = draw(roster.page("{{< famulus quer t >}}\n\n{{< famulus quer card >}}\n\n{{< famulus partner roster >}}\n"))
    assert 'id="famulus-partner.roster"' in drawn.text
    assert 'class="famulus-card' in drawn.text
    assert len(drawn.problems) == 1


def test_two_folders_of_a_block_and_no_index_are_ambiguous(project: Any, draw: Callable[..., Any], table: Any) -> None:
    view = table([["x"]], [("a", "VARCHAR")])
    project.block("b", {"t": ({}, view)}, notebook="eins")
    project.block("b", {"t": ({}, view)}, notebook="zwei")
    project.block("c", {"t": ({}, view)}, notebook="zwei")
    (project.root / "_famulus" / "index.json").unlink()
    drawn = draw(project.page("{{< famulus b t >}}\n\n{{< famulus c t >}}\n"))
    assert [problem["code"] for problem in drawn.problems] == ["block-ambiguous"]
    assert 'id="famulus-c.t"' in drawn.text


# --- where things lie -------------------------------------------------------------------------------------------------


def test_the_newest_version_is_the_highest_one_with_a_manifest(
    project: Any, draw: Callable[..., Any], table: Any
) -> None:
    for version in (1, 2, 10):
        project.block("b", {"t": ({"n": version}, table([["x"]], [("a", "VARCHAR")]))}, version=version)
    (project.root / "_famulus/store/index/b/v0011").mkdir()
    (project.root / "_famulus/store/index/b/.new-host.1.ab").mkdir()
    versions = ("", "version=v2", "version=v0001")
    text = "x " + " ".join(f"{{{{< famulus b t value=n {version} >}}}}" for version in versions)
    assert body(draw(project.page(text))) == "x 10 2 1"


def test_another_project_is_reached_by_its_id(
    roster: Any, draw: Callable[..., Any], tmp_path: Path, table: Any
) -> None:
    other = type(roster)(tmp_path / "anderes")
    other.index["project"] = "anderes"
    other.block("x", {"t": ({"n": 5}, table([["x"]], [("a", "VARCHAR")]))}, notebook="heft.eins")
    roster.index["uses"] = {"anderes": "../anderes"}
    roster.write_index()
    text = "n = {{< famulus fam:anderes/heft.eins/x.t value=n >}}, {{< famulus fam:drittes/heft.eins/x.t value=n >}}\n"
    page = roster.page(f"---\nfamulus:\n  uses: {{drittes: {tmp_path / 'anderes'}}}\n---\n\n{text}")
    assert body(draw(page)) == "n = 5, 5"


def test_a_page_in_a_folder_and_a_page_without_a_project_find_their_store(
    roster: Any, draw: Callable[..., Any], tmp_path: Path
) -> None:
    deep = draw(roster.page("{{< famulus partner roster >}}\n", "a/b/c.md"))
    assert deep.problems == []
    assert 'href="../../_famulus/store/index/partner/v0001/artefacts/roster.parquet"' in deep.text
    (roster.root / "famulus.yml").unlink()
    assert draw(roster.page("{{< famulus partner roster >}}\n", "lone.md")).problems == []


def test_an_id_is_found_in_either_unicode_form(project: Any, draw: Callable[..., Any], table: Any) -> None:
    project.block("café", {"t": ({"n": 5}, table([["x"]], [("a", "VARCHAR")]))})
    assert body(draw(project.page("x {{< famulus cafe\u0301 t value=n >}}\n"))) == "x 5"


def test_an_alias_leads_to_its_block(roster: Any, draw: Callable[..., Any]) -> None:
    roster.index["aliases"] = {"alt": "partner"}
    roster.write_index()
    assert draw(roster.page("{{< famulus alt roster >}}\n")).problems == []


def test_a_path_that_leaves_its_version_is_not_followed(project: Any, draw: Callable[..., Any]) -> None:
    secret = project.root / "secret.png"
    secret.write_bytes(b"secret")
    view = View(parts=(Figure(file="../../../../../secret.png", alt="Bild"),))
    project.block("b", {"t": ({}, view)})
    drawn = draw(project.page("{{< famulus b t >}}\n"))
    assert "secret.png" not in drawn.text.replace("../../../../../secret.png", "") or "<img" not in drawn.text
    assert "<img" not in drawn.text
    assert [problem["code"] for problem in drawn.problems] == ["unreadable"]


# --- twice, and many --------------------------------------------------------------------------------------------------


def test_running_the_filter_twice_changes_nothing(roster: Any, draw: Callable[..., Any]) -> None:
    roster.stale("partner")
    text = (
        "# K {{< famulus partner report value=counts.n_letters >}}\n\n{{< famulus partner card >}}\n\n"
        "<<< famulus partner roster label=tbl-a >>>\n\n@tbl-a {{< famulus nope x >}}\n\n{{< famulus nope x >}}\n"
    )
    page = roster.page(f"---\ncredits: false\n---\n\n{text}")
    once, twice = draw(page), draw(page, filters=2)
    assert twice.text.replace("Table\xa01: Table\xa01:", "Table\xa01:") == once.text


def test_a_thousand_shortcodes_take_a_few_seconds(project: Any, draw: Callable[..., Any], table: Any) -> None:
    view = table([[f"Name {i}", i] for i in range(60)], [("name", "VARCHAR"), ("n", "BIGINT")], total=10_000_000)
    for number in range(50):
        project.block(f"b{number}", {"t": ({}, view)}, report={"counts": {"n": number}})
    # The marks of the embedded renderer: pandoc's own reader needs a minute for 3,000 angle brackets.
    calls = [
        f"Zahl \ue0fa famulus b{i % 50} report value=counts.n \ue0fb und \ue0fc famulus b{i % 50} t \ue0fd."
        for i in range(475)
    ]
    calls += [f"\ue0fa famulus b{i} t max-rows=20 \ue0fb" for i in range(50)]
    page = project.page("\n\n".join(calls))
    began = time.process_time(), time.perf_counter()
    drawn = draw(page)
    assert drawn.problems == []
    assert drawn.text.count("<table>") == 50
    assert "20 of 10,000,000 rows" in body(drawn)
    assert drawn.cpu_seconds < 5
    assert time.perf_counter() - began[1] < 60


def test_a_graph_or_title_without_words_is_no_empty_line(project: Any, draw: Callable[..., Any], table: Any) -> None:
    project.block("b", {"t": ({}, table([], [("a", "VARCHAR")], title=""))})
    drawn = draw(project.page("{{< famulus b t >}}\n"))
    assert "no rows" in body(drawn)
    assert "famulus-title" not in drawn.text
    assert literal("x").text == "x"
