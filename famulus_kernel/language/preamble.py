"""A block's preamble as one value (spec 1.3): every key, its default, and what famulus.yml may set in its place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from famulus_kernel.errors import FamulusError, PreambleError, Where
from famulus_kernel.language.data import Artefacts, ArtefactSpec, Attachments, DuckdbAttachment, default_extension
from famulus_kernel.language.fields import (
    Arguments,
    DependencyText,
    Identifier,
    Json,
    LanguageTag,
    NotNull,
    Number,
    PlainFolder,
    Text,
    WholeNumber,
)
from famulus_kernel.language.plan import KINDS, PartiturStep, Plan, check_plan
from famulus_kernel.language.references import BlockRef, Reference, parse_dependency
from famulus_kernel.language.scope import Scope, Years
from famulus_kernel.language.validation import Carried, Part, keys_of, validated

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from famulus_kernel.language.block import BlockSource
    from famulus_kernel.language.yaml import StrictYaml

__all__ = [
    "BLOCK_KEYS",
    "DEFAULT_KEYS",
    "KINDS",
    "ArtefactSpec",
    "Defaults",
    "DuckdbAttachment",
    "Effective",
    "Guard",
    "Limits",
    "PartiturStep",
    "Preamble",
    "Years",
    "check_plan",
    "default_extension",
    "effective",
    "parse_defaults",
    "parse_preamble",
]

Origin = Literal["block", "famulus.yml", "default"]


class Limits(Part):
    """What a run may spend (spec 3.6); what is missing comes from the plan's card."""

    max_output_tokens: Annotated[WholeNumber, Field(gt=0)] | None = Field(
        default=None, description="Tokens of the answer."
    )
    max_tool_calls: Annotated[WholeNumber, Field(ge=0)] | None = Field(default=None, description="Calls of tools.")
    max_wall_seconds: Annotated[Number, Field(gt=0)] | None = Field(
        default=None, description="Seconds on the wall clock."
    )


class Guard(Part):
    """The check of a generated text by the language institution (spec 6.4)."""

    task: Text = Field(default="notebook-text", description="Task form: notebook-text, synthesize-answer.")
    lang: LanguageTag | None = Field(default=None, description="Language of the text; the document's when missing.")
    author: Text | None = Field(default=None, description="Whose voice the text claims.")
    family: Text | None = Field(default=None, description="Which family of forms the text claims.")
    text: Text | None = Field(default=None, description="Field that holds the text; the answer when missing.")
    evidence: Json = Field(default=None, description="What replaces the block's rows and measures as evidence.")


class Defaults(Scope):
    """The keys that famulus.yml may set for all blocks."""

    client: Text | None = Field(default=None, description="Model tag: provider:model, or a bare name on the allowlist.")
    rerun: Annotated[
        Literal["if-stale", "if-missing", "always", "never"],
        AfterValidator(lambda value: "if-stale" if value == "if-missing" else value),
    ] = Field(
        default="if-stale", description="When the runner plays the block; if-missing is the older word for if-stale."
    )
    log: PlainFolder | None = Field(
        default=None, description="Folder, relative to the project, where versions are written."
    )
    output: Literal["card", "artefacts", "both", "none"] = Field(
        default="both", description="What the page shows in its place."
    )
    limits: Limits = Field(default=Limits(), description="What a run may spend.")
    duckdb: Attachments = Field(default=(), description="Data that the block reads.")


