"""docs/artefact-kinds.md names every kind, and every name that a column may have."""

from __future__ import annotations

import pytest
from projects import REPOSITORY

from famulus_kernel.artefacts import network
from famulus_kernel.artefacts.build import builders
from famulus_kernel.artefacts.kinds import citation_list, kwic, roster_table, timeline

PAGE = (REPOSITORY / "docs" / "artefact-kinds.md").read_text(encoding="utf-8")
TABLES = {
    "roster-table": roster_table._NAMES,
    "kwic": kwic._NAMES,
    "citation-list": citation_list._NAMES,
    "d3-graph": network._EDGE_NAMES,
    "proof-structure": network._NODE_NAMES,
    "timeline": timeline._NAMES,
}


@pytest.mark.parametrize("kind", builders())
def test_every_kind_has_its_line(kind: str) -> None:
    assert f"| `{kind}` |" in PAGE


@pytest.mark.parametrize("kind", TABLES)
def test_every_name_of_a_column_is_documented(kind: str) -> None:
    line = next(line for line in PAGE.splitlines() if line.startswith(f"| `{kind}` |"))
    for field, others in TABLES[kind].items():
        assert f"**{field}**: {', '.join(others)}" in line
