"""What an editor is told of a subtask by its card."""

from __future__ import annotations

import pytest
from projects import ProjectFolder

from famulus_kernel.kernel.completion import complete
from famulus_kernel.kernel.inspection import inspect
from famulus_kernel.kernel.naming import Naming
from famulus_kernel.project.project import Project

CELL = "---\nid: x\nsubtask: "


def test_a_subtask_is_offered_with_what_it_does() -> None:
    cell = f"{CELL}correspondence-r"
    (found,) = complete(cell, len(cell), Naming().of(None)).offers
    assert found.text == "correspondence-roster"
    assert found.says.startswith("Lists by name the people a person exchanged letters with")


@pytest.mark.parametrize("name", ["concept-statements", "statement-mention"])
def test_a_subtask_is_explained_with_what_it_does_not_and_how_people_ask(name: str) -> None:
    found = inspect(f"{CELL}{name}\n---\nWas?", len(CELL) + 3, None)
    assert found is not None
    text = found["text/plain"]
    assert text.startswith(f"{name}: Collects the sentences that speak of a concept")
    assert "- Does not find statements that never use the word." in text
    assert text.count("\n- ") == 2 + 3
    assert "Asked as:" in text


def test_a_subtask_without_a_card_is_explained_by_its_key() -> None:
    found = inspect(f"{CELL}nobody-s\n---\nWas?", len(CELL) + 3, None)
    assert found is not None
    assert "A registered subtask" in found["text/plain"]


def test_the_project_s_own_card_goes_before_ours(project: ProjectFolder) -> None:
    lines = "\n".join(f"  - frage {letter}" for letter in "abcdefgh")
    project.write(
        "registry/zaehlen.card.yaml",
        "id: zaehlen\nsummary: Zählt.\nplan: correspondence-count\nreturns: {}\ntools: []\n"
        f"examples:\n{lines}\ncounter_examples: [x, y, z]\n",
    )
    cell = f"{CELL}correspondence-c"
    (found,) = complete(cell, len(cell), Naming().of(Project.open(project.root))).offers
    assert found.says == "Zählt."
