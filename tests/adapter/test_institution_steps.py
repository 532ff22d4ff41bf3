from __future__ import annotations

import pytest
from projects import ProjectFolder
from servers import bad_server, flood, institution, send

from famulus_kernel.adapter.adapter import Adapter
from famulus_kernel.project.project import Project
from famulus_kernel.store.store import StoredVersion

SENTENCES = (
    "{id: duckdb-read, artefact: saetze, input: {sql: \"SELECT * FROM (VALUES (1, 'Es sind 75 Briefe.'),"
    " (2, 'Der letzte ist von 1530.')) t(n, satz)\"}}"
)


def block(step: str, *, before: str = SENTENCES, artefacts: str = "", extra: str = "") -> str:
    made = "[{kind: table, name: saetze}" + (f", {artefacts}]" if artefacts else "]")
    return f"---\nid: b\npartiturs:\n  - {before}\n  - {step}\nartefacts: {made}\n{extra}\n---\nWas ist belegt?"


def play(project: ProjectFolder, body: str, where: str = "embedded") -> StoredVersion:
    project.write("famulus.yml", f"id: probe\ninstitution: {where}\n")
    project.blocks("a.fam", body)
    opened = Project.open(project.root)
    return Adapter(opened).run(opened.block("b"))


def error_of(version: StoredVersion) -> dict[str, object]:
    assert version.manifest.status == "error"
    assert version.manifest.artefacts == ()
    error = version.verdict().observed["error"]
    assert isinstance(error, dict)
    return error


EVALUATE = "{id: lwgrammar:lw_evaluate, text_from: satz, input: {lang: de, evidence: [75]}}"


class TestEmbedded:
    def test_scalars_and_lengths_of_lists_are_measures(self, project: ProjectFolder) -> None:
        oracle = "oracle: {passed: false, n_unsupported: 1, n_findings: 2, n_numbers: 2, task: notebook-text}"
        version = play(project, block(EVALUATE, extra=oracle))
        assert version.verdict().status == "pass", version.verdict().observed

    def test_fields_of_the_answer_can_be_asked_by_path(self, project: ProjectFolder) -> None:
        version = play(project, block(EVALUATE, extra="oracle: {findings.1.text: '1530'}"))
        assert version.verdict().status == "pass", version.verdict().observed

    def test_a_list_of_the_answer_becomes_a_table(self, project: ProjectFolder) -> None:
        step = EVALUATE.replace("}}", "}, rows_from: findings, artefact: funde}")
        artefact = "{kind: table, name: funde}"
        version = play(project, block(step, artefacts=artefact, extra="oracle: {text: ['1530'], n_rows: 2}"))
        assert version.verdict().status == "pass", version.verdict().observed
        data = version.envelope("funde").data
        assert [column["name"] for column in data["columns"]] == ["kind", "text", "start", "end", "supported"]
        assert data["rows"][1][1] == "1530"

    def test_a_later_step_takes_that_table_by_name(self, project: ProjectFolder) -> None:
        first = EVALUATE.replace("}}", "}, rows_from: findings, artefact: funde}")
        second = "{id: lwgrammar:lw_evaluate, text_from: text, input: {lang: de, evidence: {step: funde}}}"
        version = play(
            project,
            block(f"{first}\n  - {second}", artefacts="{kind: table, name: funde}", extra="oracle: {passed: true}"),
        )
        assert version.verdict().status == "pass", version.verdict().observed

    def test_an_empty_list_is_no_answer_unless_the_oracle_says_so(self, project: ProjectFolder) -> None:
        before = SENTENCES.replace("75", "viele").replace("1530", "heute")
        step = EVALUATE.replace("}}", "}, rows_from: findings}")
        assert error_of(play(project, block(step, before=before)))["code"] == "empty"
        assert play(project, block(step, before=before, extra="oracle: {n_rows: 0}")).verdict().status == "pass"

    def test_the_trace_tells_who_was_asked_what(self, project: ProjectFolder) -> None:
        record = play(project, block(EVALUATE)).trace()["steps"][1]
        assert record["call"]["server"] == "embedded"
        assert record["call"]["arguments"]["text"] == "Es sind 75 Briefe.\nDer letzte ist von 1530."
        assert record["answer"]["n_unsupported"] == 1

    @pytest.mark.parametrize(
        ("step", "code", "words"),
        [
            ("{id: lwgrammar:lw_evaluat}", "tool-unknown", "did you mean lw_evaluate"),
            ("{id: lwgrammar:lw_evaluate}", "tool", "text: Missing"),
            ("{id: lwgrammar:lw_evaluate, text_from: saz}", "input-unbound", "n, satz"),
            (EVALUATE.replace("}}", "}, rows_from: finding}"), "answer", "findings"),
            ("{id: lwgrammar:lw_sense_history, input: {lemma: pax}}", "tool", "collections"),
        ],
    )
    def test_what_cannot_be_asked_is_told(self, project: ProjectFolder, step: str, code: str, words: str) -> None:
        error = error_of(play(project, block(step)))
        assert error["code"] == code
        assert words in f"{error['message']} {error['hint']}"
        assert error["where"]["key"].startswith("partiturs.1")

    @pytest.mark.parametrize(
        ("step", "words"),
        [("{id: 'lwgrammar:'}", "lwgrammar:<tool>"), ("{id: artifact:json, text_from: satz}", "text_from")],
    )
    def test_what_can_be_seen_without_asking_is_seen_by_check(
        self, project: ProjectFolder, step: str, words: str
    ) -> None:
        assert words in str(error_of(play(project, block(step)))["message"])

    def test_a_budget_of_calls_holds(self, project: ProjectFolder) -> None:
        assert error_of(play(project, block(EVALUATE, extra="limits: {max_tool_calls: 0}")))["code"] == "budget"

    def test_the_rule_store_makes_the_block_stale(self, project: ProjectFolder) -> None:
        project.write("rules/a.txt", "one")
        project.blocks("a.fam", block(EVALUATE))
        project.write("famulus.yml", "id: probe\ninstitution: embedded\ninstitution_rules: rules\n")
        assert project.cli("run", ".").status == 0
        project.write("rules/b.txt", "two")
        assert project.states()["b"] == "stale"


