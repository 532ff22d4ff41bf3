"""What roster-table, kwic and citation-list share: records with known fields, in every form they come in."""

from __future__ import annotations

import pytest

from famulus_kernel.artefacts import html, markdown, text
from famulus_kernel.artefacts.build import builders
from famulus_kernel.artefacts.envelope import pretty_json
from famulus_kernel.artefacts.kinds.kwic import CONTEXT, divided
from famulus_kernel.artefacts.records import LIST_ITEMS
from famulus_kernel.artefacts.view import View
from famulus_kernel.errors import ArtefactError

KINDS = {"roster-table": ("entries", "name"), "kwic": ("rows", "text"), "citation-list": ("rows", "doc_id")}
ALL = (*KINDS, "d3-graph", "proof-structure", "timeline")


def shown(table) -> list[dict]:
    """Return the rows of a table's view by the keys of its columns."""
    return [dict(zip((column.key for column in table.columns), row, strict=True)) for row in table.rows]


def part_view(part) -> View:
    """Return a view of one part."""
    return View(parts=(part,))


def column(table, key: str):
    """Return a column of a table's view."""
    return next(one for one in table.columns if one.key == key)


ENTRY = {
    "name": "Erasmus", "canonical": "Erasmus von Rotterdam", "variants": ["Erasmus", "Desiderius"], "kind": "person",
    "count": 1234, "n_docs": 12, "doc_ids": [f"pb-{at}" for at in range(12)],
}  # fmt: skip


def test_a_roster_keeps_its_entries_and_shows_lists_as_their_first_items(build) -> None:
    built = build("roster-table", {"entries": [ENTRY]})
    assert built.data == {"entries": [ENTRY], "n_entries": 1}
    (part,) = built.view.parts
    (row,) = shown(part)
    assert row["variants"] == "Erasmus; Desiderius"
    assert row["doc_ids"] == f"{'; '.join(ENTRY['doc_ids'][:LIST_ITEMS])}; … (+6)"
    assert [one.key for one in part.columns][:3] == ["name", "canonical", "kind"]
    assert column(part, "count").align == "right"
    assert built.companions == ("artefacts/probe.parquet", "artefacts/probe.csv")


def test_a_roster_links_names_and_leaves_out_what_says_the_name_again(build) -> None:
    built = build("roster-table", [{"name": "A", "canonical": "A", "date": "1520", "url": "https://example.org"}])
    (part,) = built.view.parts
    assert [one.key for one in part.columns] == ["name", "date", "url"]
    assert column(part, "name").link == "url"


def test_a_query_fits_by_what_its_columns_are_called(build, query) -> None:
    built = build("roster-table", query("SELECT 'Erasmus' AS Partner, 12 AS n_letters, ['a', 'b'] AS doc_ids"))
    assert built.data["entries"] == [{"name": "Erasmus", "count": 12, "doc_ids": "[a, b]"}]
    assert shown(built.view.parts[0]) == [{"name": "Erasmus", "count": 12, "doc_ids": "a; b"}]


def test_a_list_of_a_query_is_shown_as_its_first_items(build, query) -> None:
    sql = "SELECT 'x' AS name, ['Erasmus, Desiderius', 'b', 'c', 'd', 'e', 'f', 'g', 'h'] AS variants, [] AS doc_ids"
    (row,) = shown(build("roster-table", query(sql)).view.parts[0])
    assert row["variants"] == "Erasmus, Desiderius; b; c; d; e; f; … (+2)"
    assert row["doc_ids"] == ""


def test_columns_of_each_row_are_renamed_by_that_row(build) -> None:
    built = build("timeline", [{"year": 1500, "n": 2}, {"from": 1501, "count": 3}])
    assert [(event["from"], event["count"]) for event in built.data["events"]] == [(1500, 2), (1501, 3)]


def test_a_keyword_stands_between_what_precedes_and_follows_it(build) -> None:
    row = {"doc_id": "pb-1", "page": 3, "text": "Gratia vobis et PAX a Deo", "keyword": "pax", "url": "https://e.org/?p=3"}
    built = build("kwic", [row])
    assert built.data["rows"] == [row | {"left": "Gratia vobis et", "keyword": "PAX", "right": "a Deo"}]
    (part,) = built.view.parts
    assert [one.key for one in part.columns] == ["doc_id", "page", "left", "keyword", "right", "url"]
    assert [one.align for one in part.columns[2:5]] == ["right", "center", "left"]
    assert (column(part, "doc_id").link, column(part, "page").link) == ("url", "url")


