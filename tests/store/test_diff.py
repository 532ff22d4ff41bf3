from __future__ import annotations

import json

import duckdb
import pytest
from store_making import commit_version

from famulus_kernel.store.diff import Change, diff
from famulus_kernel.store.manifest import FileInput, Inputs, ReferenceInput


def some_inputs(**changes):
    base = {"preamble": {"id": "letters", "years": {"from": 1500, "to": 1520}}, "instruction": "How many?"}
    return Inputs(**(base | changes))


def table(tmp_path, query):
    path = tmp_path / "t.parquet"
    with duckdb.connect() as database:
        database.execute(f"COPY ({query}) TO '{path}' (FORMAT parquet)")
    return path.read_bytes()


def test_two_runs_of_the_same_differ_in_nothing(store):
    old = commit_version(store, data={"n": 1}, created="2026-01-01T00:00:00Z")
    new = commit_version(store, data={"n": 1}, created="2026-02-01T00:00:00Z")
    result = diff(old, new)
    assert result.is_empty
    assert (result.block, result.old, result.new) == ("letters", "v0001", "v0002")


def test_keys_of_the_preamble_are_named_to_the_last_step(store):
    old = commit_version(store, inputs=some_inputs())
    new = commit_version(store, inputs=some_inputs(preamble={"id": "letters", "years": {"from": 1501}, "client": "x"}))
    assert diff(old, new).preamble == (
        Change("years.from", 1500, 1501), Change("years.to", 1520, None), Change("client", None, "x"),
    )


def test_an_instruction_is_compared_by_lines(store):
    old = commit_version(store, inputs=some_inputs(instruction="One\nTwo\nThree"))
    new = commit_version(store, inputs=some_inputs(instruction="One\n2\nThree"))
    assert [line for line in diff(old, new).instruction if line[0] in "+-"] == ["-Two", "+2"]


def test_files_references_and_operations_are_named(store):
    def inputs(size, sha, version, operation):
        return some_inputs(
            files=(FileInput(path="a.parquet", size=size, mtime_ns=1, sha256=sha * 64),),
            references=(ReferenceInput(ref="roster.table", version=version, sha256=sha * 64),),
            operations={"subtask:letters": operation},
            model="ollama:x" if operation == 2 else None,
        )

    old = commit_version(store, inputs=inputs(1, "0", "v0003", 1))
    new = commit_version(store, inputs=inputs(2, "1", "v0004", 2))
    changes = {change.key: (change.old, change.new) for change in diff(old, new).inputs}
    assert changes["file a.parquet"] == ("1 byte, sha256 000000000000", "2 bytes, sha256 111111111111")
    assert changes["reference roster.table"][1].startswith("v0004")
    assert changes["operation subtask:letters"] == (1, 2)
    assert changes["model"] == (None, "ollama:x")


def test_counts_and_verdict_are_compared(store):
    old = commit_version(store, counts={"letters": 75}, observed={"n": {"value": 75, "ok": True}})
    new = commit_version(store, counts={"letters": 76}, status="fail", observed={"n": {"value": 76, "ok": False}})
    result = diff(old, new)
    assert result.counts == (Change("letters", 75, 76),)
    assert result.verdict == (
        Change("status", "pass", "fail"), Change("observed.n.value", 75, 76), Change("observed.n.ok", True, False),
    )


def test_rows_of_the_full_table_are_compared_not_the_first_ones_of_the_view(store, tmp_path):
    first = {"columns": ["a"], "rows": [[1]], "n_rows": 3}
    old = commit_version(store, data=first, companions={"rows.parquet": table(tmp_path, "FROM range(3) t(a)")})
    new = commit_version(store, data=first, companions={"rows.parquet": table(tmp_path, "FROM range(1, 4) t(a)")})
    (artefact,) = diff(old, new).artefacts
    ((label, rows),) = artefact.tables
    assert (artefact.name, artefact.state, label) == ("rows", "changed", "rows")
    assert (rows.added_rows, rows.removed_rows) == (((3,),), ((0,),))


def test_a_second_table_of_an_artefact_goes_by_its_own_name(store, tmp_path):
    def version(query):
        return commit_version(
            store, data={"findings": [1]}, companions={"rows.findings.parquet": table(tmp_path, query)}
        )

    (artefact,) = diff(version("SELECT 1 AS a"), version("SELECT 2 AS a")).artefacts
    assert [label for label, _ in artefact.tables] == ["findings"]


def test_entries_of_an_artefact_are_compared_as_rows(store):
    old = commit_version(store, data={"entries": [{"name": "Reuchlin", "count": 3}, {"name": "Celtis", "count": 2}]})
    new = commit_version(store, data={"entries": [{"name": "Celtis", "count": 2}, {"name": "Reuchlin", "count": 4}]})
    ((label, rows),) = diff(old, new).artefacts[0].tables
    assert label == "entries"
    assert rows.columns == ("name", "count")
    assert (rows.added_rows, rows.removed_rows) == ((("Reuchlin", 4),), (("Reuchlin", 3),))


def test_artefacts_that_came_and_went_are_named(store):
    good, bad = commit_version(store), commit_version(store, status="error")
    assert [(one.name, one.state) for one in diff(good, bad).artefacts] == [("rows", "removed")]
    assert [(one.name, one.state) for one in diff(bad, good).artefacts] == [("rows", "added")]


def test_a_change_outside_of_lists_is_a_change(store):
    old, new = commit_version(store, data={"content": "a"}), commit_version(store, data={"content": "b"})
    (artefact,) = diff(old, new).artefacts
    assert (artefact.state, artefact.tables) == ("changed", ())


@pytest.mark.parametrize("data", [None, [], {}, "text", [[1, {"a": 2}]]])
def test_the_result_can_be_printed_as_json(store, data):
    result = diff(commit_version(store, data=data), commit_version(store, data={"x": [1, {"y": 2}]}, counts={"n": 1}))
    assert json.loads(json.dumps(result.as_dict()))["counts"] == [{"key": "n", "old": None, "new": 1}]
