from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from famulus_kernel.artefacts import html
from famulus_kernel.artefacts.card import Mark, card
from famulus_kernel.artefacts.characters import storable, visible
from famulus_kernel.artefacts.tables import first_rows, from_lists, table_part
from famulus_kernel.artefacts.view import (
    Column,
    Edge,
    Fact,
    Facts,
    Figure,
    FullTable,
    Graph,
    Node,
    Prose,
    Table,
    View,
    literal,
    message,
)

if TYPE_CHECKING:
    from pathlib import Path


def view_of(text: str) -> View:
    """Return a view that holds `text` at every place that a view has."""
    columns = (
        Column(key=text or "a", label=literal(text), link="url"),
        Column(key="n", label=message("count.n_rows"), type="BIGINT", align="right"),
        Column(key="url", label=literal("url")),
    )
    full = FullTable(file="artefacts/a.parquet", bytes=1234)
    return View(
        title=literal(text),
        caption=text,
        parts=(
            Facts(
                title=literal(text),
                items=(
                    Fact(label=literal(text), value=text),
                    Fact(label=literal(text), value=literal(text), badge="fail"),
                ),
            ),
            Table(
                title=literal(text),
                columns=columns,
                rows=((text, 12345, text), (text, text, "https://example.org/" + text)),
                total=12345,
                full=full,
            ),
            Prose(title=literal(text), markdown=text),
            Figure(title=literal(text), file="artefacts/a.png", alt=text, caption=text, width=text),
            Figure(file="artefacts/a.pdf", alt=text, caption=text),
            Graph(
                nodes=(Node(id=text, label=text, url=text),),
                edges=(Edge(source=text, target=text, label=text),),
                svg="artefacts/a.svg",
            ),
        ),
    )


def card_of(text: str) -> html.Card:
    """Return a card that holds `text` at every place that a card has."""
    report = {
        "question": text,
        "answer": text,
        "verdict": {
            "status": "error",
            "oracle": {text or "a": text, "b_contains": text, "c": {"min": 1, "max": 2}},
            "observed": {
                text or "a": {"value": text, "ok": False},
                "b_contains": {"value": [text, 1.5, None], "ok": True, "share": 0.5},
                "c": {"value": 1234, "ok": True},
                "error": {"code": text, "message": text, "hint": text, "where": {"file": text, "line": 3}},
            },
        },
    }
    return card(report, block=text, version=text, created=text, newest_file_ns=1, stale_since=text, unverified=True)


def address(name: str) -> str:
    return name


@pytest.mark.parametrize("lang", ["de", "en"])
def test_hostile_data_stays_inside_the_contract(hostile, contract, lang: str) -> None:
    for text in hostile.values():
        contract(html.render(view_of(storable(text)), lang, files=address, marks=[Mark("stale", text)]))
        contract(html.render_card(card_of(text), lang))


def test_hostile_data_reads_as_itself(hostile, contract) -> None:
    texts = list(hostile.values())
    table = from_lists([[text] for text in texts], ["a"])
    cells = contract(html.render(View(parts=(table_part(table, first_rows(table.rows)),)), "en")).cells
    assert cells[1:] == [visible(storable(text)) for text in texts]


FRAGMENTS = st.lists(
    st.sampled_from(
        [*"<>&\"'`=/ \n\t;:#\x00\u202e", "<script>", "</td>", "onload=", "javascript:", "-->", "]]>", "&lt;"]
    )
    | st.text(max_size=3),
    max_size=12,
).map("".join)


@given(text=FRAGMENTS | st.text(st.characters(exclude_categories=())))
def test_whatever_the_data_is_only_the_contract_comes_out(text: str, contract) -> None:
    contract(html.render(view_of(storable(text)), "de", files=address))
    contract(html.render_card(card_of(text), "de"))


@given(
    rows=st.lists(st.tuples(FRAGMENTS, st.integers() | st.none() | st.booleans(), st.floats()), min_size=1, max_size=8)
)
def test_a_table_shows_every_cell_as_its_reader_writes_it(rows: list[tuple[object, ...]], contract) -> None:
    table = from_lists(rows, ["a", "n", "x"])
    part = table_part(table, first_rows(table.rows))
    read = contract(html.render(View(parts=(part,)), "en"))
    assert len(read.cells) == 3 * (len(part.rows) + 1)
    assert read.cells[3::3] == [visible(row[0]) for row in part.rows]


def test_a_link_is_drawn_only_where_its_address_may_be_one(contract) -> None:
    columns = (Column(key="a", label=literal("a"), link="u"), Column(key="u", label=literal("u")))
    rows = (
        ("one", "https://example.org/?a=1&b=2"),
        ("two", "javascript:alert(1)"),
        ("three", None),
        ("", "https://example.org"),
        ("five", "../x.html"),
    )
    drawn = html.render(View(parts=(Table(columns=columns, rows=rows[:4], total=4),)), "en")
    read = contract(drawn)
    assert read.links == ["https://example.org/?a=1&b=2"]
    assert read.cells == ["a", "one", "two", "three", ""], "the column of addresses is not drawn"
    relative = html.render(View(parts=(Table(columns=columns, rows=rows[4:], total=1),)), "en")
    assert 'href="../x.html"' in relative


def test_a_cell_of_100_kb_is_drawn_whole_when_a_view_holds_it(contract) -> None:
    cell = '<&"\u202e' * 25_000
    columns = (Column(key="a", label=literal("a")),)
    assert contract(html.render(View(parts=(Table(columns=columns, rows=((cell,),), total=1),)), "en")).cells[
        1
    ] == visible(cell)


