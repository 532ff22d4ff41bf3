"""A site of 200 notebooks through the embedded renderer, and a page that shows a table of ten million rows."""

from __future__ import annotations

import resource
import time
from functools import partial
from typing import TYPE_CHECKING

from benchmarks.measuring import Result, against, seconds
from famulus_kernel.adapter.executors.in_process import InProcess
from famulus_kernel.adapter.refreshing import refresh_status
from famulus_kernel.adapter.runner import Runner
from famulus_kernel.project.project import Project
from famulus_kernel.render.renderer import render_project

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

CONFIG = "project: {type: website}\nwebsite: {title: Site, sidebar: {contents: auto}, search: true}\nlang: de\n"
PAGE = """---
title: Page {number}
---

# Letters of {number}

{prose}

Of these {{{{< famulus b{number} table value=rows.0.0 >}}}}; see also {{{{< famulus b{other} table >}}}}.

```{{famulus}}
---
id: b{number}
partiturs:
  - {{id: duckdb-read, input: {{sql: "SELECT i + {number} AS n, 'row ' || i AS label FROM range(60) t(i)"}}, artefact: table}}
artefacts: [{{name: table, kind: table}}]
---
Which rows are there?
```
"""  # noqa: E501 - a line of YAML
PROSE = "Pirckheimer wrote to *many* partners, and they answered him; what is left of it is counted here. " * 12


def measure(work: Path, *, quick: bool = False) -> Iterator[Result]:
    """Yield what the first render costs, then the next one, then one after a change; and what a large table costs."""
    count = 20 if quick else 200
    root = made_site(work / f"site-{count}", count)
    site = f"a site of {count} notebooks"
    yield Result(f"{site}, every page made", spent(lambda: render_project(root, force=True)))
    yield Result(f"{site}, nothing changed", spent(lambda: render_project(root)))
    page = root / "part0" / "n0.fam"
    page.write_text(page.read_text() + f"\nChanged at {time.time_ns()}.\n")
    yield Result(f"{site}, one page changed", spent(lambda: render_project(root)))
    sizes = f"{peak(resource.RUSAGE_SELF)}, {peak(resource.RUSAGE_CHILDREN)}"
    yield Result("largest process so far: this one, a pandoc", sizes)
    yield _large_table(work, 100_000 if quick else 10_000_000)


def made_site(root: Path, count: int) -> Path:
    """Write a website of notebooks in folders of twenty, and play their blocks."""
    root.mkdir(exist_ok=True)
    (root / "famulus.yml").write_text("id: site\n")
    (root / "_quarto.yml").write_text(CONFIG)
    for number in range(count):
        folder = root / f"part{number // 20}"
        folder.mkdir(exist_ok=True)
        text = PAGE.format(number=number, other=(number * 7 + 1) % count, prose=PROSE)
        (folder / f"n{number}.fam").write_text(text)
    played(root)
    return root


def played(root: Path) -> None:
    """Play what is stale of a project."""
    project = Project.open(root)
    for outcome in Runner(project, InProcess(project)).run(project.selection()):
        if outcome.is_error:
            raise RuntimeError(f"{outcome.block}: {outcome.error}")
    refresh_status(Project.open(root))


def spent(call: Callable[[], object]) -> str:
    """Return the time on the clock and that of all processors, of this process and those it started."""
    began, before = time.perf_counter(), processors()
    call()
    return f"{time.perf_counter() - began:.2f} s, {processors() - before:.2f} s of processors"


def processors() -> float:
    """Return the seconds that this process and those it waited for have computed."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def peak(who: int) -> str:
    """Return the largest memory that was resident."""
    return f"{resource.getrusage(who).ru_maxrss / 1024:.0f} MB"


def _large_table(work: Path, rows: int) -> Result:
    root = work / f"site-rows-{rows}"
    root.mkdir(exist_ok=True)
    (root / "famulus.yml").write_text("id: rows\n")
    (root / "_quarto.yml").write_text("project: {type: website}\n")
    for name, number in (("few", 50), ("many", rows)):
        block = PAGE[PAGE.index("```") :].format(number=number).replace("range(60)", f"range({number})")
        (root / f"{name}.fam").write_text(block)
    played(root)
    many, few = (
        seconds(partial(render_project, root, pages=[root / f"{name}.fam"], force=True), repeat=3)
        for name in ("many", "few")
    )
    return Result(f"a page with a table of {rows:,} rows over one of 50", against(many, few))