class Preamble(Plan, Defaults):
    """Everything a block says of itself, or what is in force once the project's defaults are added."""

    id: Identifier = Field(description="Unique in the project; goal_id of the run and name of its folder in the store.")
    depends_on: tuple[DependencyText, ...] = Field(
        default=(), description="Blocks or references that must have been run."
    )
    input: Arguments = Field(
        default={}, description="Further arguments of the subtask or enfolding; a value may be {ref: …}."
    )
    artefacts: Artefacts = Field(default=(), description="What the block makes.")
    golden: Text | None = Field(
        default=None, description="golden_id of the row that the oracle comes from; a pointer only."
    )
    oracle: Annotated[Annotated[dict[str, Json], Field(min_length=1)] | None, NotNull] = Field(
        default=None, description="The expected answer."
    )
    guard: Annotated[Guard | None, NotNull] = Field(default=None, description="Check of a generated text.")

    @model_validator(mode="after")
    def _steps_make_declared_artefacts(self) -> Self:
        declared = [artefact.name for artefact in self.artefacts]
        for index, step in enumerate(self.partiturs or ()):
            if step.artefact is not None and step.artefact not in declared:
                key = f"partiturs.{index}.artefact"
                needed = f"a name from the block's artefacts ({', '.join(declared) or 'it declares none'})"
                raise Carried(PreambleError.bad_value(key, step.artefact, needed, Where(key=key)))
        return self

    def dependencies(self) -> tuple[BlockRef | Reference, ...]:
        """Return what `depends_on` names."""
        return tuple(map(parse_dependency, self.depends_on))

    def artefact(self, name: str) -> ArtefactSpec | None:
        """Return the artefact that the block declares under that name."""
        return next((artefact for artefact in self.artefacts if artefact.name == name), None)


DEFAULT_KEYS = frozenset(keys_of(Defaults))
BLOCK_KEYS = frozenset(keys_of(Preamble)) - DEFAULT_KEYS
"""Keys that belong to one block and are errors in famulus.yml."""


@dataclass(frozen=True, slots=True)
class Effective:
    """A preamble with the project's defaults in force, and where each key comes from."""

    preamble: Preamble
    origin: dict[str, Origin]


def parse_preamble(source: BlockSource, *, file: str | None = None, extra_kinds: Iterable[str] = ()) -> Preamble:
    """Validate a block's preamble.

    Parameters
    ----------
    file
        What errors name; the source's own file when missing.
    extra_kinds
        Kinds of artefacts beyond the built-in ones (entry-point group famulus.artefacts).

    Raises
    ------
    PreambleError, MissingId, BadReference
        With file, line, block and key.
    """
    name = source.data.get("id")
    known = isinstance(name, (str, int, float))
    block = source.yaml.sources.get("id", str(name)) if known else None
    where = Where(file=file or source.file, block=block)
    return _preamble(source.data, source.yaml, where, extra_kinds, Where(line=source.preamble_line))


def parse_defaults(mapping: Mapping[str, Any], *, yaml: StrictYaml | None = None, file: str | None = None) -> Defaults:
    """Validate the keys of famulus.yml that are defaults of preambles.

    Raises
    ------
    PreambleError
        A key belongs to one block, is unknown, or holds what it cannot hold.
    """
    for key in mapping:
        if key in BLOCK_KEYS:
            raise PreambleError.not_here(key, Where(file, yaml.line_of(key) if yaml else None, None, key))
    return validated(Defaults, mapping, yaml=yaml, where=Where(file=file))


def effective(defaults: Mapping[str, Any], own: Mapping[str, Any], *, extra_kinds: Iterable[str] = ()) -> Effective:
    """Return what is in force: every key that the block names replaces the project's default whole (spec 1.3).

    Parameters
    ----------
    defaults
        The project's defaults as SET (`ProjectFile.defaults`).
    own
        The block's own keys as SET (`Preamble.set_items()`).
    """
    preamble = _preamble({**defaults, **own}, None, Where(), extra_kinds, Where())
    origin: dict[str, Origin] = {
        key: "block" if key in own else "famulus.yml" if key in defaults else "default" for key in keys_of(Preamble)
    }
    return Effective(preamble, origin)


def _preamble(
    data: Mapping[str, Any], yaml: StrictYaml | None, where: Where, extra_kinds: Iterable[str], start: Where
) -> Preamble:
    if data.get("id") is None:
        data = {key: value for key, value in data.items() if key != "id"}
    try:
        return validated(Preamble, data, yaml=yaml, where=where, context={"kinds": tuple(extra_kinds)})
    except FamulusError as error:
        raise error.at(start) from None
