"""A result larger than memory goes through in bounded memory."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = """
import json, sys
from pathlib import Path
from famulus_kernel.corpus import DataSession

with DataSession([], memory_limit="200MB") as session:
    result = session.run("SELECT i, i % 7 AS s FROM range(20000000) r(i)", Path(sys.argv[1]))
read = sum(1 for _ in zip(range(1_000_000), result.column_values("s")))
# Not getrusage(): its peak begins with that of the process which started this one.
peak = next(int(line.split()[1]) * 1024 for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(json.dumps({"rows": result.n_rows, "read": read, "peak": peak}))
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the peak is read where Linux tells it")
def test_twenty_million_rows_need_less_than_half_a_gigabyte(tmp_path):
    sink = tmp_path / "result.parquet"
    done = subprocess.run([sys.executable, "-c", SCRIPT, str(sink)], capture_output=True, text=True, check=True)
    told = json.loads(done.stdout)
    assert (told["rows"], told["read"]) == (20_000_000, 1_000_000)
    assert told["peak"] < 500e6
    assert sink.stat().st_size > 10e6