def test_a_table_shows_50_rows_says_how_many_there_are_and_links_all(contract) -> None:
    columns = (Column(key="n", label=literal("n"), type="BIGINT", align="right"),)
    full = FullTable(file="artefacts/a.parquet", bytes=1_234_567)
    csv = FullTable(file="artefacts/a.csv", format="csv", bytes=999)
    view = View(parts=(Table(columns=columns, rows=tuple((n,) for n in range(1000)), total=12345, full=full, csv=csv),))
    read = contract(html.render(view, "de", files=address))
    assert len(read.cells) == 51
    assert "50 von 12.345 Zeilen · vollständige Tabelle: Parquet (1,2\u00a0MB) · CSV (999\u00a0B)" in "".join(read.text)
    assert read.links == ["artefacts/a.parquet", "artefacts/a.csv"]
    assert "1.000 von 12.345 Zeilen" in html.render(view, "de", max_rows=5000)
    assert "Parquet" not in html.render(view, "de"), "a file without an address is not linked"


def test_headings_have_a_scope_and_a_table_its_name(contract) -> None:
    columns = (Column(key="a", label=message("column.page"), align="right"),)
    drawn = html.render(View(parts=(Table(title=message("findings"), columns=columns, rows=(), total=0),)), "de")
    assert '<th scope="col" class="famulus-right">Seite</th>' in drawn
    assert 'role="region" aria-label="Belege"' in drawn
    assert "<caption>Belege</caption>" in drawn
    assert "keine Zeilen" in drawn


def test_columns_are_kept_as_wide_as_their_texts_can_be_read() -> None:
    names = ("kurz", "laenger", "lang", "text", "n")
    columns = tuple(Column(key=name, label=literal(name), align="right" if name == "n" else "left") for name in names)
    rows = (("ä" * 12, "ä" * 13, "ä" * 31, "ä" * 161, "ä" * 31), ("", "", "", "", ""))
    drawn = html.render(View(parts=(Table(columns=columns, rows=rows, total=2),)), "en")
    assert [part.split(">")[0] for part in drawn.split("<th ")[1:]] == [
        'scope="col" class="famulus-short"',
        'scope="col" class="famulus-wider"',
        'scope="col" class="famulus-long"',
        'scope="col" class="famulus-long famulus-text"',
        'scope="col" class="famulus-right famulus-long"',
    ]
    days = (Column(key="d", label=literal("d"), type="DATE"),)
    empty = html.render(View(parts=(Table(columns=days, rows=(), total=0),)), "en")
    assert '<th scope="col" data-order="date">d</th>' in empty


def test_a_keyword_stands_out_between_its_contexts() -> None:
    sides = {"left": "right", "keyword": "center", "right": "left"}
    columns = tuple(Column(key=key, label=literal(key), align=align) for key, align in sides.items())
    rows = (("von der", "Freundschaft", "und <b>"), ("a", None, "b"))
    drawn = html.render(View(parts=(Table(columns=columns, rows=rows, total=2),)), "en")
    assert 'class="famulus-table famulus-kwic"' in drawn
    assert (
        drawn.count('<span class="famulus-keyword">') == drawn.count('<span class="famulus-keyword">Freundschaft<') == 1
    )
    assert "famulus-kwic" not in html.render(View(parts=(Table(columns=columns[1:], rows=(), total=0),)), "en")


def test_the_caption_of_a_view_of_one_table_is_the_tables_caption() -> None:
    columns = (Column(key="a", label=literal("a")),)
    drawn = html.render(View(caption="Letters", parts=(Table(columns=columns, rows=(), total=0),)), "en")
    assert drawn.count("Letters</") == 1
    assert "<caption>Letters</caption>" in drawn


def test_a_figure_without_address_is_its_words(contract) -> None:
    figure = Figure(file="artefacts/a.png", alt="a <map>", caption="Nuremberg", width="80%")
    assert "a <map>" in "".join(contract(html.render(View(parts=(figure,)), "en")).text)
    drawn = html.render(View(parts=(figure,)), "en", files=address)
    assert '<img src="artefacts/a.png" alt="a &lt;map&gt;" style="width:80%">' in drawn
    assert "<figcaption>Nuremberg</figcaption>" in drawn


def test_a_pdf_is_linked_and_a_width_that_is_no_length_is_left_out() -> None:
    pdf = Figure(file="artefacts/a.pdf", alt="a map", width="1px;position:fixed")
    assert '<a href="artefacts/a.pdf">Open the figure (PDF)</a>' in html.render(View(parts=(pdf,)), "en", files=address)
    png = Figure(file="artefacts/a.png", alt="a map", width="1px;position:fixed")
    assert "style" not in html.render(View(parts=(png,)), "en", files=address)


def test_images_are_embedded_up_to_2_mib_and_linked_beyond(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(b"\x89PNG")
    (tmp_path / "b.png").write_bytes(bytes(2 * 1024 * 1024 + 1))
    (tmp_path / "c.parquet").write_bytes(b"PAR1")
    files = html.embedded(tmp_path, lambda name: f"there/{name}")
    assert files("a.png") == "data:image/png;base64,iVBORw=="
    assert [files(name) for name in ("b.png", "c.parquet", "d.png")] == [
        "there/b.png",
        "there/c.parquet",
        "there/d.png",
    ]
    assert html.embedded(tmp_path)("c.parquet") is None


def test_every_class_that_is_written_is_in_the_style_sheet(contract) -> None:
    sheet = html.stylesheet()
    written = contract(html.render(view_of("a"), "en", files=address, marks=[Mark("stale")])).classes
    written |= contract(html.render_card(card_of("a"), "en")).classes
    assert len(written) > 15
    assert {name for name in written if name not in sheet} == set()


def test_the_style_sheet_cannot_end_its_element_early() -> None:
    assert html.stylesheet().count("</style") == 1
    assert "@import" not in html.stylesheet()
    assert "url(" not in html.stylesheet()
