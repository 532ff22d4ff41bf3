from __future__ import annotations

import pytest
from projects import ProjectFolder

from famulus_kernel.adapter.adapter import Adapter
from famulus_kernel.errors import UnresolvedReference
from famulus_kernel.language.references import Reference
from famulus_kernel.project.needs import Need
from famulus_kernel.project.project import Project
from famulus_kernel.project.resolve import resolve
from famulus_kernel.store.store import StoredVersion

NOBODY = "http://127.0.0.1:9/mcp"


def body(text: str, guard: str = "{}", *, extra: str = "oracle: {text_contains: Briefe}") -> str:
    return f"""---
id: b
partiturs:
  - {{id: duckdb-read, input: {{sql: "SELECT 75 AS n, '1506-01-06' AS datum, 'lieber Freund' AS gruss"}}}}
  - {{id: duckdb-read, artefact: satz, input: {{sql: "SELECT '{text}' AS text"}}}}
artefacts: [{{kind: table, name: satz}}]
guard: {guard}
{extra}
---
Wie viele?"""


RIGHT = "Es sind 75 Briefe seit dem 6. Januar 1506, „lieber Freund“."
WRONG = "Es sind 76 Briefe seit dem 8. Januar 1506, „lieber Feind“."


def play(project: ProjectFolder, text: str, where: str = "embedded") -> StoredVersion:
    project.write("famulus.yml", f"id: probe\ninstitution: {where}\n")
    project.blocks("a.fam", text)
    opened = Project.open(project.root)
    return Adapter(opened).run(opened.block("b"))


def guard_of(version: StoredVersion) -> dict[str, object]:
    found = version.verdict().observed["guard"]
    assert isinstance(found, dict)
    return found


def unsupported(version: StoredVersion) -> list[object]:
    return [one["text"] for one in guard_of(version)["findings"] if not one["supported"]]


def test_a_text_that_its_rows_bear_out_stays_a_pass(project: ProjectFolder) -> None:
    version = play(project, body(RIGHT))
    assert version.verdict().status == "pass"
    assert guard_of(version)["status"] == "passed"
    assert guard_of(version)["checked"] == 3


def test_what_has_no_support_turns_a_pass_into_a_fail(project: ProjectFolder) -> None:
    version = play(project, body(WRONG))
    assert version.verdict().status == "fail"
    assert version.manifest.status == "fail"
    assert guard_of(version)["status"] == "failed"
    assert unsupported(version) == ["76", "8. Januar 1506", "„lieber Feind“"]
    assert version.verdict().observed["score"] == 1.0


def test_a_failed_verdict_stays_one(project: ProjectFolder) -> None:
    version = play(project, body(RIGHT, extra="oracle: {text_contains: Karten}"))
    assert version.verdict().status == "fail"
    assert guard_of(version)["status"] == "passed"


def test_all_that_the_guard_was_told_is_recorded(project: ProjectFolder) -> None:
    guard = "{task: synthesize-answer, lang: de, author: Pirckheimer, family: brief, text: text}"
    found = guard_of(play(project, body(RIGHT, guard)))
    assert {key: found[key] for key in ("task", "lang", "author", "family", "server")} == {
        "task": "synthesize-answer", "lang": "de", "author": "Pirckheimer", "family": "brief", "server": "embedded",
    }  # fmt: skip
    assert found["evidence"] == {"from": "rows", "rows": 2, "of": 2}


def test_evidence_of_the_block_replaces_its_rows(project: ProjectFolder) -> None:
    version = play(project, body(RIGHT, "{evidence: [75, lieber Freund]}"))
    assert unsupported(version) == ["6. Januar 1506"]
    assert guard_of(version)["evidence"] == {"from": "evidence"}


def test_evidence_may_be_an_earlier_step(project: ProjectFolder) -> None:
    assert guard_of(play(project, body(RIGHT, "{evidence: {step: '1'}}")))["status"] == "passed"


def test_evidence_may_be_an_artefact_of_another_block(project: ProjectFolder) -> None:
    project.write("famulus.yml", "id: probe\ninstitution: embedded\n")
    other = "---\nid: quelle\npartiturs: [{id: duckdb-read, artefact: t, input: {sql: SELECT 75 AS n}}]\n"
    project.blocks(
        "a.fam", f"{other}artefacts: [{{kind: table, name: t}}]\n---\nWas?", body(RIGHT, "{evidence: {ref: quelle.t}}")
    )
    assert project.cli("run", ".").status == 1
    found = project.verdict("b")["observed"]["guard"]
    assert [one["text"] for one in found["findings"] if one["supported"]] == ["75"]
    assert project.states() == {"quelle": "fresh", "b": "fresh"}


