"""`GET famulus/blocks?path=…`: the blocks of the project around a path, with their states, for the panel (spec 7.2)."""

# mypy: allow-untyped-calls
# Jupyter's own classes are only partly annotated.

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING, Any

from anyio.to_thread import run_sync
from jupyter_server.auth.decorator import authorized
from jupyter_server.base.handlers import APIHandler
from jupyter_server.utils import ensure_async
from tornado import web

from famulus_kernel.errors import FamulusError, plain
from famulus_kernel.lab.contents import file_of
from famulus_kernel.project.locate import locate
from famulus_kernel.project.project import Project
from famulus_kernel.project.staleness import project_status

if TYPE_CHECKING:
    from pathlib import Path


class BlocksHandler(APIHandler):
    """Says what there is and in which state; blocks are run by their cells."""

    auth_resource = "contents"

    @web.authenticated
    @authorized
    async def get(self) -> None:
        """Answer with :func:`listing`; 404 where the path is hidden, or nothing that this server shows."""
        path = self.get_query_argument("path", "")
        manager = self.contents_manager
        file = file_of(manager, path)
        if file is None or (not manager.allow_hidden and await ensure_async(manager.is_hidden(path))):
            raise web.HTTPError(404, f"there is nothing at {path!r}")
        root = file_of(manager, "")
        self.finish(json.dumps(await run_sync(partial(listing, file, root))))


def listing(file: Path, root: Path | None) -> dict[str, Any]:
    """Return the project around a file or folder as JSON.

    Parameters
    ----------
    file
        A notebook, any other file or a folder.
    root
        The folder that the server shows: paths are told from it. Blocks that lie elsewhere are left out.

    Returns
    -------
    dict
        `project` (its id), `blocks` (`id`, `path`, `state`, `reasons`, `version`, `verdict`, `checked`) and `errors`
        (`message`, `hint`, `path`, `line`).
    """
    start = file if file.is_dir() or file.suffix in {".fam", ".qmd"} else file.parent
    try:
        return _of_project(Project.open(start), root)
    except FamulusError as error:
        home = locate(start).root
        return {"project": home.name, "blocks": [], "errors": [_error(error, home, root)]}


def _of_project(project: Project, root: Path | None) -> dict[str, Any]:
    blocks = [
        {
            "id": one.block,
            "path": path,
            "state": one.state,
            "reasons": list(one.reasons),
            "version": one.version,
            "verdict": one.verdict,
            "checked": one.checked,
        }
        for one in project_status(project)
        if (path := _told(project.blocks[one.block].file, root)) is not None
    ]
    errors = [_error(one, project.root, root) for one in project.errors]
    project.remember()  # the panel asks again after each cell
    return {"project": project.id, "blocks": blocks, "errors": errors}


def _told(file: Path, root: Path | None) -> str | None:
    """Return a file's path as the contents API has it."""
    if root is None or not file.absolute().is_relative_to(root.absolute()):
        return None
    return file.absolute().relative_to(root.absolute()).as_posix()


def _error(error: FamulusError, home: Path, root: Path | None) -> dict[str, Any]:
    where = error.where
    path = _told(home / where.file, root) if where.file else None
    message = plain(error.message) if path else str(error)
    return {"message": message, "hint": plain(error.hint), "path": path, "line": where.line}