@pytest.mark.parametrize(
    ("row", "parts"),
    [
        ({"left": "a", "keyword": "b", "right": "c", "text": "else"}, ("a", "b", "c")),
        ({"text": "pacem habent", "keyword": "pax"}, (None, None, "pacem habent")),
        ({"text": "pax", "keyword": "pax"}, ("", "pax", "")),
        ({"text": "Straße und Gasse", "keyword": "Gasse"}, ("Straße und", "Gasse", "")),
        ({"text": "no keyword"}, (None, None, "no keyword")),
        ({"keyword": "alone"}, (None, "alone", None)),
        ({"text": "İstanbul pax", "keyword": "pax"}, ("İstanbul", "pax", "")),
    ],
)
def test_a_text_is_divided_at_its_keyword_or_stays_whole(row: dict, parts: tuple) -> None:
    found = divided(row)
    assert (found["left"], found["keyword"], found["right"]) == parts


@pytest.mark.parametrize(
    ("tokens", "words"),
    [
        ("( deus , homo ) .", "(deus, homo)."),
        ("et , ut aiunt , pax .", "et, ut aiunt, pax."),
        ("anno .lxx. et .xx.", "anno .lxx. et .xx."),
        ("pax ... et", "pax... et"),
        ("a - b", "a - b"),
    ],
)
def test_texts_of_tokens_are_shown_as_texts_of_words(build, tokens: str, words: str) -> None:
    built = build("kwic", [{"left": "x", "keyword": "y", "right": tokens}])
    assert shown(built.view.parts[0])[0]["right"] == words
    assert built.data["rows"][0]["right"] == tokens


def test_long_contexts_are_cut_where_they_are_far_from_the_keyword(build) -> None:
    left, right = "far " * 50 + "near", "near " + "far " * 50
    (part,) = build("kwic", [{"left": left, "keyword": "pax", "right": right}]).view.parts
    (row,) = shown(part)
    assert row["left"].startswith("… far")
    assert row["left"].endswith("far near")
    assert row["right"].startswith("near far")
    assert row["right"].endswith(" …")
    assert len(row["left"]) <= CONTEXT + 2


def test_one_collection_is_not_repeated_and_several_are_named(build) -> None:
    rows = [{"doc_id": "a", "collection": "x", "text": "t"}, {"doc_id": "b", "collection": "y", "text": "t"}]
    assert "collection" in [one.key for one in build("kwic", rows).view.parts[0].columns]
    assert "collection" not in [one.key for one in build("kwic", rows[:1], "other").view.parts[0].columns]


def test_words_of_ours_are_read_in_the_language_of_the_page(build) -> None:
    primary, other = ({"evidence": evidence} for evidence in ("grounding", "secondary"))
    entries = [{"name": "A", "kind": "org"} | primary, {"name": "B", "kind": "x"} | other]
    built = build("roster-table", entries)
    assert built.data["entries"] == entries
    german, english = (text.plain(text.render(built.view, lang)) for lang in ("de", "en"))
    assert all(word in german for word in ("Körperschaft", "x", "Primärquelle", "Sekundärliteratur"))
    assert "primary source" in english
    assert "grounding" not in german + english


def test_a_column_that_says_nothing_is_not_drawn_but_can_be_asked_for(build) -> None:
    entries = [{"name": "A", "variants": [], "date": None, "evidence": "grounding", "doc_ids": ["d"]}]
    (part,) = build("roster-table", entries).view.parts
    assert [one.key for one in part.columns if one.hidden] == ["date", "variants", "evidence"]
    assert {"date", "variants", "evidence"} <= {one.key for one in part.columns}
    assert "Variants" not in html.render(part_view(part), "en")


def test_a_roster_says_what_its_fields_are_where_they_are_no_persons(build) -> None:
    entries = [{"name": "Briefe", "canonical": "Cod. 1", "count": 12, "n_docs": 1, "doc_ids": ["m1"]}]
    payload = {"entries": entries, "headings": {"canonical": "signature", "count": "n_pages"}}
    built = build("roster-table", payload)
    head = [one.label.message for one in built.view.parts[0].columns]
    assert head == [f"column.{name}" for name in ("name", "signature", "n_pages", "n_docs", "doc_ids")]
    german = text.plain(text.render(built.view, "de"))
    assert len({words for words in german.splitlines()[0].split("   ") if words}) == len(head)
    for at, wrong in enumerate(("n_pages", {"count": 5})):
        with pytest.raises(ArtefactError, match="headings"):
            build("roster-table", payload | {"headings": wrong}, f"wrong{at}")