def test_an_answer_may_repeat_what_it_was_asked_for(project: ProjectFolder) -> None:
    text = "Von 1520 bis 1530 sind es 75 Briefe, im Jahr 1531 keiner."
    version = play(project, body(text, extra="years: {from: 1520, to: 1530}\noracle: {text_contains: Briefe}"))
    assert unsupported(version) == ["1531"]


@pytest.mark.parametrize("guard", ["{}", "{text: text}"])
def test_a_text_does_not_bear_itself_out(project: ProjectFolder, guard: str) -> None:
    assert unsupported(play(project, body("Es sind 77 Briefe.", guard))) == ["77"]


@pytest.mark.parametrize(
    "plan",
    [
        "partiturs: [{id: duckdb-read, input: {sql: SELECT 75 AS n}}]",
        "partiturs: [{id: duckdb-read, input: {sql: 'SELECT * FROM range(3)'}}]",
        "artefacts: [{kind: markdown, name: t}]\n"  # noqa: ISC004 - one preamble
        "partiturs: [{id: artifact:markdown, artefact: t, input: {content: 'Es sind 75.'}}]",
    ],
    ids=["one number", "rows", "a written text that no field names"],
)
def test_a_block_without_generated_text_says_so(project: ProjectFolder, plan: str) -> None:
    version = play(project, f"---\nid: b\n{plan}\nguard: {{}}\n---\nWie viele?")
    assert guard_of(version)["status"] == "none"
    assert guard_of(version)["checked"] == 0
    assert version.verdict().status == "pass"


def test_a_text_may_be_the_content_of_an_artefact(project: ProjectFolder) -> None:
    plan = (
        "partiturs: [{id: duckdb-read, input: {sql: SELECT 75 AS n}}, "
        "{id: artifact:markdown, artefact: t, input: {content: 'Es sind 75, nicht 80.'}}]\n"
        "artefacts: [{kind: markdown, name: t}]"
    )
    version = play(project, f"---\nid: b\n{plan}\nguard: {{text: content}}\n---\nWie viele?")
    assert unsupported(version) == ["80"]
    assert guard_of(version)["text"] == "Es sind 75, nicht 80."


class TestUnreachable:
    def test_artefacts_are_kept_and_no_reference_resolves(self, project: ProjectFolder) -> None:
        version = play(project, body(RIGHT), NOBODY)
        assert version.manifest.status == "error"
        assert version.verdict().is_unverified
        assert guard_of(version)["status"] == "unreachable"
        error = version.verdict().observed["error"]
        assert error["code"] == "guard"
        assert NOBODY in error["message"]
        assert error["where"]["key"] == "guard"
        assert version.envelope("satz").data["rows"] == [[RIGHT]]
        assert version.report()["data"]["answer"] == RIGHT
        with pytest.raises(UnresolvedReference, match="ended in error"):
            resolve(Project.open(project.root), Need(Reference.parse("b.satz"), "", "input"))

    def test_every_command_says_so(self, project: ProjectFolder) -> None:
        project.write("famulus.yml", f"id: probe\ninstitution: {NOBODY}\n")
        project.blocks("a.fam", body(RIGHT))
        ran = project.cli("run", ".")
        assert ran.status == 1
        assert "was not checked" in ran.err
        assert project.states() == {"b": "error"}
        assert "◐ text not verified" in project.cli("show", "b").out
        assert "◐ text not verified" in project.cli("show", "b.satz").out
        assert project.cli("verify").status == 0
        rendered = project.cli("render", ".")
        assert rendered.status == 1
        page = next((project.root / "_site").glob("a.html")).read_text(encoding="utf-8")
        assert 'data-status="unverified"' in page
        assert "75 Briefe" in page

    def test_it_is_asked_again_and_then_is_fine(self, project: ProjectFolder) -> None:
        play(project, body(RIGHT), NOBODY)
        project.write("famulus.yml", "id: probe\ninstitution: embedded\n")
        assert project.cli("run", ".").status == 0
        assert project.verdict("b", 2)["status"] == "pass"
