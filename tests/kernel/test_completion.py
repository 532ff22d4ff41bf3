"""What an editor offers at a cursor, and when it takes a cell for a whole one."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from famulus_kernel.kernel.catalog import Catalog
from famulus_kernel.kernel.completeness import completeness
from famulus_kernel.kernel.completion import Names, complete
from famulus_kernel.kernel.keys import explain, keys_at
from famulus_kernel.kernel.snippets import snippets
from famulus_kernel.language.block import parse_block
from famulus_kernel.language.plan import check_plan
from famulus_kernel.language.preamble import parse_preamble
from famulus_kernel.language.yaml import load_strict

NAMES = Names(
    blocks={"roster": ("table", "graph"), "zahl": ("t",)},
    subtasks=("letter-subject", "correspondence-count"),
    collections=("zotero", "briefe"),
    commands=("status", "print"),
)
HEAD = "---\nid: x\n"


def offered(text: str, names: Names = NAMES) -> set[str]:
    found = complete(text, len(text), names)
    assert text[found.start : found.end] == text[found.start :]
    return set(found.matches)


@pytest.mark.parametrize(
    ("text", "matches"),
    [
        ("subt", {"subtask: "}),
        ("subtask: l", {"letter-subject"}),
        ("subtask: nothing", set()),
        ("evidence: ", {"grounding", "secondary", "both"}),
        ("locked: t", {"true"}),
        ("rerun: if", {"if-stale", "if-missing"}),
        ("years: {t", {"to: "}),
        ("collections: [zotero, b", {"briefe"}),
        ("depends_on: [ro", {"roster", "roster.table", "roster.graph"}),
        ("duckdb:\n  - {alias: r, ref: roster.g", {"roster.graph"}),
        ("duckdb:\n  - al", {"alias: "}),
        ("partiturs:\n  - id: duckdb", {"duckdb-read"}),
        ("partiturs:\n  - id: artifact:tab", {"artifact:table"}),
        ("partiturs:\n  - id: duckdb-read\n    input:\n      s", {"sql: "}),
        ("artefacts: [{name: liste, kind: table}]\npartiturs:\n  - id: duckdb-read\n    artefact: l", {"liste"}),
        ("artefacts:\n  - name: a\n    kind: roster", {"roster-table"}),
        ("duckdb: [{alias: briefe, path: x}]\npartiturs:\n  - input:\n      sql: |\n        FROM br", {"briefe"}),
        ("oracle:\n  n_", set()),
    ],
)
def test_a_preamble_is_completed_by_what_may_stand_there(text: str, matches: set[str]) -> None:
    assert offered(HEAD + text) == matches


def test_every_key_of_the_language_is_offered_and_explained() -> None:
    keys = keys_at(())
    assert offered(HEAD) == {f"{key}: " for key in keys}
    for key in keys:
        text = explain((key,))
        assert text is not None
        assert "no description" not in text, key


def test_a_cell_of_one_line_is_completed_by_names() -> None:
    assert offered("roster.") == {"roster.table", "roster.graph", "roster.report"}
    assert offered("%st") == {"status"}
    assert offered("%print zahl.t") == {"zahl.t"}
    assert offered("?zahl.r") == {"zahl.report"}
    assert offered("Wie viele ro") == set()


def test_a_line_that_asks_for_a_value_is_completed_by_the_data() -> None:
    assert offered("roster.table:n_", RICH) == {"n_rows"}
    assert offered("%print zahl roster.table@v1:rows.1", RICH) == {"rows.1", "rows.10"}
    assert offered("Es sind `{famulus} roster.table n_", RICH) == {"n_rows"}
    assert offered("niemand.table:n_", RICH) == set()
    assert offered(HEAD + "---\nroster.table:n_", RICH) == set()


def test_a_golden_row_is_offered_with_what_it_asks() -> None:
    text = HEAD + "golden: b"
    (found,) = complete(text, len(text), RICH).offers
    assert (found.type, found.says) == ("golden", "Wie viele?")


def test_an_instruction_is_completed_inside_placeholders_only() -> None:
    head = HEAD + "---\nLies "
    assert offered(head + "{{ref:ros") == {"roster.table", "roster.graph"}
    assert offered(head + "ros") == set()
    assert offered(head + "{{ref:roster.table@", RICH) == {"roster.table@v2", "roster.table@v1"}
    assert offered(head + "{{ref:fam:andere/", RICH) == {"fam:andere/notizen/zahl.t"}


@pytest.mark.parametrize(
    ("code", "status"),
    [
        ("", "complete"),
        ("roster.table", "complete"),
        ("%status", "complete"),
        ("years?", "complete"),
        ("---\nid: x\n---\nWas?", "complete"),
        ("---\r\nid: x\r\n---\r\nWas?", "complete"),
        ("---\nnot: a known key\n---\nWas?", "complete"),
        ("---\nid: x\n---", "incomplete"),
        ("---\nid: x\n---\n", "complete"),
        ("---\r\nid: x\r\n---\r\n", "complete"),
        ("---", "incomplete"),
        ("#| label: x\n---\nid: [x\n", "incomplete"),
        ("#| label: x\n", "incomplete"),
        ("---\nid: [x\n---\n", "invalid"),
        ("---\n- x\n---\n", "invalid"),
        ("zwei Wörter", "invalid"),
    ],
)
def test_a_cell_is_whole_when_its_preamble_is_closed(code: str, status: str) -> None:
    assert completeness(code) == status


@given(st.text(alphabet="ab: -{}[]\n?%.@|&*!", max_size=60))
def test_no_text_keeps_an_editor_waiting(code: str) -> None:
    assert completeness(code) in {"complete", "incomplete", "invalid"}
    assert complete(code, len(code), NAMES).start <= len(code)


PEOPLE = ("Albrecht Dürer", "Pirckheimer, Willibald", "Barbara", "no", 'O\'Hara "Bill"')
CATALOG = Catalog(
    {"briefe": {"letters": {"letter_id": "VARCHAR", "sender": "VARCHAR"}, "odd name": {"n": "BIGINT"}}},
    {"register": {"name": "VARCHAR", "Ort (heute)": "VARCHAR"}},
)
RICH = replace(
    NAMES,
    snippets={"subtask": "---\nid: x\n---\n?", "duckdb-read": "---\nid: y\n---\n?"},
    persons=lambda named: PEOPLE if named is None else [f"{PEOPLE[1]} of {name}" for name in named],
    lemmata=lambda _named: ("amicitia", "amor"),
    catalog=lambda entries: CATALOG if entries is None or entries else Catalog(),
    arguments=lambda subtask: ("register",) if subtask == "register-inventory" else (),
    measures=lambda block: ("n_letters", "n_correspondents") if block == "x" else (),
    counts=lambda plan: {"terminology-find": ("n_occurrences",), "duckdb-read": ("n_rows",)}.get(plan, ()),
    models=("ollama:glm-5.3:cloud", "kleines"),
    plans=lambda: ("chain", "lwgrammar:lw_evaluate"),
    versions=lambda block: ("v2", "v1") if block == "roster" else (),
    partners=lambda begun: ("fam:andere/notizen/zahl.t",) if begun.startswith("fam:andere/") else ("fam:andere/",),
    inputs=lambda partitur: ("terms", "upper") if partitur in {"chain", "query/words"} else (),
    settings=lambda: ("settings/frühe jahre.yaml", "settings/alle.yaml"),
    goldens=lambda: {"brief-1": "Wie viele?", "Roster: 2": "Wer?"},
    registers=lambda named: {"personen": "briefe", "orte": "briefe"} if named in (None, ["briefe"]) else {},
    values=lambda reference, path: {
        ("roster.table", "n_"): ("rows", "n_rows"),
        ("roster.table@v1", "rows.1"): ("rows.0", "rows.1", "rows.10"),
    }.get((reference, path), ()),
)


@pytest.mark.parametrize(
    ("text", "matches"),
    [
        ("persons: [alb", {"Albrecht Dürer"}),
        ("persons: [Dürer, pirck", {'"Pirckheimer, Willibald"'}),
        ("persons:\n  - Pirckheimer, W", {"Pirckheimer, Willibald"}),
        ('persons: ["Pirckheimer, W', {'Pirckheimer, Willibald"'}),
        ("persons: ['O", {"O''Hara \"Bill\"'"}),
        ("persons: [n", {"no"}),
        ("persons: [\n  Albrecht Dürer,\n  Barb", {"Barbara"}),
        ("collections: [a, b]\npersons: [pirck", {'"Pirckheimer, Willibald of a"', '"Pirckheimer, Willibald of b"'}),
        ("lemmata: [ami", {"amicitia"}),
        ("years: {\n  from: 1520,\n  t", {"to: "}),
        ("years: {from: 1520,\n\nrerun: al", {"always"}),
        ("oracle:\n  n_c", {"n_correspondents: "}),
        ("oracle: {n_letters: 3, n_c", {"n_correspondents: "}),
        ("subtask: register-inventory\ninput:\n  reg", {"register: "}),
        ("subtask: terminology-find\noracle: {n_o", {"n_occurrences: "}),
        ("partiturs: [{id: duckdb-read}]\noracle:\n  n_r", {"n_rows: "}),
        ("client: k", {"kleines"}),
        ('client: "ollama:', {"ollama:glm-5.3:cloud"}),
        ("partiturs:\n- id: lw", {"lwgrammar:lw_evaluate"}),
        ("partiturs: [{id: ch", {"chain"}),
        ("depends_on: [roster@", {"roster@v2", "roster@v1"}),
        ("duckdb: [{alias: r, ref: roster.table@v1", {"roster.table@v1"}),
        ("depends_on: [niemand@", set()),
        ("depends_on: [fam:", {"fam:andere/"}),
        ("depends_on:\n  - fam:andere/n", {"fam:andere/notizen/zahl.t"}),
        ("# subt", set()),
        ("locked: true # fal", set()),
        ("artefacts: [ # [eine {Liste\n  {name: a, ki", {"kind: "}),
        ("golden: it's\nsubt", {"subtask: "}),
        ("artefacts: [{name: a#b, ki", {"kind: "}),
        ("subtask:\tletter", {"letter-subject"}),
        ('golden: "🙂🙂"\nsubtask: l', {"letter-subject"}),
        ("golden: b", {"brief-1"}),
        ("golden: ro", {'"Roster: 2"'}),
        ('golden: "Roster: ', {'Roster: 2"'}),
        ("partiturs: [{id: chain, setting: settings/f", {"settings/frühe jahre.yaml"}),
        ("partiturs:\n    - id: chain\n      setting: ", {"settings/frühe jahre.yaml", "settings/alle.yaml"}),
        ("partiturs:\n- id: chain\n  input:\n    ter", {"terms: "}),
        ("partiturs: [{id: query/words, input: {u", {"upper: "}),
        ("subtask: register-inventory\ninput: {register: per", {"personen"}),
        ("subtask: register-inventory\ncollections: [briefe]\ninput:\n      register: o", {"orte"}),
        ("collections: [zotero]\ninput: {register: per", set()),
        ("partiturs: [{id: chain, input: {register: o", {"orte"}),
        ("partiturs: [{id: chain, input: {persons: [Alb", {"Albrecht Dürer"}),
        ("partiturs:\n  - id: Dürer's\n    input: {persons: [Dürer's,\n      Alb", {"Albrecht Dürer"}),
        ("partiturs:\n  - id: chain\n    input:\n      evidence: b", {"both"}),
        ("partiturs: [{id: chain, input: {collections: [b", {"briefe"}),
        ("partiturs: [{id: chain, input: {text: {ref: roster.t", {"roster.table"}),
    ],
)
def test_a_preamble_is_completed_by_what_the_data_hold(text: str, matches: set[str]) -> None:
    assert offered(HEAD + text, RICH) == matches


SQL = "partiturs:\n  - id: duckdb-read\n    input:\n      sql: |\n        "


@pytest.mark.parametrize(
    ("text", "matches"),
    [
        ("SELECT * FROM bri", {"briefe"}),
        ("SELECT * FROM briefe.", {"letters", '"odd name"'}),
        ("FROM briefe.letters l\n        WHERE l.", {"letter_id", "sender"}),
        ("FROM briefe.letters AS l JOIN register r ON r.o", {'"Ort (heute)"'}),
        ("SELECT briefe.letters.s", {"sender"}),
        ("SELECT name FROM register WHERE na", {"name"}),
        ('SELECT * FROM briefe."odd name" o WHERE o.', {"n"}),
        ("SELECT sender, letter_id FROM briefe.letters WHERE se", {"sender"}),
        ("SELECT 1 FROM briefe.letters l, register r WHERE r.n", {"name"}),
        ("SELECT unknown.", set()),
        ("WITH x AS (SELECT letter_id AS nr, sender, count(*) FROM briefe.letters) SELECT x.", {"nr", "sender"}),
        ("WITH x AS (SELECT * FROM briefe.letters), y AS (SELECT x.*, 1 AS eins FROM x) SELECT y.e", {"eins"}),
        ("WITH x(a, b) AS (VALUES (1, 2)) SELECT x.", {"a", "b"}),
        ("WITH treffer AS (SELECT 1) SELECT * FROM tref", {"treffer"}),
        ("SELECT 1 FROM (SELECT sender, max(letter_id) AS last FROM briefe.letters GROUP BY 1) s WHERE s.l", {"last"}),
        ("SELECT 1 FROM briefe.letters l WHERE EXISTS (SELECT 1 FROM register l WHERE l.n", {"name"}),
        ("SELECT 1 FROM briefe.letters l WHERE EXISTS (SELECT 1 FROM register r WHERE l.s", {"sender"}),
        ("SELECT l.sender FROM briefe.letters l UNION SELECT l.", set()),
        ("FROM range(3) t(i, j) WHERE t.", {"i", "j"}),
        ("SELECT 'FROM register r' FROM briefe.letters l WHERE r.", set()),
        ("FROM briefe.letters WHERE sender = 'se", set()),
        ("FROM briefe.letters -- se", set()),
        ('FROM register r WHERE r."Ort (', {'"Ort (heute)"'}),
        ('FROM register AS "R 1" WHERE "R 1".n', {"name"}),
        ("SELECT 1.", set()),
    ],
)
def test_sql_is_completed_by_tables_and_columns(text: str, matches: set[str]) -> None:
    assert offered(HEAD + SQL + text, RICH) == matches
    if not {"\n", '"'} & set(text):
        escaped = {match.replace('"', '\\"') for match in matches}
        assert offered(f'{HEAD}partiturs: [{{id: duckdb-read, input: {{sql: "{text}', RICH) == escaped


def test_columns_are_known_before_their_table_is_named_below() -> None:
    text = HEAD + SQL + "SELECT l."
    code = text + "\n        FROM briefe.letters l\n---\nWas?"
    found = complete(code, len(text), RICH)
    assert [(one.text, one.type, one.says) for one in found.offers] == [
        ("letter_id", "column", "VARCHAR"),
        ("sender", "column", "VARCHAR"),
    ]


@pytest.mark.parametrize(
    ("text", "matches"),
    [("years:\n  f", {"from: "}), ("locked: tr", {"true"}), (SQL + "FROM register r WHERE r.na", {"name"})],
)
def test_line_breaks_of_windows_are_line_breaks(text: str, matches: set[str]) -> None:
    assert offered((HEAD + text).replace("\n", "\r\n"), RICH) == matches


@pytest.mark.parametrize("opens", ["|\n        ", ">-\n        ", '"', "'", ""])
def test_an_alias_of_one_step_is_none_of_the_next(opens: str) -> None:
    head = HEAD + "partiturs:\n  - id: duckdb-read\n    input:\n      sql: " + opens + "SELECT a."
    closing = opens.strip("|>- \n")
    below = f" FROM register b{closing}\n  - id: duckdb-read\n    input: {{sql: SELECT 1 FROM briefe.letters a}}\n---\n"
    assert complete(head + below, len(head), RICH).matches == ()
    below = f" FROM register a{closing}\n  - id: duckdb-read\n    input: {{sql: SELECT 1 FROM briefe.letters a}}\n---\n"
    assert complete(head + below, len(head), RICH).matches == ("name", closing_quote(opens))
    above = HEAD + SQL + f"SELECT 1 FROM briefe.letters a\n  - id: duckdb-read\n    input:\n      sql: {opens}SELECT a."
    assert offered(above, RICH) == set()


def closing_quote(opens: str) -> str:
    return '\\"Ort (heute)\\"' if opens == '"' else '"Ort (heute)"'


def test_a_name_whose_quotes_are_there_already_gets_no_second_ones() -> None:
    text = HEAD + SQL + 'SELECT "Ort'
    found = complete(text + '" FROM register\n---\n', len(text), RICH)
    assert found.matches == ('"Ort (heute)',)
    assert text[found.start :] == '"Ort'


@given(st.text(alphabet="aFROMSELCTWIH ()\"',.*\n-\x00\x01", max_size=60))
def test_no_sql_keeps_an_editor_waiting(sql: str) -> None:
    code = HEAD + SQL + sql
    assert complete(code, len(code), RICH).end == len(code)


def test_an_empty_cell_is_offered_whole_blocks() -> None:
    assert {"---\nid: x\n---\n?", "---\nid: y\n---\n?"} <= offered("", RICH)
    assert offered("duck", RICH) == {"---\nid: y\n---\n?"}
    assert offered("Wie duck", RICH) == set()


def test_every_shipped_snippet_is_a_block_whose_preamble_is_valid() -> None:
    assert {"subtask", "duckdb-read", "terminology-find"} <= snippets().keys()
    for text in snippets().values():
        assert "$" not in text
        check_plan(parse_preamble(parse_block(text)))


def test_a_reply_tells_the_types_as_ipython_does() -> None:
    code = HEAD + "persons: [alb"
    reply = complete(code, len(code), RICH).reply()
    assert reply["matches"] == ["Albrecht Dürer"]
    start, end = reply["cursor_start"], reply["cursor_end"]
    assert reply["metadata"] == {
        "_jupyter_types_experimental": [
            {"start": start, "end": end, "text": "Albrecht Dürer", "type": "person", "signature": ""}
        ]
    }


@given(st.text(alphabet="anoyesNuIfltru .-_:#'ÄԱ1", min_size=1, max_size=8))
def test_a_name_is_written_so_that_it_means_itself(name: str) -> None:
    code = HEAD + "persons: ["
    (offer,) = complete(code, len(code), replace(RICH, persons=lambda _named: (name,))).offers
    assert load_strict(f"[{offer.text}]").value == [name]
