"""Every key of spec 1.3, valid and invalid."""

from __future__ import annotations

import json
import unicodedata

import pytest

from famulus_kernel.errors import BadReference, PreambleError
from famulus_kernel.language.block import parse_block
from famulus_kernel.language.preamble import BLOCK_KEYS, DEFAULT_KEYS, Preamble, effective, parse_preamble


def preamble(text: str) -> Preamble:
    """The preamble whose YAML begins in line 11 of a file."""
    return parse_preamble(parse_block(f"---\n{text}\n---\nx", line=10, file="a.fam"))


# key, YAML of its value, what is SET by it
VALID = [
    ("id", "1520", "1520"),
    ("id", "010", "010"),
    ("id", "1e3", "1e3"),
    ("id", unicodedata.normalize("NFD", "café"), "café"),
    ("client", "ollama:glm-5.3:cloud", "ollama:glm-5.3:cloud"),
    ("client", "1.10", "1.10"),
    ("depends_on", "[b, c@v3, d.e, 'fam:p/n/f.g@v1']", ["b", "c@v0003", "d.e", "fam:p/n/f.g@v0001"]),
    ("depends_on", "[010]", ["010"]),
    ("rerun", "if-stale", "if-stale"),
    ("rerun", "if-missing", "if-stale"),
    ("rerun", "always", "always"),
    ("rerun", "never", "never"),
    ("log", "logs/briefe/", "logs/briefe"),
    ("output", "none", "none"),
    ("output", "card", "card"),
    ("input", "{text: no, rows: [1, {ref: b.c}], deep: {x: {ref: 'd.e@v2'}}}",
     {"text": "no", "rows": [1, {"ref": "b.c"}], "deep": {"x": {"ref": "d.e@v2"}}}),
    ("limits", "{max_output_tokens: 800, max_tool_calls: 0, max_wall_seconds: 1.5}",
     {"max_output_tokens": 800, "max_tool_calls": 0, "max_wall_seconds": 1.5}),
    ("subtask", "correspondence-count", "correspondence-count"),
    ("partiturs", "[{id: duckdb-read, input: {sql: select 1}, setting: a.setting.yaml, text_from: a, rows_from: b}]",
     [{"id": "duckdb-read", "input": {"sql": "select 1"}, "setting": "a.setting.yaml", "text_from": "a",
       "rows_from": "b"}]),
    ("partiturs", "[{id: artifact:kwic}, {id: lwgrammar:lw_evaluate}, {id: query/historical/stage-one}]",
     [{"id": "artifact:kwic"}, {"id": "lwgrammar:lw_evaluate"}, {"id": "query/historical/stage-one"}]),
    ("ziel", "entfalten", "entfalten"),
    ("form", "eponym", "eponym"),
    ("slots", "{verfasser: Kepler, zeitraum: {from: 1600}}", {"verfasser": "Kepler", "zeitraum": {"from": 1600}}),
    ("bind", "{verfasser: 118561626}", {"verfasser": "118561626"}),
    ("lesart", "{k1: Nennung}", {"k1": "Nennung"}),
    ("verfeinerung", "{streng: b2}", {"streng": "b2"}),
    ("verfeinerung", "{knoten: k, wert: 3}", {"knoten": "k", "wert": 3}),
    ("budget", "{zeit_s: 10, modellaufrufe: 0}", {"zeit_s": 10, "modellaufrufe": 0}),
    ("rest_max", "0.1", 0.1),
    ("rest_max", "1", 1),
    ("annahmegrad_verfasser", "gewiss", "gewiss"),
    ("abgeschaltet", "[a, b]", ["a", "b"]),
    ("erwartung", "gate.yaml", "gate.yaml"),
    ("request", "true", True),
    ("pruefen", "messwert", "messwert"),
    ("satz", "{paper: a.md, hash: 12e5, text: x}", {"paper": "a.md", "hash": "12e5", "text": "x"}),
    ("aussage", "{koerper: a, objekt: b, groesse: c, methode: d, wert: 3.5, toleranz: 1 km}",
     {"koerper": "a", "objekt": "b", "groesse": "c", "methode": "d", "wert": 3.5, "toleranz": "1 km"}),
    ("collections", "[pirckheimer, kepler-sec]", ["pirckheimer", "kepler-sec"]),
    ("locked", "true", True),
    ("reading_doc", "d1", "d1"),
    ("reading_doc", "", None),
    ("documents", "[0012, 1.10, 7]", ["0012", "1.10", "7"]),
    ("evidence", "both", "both"),
    ("language", "no", ["no"]),
    ("language", "LA", ["la"]),
    ("language", "[la, de, grc]", ["la", "de", "grc"]),
    ("years", "{from: -43}", {"from": -43}),
    ("years", "{}", {}),
    ("persons", "[Willibald Pirckheimer]", ["Willibald Pirckheimer"]),
    ("lemmata", "[natura, on]", ["natura", "on"]),
    ("counting_mode", "family+adj", "family+adj"),
    ("person_id", "123", "123"),
    ("project", "p", "p"),
    ("duckdb", "[{alias: main, path: $PDAI_COLLECTIONS/p.duckdb, read_only: true}, {alias: l, path: ~/x/*.parquet}]",
     [{"alias": "main", "path": "$PDAI_COLLECTIONS/p.duckdb", "read_only": True},
      {"alias": "l", "path": "~/x/*.parquet"}]),
    ("duckdb", "[{alias: stz, ref: a.b@v2}]", [{"alias": "stz", "ref": "a.b@v0002"}]),
    ("artefacts", "[{name: on, kind: table}, {name: b, kind: d3-graph, file: netz/b.json}]",
     [{"name": "on", "kind": "table"}, {"name": "b", "kind": "d3-graph", "file": "netz/b.json"}]),
    ("artefacts", "[{name: report, kind: report}]", [{"name": "report", "kind": "report"}]),
    ("golden", "golden-c7", "golden-c7"),
    ("oracle", "{n: 75, yes: no, x_contains: saphea, r: {min: 1}, l: [a], note: x}",
     {"n": 75, "yes": "no", "x_contains": "saphea", "r": {"min": 1}, "l": ["a"], "note": "x"}),
    ("guard", "{task: synthesize-answer, lang: DE, author: a, family: f, text: answer, evidence: [x]}",
     {"task": "synthesize-answer", "lang": "de", "author": "a", "family": "f", "text": "answer", "evidence": ["x"]}),
    ("guard", "{}", {}),
]  # fmt: skip

