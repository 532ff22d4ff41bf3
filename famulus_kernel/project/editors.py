"""What makes VS Code and Positron know `.fam` files, famulus.yml and blocks: settings, a schema, snippets."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from famulus_kernel.errors import ProjectError, StoreError
from famulus_kernel.language.schema import project_schema
from famulus_kernel.resources import extension_dir

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

FOLDER: Final = ".vscode"
SCHEMA: Final = f"{FOLDER}/famulus-project.schema.json"
SETTINGS: Final[Mapping[str, Any]] = {
    "files.associations": {"*.fam": "quarto"},
    "yaml.schemas": {SCHEMA: "famulus.yml"},
    "files.exclude": {"**/.new-*": True, "**/.old-*": True},
}
"""What settings.json gets. Keys that it has already keep their values, but for what is missing inside."""

EXTENSIONS: Final[Mapping[str, Any]] = {"recommendations": ["quarto.quarto", "redhat.vscode-yaml"]}
_SCOPE: Final = "quarto,markdown"
_INDENT: Final = 2


def write_editor_files(folder: Path) -> list[Path]:
    """Write the files for editors into a project and return those that were made or changed.

    Raises
    ------
    ProjectError
        A file that is there already cannot be read as plain JSON: what it should hold is told.
    StoreError
        The folder cannot be written.
    """
    place = folder / FOLDER
    merged = {name: _merged(place / name, ours) for name, ours in _shared_files().items()}
    files = {place / name: value for name, value in {**merged, **_own_files()}.items()}
    changed = []
    try:
        place.mkdir(parents=True, exist_ok=True)
        for path, value in files.items():
            text = json.dumps(value, indent=_INDENT, ensure_ascii=False) + "\n"
            if not path.exists() or path.read_text(encoding="utf-8") != text:
                path.write_text(text, encoding="utf-8")
                changed.append(path)
    except OSError as error:
        raise StoreError.of(place, error.strerror or str(error)) from error
    return changed


def _shared_files() -> dict[str, Mapping[str, Any]]:
    return {"settings.json": SETTINGS, "extensions.json": EXTENSIONS}


def _own_files() -> dict[str, Any]:
    snippets = json.loads((extension_dir() / "_snippets.json").read_text(encoding="utf-8"))
    scoped = {name: {"scope": _SCOPE, **snippet} for name, snippet in snippets.items()}
    return {"famulus-project.schema.json": project_schema(), "famulus.code-snippets": scoped}


def _merged(path: Path, ours: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a file says with what is missing of ours: in lists and mappings, entry by entry."""
    try:
        theirs = json.loads(path.read_bytes())
    except FileNotFoundError:
        theirs = {}
    except (OSError, ValueError) as error:
        raise _unreadable(path, str(error), ours) from None
    if not isinstance(theirs, dict):
        raise _unreadable(path, "it is no object", ours)
    return {**theirs, **{key: _with(theirs.get(key), value) for key, value in ours.items()}}


def _with(theirs: Any, ours: Any) -> Any:
    if isinstance(theirs, dict) and isinstance(ours, dict):
        return {**ours, **theirs}
    if isinstance(theirs, list) and isinstance(ours, list):
        return [*theirs, *(entry for entry in ours if entry not in theirs)]
    return ours if theirs is None else theirs


def _unreadable(path: Path, why: str, ours: Mapping[str, Any]) -> ProjectError:
    return ProjectError.not_plain_json(f"{FOLDER}/{path.name}", why, json.dumps(dict(ours), ensure_ascii=False))
