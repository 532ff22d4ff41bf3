"""Find an operation by its name: ours, and those that packages register in `famulus.operations`."""

from __future__ import annotations

import importlib
from functools import lru_cache
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING, Final

from famulus_kernel.errors import PartiturError
from famulus_kernel.harness.operations.operation import Operation

if TYPE_CHECKING:
    from collections.abc import Mapping

GROUP: Final = "famulus.operations"
_OURS: Final = (
    "scope.resolve",
    "subtask",
    "sql",
    "model.answer",
    "model.extract",
    "template.answer",
    "mcp.call",
    "artefact.build",
)


def names() -> tuple[str, ...]:
    """Return every registered name: ours in the order of the language, then strangers'."""
    return (*_OURS, *sorted(_strangers()))


@lru_cache(maxsize=64)
def operation(name: str) -> Operation:
    """Return the operation of a name. Nobody replaces one of ours.

    Raises
    ------
    PartiturError
        None is registered under it, or it cannot be loaded.
    """
    if name in _OURS:
        ours: Operation = importlib.import_module(f"{__package__}.{name.replace('.', '_')}").OPERATION
        return ours
    if name not in _strangers():
        raise PartiturError.unknown_operation(name, names())
    try:
        found = _strangers()[name].load()
    except (ImportError, AttributeError) as error:
        raise PartiturError.broken_operation(name, str(error)) from error
    found = found() if isinstance(found, type) else found
    if not isinstance(found, Operation):
        raise PartiturError.broken_operation(name, f"{_strangers()[name].value} has no name, version and play")
    return found


def verbatim(name: str) -> frozenset[str]:
    """Return the keys of `with` that an operation takes as they stand; none for one that is not registered here."""
    try:
        return frozenset(getattr(operation(name), "verbatim", ()))
    except PartiturError:
        return frozenset()


@lru_cache(maxsize=1)
def _strangers() -> Mapping[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=GROUP) if point.name not in _OURS}
