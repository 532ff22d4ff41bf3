"""Published letters and texts, imported and asked through real processes, against counts made apart (shared data)."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import Any

import duckdb
import pytest
from projects import REPOSITORY, SHARED_DATA, ProjectFolder, read_block

from famulus_kernel.corpus.importers import import_cmif, import_conllu

needs_data = pytest.mark.skipif(not SHARED_DATA.is_dir(), reason="the published files do not lie beside the checkout")

QUESTIONS = {
    "gottsched": """collections: [gottsched]
persons: [Johann Christoph Gottsched]
years: {from: 1740, to: 1745}
subtask: correspondence-count
oracle: {n_correspondents: 232, n_letters: 928, n_correspondents_at_most: 236, n_letters_at_most: 936}""",
    "spener": """collections: [spener]
persons: [Philipp Jakob Spener]
years: {from: 1686, to: 1686}
subtask: correspondence-count
oracle: {n_letters: 74, n_letters_at_most: 88}""",
    "pax": """collections: [latin-texts]
lemmata: [pax]
counting_mode: canonical
subtask: terminology-find
artefacts: [{name: kwic, kind: kwic}]
oracle: {n_occurrences: 28, n_sentences: 26, n_documents: 14, keywords: [pacis]}""",
    "deus": """collections: [latin-texts]
lemmata: [deus]
counting_mode: canonical
subtask: concept-statements
artefacts: [{name: text, kind: markdown}]
oracle: {n_sentences: 250, n_documents: 28}""",
    "deus-homo": """collections: [latin-texts]
lemmata: [deus, homo]
counting_mode: canonical
subtask: cooccurrence
oracle: {n_sentences: 33}""",
    "utopia": """collections: [latin-texts]
subtask: sentence-mention
input: {text: utopia, ignore_case: true}
oracle: {n_sentences: 3}""",
    "briefpartner-zahl": """collections: [pirckheimer]
locked: true
evidence: grounding
years: {from: 1520, to: 1530}
subtask: correspondence-count
golden: golden-c782fab71c
client: gemini-3.5-flash-lite
artefacts: [{name: roster, kind: roster-table}, {name: netz, kind: d3-graph}]
oracle: {n_correspondents: 28, n_letters: 40}""",
}


@pytest.fixture(scope="module")
def collections(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("published")
    for name in ("gottsched", "spener"):
        import_cmif([SHARED_DATA / "cmif" / f"{name}.xml"], root / name)
    import_conllu([SHARED_DATA / "conllu" / "latin-texts.conllu"], root / "latin-texts", lang="la")
    spec = importlib.util.spec_from_file_location("example", REPOSITORY / "example-project" / "build.py")
    assert spec is not None
    assert spec.loader is not None
    build = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(build)
    build.build(root / "example", REPOSITORY / "example-project" / "register")
    (root / "example" / "data" / "pirckheimer").rename(root / "pirckheimer")
    return root


@needs_data
def test_the_counts_that_were_made_apart_come_out(project: ProjectFolder, collections: Path) -> None:
    project.write("famulus.yml", f"id: probe\ncollections_root: {collections}\n")
    bodies = [f"---\nid: {name}\n{preamble}\n---\nWie viele?" for name, preamble in QUESTIONS.items()]
    project.blocks("a.fam", *bodies)
    text = (project.root / "a.fam").read_text(encoding="utf-8")
    project.write("a.fam", f"---\nlang: de\n---\n\n{text}")
    ran = project.cli("run")
    verdicts: dict[str, Any] = {name: project.verdict(name) for name in QUESTIONS}
    assert {name: verdict["status"] for name, verdict in verdicts.items()} == dict.fromkeys(QUESTIONS, "pass"), verdicts
    assert ran.status == 0, ran.err
    assert set(project.states().values()) == {"fresh"}
    report = json.loads((project.version("briefpartner-zahl") / "report.json").read_bytes())["data"]
    assert report["answer"].startswith("Willibald Pirckheimer hatte 28 Briefpartner von 1520 bis 1530, in 40 Briefen")
    inputs = json.loads((project.version("pax") / "manifest.json").read_bytes())["inputs"]
    assert [file["path"].rpartition("/")[2] for file in inputs["files"]] == [
        "latin-texts_stanza.duckdb", "lemma_index.parquet", "status.json",
    ]  # fmt: skip


def test_the_index_of_the_assessment_is_attached_like_any_database(project: ProjectFolder, tmp_path: Path) -> None:
    index = tmp_path / "pdai" / "assessment" / "grounding_index.duckdb"
    index.parent.mkdir(parents=True)
    with duckdb.connect(str(index)) as connection:
        connection.execute(
            """CREATE TABLE collection_capabilities AS SELECT 'kepler-prim' AS collection, 'letters' AS capability;
            CREATE TABLE person_registry AS SELECT 'gnd:118561448' AS ent_id, 'Johannes Kepler' AS canonical;
            CREATE TABLE letter_pairs AS SELECT 'gnd:118561448' AS sender_id, 'gnd:118582135' AS recipient_id, 7 AS n;
            CREATE TABLE collection_aliases AS SELECT 'kepler' AS alias, 'kepler-prim' AS collection"""
        )
    sql = (
        "SELECT canonical, n FROM grounding.letter_pairs JOIN grounding.person_registry ON sender_id = ent_id, "
        "grounding.collection_aliases JOIN grounding.collection_capabilities USING (collection) WHERE alias = 'kepler'"
    )
    attached = f"duckdb: [{{alias: grounding, path: {index}}}]\noracle: {{n: 7, canonical: Johannes Kepler}}"
    project.blocks("a.fam", read_block("paare", sql, extra=attached))
    ran = project.cli("run")
    assert ran.status == 0, ran.err
    assert project.verdict("paare")["status"] == "pass"
