"""Which problems concern what somebody asks for."""

from __future__ import annotations

from projects import ProjectFolder

from famulus_kernel.project.project import Project
from famulus_kernel.project.relevance import matters


def test_what_is_wrong_in_an_included_file_is_wrong_on_its_page_and_no_other(project: ProjectFolder) -> None:
    project.blocks("_part.fam", "---\nid: b\nsubtsk: x\n---\n?")
    pages = [project.write("a.fam", "{{< include _part.fam >}}\n"), project.write("c.fam", "Text.\n")]
    for page, concerns in zip(pages, (True, False), strict=True):
        opened = Project.open(page)
        assert [matters(opened, None)(error) for error in opened.errors] == [concerns]
