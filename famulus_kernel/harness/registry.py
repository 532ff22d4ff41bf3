"""Find a harness by the name that famulus.yml gives it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from famulus_kernel.errors import PreambleError
from famulus_kernel.harness.embedded import EmbeddedHarness

if TYPE_CHECKING:
    from famulus_kernel.harness.request import Harness

GROUP = "famulus.harness"


def harness(name: str | None = None) -> Harness:
    """Return the harness of that name; the embedded one for None.

    Raises
    ------
    PreambleError
        When nothing of that name is installed.
    """
    if name is None or name == EmbeddedHarness.name:
        return EmbeddedHarness()
    from importlib.metadata import entry_points  # noqa: PLC0415 - a command that plays nothing need not load it

    found = {point.name: point for point in entry_points(group=GROUP)}
    if name not in found:
        known = ", ".join(sorted({EmbeddedHarness.name, *found}))
        raise PreambleError.bad_value("harness", name, f"one of the installed harnesses ({known})")
    made: Harness = found[name].load()()
    return made
