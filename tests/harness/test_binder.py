"""Inputs: who gives them, what is missing, and what their types are held to."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from famulus_kernel.errors import UnboundInput
from famulus_kernel.harness.binder import Artefact, bind
from famulus_kernel.harness.partitur import Partitur, read_partitur
from famulus_kernel.harness.request import RunRequest

TABLE = {"columns": [{"name": "id", "type": "VARCHAR"}], "rows": [["a"], ["b"]], "n_rows": 2}


def partitur(inputs: str) -> Partitur:
    text = f"id: probe\nversion: 1\ngoal_path: a/b\ninputs: {inputs}\nstages: [{{id: s, op: sql}}]"
    return read_partitur(text.encode()).partitur


def request(origins: dict[str, Any] | None = None, **inputs: Any) -> RunRequest:
    return RunRequest("block", "Frage", "probe", inputs=inputs, origins=origins or {})


def test_a_default_fills_what_nobody_gave_and_says_so() -> None:
    found = bind(partitur("{n: {type: integer, default: 3}, m: {}, instruction: {type: string}}"), request())
    assert {name: (one.value, one.origin) for name, one in found.items()} == {
        "n": (3, "default"),
        "instruction": ("Frage", "block"),
    }


@pytest.mark.parametrize("given", [{}, {"n": None}, {"collections": []}])
def test_a_required_input_that_nobody_gave_is_named(given: dict[str, Any]) -> None:
    name = next(iter(given), "n")
    with pytest.raises(UnboundInput, match=name):
        bind(partitur(f"{{{name}: {{required: true}}}}"), request(**given))


def test_an_input_that_nobody_declares_is_an_error_with_the_nearest_name() -> None:
    with pytest.raises(UnboundInput, match="grad") as found:
        bind(partitur("{grade: {}}"), request(grad=1))
    assert "grade" in found.value.hint


def test_a_key_of_the_scope_that_the_partitur_does_not_ask_for_is_no_error() -> None:
    found = bind(partitur("{}"), request({"persons": "block"}, persons=["x"], collections=["haus"]))
    assert found["persons"].value == ["x"]


WRONG = [
    ("string", 7), ("string", ["a"]), ("integer", "7"), ("integer", True), ("integer", 1.5), ("number", True),
    ("boolean", "ja"), ("list", "a"), ("mapping", ["a"]), ("path", 7), ("table", {"rows": []}), ("artefact", "x"),
    ("table", Artefact("kwic", {})), ("list", Artefact("table", {**TABLE, "columns": [{}, {}]})),
    ("integer", Artefact("json", "7")),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "value"), WRONG)
def test_an_input_of_the_wrong_type_is_named_with_what_it_needs(kind: str, value: Any) -> None:
    with pytest.raises(UnboundInput, match="needs") as found:
        bind(partitur(f"{{x: {{type: {kind}}}}}"), request(x=value))
    assert "**x**" in found.value.message
    assert "**probe**" in found.value.message


RIGHT = [
    ("string", "7", "7"), ("integer", 7, 7), ("number", 1.5, 1.5), ("number", 1, 1), ("boolean", False, False),
    ("list", ("a",), ["a"]), ("mapping", {"a": 1}, {"a": 1}), ("any", {"a": [1]}, {"a": [1]}),
    ("list", Artefact("table", TABLE), ["a", "b"]), ("list", Artefact("json", [1, 2]), [1, 2]),
    ("integer", Artefact("json", 7), 7),
    ("table", {"ref": "b.tab"}, {"ref": "b.tab"}), ("integer", {"step": "zahl"}, {"step": "zahl"}),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "value", "bound"), RIGHT)
def test_a_value_of_the_right_type_is_bound_and_a_reference_gives_the_data_that_fit(
    kind: str, value: Any, bound: Any
) -> None:
    assert bind(partitur(f"{{x: {{type: {kind}}}}}"), request(x=value))["x"].value == bound


def test_a_reference_becomes_path_kind_and_data_also_inside_a_value(tmp_path: Path) -> None:
    artefact = Artefact("table", TABLE, tmp_path / "a.json", tmp_path / "a.parquet")
    seen = {
        "path": str(tmp_path / "a.json"), "kind": "table", "data": TABLE, "table": str(tmp_path / "a.parquet"),
    }  # fmt: skip
    found = bind(partitur("{x: {type: table}, y: {}}"), request(x=artefact, y={"an": [artefact]}))
    assert found["x"].value == seen
    assert found["y"].value == {"an": [seen]}


def test_a_list_takes_every_row_of_a_table_that_shows_its_first_ones_only(tmp_path: Path) -> None:
    pq.write_table(pa.table({"id": [str(n) for n in range(5)]}), tmp_path / "a.parquet")
    artefact = Artefact("table", {**TABLE, "n_rows": 5}, table=tmp_path / "a.parquet")
    assert bind(partitur("{x: {type: list}}"), request(x=artefact))["x"].value == ["0", "1", "2", "3", "4"]


def test_a_path_becomes_the_file_it_means_once_something_is_opened(tmp_path: Path) -> None:
    spec = partitur("{x: {type: path}}")
    assert bind(spec, request(x="a.csv"))["x"].value == "a.csv"
    assert bind(spec, request(x="a.csv"), lambda written: tmp_path / written)["x"].value == str(tmp_path / "a.csv")