# YAML, dotted key of the error, its line, what the message says
INVALID = [
    ("id: a b", "id", 11, "a b is not an identifier"),
    ("id: ''", "id", 11, "not empty"),
    ("id: true", "id", 11, "needs text"),
    ("id: [a]", "id", 11, "needs text"),
    ("id: nul", "id", 11, "device"),
    ("id: a\nclient: [x]", "client", 12, "needs text"),
    ("id: a\nclinet: x", "clinet", 12, "unknown key clinet"),
    ("id: a\ndepends_on: b", "depends_on", 12, "needs a list"),
    ("id: a\ndepends_on:\n- b\n- b c", "depends_on.1", 14, "b c is not"),
    ("id: a\ndepends_on: ['b@3']", "depends_on.0", 12, "version"),
    ("id: a\nrerun: sometimes", "rerun", 12, "'if-stale', 'if-missing', 'always' or 'never'"),
    ("id: a\nlog: /tmp", "log", 12, "plain relative path"),
    ("id: a\nlog: ../x", "log", 12, "plain relative path"),
    ("id: a\noutput: yes", "output", 12, "'card', 'artefacts', 'both' or 'none'"),
    ("id: a\ninput: [x]", "input", 12, "a mapping"),
    ("id: a\ninput:\n  x: {ref: nonsense}", "input.x.ref", 13, "nonsense is not a reference"),
    ("id: a\ninput: {ref: b.c}", "input", 12, "names for its arguments"),
    ("id: a\ninput: {x: .nan}", "input.x", 12, "finite"),
    ("id: a\nlimits: {max_output_tokens: 0}", "limits.max_output_tokens", 12, "greater than 0"),
    ("id: a\nlimits: {max_tool_calls: -1}", "limits.max_tool_calls", 12, "at least 0"),
    ("id: a\nlimits: {max_tool_calls: 1.5}", "limits.max_tool_calls", 12, "whole number"),
    ("id: a\nlimits: {max_wall_seconds: .inf}", "limits.max_wall_seconds", 12, "finite"),
    ("id: a\nlimits: {max_wall_second: 1}", "limits.max_wall_second", 12, "unknown key"),
    ("id: a\nsubtask: [x]", "subtask", 12, "needs text"),
    ("id: a\npartiturs: []", "partiturs", 12, "at least one"),
    ("id: a\npartiturs:", "partiturs", 12, "a value"),
    ("id: a\npartiturs: {id: x}", "partiturs", 12, "a list"),
    ("id: a\npartiturs:\n- setting: x", "partiturs.0.id", 13, "is missing"),
    ("id: a\npartiturs:\n- id: x\n- id: y\n  inputs: {}", "partiturs.1.inputs", 15, "unknown key"),
    ("id: a\npartiturs:\n- id: artifact:tabel", "partiturs.0.id", 13, "tabel is no kind"),
    ("id: a\npartiturs:\n- id: duckdb-read\n  artefact: b", "partiturs.0.artefact", 14, "it declares none"),
    ("id: a\nziel: falten", "ziel", 12, "'entfalten'"),
    ("id: a\nform: x", "form", 12, "'erwaehnung'"),
    ("id: a\nslots: [a]", "slots", 12, "a mapping"),
    ("id: a\nbind: {a: [b]}", "bind.a", 12, "needs text"),
    ("id: a\nlesart: {a: true}", "lesart.a", 12, "needs text"),
    ("id: a\nverfeinerung: {streng: a, offen: b}", "verfeinerung", 12, "knoten"),
    ("id: a\nverfeinerung: {knoten: a}", "verfeinerung", 12, "knoten"),
    ("id: a\nbudget: {zeit_s: 0}", "budget.zeit_s", 12, "greater than 0"),
    ("id: a\nbudget: {zeit: 1}", "budget.zeit", 12, "unknown key"),
    ("id: a\nrest_max: 1.01", "rest_max", 12, "at most 1"),
    (f"id: a\nrest_max: {'9' * 400}", "rest_max", 12, "number"),
    ("id: a\nrest_max: -0.1", "rest_max", 12, "at least 0"),
    ("id: a\nannahmegrad_verfasser: sicher", "annahmegrad_verfasser", 12, "'gewiss'"),
    ("id: a\nabgeschaltet: a", "abgeschaltet", 12, "a list"),
    ("id: a\nerwartung: {x: y}", "erwartung", 12, "needs text"),
    ("id: a\nrequest: yes", "request", 12, "true or false"),
    ("id: a\npruefen: alles", "pruefen", 12, "'satz' or 'messwert'"),
    ("id: a\nsatz: {paper: b}", "satz.hash", 12, "is missing"),
    ("id: a\naussage: {koerper: a, objekt: b, groesse: c, methode: d, wert: [1], toleranz: 1}", "aussage.wert", 12,
     "a number, or text"),
    ("id: a\ncollections: pirckheimer", "collections", 12, "a list"),
    ("id: a\ncollections: [../etc]", "collections.0", 12, "one folder"),
    ("id: a\nlocked: no", "locked", 12, "true or false"),
    ("id: a\nlocked: 1", "locked", 12, "true or false"),
    ("id: a\nreading_doc: [a]", "reading_doc", 12, "needs text"),
    ("id: a\ndocuments: d", "documents", 12, "a list"),
    ("id: a\nevidence: primary", "evidence", 12, "'grounding'"),
    ("id: a\nlanguage: de-AT", "language", 12, "BCP 47"),
    ("id: a\nlanguage: [la, 1]", "language.1", 12, "BCP 47"),
    ("id: a\nyears: 1520", "years", 12, "from, to"),
    ("id: a\nyears: {from: '1520'}", "years.from", 12, "whole number"),
    ("id: a\nyears:\n  form: 1520", "years.form", 13, "unknown key"),
    ("id: a\nyears: {to: 10000}", "years.to", 12, "at most 9999"),
    ("id: a\npersons: [{a: b}]", "persons.0", 12, "needs text"),
    ("id: a\nlemmata: ['']", "lemmata.0", 12, "not empty"),
    ("id: a\ncounting_mode: all", "counting_mode", 12, "'canonical'"),
    ("id: a\nperson_id: {}", "person_id", 12, "needs text"),
    ("id: a\nproject: false", "project", 12, "needs text"),
    ("id: a\nduckdb: {alias: a}", "duckdb", 12, "a list"),
    ("id: a\nduckdb:\n- {alias: a}", "duckdb.0", 13, "exactly one of path and ref"),
    ("id: a\nduckdb:\n- {alias: a, path: b, ref: c.d}", "duckdb.0", 13, "exactly one of path and ref"),
    ("id: a\nduckdb: [{path: b}]", "duckdb.0.alias", 12, "is missing"),
    ("id: a\nduckdb: [{alias: a, path: b, read_only: false}]", "duckdb.0.read_only", 12, "only reads"),
    ("id: a\nduckdb: [{alias: 'a b', path: b}]", "duckdb.0.alias", 12, "a name"),
    ("id: a\nduckdb: [{alias: a, ref: b}]", "duckdb.0.ref", 12, "b is not a reference"),
    ("id: a\nduckdb:\n- {alias: main, path: b}\n- {alias: MAIN, path: c}", "duckdb.1.alias", 14, "used twice"),
    ('id: a\nduckdb: [{alias: a, path: "b\\0"}]', "duckdb.0.path", 12, "a path"),
    ("id: a\nartefacts: {name: b}", "artefacts", 12, "a list"),
    ("id: a\nartefacts: [{kind: table}]", "artefacts.0.name", 12, "is missing"),
    ("id: a\nartefacts: [{name: b}]", "artefacts.0.kind", 12, "is missing"),
    ("id: a\nartefacts: [{name: b.c, kind: table}]", "artefacts.0.name", 12, "identifier"),
    ("id: a\nartefacts: [{name: verdict, kind: table}]", "artefacts.0.name", 12, "another name"),
    ("id: a\nartefacts: [{name: b, kind: tabel}]", "artefacts.0.kind", 12, "tabel is no kind"),
    ("id: a\nartefacts:\n- {name: b, kind: table}\n- {name: B, kind: json}", "artefacts.1.name", 14, "used twice"),
    ("id: a\nartefacts:\n- {name: b, kind: table, file: X.json}\n- {name: c, kind: json, file: x.json}",
     "artefacts.1.file", 14, "used twice"),
    ("id: a\nartefacts:\n- {name: b, kind: table, file: c.json}\n- {name: c, kind: json}",
     "artefacts.1.file", 14, "used twice"),
    ("id: a\ngolden: [a]", "golden", 12, "needs text"),
    ("id: a\noracle: 75", "oracle", 12, "a mapping"),
    ("id: a\noracle:", "oracle", 12, "a value"),
    ("id: a\noracle: {}", "oracle", 12, "at least one"),
    ("id: a\noracle: {n: .inf}", "oracle.n", 12, "finite"),
    ("id: a\nguard: notebook-text", "guard", 12, "task, lang, author, family, text, evidence"),
    ("id: a\nguard: {lang: german-at}", "guard.lang", 12, "BCP 47"),
    ("id: a\nguard:", "guard", 12, "a value"),
]  # fmt: skip


