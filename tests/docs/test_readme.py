"""The README's words work as they stand there."""

from __future__ import annotations

import re

from projects import REPOSITORY, ProjectFolder

README = (REPOSITORY / "README.md").read_text(encoding="utf-8")


def test_the_block_of_the_tour_runs_and_its_prose_resolves(project: ProjectFolder) -> None:
    found = re.search(r"````markdown\n(.*?)````", README, re.DOTALL)
    assert found is not None
    project.write("index.fam", found[1])
    project.database(
        sql="CREATE TABLE letters AS SELECT i AS letter_id, 'S' || i % 25 AS sender, 1525 AS year FROM range(40) t(i)"
    )
    assert project.cli("check").status == 0
    assert project.cli("run").status == 0
    rendered = project.cli("render", ".", "--embedded")
    assert rendered.status == 0, rendered.err
    page = (project.root / "_site" / "index.html").read_text(encoding="utf-8")
    assert "The register holds 40 letters" in re.sub(r"<[^>]*>", "", page)
