"""A table on disk, as a query leaves it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from famulus_kernel.artefacts.build import TablePayload
from famulus_kernel.corpus import DataSession

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture
def query(tmp_path: Path) -> Callable[[str], TablePayload]:
    """Run a query as `duckdb-read` does and give what its builder gets."""
    sinks = iter(range(100))

    def run(sql: str) -> TablePayload:
        sink = tmp_path / f"sink-{next(sinks)}.parquet"
        with DataSession((), allowed_paths=(), allowed_directories=(tmp_path,)) as session:
            table = session.run(sql, sink)
        columns = tuple((column.name, column.type) for column in table.columns)
        return TablePayload(columns, table.rows, table.n_rows, table.parquet)

    return run


