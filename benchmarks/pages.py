"""A page of 1,000 shortcodes through the embedded renderer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchmarks.measuring import Result, against, seconds
from famulus_kernel.adapter.adapter import Adapter
from famulus_kernel.project.project import Project
from famulus_kernel.render.renderer import render_project

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

BLOCK = """```{famulus}
---
id: many
partiturs:
  - {id: duckdb-read, input: {sql: "SELECT i AS n, 'row ' || i AS label FROM range(50) t(i)"}, artefact: table}
artefacts: [{name: table, kind: table}]
output: none
---
Fifty rows.
```
"""


def measure(work: Path, *, quick: bool = False) -> Iterator[Result]:
    """Yield the time of the page over that of the same page without a shortcode."""
    count = 50 if quick else 1_000
    root = work / f"pages-{count}"
    root.mkdir(exist_ok=True)
    (root / "famulus.yml").write_text("id: pages\n")
    (root / "_quarto.yml").write_text("project: {type: website}\nwebsite: {title: Pages}\n")
    uses = [f"Value {n}: {{{{< famulus many table value=rows.{n % 50}.1 >}}}}." for n in range(count)]
    (root / "with.fam").write_text(BLOCK + "\n" + "\n\n".join(uses) + "\n")
    (root / "without.fam").write_text("\n\n".join(f"Value {n}: {n}." for n in range(count)) + "\n")
    project = Project.open(root)
    Adapter(project).run(project.block("many"))
    with_them = seconds(lambda: render_project(root, pages=[root / "with.fam"], force=True), repeat=3)
    without = seconds(lambda: render_project(root, pages=[root / "without.fam"], force=True), repeat=3)
    yield Result(f"a page of {count} shortcodes over one of plain numbers", against(with_them, without))