@pytest.mark.parametrize(("key", "text", "expected"), VALID)
def test_a_valid_value_is_set_in_its_canonical_form(key: str, text: str, expected) -> None:
    found = preamble(f"{key}: {text}" if key == "id" else f"id: a\n{key}: {text}")
    assert found.set_items() == ({"id": expected} if key == "id" else {"id": "a", key: expected})
    assert json.loads(json.dumps(found.set_items())) == found.set_items()


@pytest.mark.parametrize(("key", "text", "expected"), VALID)
def test_the_canonical_form_means_the_same_again(key: str, text: str, expected) -> None:
    found = preamble(f"{key}: {text}" if key == "id" else f"id: a\n{key}: {text}")
    again = effective({}, found.set_items()).preamble
    assert again == found
    assert again.set_items() == found.set_items()


@pytest.mark.parametrize(("text", "key", "line", "words"), INVALID)
def test_an_invalid_value_names_file_line_block_and_key(text: str, key: str, line: int, words: str) -> None:
    with pytest.raises((PreambleError, BadReference)) as caught:
        preamble(text)
    where = caught.value.where
    assert (where.file, where.key, where.line) == ("a.fam", key, line)
    assert words in str(caught.value)
    assert caught.value.hint
    assert where.block == ("a" if text.startswith("id: a\n") else where.block)


def test_the_tables_hold_every_key() -> None:
    assert {key for key, _, _ in VALID} == set(DEFAULT_KEYS | BLOCK_KEYS)
    broken = {key.partition(".")[0] for _, key, _, _ in INVALID}
    assert broken >= set(DEFAULT_KEYS | BLOCK_KEYS)
