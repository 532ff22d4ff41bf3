"""What may be written at a cursor: keys, their values, references, names of the data, commands (`complete_request`)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from famulus_kernel.harness.operations import ARTIFACT_PREFIX, DUCKDB_READ
from famulus_kernel.kernel.catalog import Catalog
from famulus_kernel.kernel.keys import choices, field_at, keys_at
from famulus_kernel.kernel.offers import Completion, Offer, offered, scalars
from famulus_kernel.kernel.position import Path, Spot, spot
from famulus_kernel.kernel.sections import mappings, section
from famulus_kernel.kernel.sql import SQL, in_sql
from famulus_kernel.language.plan import KINDS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

REFERENCE_OPENING = "ref:"
"""What stands before a reference in `{{ref:…}}`; it counts as part of the word there."""

FOREIGN = "fam:"
"""What a reference to another project begins with."""

_DECLARED = re.compile(r"(?:^|[{,\s-])(?P<key>name|alias):[ \t]+[\"']?(?P<value>[\w-]+)", re.MULTILINE)
_INPUTS = {
    DUCKDB_READ: [SQL],
    "artifact:figure": ["path", "alt", "caption", "width"],
    "artifact:markdown": ["content"],
}
_STEP = re.compile(r"\bid:[ \t]+[\"']?(?P<id>[\w:./@-]+)")
_NAME = r"(?P<reference>(?:fam:)?[^\s:?%{}\"'`]+)"
_BELOW = r"(?P<path>[^\s:?%{}\"'`]*)"
_VALUES = (
    re.compile(rf"\s*(?:%print[ \t]+(?:\S+[ \t]+)*|\?)?{_NAME}:{_BELOW}"),
    re.compile(rf"[^\n]*\{{famulus\}}[ \t]+{_NAME}[ \t]+{_BELOW}"),
)
"""How a line asks for a value of an artefact: a cell of its own, or after `{famulus}` a piece of a text."""


@dataclass(frozen=True)
class Names:
    """What a project offers to be named.

    Attributes
    ----------
    blocks
        Ids with the names of their artefacts.
    snippets
        Whole blocks by the word that calls them.
    persons, lemmata
        What the collections of these names hold (default: those of famulus.yml).
    catalog
        The tables behind the entries of `duckdb:`.
    arguments
        The entries of `input` that a subtask knows.
    summary
        What a subtask does, in a line.
    measures
        What the newest version of a block counted: the keys of its oracle.
    counts
        What a plan counts, whether it was played or not.
    models
        Tags of language models.
    plans
        What a step may be beside a read and an artefact: partituren, tools of the language institution.
    versions
        The versions of a block: v1, v2 …
    partners
        What `fam:…` may go on with: the projects that this one uses, and in one of them its artefacts.
    inputs
        The inputs of a partitur.
    settings
        Setting files, as a step names them.
    goldens
        Golden rows by id, with what they ask.
    registers
        The registers of the collections of these names (default: those of famulus.yml), with the collection of each.
    values
        The paths that lead one step further into the data of an artefact.
    """

    blocks: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    subtasks: tuple[str, ...] = ()
    collections: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    snippets: Mapping[str, str] = field(default_factory=dict)
    persons: Callable[[Sequence[str] | None], Sequence[str]] = lambda _collections: ()
    lemmata: Callable[[Sequence[str] | None], Sequence[str]] = lambda _collections: ()
    catalog: Callable[[Sequence[Mapping[str, object]] | None], Catalog] = lambda _entries: Catalog()
    arguments: Callable[[str], Iterable[str]] = lambda _subtask: ()
    measures: Callable[[str], Iterable[str]] = lambda _block: ()
    summary: Callable[[str], str] = lambda _subtask: ""
    counts: Callable[[str], Iterable[str]] = lambda _plan: ()
    models: tuple[str, ...] = ()
    plans: Callable[[], Iterable[str]] = lambda: ()
    versions: Callable[[str], Iterable[str]] = lambda _block: ()
    partners: Callable[[str], Iterable[str]] = lambda _begun: ()
    inputs: Callable[[str], Iterable[str]] = lambda _partitur: ()
    settings: Callable[[], Sequence[str]] = lambda: ()
    goldens: Callable[[], Mapping[str, str]] = dict
    registers: Callable[[Sequence[str] | None], Mapping[str, str]] = lambda _collections: {}
    values: Callable[[str, str], Iterable[str]] = lambda _reference, _path: ()

    def references(self, begun: str = "") -> list[str]:
        """Return `block.name` of every artefact; behind `fam:` those of other projects, behind `@` the versions."""
        if begun.startswith(FOREIGN):
            return list(self.partners(begun))
        own = [f"{block}.{name}" for block, names in self.blocks.items() for name in names]
        name, at, _ = begun.partition("@")
        block = name.partition(".")[0]
        if at and (name in own or name in self.blocks):
            return [f"{name}@{version}" for version in self.versions(block)]
        return own


def complete(code: str, cursor: int, names: Names) -> Completion:
    """Return what may be written at offset `cursor` (in characters) of a cell."""
    cursor = max(0, min(cursor, len(code)))
    here = spot(code, cursor)
    if here.part == "preamble":
        return _in_preamble(here, code, cursor, names)
    if here.part == "instruction":
        inside = code[: here.start].endswith("{{") and here.typed.startswith(REFERENCE_OPENING)
        typed = here.typed.removeprefix(REFERENCE_OPENING)
        return offered("reference", names.references(typed) if inside else (), typed, cursor - len(typed), cursor)
    return _in_line(here, code, cursor, names)


def _in_line(here: Spot, code: str, cursor: int, names: Names) -> Completion:
    """Return what a cell of one line may be; where nothing else stands, a whole block too."""
    if value := next(filter(None, (written.fullmatch(code[:cursor]) for written in _VALUES)), None):
        paths = names.values(value["reference"], value["path"])
        return offered("value", paths, value["path"], cursor - len(value["path"]), cursor)
    before = code[: here.start].strip()
    if before == "%":
        return offered("command", names.commands, here.typed, here.start, cursor)
    if before and not before.startswith(("%", "?")):
        return Completion((), here.start, cursor)
    found = offered("block", names.blocks, here.typed, here.start, cursor)
    artefacts = [*names.references(here.typed), *(f"{block}.report" for block in names.blocks)]
    found += offered("artefact", artefacts, here.typed, here.start, cursor)
    if code.strip() == here.typed:
        called = [Offer(text, "snippet") for word, text in names.snippets.items() if word.startswith(here.typed)]
        found += Completion(tuple(called), here.start, cursor)
    return found


def _in_preamble(here: Spot, code: str, cursor: int, names: Names) -> Completion:
    if here.path[-1:] == (SQL,):
        catalog = names.catalog(mappings(section(code, "duckdb")))
        return in_sql(code, cursor, catalog, _declared(code, "alias"))
    if here.asks == "text":
        return Completion((), here.start, cursor)
    if here.asks == "entry":
        keys = keys_at(here.path) or _free_keys(here.path, code, names)
        found = offered("key", (f"{key}: " for key in keys), here.typed, here.start, cursor)
        if keys and (found.offers or here.path[-1:] != (0,)):  # an entry of a list may be a mapping or a plain value
            return found
    here = replace(here, path=_without_input(here.path))
    held = _held(_key(here.path), code, names)
    if held is not None:
        return scalars(*held, here, code, cursor)
    found = offered("value", _values(here, code, names), here.typed, here.start, cursor)
    if _key(here.path) == "subtask":
        told = tuple(replace(one, says=names.summary(one.text)) for one in found.offers)
        return replace(found, offers=told)
    return found


def _held(key: str, code: str, names: Names) -> tuple[str, Sequence[str] | Mapping[str, str]] | None:
    """Return what the data and the project hold for a key whose values may have blanks in them, and what that is."""
    known: dict[str, tuple[str, Callable[[], Sequence[str] | Mapping[str, str]]]] = {
        "persons": ("person", lambda: names.persons(_texts(section(code, "collections")))),
        "lemmata": ("lemma", lambda: names.lemmata(_texts(section(code, "collections")))),
        "golden": ("golden", names.goldens),
        "partiturs.setting": ("setting", names.settings),
        "register": ("register", lambda: names.registers(_texts(section(code, "collections")))),
    }
    if key not in known:
        return None
    kind, look_up = known[key]
    return kind, look_up()


def _free_keys(path: Path, code: str, names: Names) -> list[str]:
    """Return the keys of a mapping that the language leaves to the plan: inputs, `ref`, what an oracle can name."""
    if path == ("oracle",):
        plan = str(section(code, "subtask") or (DUCKDB_READ if section(code, "partiturs") else ""))
        return list(dict.fromkeys((*names.measures(str(section(code, "id") or "")), *names.counts(plan))))
    if path == ("input",):
        return sorted(names.arguments(str(section(code, "subtask") or "")))
    if path[-1:] != ("input",):
        return ["ref"] if "input" in path else []
    steps = [match["id"] for match in _STEP.finditer(code)]
    return sorted({name for step in steps for name in _INPUTS.get(step) or names.inputs(step)})


def _values(here: Spot, code: str, names: Names) -> list[str]:
    """Return what the value of the key that ends a place's path, or an entry of its list, may be."""
    path = here.path
    if path[-1:] == ("ref",):
        return names.references(here.typed)
    if _key(path) == "partiturs.id":
        return [DUCKDB_READ, *(ARTIFACT_PREFIX + kind for kind in KINDS), *names.plans()]
    known: dict[str, Iterable[str]] = {
        "depends_on": [*names.blocks, *names.references(here.typed)],
        "subtask": names.subtasks,
        "collections": names.collections,
        "client": names.models,
        "partiturs.artefact": _declared(code, "name"),
        "artefacts.kind": KINDS,
    }
    if _key(path) in known:
        return list(known[_key(path)])
    info = field_at(path)
    return choices(info) if info is not None else []


def _without_input(path: Path) -> Path:
    """Return the path below `input`, whose entries are called as the keys of a block are: persons, collections …"""
    below = path[path.index("input") + 1 :] if "input" in path else ()
    return below if below and below[-1:] != ("ref",) else path


def _key(path: Path) -> str:
    return ".".join(str(step) for step in path if step != 0)


def _declared(code: str, key: str) -> list[str]:
    """Return what the block itself calls by a name: its artefacts (`name`) or its data (`alias`)."""
    return list(dict.fromkeys(match["value"] for match in _DECLARED.finditer(code) if match["key"] == key))


def _texts(value: object) -> list[str] | None:
    """Return the texts of a value that may be a list of them or one; None where nothing is set."""
    if value is None:
        return None
    return [str(one) for one in value] if isinstance(value, list) else [str(value)]
