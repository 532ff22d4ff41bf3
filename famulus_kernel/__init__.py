"""Famulus: checked, versioned claims for Quarto documents.

The Python interface is small on purpose (spec 7.7)::

    import famulus_kernel as fam

    project = fam.open_project(".")
    project.run("roster")
    project.artefact("roster.table").to_arrow()

It is loaded on first use, so that importing the package costs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from famulus_kernel.version import __version__

__all__ = ["FamulusError", "__version__", "open_project"]

if TYPE_CHECKING:
    from famulus_kernel.adapter.api import open_project
    from famulus_kernel.errors import FamulusError


def __getattr__(name: str) -> Any:
    if name == "open_project":
        from famulus_kernel.adapter.api import open_project  # noqa: PLC0415 - loaded on first use

        return open_project
    if name == "FamulusError":
        from famulus_kernel.errors import FamulusError  # noqa: PLC0415 - loaded on first use

        return FamulusError
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