class TestServed:
    def test_a_server_plays_the_same(self, project: ProjectFolder) -> None:
        oracle = "oracle: {passed: false, n_unsupported: 1, n_findings: 2}"
        with institution("--collections", str(project.root), cwd=project.root) as url:
            version = play(project, block(EVALUATE, extra=oracle), url)
            unknown = error_of(play(project, block("{id: lwgrammar:lw_evaluat}"), url))
        assert version.verdict().status == "pass", version.verdict().observed
        assert unknown["code"] == "tool-unknown"
        assert url in str(unknown["message"])

    def test_nobody_there_names_url_and_tool_and_what_to_do(self, project: ProjectFolder) -> None:
        error = error_of(play(project, block(EVALUATE), "http://127.0.0.1:9/mcp"))
        assert error["code"] == "unreachable"
        assert "http://127.0.0.1:9/mcp" in str(error["message"])
        assert "lw_evaluate" in str(error["message"])
        assert "famulus-notebook institution" in str(error["hint"])

    def test_a_server_that_hangs_ends_with_the_budget(self, project: ProjectFolder) -> None:
        def hang(handler) -> None:
            import time  # noqa: PLC0415

            time.sleep(3)

        with bad_server(hang) as url:
            error = error_of(play(project, block(EVALUATE, extra="limits: {max_wall_seconds: 1.5}"), url))
        assert error["code"] in {"budget", "timeout"}

    @pytest.mark.parametrize(
        ("answer", "code"),
        [
            (flood, "answer-size"),
            (lambda handler: send(handler, 200, b"{]", content_type="application/json"), "answer"),
            (lambda handler: send(handler, 500), "unreachable"),
        ],
        ids=["fifty megabytes", "garbage", "HTTP 500"],
    )
    def test_bad_answers_name_url_and_tool(self, project: ProjectFolder, answer, code) -> None:
        with bad_server(answer) as url:
            error = error_of(play(project, block(EVALUATE), url))
        assert error["code"] in {code, "tool"}
        assert url in str(error["message"])
        assert "lw_evaluate" in str(error["message"])
