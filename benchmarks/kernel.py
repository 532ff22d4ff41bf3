"""Kernel ready, and one round trip, beside ipykernel's python3."""

from __future__ import annotations

import statistics
import time
from typing import TYPE_CHECKING

from jupyter_client.manager import KernelManager

from benchmarks.measuring import Result, against, seconds

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from jupyter_client.blocking.client import BlockingKernelClient

PROJECT = "id: kernel\n"
CELL = """---
id: sum
partiturs:
  - {id: duckdb-read, input: {sql: SELECT 1 AS n}, artefact: table}
artefacts: [{name: table, kind: table}]
---
One?
"""


def measure(work: Path, *, quick: bool = False) -> Iterator[Result]:
    """Yield the two ratios: famulus over python3."""
    root = work / "kernel"
    root.mkdir(exist_ok=True)
    (root / "famulus.yml").write_text(PROJECT)
    (root / "a.fam").write_text(f"```{{famulus}}\n{CELL}```\n")
    ready = _ready_times(root, 1 if quick else 9)
    yield Result("kernel started and ready, famulus over python3", against(ready["famulus"], ready["python3"]))
    trips = {name: _round_trip(name, root, cell) for name, cell in (("famulus", CELL), ("python3", "1"))}
    above = (trips["famulus"] - trips["python3"]) * 1000
    yield Result("a fresh block's answer above python3's `1`", f"{above:.1f} ms ({trips['famulus'] * 1000:.1f} ms)")


def _start(name: str, root: Path) -> tuple[KernelManager, BlockingKernelClient]:
    manager = KernelManager(kernel_name=name)
    manager.start_kernel(cwd=str(root))
    client = manager.blocking_client()
    client.start_channels()
    client.wait_for_ready(timeout=60)
    return manager, client


def _stop(manager: KernelManager, client: BlockingKernelClient) -> None:
    client.stop_channels()
    manager.shutdown_kernel(now=True)


def _ready_times(root: Path, repeat: int) -> dict[str, float]:
    """Return the median seconds from start to ready; the two kernels take turns, so that noise hits both."""
    times: dict[str, list[float]] = {"famulus": [], "python3": []}
    for _ in range(repeat):
        for name, found in times.items():
            began = time.perf_counter()
            started = _start(name, root)
            found.append(time.perf_counter() - began)
            _stop(*started)
    return {name: statistics.median(found) for name, found in times.items()}


def _round_trip(name: str, root: Path, cell: str) -> float:
    manager, client = _start(name, root)
    try:
        client.execute_interactive(cell, timeout=60, output_hook=lambda _message: None)
        time.sleep(0.5)
        return seconds(
            lambda: client.execute_interactive(cell, timeout=60, output_hook=lambda _message: None), repeat=50
        )
    finally:
        _stop(manager, client)
