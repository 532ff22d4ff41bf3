"""A partitur: the declarative plan of a run, with free inputs, stages and a contract (spec 3.3).

A document is YAML by the strict rules of spec 1.2, or JSON. It keeps its bytes: a register gives back what was put in.
Everything that can be seen in the document is checked when it is read: names, templates, and that each stage refers to
earlier ones only. Whether its operations are registered here is asked when it plays.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

from pydantic import AfterValidator, Field, field_validator

from famulus_kernel.errors import FamulusError, PartiturError, PreambleError, Where, YamlError
from famulus_kernel.harness.binder import NEEDED, has_type
from famulus_kernel.harness.operations.registry import verbatim
from famulus_kernel.harness.templates import is_template, references
from famulus_kernel.language.fields import Bool, Identifier, Json, Text
from famulus_kernel.language.validation import Part, validated
from famulus_kernel.language.yaml import StrictYaml, load_strict

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_BYTES: Final = 1_000_000
"""How large a document may be."""

InputType = Literal[
    "any", "string", "integer", "number", "boolean", "list", "mapping", "path", "table", "artefact"
]

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*\Z")
_VERSION = re.compile(r"[0-9]+(\.[0-9]+)*\Z")
_GOAL = re.compile(r"[^\W_][\w.-]*(/[^\W_][\w.-]*)+\Z")


def _name(text: str) -> str:
    if not _NAME.match(text):
        raise ValueError("a name that templates can use (a letter, then letters, digits and _)")
    return text


def _version(text: str) -> str:
    if not _VERSION.match(text):
        raise ValueError("a version of numbers with points, such as 1 or 1.10")
    return text


def _goal(text: str) -> str:
    if not _GOAL.match(text):
        raise ValueError("words joined by /, such as query/historical/stage-one")
    return text


Name = Annotated[Text, AfterValidator(_name)]


class InputSpec(Part):
    """A free input of a partitur."""

    type: InputType = Field(default="any", description="What its value must be.")
    required: Bool = Field(default=False, description="A run without it does not begin.")
    default: Json = Field(default=None, description="Its value where nobody gives one.")
    description: Text | None = Field(default=None, description="What it is, for people.")

    def check_default(self, name: str) -> None:
        """Raise PreambleError where the default of the input `name` has another type."""
        if self.default is not None and not has_type(self.default, self.type):
            key = f"inputs.{name}.default"
            raise PreambleError.bad_value(key, self.default, NEEDED[self.type], Where(key=key))


class StageSpec(Part):
    """A stage: one operation and what it is given."""

    id: Name = Field(description="Name of its result in templates: stages.<id>.")
    op: Text = Field(description="A registered operation.")
    with_: dict[str, Json] = Field(default={}, alias="with", description="What it is given; texts may be templates.")
    when: Json = Field(
        default=True, description="false or a template that means false leaves it out; {input: value} compares."
    )

    @field_validator("when")
    @classmethod
    def _condition(cls, value: Any) -> Any:
        if not isinstance(value, bool | dict) and not is_template(value):
            raise ValueError("true, false, a template, or a mapping of inputs to the values they must have")
        return value


class Partitur(Part):
    """What a document says."""

    id: Identifier = Field(description="Its name in registers and blocks.")
    version: Annotated[Text, AfterValidator(_version)] = Field(description="Numbers with points.")
    goal_path: Annotated[Text, AfterValidator(_goal)] = Field(description="What it is for: words joined by /.")
    title: Text | None = Field(default=None, description="In one line.")
    inputs: dict[Name, InputSpec] = Field(default={}, description="Its free inputs by name.")
    stages: Annotated[tuple[StageSpec, ...], Field(min_length=1)] = Field(description="In the order they play.")
    contract: dict[str, Json] = Field(default={}, description="JSON Schema of the result: reached means it validates.")


@dataclass(frozen=True)
class Document:
    """A partitur with the bytes it was read from."""

    partitur: Partitur
    text: bytes

    @property
    def name(self) -> str:
        """Its id and version, as a block may write it."""
        return f"{self.partitur.id}@{self.partitur.version}"

    @cached_property
    def sha256(self) -> str:
        """The hash of its bytes."""
        return hashlib.sha256(self.text).hexdigest()


def read_partitur(text: bytes, file: str | None = None, *, is_ours: bool = False) -> Document:
    """Read a document.

    Parameters
    ----------
    text
        YAML or JSON in UTF-8.
    file
        What errors call it.
    is_ours
        It came with the package: what its templates refer to was looked at when the package was tested, and a run need
        not load jinja2 for a stage that it leaves out.

    Raises
    ------
    YamlError, PreambleError, PartiturError, TemplateError
        With file, line and key.
    """
    where = Where(file)
    if len(text) > MAX_BYTES:
        raise PartiturError.no_document(f"it has more than {MAX_BYTES:,} bytes", where)
    try:
        source = text.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise PartiturError.no_document(f"it is not UTF-8 text (byte {error.start})", where) from None
    yaml = _loaded(source, file)
    if not isinstance(yaml.value, Mapping):
        raise PartiturError.no_document("it is no mapping of key: value", where)
    try:
        partitur = validated(Partitur, yaml.value, yaml=yaml, where=where)
        for name, spec in partitur.inputs.items():
            spec.check_default(name)
        if not is_ours:
            _check(partitur)
    except FamulusError as error:
        key = error.where.key
        raise error.at(Where(file, yaml.line_of(key) if key else None)) from None
    return Document(partitur, text)


def _loaded(source: str, file: str | None) -> StrictYaml:
    """Load YAML; JSON that is no YAML (tabs for indentation) is read as such, without lines."""
    try:
        return load_strict(source, file=file)
    except YamlError:
        if not source.lstrip().startswith("{"):
            raise
        try:
            value = json.loads(source, object_pairs_hook=_unique)
        except ValueError:
            value = None
        if value is None:
            raise
        return StrictYaml(value, {}, {})


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands twice")
    return found


def _check(partitur: Partitur) -> None:
    """Check what the stages refer to.

    Raises
    ------
    PartiturError, TemplateError
        With the key.
    """
    order: dict[str, int] = {}
    for number, stage in enumerate(partitur.stages):
        if stage.id in order:
            problem = f"the stage {stage.id} stands twice"
            raise PartiturError.no_document(problem, Where(key=f"stages.{number}.id"))
        order[stage.id] = number
    waits = {stage.id: [name for _, name in _waits(stage, number)] for number, stage in enumerate(partitur.stages)}
    for number, stage in enumerate(partitur.stages):
        for key, name in _waits(stage, number):
            if name not in order:
                raise PartiturError.unknown_stage(name, order, Where(key=key))
            if order[name] >= number:
                cycle = _way(waits, name, stage.id)
                where = Where(key=key)
                raise PartiturError.cycle([stage.id, *cycle], where) if cycle else PartiturError.later_stage(
                    name, stage.id, where
                )
        for key, name in _asked_inputs(stage, number):
            if name not in partitur.inputs:
                raise PartiturError.unknown_input(name, partitur.inputs, Where(key=key))


def _waits(stage: StageSpec, number: int) -> Iterator[tuple[str, str]]:
    """Yield each stage that a stage refers to, with the key that does."""
    return ((key, name) for key, root, name in _references(stage, number) if root == "stages")


def _asked_inputs(stage: StageSpec, number: int) -> Iterator[tuple[str, str]]:
    yield from ((key, name) for key, root, name in _references(stage, number) if root == "inputs")
    if isinstance(stage.when, Mapping):
        yield from ((f"stages.{number}.when.{name}", name) for name in stage.when)


def _references(stage: StageSpec, number: int) -> Iterator[tuple[str, str, str]]:
    literal = verbatim(stage.op) if stage.with_ else ()
    places = {f"stages.{number}.with.{key}": value for key, value in stage.with_.items() if key not in literal}
    places[f"stages.{number}.when"] = stage.when
    for key, value in places.items():
        try:
            yield from ((key, root, name) for root, name in references(value))
        except FamulusError as error:
            raise error.at(Where(key=key)) from None


def _way(waits: Mapping[str, list[str]], start: str, goal: str) -> list[str]:
    """Return a way from one stage to another along what they wait for; empty where there is none."""
    ways = [[start]]
    seen = {start}
    while ways:
        way = ways.pop()
        if way[-1] == goal:
            return way
        onward = [name for name in waits.get(way[-1], ()) if name not in seen]
        seen.update(onward)
        ways += [[*way, name] for name in onward]
    return []
