from __future__ import annotations

import io
import re
import unicodedata

from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console

from famulus_kernel.artefacts import text
from famulus_kernel.artefacts.card import card
from famulus_kernel.artefacts.characters import storable
from famulus_kernel.artefacts.tables import first_rows, from_lists, table_part
from famulus_kernel.artefacts.view import (
    Column,
    Fact,
    Facts,
    Figure,
    FullTable,
    Graph,
    Prose,
    Table,
    View,
    literal,
    message,
)

OURS = re.compile(r"\x1b\[[0-9;]*m|\x1b\]8;[^\x1b]*\x1b\\")


def view_of(words: str) -> View:
    columns = (Column(key="a", label=literal(words), link="u"), Column(key="u", label=literal("u")))
    return View(
        title=literal(words),
        caption=words,
        parts=(
            Facts(
                title=literal(words),
                items=(Fact(label=literal(words), value=words), Fact(label=literal(words), value=words, badge="gap")),
            ),
            Table(
                columns=columns,
                rows=((words, "https://example.org/" + words),),
                total=1,
                full=FullTable(file=words, bytes=1),
            ),
            Prose(markdown=words),
            Figure(file=words, alt=words, caption=words),
            Graph(nodes=(), edges=(), svg=words),
        ),
    )


def printed(words: str, *, coloured: bool) -> str:
    sink = io.StringIO()
    console = Console(
        file=sink,
        width=80,
        force_terminal=coloured,
        color_system="truecolor" if coloured else None,
        legacy_windows=False,
    )
    console.print(text.render(view_of(storable(words)), "en"))
    verdict = {
        "status": "error",
        "oracle": {"k": words},
        "observed": {"k": {"value": words, "ok": True}, "error": {"message": words, "hint": words}},
    }
    console.print(
        text.render_card(
            card({"question": words, "answer": words, "verdict": verdict}, block=words, version=words, created=words),
            "en",
        )
    )
    return sink.getvalue()


def acting(output: str) -> set[str]:
    """Return the characters that a terminal would act on."""
    return {
        char
        for char in output
        if unicodedata.category(char) == "Cc" or char in "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
    } - {"\n"}


def test_no_data_acts_in_a_terminal(hostile) -> None:
    for words in hostile.values():
        assert acting(printed(words, coloured=False)) == set()
        assert acting(OURS.sub("", printed(words, coloured=True))) == set()


@settings(max_examples=40, deadline=None)
@given(words=st.text(st.characters(exclude_categories=()), max_size=40))
def test_no_text_at_all_acts_in_a_terminal(words: str) -> None:
    assert acting(OURS.sub("", printed(words, coloured=True))) == set()


def test_the_markup_of_rich_is_text() -> None:
    assert "[bold red]a[/bold red] :smile:" in printed("[bold red]a[/bold red] :smile:", coloured=False)


def test_raw_html_in_prose_is_shown_and_not_swallowed() -> None:
    view = View(parts=(Prose(markdown="a <script>alert(1)</script> b\n\n<div>c</div>"),))
    words = text.plain(text.render(view, "en"))
    assert "a <script>alert(1)</script> b" in words
    assert "<div>c</div>" in words


def test_a_table_is_aligned_counted_and_says_where_all_of_it_lies() -> None:
    table = from_lists([["Erasmus", 1234], ["Celtis", 7]], ["name", "letters"])
    part = table_part(table, first_rows(table.rows)).model_copy(
        update={"full": FullTable(file="artefacts/a.parquet", bytes=2048)}
    )
    assert text.plain(text.render(View(parts=(part,)), "de", files=lambda name: f"/store/{name}")) == (
        "name      letters\n─────────────────\nErasmus     1.234\nCeltis          7\n"
        "2 Zeilen · /store/artefacts/a.parquet (2\u00a0kB)\n"
    )


def test_facts_say_their_labels_in_the_language() -> None:
    facts = Facts(items=(Fact(label=message("count.n_letters"), value=1234), Fact(label=literal("Folio"), value=None)))
    assert text.plain(text.render(View(parts=(facts,)), "de")) == "Briefe  1.234\nFolio\n"


def test_a_cell_of_100_kb_does_not_fill_the_terminal() -> None:
    table = from_lists([["x" * 100_000]], ["a"])
    assert len(text.plain(text.render(View(parts=(table_part(table, first_rows(table.rows)),)), "en"))) < 2_000


def test_a_table_without_room_for_its_columns_shows_its_rows_below_one_another() -> None:
    words = tuple(f"eins zwei drei {at}" for at in range(8))
    columns = tuple(Column(key=f"spalte{at}", label=literal(f"spalte{at}")) for at in range(8))
    view = View(parts=(Table(columns=columns, rows=(words, words), total=2),))
    narrow = text.plain(text.render(view, "de"), 60)
    assert "spalte7  eins zwei drei 7\n" in narrow
    assert narrow.count("spalte3") == 2
    assert max(map(len, narrow.splitlines())) <= 60
    wide = text.plain(text.render(view, "de"), 300)
    assert wide.count("spalte3") == 1
    assert "eins zwei drei 6" in wide


def test_what_a_card_compares_is_whole_in_a_narrow_terminal() -> None:
    oracle = {"n_correspondents": 28}
    observed = {"n_correspondents": {"value": 28, "ok": True}}
    report = {"question": "?", "verdict": {"status": "pass", "oracle": oracle, "observed": observed}}
    drawn = text.plain(text.render_card(card(report, block="b", version="v0001", created="2026-11-30"), "en"), 36)
    assert "n_correspondents" in drawn
