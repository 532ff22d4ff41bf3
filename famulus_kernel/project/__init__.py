"""A project: famulus.yml, notebooks, the graph of blocks, and whether they are stale.

:class:`Project` is loaded on first use: who only wants to know where a project lies need not wait for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__all__ = ["Project"]

if TYPE_CHECKING:
    from famulus_kernel.project.project import Project


def __getattr__(name: str) -> Any:
    if name == "Project":
        from famulus_kernel.project.project import Project  # noqa: PLC0415 - loaded on first use

        return Project
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
