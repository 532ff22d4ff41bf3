"""DuckDB's errors in words of ours."""

from __future__ import annotations

import duckdb
import pytest

from famulus_kernel.corpus.failures import translated
from famulus_kernel.errors import QueryFailed


def test_a_full_disk_is_told_as_one() -> None:
    said = 'IO Error: Async write failed: Could not write file "/p": No space left on device'
    with pytest.raises(QueryFailed, match="the disk is full") as caught, translated():
        raise duckdb.IOException(said)
    assert caught.value.hint == "free some space and run it again"
