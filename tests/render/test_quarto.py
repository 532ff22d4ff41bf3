"""What is known of a Quarto without engines: the filter's problems, by file and line."""

from __future__ import annotations

import json
import logging
from typing import TYPE_CHECKING

from famulus_kernel.project.locate import MADE_BY
from famulus_kernel.render.quarto import render_with_quarto

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

PROBLEMS = [
    {"document": "a.qmd", "shortcode": "{{< famulus gone tab max-rows=2 >}}", "severity": "error"},
    {"document": "a.qmd", "shortcode": "", "severity": "error"},
    {"document": "b.qmd", "shortcode": "{{< famulus gone tab >}}", "severity": "warning"},
    {"document": "b.qmd", "shortcode": "{{< famulus other tab >}}", "severity": "warning"},
]


def test_problems_are_told_by_the_notebook_and_the_line(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    lines = "".join(json.dumps({"message": "No block.", "hint": "", **one}) + "\n" for one in PROBLEMS)
    (tmp_path / "told.jsonl").write_text(lines, encoding="utf-8")
    (tmp_path / "a.fam").write_text("Text\n\n{{< famulus gone tab max-rows='2' >}}\n", encoding="utf-8")
    (tmp_path / "a.qmd").write_text(f"---\n{MADE_BY.format(name='a.fam')}\n---\n", encoding="utf-8")
    (tmp_path / "b.qmd").write_text("`{{< famulus gone tab >}}`\n\nText <<< famulus gone tab >>>\n", encoding="utf-8")
    command = tmp_path / "quarto"
    command.write_text('#!/bin/sh\ncat told.jsonl > "$FAMULUS_PROBLEMS"\n', encoding="utf-8")
    command.chmod(0o755)
    with caplog.at_level(logging.WARNING):
        assert not render_with_quarto(str(command), tmp_path, to="html", only=tmp_path / "a.fam")
    assert [(record.levelname, record.getMessage().partition(": ")[0]) for record in caplog.records] == [
        ("ERROR", "a.fam:3"),
        ("ERROR", "a.fam"),
        ("WARNING", "b.qmd:3"),
        ("WARNING", "b.qmd"),
    ]