def test_excerpts_of_a_document_stand_below_each_other(build) -> None:
    row = {"doc_id": "a", "collection": "x", "n_sentences": 2, "excerpts": ["One.", "Two."], "url": "https://e.org"}
    built = build("citation-list", {"rows": [row]})
    assert built.data == {"rows": [row], "n_rows": 1}
    assert shown(built.view.parts[0])[0]["excerpts"] == "One.\nTwo."


@pytest.mark.parametrize("kind", KINDS)
def test_any_number_of_rows_costs_what_the_first_cost_and_all_lie_beside(build, query, kind: str) -> None:
    key, field = KINDS[kind]
    built = build(kind, query(f"SELECT 'x' || range AS {field} FROM range(100000)"))
    assert (built.data[f"n_{key}"], len(built.data[key])) == (100_000, 1000)
    (part,) = built.view.parts
    assert (part.total, len(part.rows), part.full.file) == (100_000, 1000, "artefacts/probe.parquet")


@pytest.mark.parametrize("kind", KINDS)
def test_data_of_an_artefact_is_a_payload_again_unless_it_is_only_the_first_rows(build, kind: str) -> None:
    key, field = KINDS[kind]
    built = build(kind, [{field: "x"}])
    assert build(kind, built.data, "again").data == built.data
    with pytest.raises(ArtefactError, match=f"holds 1 of 7 {key}"):
        build(kind, built.data | {f"n_{key}": 7}, "third")


@pytest.mark.parametrize("kind", ALL)
@pytest.mark.parametrize("payload", ["text", 3, None, {"else": 1}, [1, 2], {"rows": "x"}, {"rows": [[1]]}])
def test_what_is_no_payload_is_refused_with_what_it_needs(build, kind: str, payload: object) -> None:
    with pytest.raises(ArtefactError, match=r"needs|neither"):
        build(kind, payload)


@pytest.mark.parametrize("kind", ALL)
def test_missing_fields_are_named(build, kind: str) -> None:
    with pytest.raises(ArtefactError, match=r"needs? .*the fields are unheard, of"):
        build(kind, [{"unheard": 1, "of": 2}])


def everything(hostile: dict[str, str]) -> dict[str, object]:
    """Return a payload of each kind with hostile text at every place."""
    texts = list(hostile.values())
    listed = [
        dict.fromkeys(("name", "canonical", "kind", "doc_id", "collection", "text", "keyword", "excerpts"), text)
        | {"url": text, "variants": texts, "doc_ids": texts, "count": text, text: text}
        for text in texts
    ]
    nodes = [{"id": text, "label": text, "group": text, "url": text, "weight": text} for text in texts]
    edges = [{"source": texts[0], "target": text, "label": text, "weight": text} for text in texts]
    graph = {"nodes": nodes, "edges": edges, "verdict": {text: text for text in texts}, "synthesis": "\n\n".join(texts)}
    events = [{"label": text, "from": 1500 + at, "to": 1501 + at, "count": 2} for at, text in enumerate(texts)]
    return dict.fromkeys(KINDS, listed) | {
        "d3-graph": graph, "proof-structure": graph, "timeline": [*events, {"from": texts[0], "count": texts[1]}],
    }  # fmt: skip


@pytest.mark.parametrize("kind", ALL)
def test_hostile_data_is_text_on_every_surface(build, hostile, contract, kind: str) -> None:
    built = build(kind, everything(hostile)[kind])
    pretty_json(built.data)
    drawn = contract(html.render(built.view, "en", files=lambda name: name))
    assert "alert(1)" in "".join(drawn.text)
    for words in (markdown.render(built.view, "de"), text.plain(text.render(built.view, "de"))):
        assert not set(words) & {"\x00", "\x07", "\x1b", "\x9b", "\u202e", "\u2066"}
    assert "{{<" not in markdown.render(built.view, "en")


@pytest.mark.parametrize("kind", ALL)
def test_the_same_input_gives_the_same_bytes(hostile, build_context, tmp_path, kind: str) -> None:
    made = []
    for folder in (tmp_path / "one", tmp_path / "two"):
        folder.mkdir()
        built = builders()[kind].build(everything(hostile)[kind], build_context(kind, folder=folder))
        files = [(folder / name).read_bytes() for name in built.companions]
        made.append([pretty_json(built.data), pretty_json(built.view.model_dump(mode="json")), *files])
    assert made[0] == made[1]
    assert len(made[0]) > 2


@pytest.mark.parametrize("kind", ALL)
def test_nothing_found_is_an_artefact_that_says_so(build, kind: str) -> None:
    built = build(kind, {"edges": []} if kind in ("d3-graph", "proof-structure") else [])
    assert html.render(built.view, "en", files=lambda name: name)
    total = next(value for key, value in built.data.items() if key.startswith("n_"))
    assert total == 0
