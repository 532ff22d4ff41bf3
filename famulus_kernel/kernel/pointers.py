"""What a preamble points at by name: settings, golden rows, registers, partituren, values of artefacts.

Each is listed for completion and described for inspection. What cannot be read is not there: the block itself will say
what is wrong with it.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from famulus_kernel.adapter.goldens.memory import AgentMemory, GoldenRow
from famulus_kernel.corpus.collection import Collection
from famulus_kernel.errors import FamulusError
from famulus_kernel.harness.register import Register, is_url
from famulus_kernel.kernel.expressions import Value, evaluate, keys_below
from famulus_kernel.project.bindings import read_setting
from famulus_kernel.store.content import stamp_with_log

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from famulus_kernel.harness.partitur import Partitur
    from famulus_kernel.project.project import Project
    from famulus_kernel.store.stamps import Stamp

SETTINGS: Final = "settings"
"""The folder of a project where its setting files lie."""

_YAML: Final = (".yaml", ".yml")
_MOST: Final = 200
_MOST_COLLECTIONS: Final = 20


def settings_of(project: Project) -> list[str]:
    """Return the setting files of a project as a step names them."""
    found = (project.root / SETTINGS).rglob("*") if (project.root / SETTINGS).is_dir() else ()
    files = (path for path in found if path.suffix in _YAML and path.is_file())
    return sorted(path.relative_to(project.root).as_posix() for path in files)[:_MOST]


def about_setting(project: Project, written: str) -> str | None:
    """Return in markdown what a setting file sets."""
    try:
        said = read_setting(written, project.places)
    except (FamulusError, OSError, ValueError):
        return None
    lines = "\n".join(f"- `{key}`: {value}" for key, value in said.items())
    return f"**{written}**: sets {len(said)} inputs of a run\n\n{lines}"


def goldens_of(project: Project) -> Mapping[str, GoldenRow]:
    """Return the golden rows by id, as long as the file stays the same without opening it again."""
    try:
        memory = AgentMemory.if_there(project)
        if memory is None:
            return {}
        return _rows(memory.path, stamp_with_log(str(memory.path)))
    except (FamulusError, OSError, ValueError):
        return {}


@lru_cache(maxsize=4)
def _rows(path: Path, _stamp: Stamp) -> Mapping[str, GoldenRow]:
    return AgentMemory(path).rows()


def about_golden(project: Project, golden_id: str) -> str | None:
    """Return in markdown what a golden row asks and expects."""
    row = goldens_of(project).get(golden_id)
    if row is None:
        return None
    expected = f"Expected: `{row.answer}`" if row.answer else "It has no expected answer."
    return f"**{golden_id}**: {row.status}\n\n> {row.question}\n\n{expected}"


def about_register(project: Project, register: str, collections: Sequence[str]) -> str | None:
    """Return in markdown which collection has a register."""
    holder = registers_of(project, collections).get(register)
    return f"**{register}**: a register of the collection {holder}" if holder else None


def registers_of(project: Project, collections: Sequence[str]) -> dict[str, str]:
    """Return the registers of collections, each with the first collection that has it."""
    found: dict[str, str] = {}
    for name in collections:
        try:
            status = Collection(project.places.collections, name).open_status()
        except (FamulusError, ValueError):
            continue
        for register in status.registers:
            found.setdefault(register, name)
    return found


def partituren_of(project: Project | None) -> list[str]:
    """Return what may name a partitur: goal_path, id, id with version; no server is asked."""
    try:
        entries = [entry for _, entry in _near(project).entries()]
    except FamulusError:  # what the package brings is there all the same
        entries = [entry for _, entry in Register().entries()]
    return list(dict.fromkeys(word for entry in entries for word in (entry.id, entry.goal_path, entry.name)))


def partitur_named(project: Project | None, name: str) -> Partitur | None:
    """Return a partitur that can be looked up without asking a server."""
    try:
        return _near(project).lookup(name).document.partitur
    except FamulusError:
        return None


def about_partitur(project: Project | None, name: str) -> str | None:
    """Return in markdown what a partitur is for, and its inputs."""
    partitur = partitur_named(project, name)
    if partitur is None:
        return None
    inputs = "\n".join(
        f"- `{key}` {spec.type}{', required' if spec.required else ''}"
        f"{': ' + ' '.join(spec.description.split()) if spec.description else ''}"
        for key, spec in partitur.inputs.items()
    )
    title = f": {partitur.title}" if partitur.title else ""
    heading = f"**{partitur.id}@{partitur.version}**{title}\n\nGoal: `{partitur.goal_path}`"
    return f"{heading}\n\nInputs:\n\n{inputs}" if inputs else heading


def _near(project: Project | None) -> Register:
    is_near = project is not None and not is_url(project.config.partitur_register or "")
    return project.register if project is not None and is_near else Register()


def chosen_collections(project: Project, named: Sequence[str] | None) -> list[str]:
    """Return the named collections, by default those of famulus.yml."""
    default = project.config.defaults.get("collections", ())
    chosen = named if named is not None else [default] if isinstance(default, str) else default
    if not chosen:  # nothing is named yet: whichever it will be, it is one of these
        chosen = folders(project.places.collections)[:_MOST_COLLECTIONS]
    return [str(one) for one in chosen]


def folders(root: Path) -> tuple[str, ...]:
    """Return the names of the collections that are on this machine."""
    try:
        return tuple(sorted(each.name for each in root.iterdir() if each.is_dir() and not each.name.startswith(".")))
    except OSError:
        return ()


def values_below(project: Project, reference: str, path: str) -> list[str]:
    """Return the paths that lead one step further into the data of an artefact than the last point in `path`."""
    above, point, _ = path.rpartition(".")
    try:
        keys = keys_below(project, reference, above)
    except (FamulusError, OSError, ValueError):
        return []
    return [f"{above}{point}{key}" for key in keys][:_MOST]


def about_value(project: Project, written: str) -> str | None:
    """Return in markdown what the value of an artefact is: `roster.table:n_rows`."""
    if ":" not in written:
        return None
    try:
        found = evaluate(project, written)
    except (FamulusError, OSError, ValueError):
        return None
    return f"**{written}**: {found.text}" if isinstance(found, Value) else None
