"""`doctor`: what is installed, and what would go wrong."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from famulus_kernel.errors import FamulusError, counted
from famulus_kernel.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterator

    from famulus_kernel.project.project import Project

OLDEST_ENGINE_QUARTO = (1, 9)
OLDEST_QUARTO = (1, 4)


@dataclass(frozen=True)
class Finding:
    """One line: "ok", "note" (works, but) or "wrong"."""

    level: Literal["ok", "note", "wrong"]
    subject: str
    says: str

    def as_json(self) -> dict[str, str]:
        """Return the form of `--json`."""
        return asdict(self)


def diagnose(path: Path) -> list[Finding]:
    """Look at this machine and at the project at `path`."""
    return [*_python(), *_kernel(), _lab(), _pandoc(), *_quarto(path), *_project(path)]


def _python() -> Iterator[Finding]:
    yield Finding("ok", "famulus", f"{__version__} on Python {sys.version.split()[0]}")
    for name in ("duckdb", "pyarrow", "ipykernel"):
        try:
            yield Finding("ok", name, version(name))
        except PackageNotFoundError:
            yield Finding("wrong", name, "not installed; install famulus-kernel again")


def _kernel() -> Iterator[Finding]:
    from jupyter_client.kernelspec import KernelSpecManager, NoSuchKernel

    try:
        spec = KernelSpecManager().get_kernel_spec("famulus")
    except NoSuchKernel:
        yield Finding("wrong", "kernel", "Jupyter does not find it; run famulus-notebook kernel install")
        return
    program = spec.argv[0]
    if Path(program).is_absolute() and not Path(program).exists():
        yield Finding("wrong", "kernel", f"{program} is gone; run famulus-notebook kernel install again")
        return
    yield Finding("ok", "kernel", spec.resource_dir)


def _lab() -> Finding:
    from jupyter_core.paths import jupyter_config_path, jupyter_path

    try:
        jupyterlab = version("jupyterlab")
    except PackageNotFoundError:
        how = "pip install 'famulus-kernel[lab]'"
        return Finding("note", "jupyterlab", f"not installed here: {how} opens .fam files as notebooks")
    places = [Path(place, "famulus", "package.json") for place in jupyter_path("labextensions")]
    manifest = next((place for place in places if place.is_file()), None)
    config = [Path(place, "jupyter_server_config.d", "famulus.json") for place in jupyter_config_path()]
    again = "install famulus-kernel again, in Jupyter's environment"
    if manifest is None or not any(place.is_file() for place in config):
        return Finding("note", "jupyterlab", f"{jupyterlab} does not find our extension; {again}")
    found = json.loads(manifest.read_text(encoding="utf-8")).get("version")
    if found != __version__:
        return Finding("wrong", "jupyterlab", f"the extension at {manifest.parent} is that of {found}; {again}")
    return Finding("ok", "jupyterlab", f"{jupyterlab} with the extension at {manifest.parent}")


def _pandoc() -> Finding:
    from famulus_kernel.render.pandoc import pandoc_command, pandoc_version

    try:
        command = pandoc_command()
        return Finding("ok", "pandoc", f"{pandoc_version(command)} at {command}")
    except FamulusError as error:
        return Finding("note", "pandoc", f"{error}; {error.hint}")


def _quarto(path: Path) -> Iterator[Finding]:
    from famulus_kernel.render.quarto import quarto_command

    command = quarto_command()
    if command is None:
        yield Finding("note", "quarto", "not on PATH: pages are made by the embedded renderer")
        return
    answer = subprocess.run([command, "--version"], capture_output=True, text=True, check=False)  # noqa: S603
    found = answer.stdout.strip()
    numbers = tuple(int(part) for part in found.split(".")[:2] if part.isdigit())
    if numbers < OLDEST_QUARTO:
        yield Finding("wrong", "quarto", f"{found} is too old; the extension needs 1.4")
    elif numbers < OLDEST_ENGINE_QUARTO:
        yield _without_engines(found, path)
    else:
        yield Finding("ok", "quarto", f"{found} at {command}")


def _without_engines(found: str, path: Path) -> Finding:
    """Say whether `_quarto.yml` goes the way of a Quarto that takes no `.fam` file."""
    config = (path if path.is_dir() else path.parent) / "_quarto.yml"
    if config.is_file() and "famulus-notebook qmd" in config.read_text(encoding="utf-8", errors="replace"):
        return Finding("ok", "quarto", f"{found} has no engines: pages are made of .qmd files by pre-render")
    needs = "pre-render: famulus-notebook qmd and render: ['*.qmd']"
    return Finding("wrong", "quarto", f"{found} has no engines: write under project: in _quarto.yml {needs}")


def _project(path: Path) -> Iterator[Finding]:
    from famulus_kernel.project.project import Project

    try:
        project = Project.open(path)
    except FamulusError as error:
        yield Finding("wrong", "project", str(error))
        return
    level: Literal["ok", "wrong"] = "wrong" if project.errors else "ok"
    found = f"{project.id}: {counted(len(project.blocks), 'block')}, {counted(len(project.errors), 'error')}"
    yield Finding(level, "project", found)
    yield from _extension(project.root)
    yield from _collisions(project)
    if not os.access(project.root, os.W_OK):
        yield Finding("wrong", "store", f"{project.root} cannot be written")
    named = project.config.collections_root or os.environ.get("PDAI_COLLECTIONS")
    if named and not project.places.collections.is_dir():
        yield Finding("note", "collections", f"{project.places.collections} is not there (set PDAI_COLLECTIONS)")


def _extension(root: Path) -> Iterator[Finding]:
    folder = root / "_extensions" / "famulus"
    if folder.is_symlink():
        yield Finding("wrong", "extension", "a link: Quarto does not follow it; run famulus-notebook init --update")
    elif not (folder / "_extension.yml").is_file():
        yield Finding("note", "extension", "not in this project: Quarto needs it; run famulus-notebook init --update")
    elif not (root / "_quarto.yml").is_file():
        yield Finding("note", "extension", "Quarto finds it only beside the document where there is no _quarto.yml")
    else:
        yield Finding("ok", "extension", str(folder))


def _collisions(project: Project) -> Iterator[Finding]:
    from famulus_kernel.project.locate import made_of

    for notebook in project.notebooks:
        twin = notebook.file.with_suffix(".qmd")
        if notebook.file.suffix == ".fam" and twin.exists() and made_of(twin) is None:
            yield Finding("wrong", "pages", f"{notebook.file.name} and {twin.name} would be one page: rename one")


__all__ = ["Finding", "diagnose"]
