"""What an editor waits for at the cursor, beside ipykernel: 1,000 blocks and a collection of 64,000 letters."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

from jupyter_client.manager import KernelManager

from benchmarks.collection import NAME, make
from benchmarks.measuring import Result, seconds
from benchmarks.status import made

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from jupyter_client.blocking.client import BlockingKernelClient

_HEAD = f"---\nid: new\nsubtask: terminology-find\ncollections: [{NAME}]\n"
_PLACES = {
    "keys of a preamble": _HEAD + "evid",
    "references": _HEAD + "depends_on: [block-1",
    "persons": _HEAD + "persons: [Person Nummer 1",
    "lemmata": _HEAD + "lemmata: [w1",
    "tables and columns": _HEAD + "duckdb: [{alias: d, path: $PDAI_COLLECTIONS/"
    f"{NAME}/{NAME}.duckdb}}]\npartiturs:\n  - id: duckdb-read\n    input:\n      sql: SELECT d.letters_resolved.s",
}
_WARM_S = 3
_IDLE_S = 1
"""How long after its start the kernel is asked for the first time: somebody has to type something first."""


def measure(work: Path, *, quick: bool = False) -> Iterator[Result]:
    """Yield the median time of a complete_request at each place, and of one to python3."""
    root = made(work, 60 if quick else 1_000)
    collections = make(work, 10_000 if quick else 64_000)
    environment = {**os.environ, "PDAI_COLLECTIONS": str(collections)}
    for name, places in (("famulus", _PLACES), ("python3", {"an attribute": "import os\nos.pa"})):
        manager = KernelManager(kernel_name=name)
        manager.start_kernel(cwd=str(root), env=environment)
        client = manager.blocking_client()
        client.start_channels()
        try:
            client.wait_for_ready(timeout=60)
            time.sleep(_IDLE_S)
            for place, code in places.items():
                began = time.perf_counter()
                _asked(client, code)
                first = time.perf_counter() - began
                time.sleep(_WARM_S)
                took = seconds(lambda code=code, client=client: _asked(client, code), repeat=20)
                yield Result(f"{name}: {place}", f"{took * 1000:.1f} ms (the first {first * 1000:.0f} ms)")
        finally:
            client.stop_channels()
            manager.shutdown_kernel(now=True)


def _asked(client: BlockingKernelClient, code: str) -> None:
    reply = client.complete(code, len(code), reply=True, timeout=60)
    if reply["content"]["status"] != "ok":
        raise RuntimeError(f"no answer at the end of {code!r}")
