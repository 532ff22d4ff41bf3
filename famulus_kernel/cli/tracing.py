"""A trace as a tree for people: steps, what they were given, what they did, what it cost."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from famulus_kernel.cli.printing import printable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rich.text import Text
    from rich.tree import Tree

_IN_HEAD: Final = frozenset({"id", "op", "started", "duration_s", "error", "played"})
_LONGEST: Final = 4_000
"""Characters of one value; trace.json has all of it."""


def trace_tree(trace: Mapping[str, Any]) -> Tree:
    """Return the tree of a trace, which may be one of an older or stranger's release."""
    from rich.text import Text
    from rich.tree import Tree

    tree = Tree(Text.assemble((printable(str(trace.get("block"))), "bold"), f"  {trace.get('started', '')}"))
    for name, one in (trace.get("usage") or {}).items():
        allowed = one.get("allowed")
        tree.add(_line(name, f"{one.get('used')} / {'no limit' if allowed is None else allowed}"))
    for number, step in enumerate(trace.get("steps", ()), 1):
        _add_step(tree, step, f"{number}. ")
    return tree


def _add_step(tree: Tree, step: Mapping[str, Any], before: str = "") -> None:
    """Add a step, or a stage of a run, and all that is recorded of it."""
    from rich.text import Text

    seconds = step.get("duration_s")
    took = "left out" if step.get("played") is False else "" if seconds is None else f"{seconds} s"
    name = "" if step.get("id") == step.get("op") else f"  {step.get('id', '')}"
    branch = tree.add(Text.assemble(before, (printable(str(step.get("op"))), "bold"), printable(name), f"  {took}"))
    given = [bound.get("value") for bound in (step.get("inputs") or {}).values()]
    for key, value in step.items():
        if key not in _IN_HEAD and not (key == "sql" and value in given):  # what stands among the inputs is told once
            _add_value(branch, key, value)
    if step.get("error"):
        branch.add(Text(f"error: {printable(str(step['error'].get('message')))}", style="red"))


def _add_value(branch: Tree, key: str, value: Any) -> None:
    """Add what is recorded under a key."""
    if key == "steps":
        for stage in value:
            _add_step(branch, stage)
    elif key == "inputs":
        _add_inputs(branch, value)
    elif key == "columns":
        branch.add(_line(key, ", ".join(" ".join(map(str, column)) for column in value)))
    elif isinstance(value, list) and value and all(isinstance(one, dict) for one in value):
        below = branch.add(_line(key, str(len(value))))
        for one in value:
            first, *others = list(one.items()) or [("", "")]
            entry = below.add(_line(*first))
            for name, inner in others:
                entry.add(_line(name, inner))
    else:
        branch.add(_line(key, value))


def _add_inputs(tree: Tree, inputs: Mapping[str, Any]) -> None:
    branch = tree.add(_line("inputs", str(len(inputs))))
    for name, bound in inputs.items():
        branch.add(_line(f"{name} ({bound.get('origin')})", bound.get("value")))


def _line(name: str, value: Any) -> Text:
    """Return `name: value`; a text of several lines stands below its name."""
    from rich.text import Text

    said = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    said = said if len(said) <= _LONGEST else f"{said[:_LONGEST]}…"
    said = printable(said.strip("\n"))
    return Text.assemble((f"{printable(name)}: ", "dim"), f"\n{said}" if "\n" in said else said)
