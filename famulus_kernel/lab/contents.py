"""`.fam` files as notebooks, over whichever contents manager a server is configured with (spec 7.2).

Only the contents API is used, and files go through it as files: checkpoints, hashes, hidden and read-only files, large
uploads and the conflict of two writers are the manager's own affair.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from anyio.to_thread import run_sync
from jupyter_server.services.contents.manager import AsyncContentsManager
from jupyter_server.utils import ApiPath, to_os_path
from tornado.web import HTTPError

from famulus_kernel.lab.converting import (
    NOTEBOOK,
    Model,
    as_file,
    as_notebook,
    opens_as_notebook,
    with_path,
    without_path,
)
from famulus_kernel.lab.outputs import restore_outputs

if TYPE_CHECKING:
    Manager = Any
else:
    Manager = object


def with_notebooks(base: type[Any]) -> type[Any]:
    """Return a contents manager's class with `.fam` files as notebooks; one that has them already is returned."""
    if issubclass(base, _Notebooks | _AsyncNotebooks):
        return base
    mixin = _AsyncNotebooks if issubclass(base, AsyncContentsManager) else _Notebooks
    return type(f"Famulus{base.__name__}", (mixin, base), {})


class _Notebooks(Manager):  # type: ignore[misc] # stands before whatever class a server is configured with
    """For managers that answer at once."""

    def get(
        self, path: str, content: bool = True, type: str | None = None, format: str | None = None, **more: Any
    ) -> Any:
        if not opens_as_notebook(path, type):
            return without_path(super().get(path, content=content, type=type, format=format, **more))
        return _shown(self, super().get(path, content=content, type=_as_file(type), format=None, **more))

    def save(self, model: Model, path: str = "") -> Any:
        if not opens_as_notebook(path, model.get("type")):
            return super().save(with_path(model), path)
        return as_notebook(super().save(_written(model), path))

    def new_untitled(self, path: str = "", type: str = "", ext: str = "") -> Any:
        return super().new_untitled(path, "file" if ext == NOTEBOOK else type, ext)


class _AsyncNotebooks(Manager):  # type: ignore[misc] # as above
    """For managers that are awaited."""

    async def get(
        self, path: str, content: bool = True, type: str | None = None, format: str | None = None, **more: Any
    ) -> Any:
        if not opens_as_notebook(path, type):
            return without_path(await super().get(path, content=content, type=type, format=format, **more))
        model = await super().get(path, content=content, type=_as_file(type), format=None, **more)
        return await run_sync(partial(_shown, self, model))

    async def save(self, model: Model, path: str = "") -> Any:
        if not opens_as_notebook(path, model.get("type")):
            return await super().save(with_path(model), path)
        return as_notebook(await super().save(_written(model), path))

    async def new_untitled(self, path: str = "", type: str = "", ext: str = "") -> Any:
        return await super().new_untitled(path, "file" if ext == NOTEBOOK else type, ext)


def _as_file(kind: str | None) -> str | None:
    """Return the type to ask the manager for; a folder may be called `x.fam` as well."""
    return "file" if kind == "notebook" else None


def _shown(manager: Any, model: Model) -> Model:
    if model["type"] != "file":
        return model
    shown = as_notebook(model)
    file = file_of(manager, model["path"])
    if shown["content"] is not None and file is not None:
        restore_outputs(shown["content"], file)
    return shown


def _written(model: Model) -> Model:
    try:
        return as_file(model)
    except TypeError as error:
        raise HTTPError(400, str(error)) from None


def file_of(manager: Any, path: str) -> Path | None:
    """Return the file or folder of the disk that an API path names.

    None where the manager keeps no files, and for what lies outside of its folder.
    """
    root = getattr(manager, "root_dir", None)
    if not root:
        return None
    file, folder = Path(to_os_path(ApiPath(path.strip("/")), root)), Path(root).absolute()
    try:
        return file if file.resolve().is_relative_to(folder.resolve()) and file.exists() else None
    except (OSError, ValueError):  # no name that a file may have
        return None
