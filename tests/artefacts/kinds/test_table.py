from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import pytest

from famulus_kernel.artefacts.build import BuildContext, TablePayload, builders
from famulus_kernel.artefacts.envelope import Envelope, Header
from famulus_kernel.errors import ArtefactError

if TYPE_CHECKING:
    from pathlib import Path

ROWS = [{"name": "Erasmus", "n": 12}, {"name": "Celtis", "n": 3}]


def test_rows_become_data_view_and_files(build) -> None:
    built = build("table", ROWS)
    assert built.data == {
        "columns": [{"name": "name", "type": "VARCHAR"}, {"name": "n", "type": "BIGINT"}],
        "rows": [["Erasmus", 12], ["Celtis", 3]],
        "n_rows": 2,
    }
    (part,) = built.view.parts
    assert (part.rows, part.total, part.full.file, part.csv.file) == (
        (("Erasmus", 12), ("Celtis", 3)),
        2,
        "artefacts/probe.parquet",
        "artefacts/probe.csv",
    )
    assert built.companions == ("artefacts/probe.parquet", "artefacts/probe.csv")


@pytest.mark.parametrize(
    "payload",
    [
        {"rows": ROWS},
        {"rows": ROWS, "columns": ["name", "n"]},
        {"rows": [["Erasmus", 12], ["Celtis", 3]], "columns": ["name", "n"]},
        {
            "rows": [["Erasmus", 12], ["Celtis", 3]],
            "columns": [{"name": "name", "type": "VARCHAR"}, {"name": "n"}],
            "n_rows": 2,
        },
    ],
)
def test_every_form_of_plain_rows_gives_the_same_table(build, payload: object) -> None:
    assert build("table", payload).data == build("table", ROWS, "other").data


def test_columns_choose_and_order(build) -> None:
    assert build("table", {"rows": ROWS, "columns": ["n", "missing"]}).data["rows"] == [[12, None], [3, None]]


@pytest.mark.parametrize(
    ("payload", "why"),
    [
        ("text", "needs rows"),
        (3, "needs rows"),
        ({"entries": []}, "needs rows"),
        ([[1, 2]], "neither all mappings nor all lists"),
        ([{"a": 1}, [2]], "neither all mappings nor all lists"),
        ({"rows": [[1]], "columns": ["a"], "n_rows": 10_000}, "holds 1 of 10000 rows"),
        ({"rows": [[1, 2]], "columns": ["a"]}, "row 1 has 2 values"),
    ],
)
def test_what_is_no_table_is_refused_with_the_reason(build, payload: object, why: str) -> None:
    with pytest.raises(ArtefactError, match=why) as raised:
        build("table", payload)
    assert "**probe** (table)" in raised.value.message


def test_a_table_of_ten_million_rows_costs_what_its_first_rows_cost(build, tmp_path: Path) -> None:
    sink = tmp_path / "sink.parquet"
    sink.write_bytes(b"PAR1 of ten million rows")
    built = build("table", TablePayload((("n", "BIGINT"),), [[n] for n in range(1000)], 10_000_000, sink))
    assert (built.data["n_rows"], len(built.data["rows"])) == (10_000_000, 1000)
    assert built.companions == ("artefacts/probe.parquet",)
    assert (tmp_path / "artefacts/probe.parquet").samefile(sink)


def test_hostile_cells_are_stored_and_the_same_input_gives_the_same_bytes(hostile, tmp_path: Path) -> None:
    rows = [{key + "\nhead": text, "n": at} for at, (key, text) in enumerate(hostile.items())] + [
        {"big": "x" * 100_000}
    ]
    digests = set()
    for folder in (tmp_path / "one", tmp_path / "two"):
        folder.mkdir()
        built = builders()["table"].build(rows, BuildContext("probe", "table", "probe.json", "de", folder))
        header = Header(
            project="p",
            notebook="n",
            block="b",
            version="v0001",
            name="probe",
            kind="table",
            created="2026-01-01T00:00:00Z",
            inputs="0",
        )
        files = [Envelope(famulus=header, data=built.data, view=built.view).to_bytes()]
        files += [(folder / name).read_bytes() for name in built.companions]
        digests.add(tuple(hashlib.sha256(content).hexdigest() for content in files))
    assert len(digests) == 1
    assert len(files) == 3
