from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow.parquet as pq
import pytest

from famulus_kernel.artefacts.build import ReportPayload, TablePayload
from famulus_kernel.artefacts.html import render
from famulus_kernel.errors import ArtefactError

if TYPE_CHECKING:
    from pathlib import Path

FINDING = {
    "kind": "sentence",
    "collection": "pirckheimer",
    "evidence": "grounding",
    "doc_id": "WPB1",
    "pidx": 2,
    "sent_idx": 5,
    "page": 3,
    "text": "Salve {{< env HOME >}}",
    "url": "https://example.org/pirckheimer/WPB1?p=3",
}
VERDICT = {
    "id": "b",
    "golden": None,
    "status": "pass",
    "oracle": {"n_letters": 2},
    "observed": {"n_letters": {"value": 2, "ok": True}, "score": 1.0},
}
REPORT = ReportPayload(
    question="How many letters?",
    answer="There are **two**.",
    verdict=VERDICT,
    method=["A letter is one letter_id, *however* many rows.", "Both ends are inclusive."],
    counts={"n_letters": 2, "n_odd_things": 1234},
    findings=[FINDING],
    by_document={"WPB1": 2},
    specification={
        "collections": ["pirckheimer"],
        "years": {"from": 1503, "to": 1530},
        "locked": False,
        "persons": [],
        "id": "b",
        "partiturs": [{"id": "duckdb-read", "input": {"sql": "SELECT"}}],
    },
    provenance={"version": "0.1.0", "files": [{"path": "a"}], "model": None},
)
KEYS = [
    "question",
    "answer",
    "verdict",
    "method",
    "counts",
    "findings",
    "n_findings",
    "by_document",
    "specification",
    "provenance",
]


def test_the_data_are_those_of_the_seeds(build) -> None:
    data = build("report", REPORT).data
    assert list(data) == KEYS
    assert data["verdict"] == VERDICT
    assert data["findings"] == [FINDING]
    assert data["by_document"] == [{"doc_id": "WPB1", "n_findings": 2}]
    assert data["specification"] == REPORT.specification
    assert data["provenance"] == REPORT.provenance


def test_the_view_says_answer_verdict_counts_and_findings(build) -> None:
    view = build("report", REPORT).view
    assert view.title.text == "How many letters?"
    assert [part.type for part in view.parts] == ["prose", "facts", "table", "table", "prose", "facts", "facts"]
    facts = view.parts[1].items
    assert [(fact.label.message or fact.label.text, fact.badge) for fact in facts] == [
        ("verdict", "pass"),
        ("count.n_letters", None),
        ("n_odd_things", None),
    ]
    drawn = render(view, "de")
    for piece in (
        "✓</span> bestanden",
        "<dt>Briefe</dt><dd>2</dd>",
        "<dt>n_odd_things</dt><dd>1.234</dd>",
        "<caption>Belege</caption>",
        "<dt>Jahre</dt><dd>1503\N{EN DASH}1530</dd>",
        "<li>A letter is one letter_id, *however* many rows.</li>",
    ):
        assert piece in drawn
    assert "SELECT" not in drawn, "how it was run is data, not something to read"


def test_document_and_page_of_a_finding_link_to_the_page(build) -> None:
    table = build("report", REPORT).view.parts[2]
    assert [(column.key, column.link) for column in table.columns] == [
        ("evidence", None),
        ("collection", None),
        ("doc_id", "url"),
        ("page", "url"),
        ("text", None),
        ("url", None),
    ]
    assert table.rows == (("grounding", "pirckheimer", "WPB1", 3, FINDING["text"], FINDING["url"]),)


def test_findings_that_do_not_fit_lie_beside_the_report(build, tmp_path: Path) -> None:
    report = ReportPayload(question="q", findings=[{**FINDING, "sent_idx": n} for n in range(3000)])
    built = build("report", report)
    assert len(built.data["findings"]) == 1000
    assert built.data["n_findings"] == 3000
    assert built.companions == ("artefacts/probe.findings.parquet", "artefacts/probe.findings.csv")
    assert pq.read_metadata(tmp_path / built.companions[0]).num_rows == 3000
    assert built.view.parts[1].full.file == built.companions[0]


def test_findings_may_be_a_table_that_was_never_in_memory(build, tmp_path: Path) -> None:
    sink = tmp_path / "sink.parquet"
    sink.write_bytes(b"PAR1")
    columns = (("doc_id", "VARCHAR"), ("text", "VARCHAR"))
    built = build(
        "report", ReportPayload(question="q", findings=TablePayload(columns, [["WPB1", "a"]], 4_000_000, sink))
    )
    assert built.data["findings"] == [{"doc_id": "WPB1", "text": "a"}]
    assert built.data["n_findings"] == 4_000_000
    assert built.companions == ("artefacts/probe.findings.parquet",)


def test_a_report_of_a_question_alone_writes_no_file(build, tmp_path: Path) -> None:
    built = build("report", ReportPayload(question=""))
    assert built.companions == ()
    assert built.view.title is None
    assert not (tmp_path / "artefacts").exists()


def test_a_mapping_is_a_report_and_its_question_defaults_to_the_instruction(build) -> None:
    data = build("report", {"answer": "Two.", "counts": {"n": 2}}, question="How many?").data
    assert (data["question"], data["answer"], data["counts"]) == ("How many?", "Two.", {"n": 2})


@pytest.mark.parametrize(("payload", "why"), [("text", "needs a mapping"), ({"anser": "x"}, "a report has no anser")])
def test_what_is_no_report_is_refused_with_the_keys_it_has(build, payload: object, why: str) -> None:
    with pytest.raises(ArtefactError, match=f"{why}.*question, answer, verdict"):
        build("report", payload)


def test_hostile_answers_and_findings_stay_inside_the_contract(build, hostile, contract) -> None:
    for at, text in enumerate(hostile.values()):
        report = ReportPayload(
            question=text,
            answer=text,
            method=[text],
            counts={text: text},
            findings=[{**FINDING, "text": text, "doc_id": text, "url": text}],
            by_document={text: 1},
            specification={text: [text]},
            provenance={text: text},
            verdict={"status": text},
        )
        contract(render(build("report", report, f"r{at}").view, "en"))
