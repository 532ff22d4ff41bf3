"""The register of subtasks in agent_memory.duckdb: further names for those that are played (spec 4.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from famulus_kernel.corpus.columns import columns_of
from famulus_kernel.corpus.failures import translated

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


def subtask_aliases(path: Path) -> Mapping[str, str]:
    """Return the aliases of the table `subtasks`, each with what it stands for in the end; none without such a table.

    Parameters
    ----------
    path
        The database. It is opened for reading only, without access to anything beside it.

    Raises
    ------
    DatabaseBusy
        Another process has it open for writing.
    QueryFailed
        It is no database.
    """
    import duckdb  # noqa: PLC0415 - loaded where it is used

    shut_in = {"enable_external_access": False, "autoinstall_known_extensions": False}
    with (
        translated(file=path, keep_place=False),
        duckdb.connect(str(path), read_only=True, config={**shut_in}) as connection,
    ):
        if not {"subtask", "alias_of"} <= set(columns_of(connection, "subtasks")):
            return {}
        found = connection.execute("SELECT subtask, alias_of FROM subtasks WHERE alias_of IS NOT NULL").fetchall()
    named = {str(name): str(other) for name, other in found}
    return {name: _followed(name, named) for name in named}


def _followed(name: str, named: Mapping[str, str]) -> str:
    """Return what an alias stands for in the end; where aliases go round in a circle, one of them."""
    seen = {name}
    while (other := named.get(name)) is not None and other not in seen:
        seen.add(other)
        name = other
    return name
