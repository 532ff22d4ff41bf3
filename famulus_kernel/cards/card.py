"""One capability card: what a file `<id>.card.yaml` says, and every rule that it must keep (spec 9)."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

from pydantic import Field

from famulus_kernel.errors import CardError, FamulusError, MissingId, PreambleError, Where
from famulus_kernel.language.fields import Identifier, Number, Text, WholeNumber
from famulus_kernel.language.schema import schema_of
from famulus_kernel.language.validation import Part, checked, keys_of, model_at
from famulus_kernel.language.yaml import load_strict

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from famulus_kernel.language.yaml import StrictYaml

SUFFIX: Final = ".card.yaml"
MIN_EXAMPLES: Final = 8
"""With fewer a card is found by luck."""
MIN_COUNTER_EXAMPLES: Final = 3
"""With fewer nothing keeps its neighbours' questions from a card."""
MAX_OUTPUT_TOKENS: Final = 2000
"""An answer of more is not an answer that was cut to what matters."""
LISTS: Final = {"examples": MIN_EXAMPLES, "counter_examples": MIN_COUNTER_EXAMPLES}

Line = Annotated[Text, Field(max_length=500)]


class CardBudget(Part):
    """What a run for this card may spend; enforced (spec 3.6)."""

    max_output_tokens: Annotated[WholeNumber, Field(gt=0, le=MAX_OUTPUT_TOKENS)] = Field(
        default=800, description="Tokens of the answer."
    )
    max_tool_calls: Annotated[WholeNumber, Field(ge=0)] = Field(default=8, description="Calls of tools.")
    max_wall_seconds: Annotated[Number, Field(gt=0)] = Field(default=60, description="Seconds on the wall clock.")


class Contract(Part):
    """Names of what goes in, or of what comes out."""

    required: tuple[Text, ...] = Field(default=(), description="What must be there.")


class Card(Part):
    """A capability: its registration, its documentation, its place in the router, and the router's test."""

    id: Identifier = Field(description="Unique in the registry, and the file's name before .card.yaml.")
    version: Text = Field(default="0.0.0", description="Version of the card.")
    summary: Text = Field(description="What it does, for people.")
    plan: Text | None = Field(
        default=None, description="Subtask, partitur, duckdb-read, or artifact for every artifact:<kind>."
    )
    examples: tuple[Line, ...] = Field(
        description="Users' own wordings, as they type them.", json_schema_extra={"minItems": MIN_EXAMPLES}
    )
    counter_examples: tuple[Line, ...] = Field(
        description="Wordings that are a neighbour's; a question nearer to one of them is not for this card.",
        json_schema_extra={"minItems": MIN_COUNTER_EXAMPLES},
    )
    does_not: tuple[Text, ...] = Field(default=(), description="What it does not do, for people; never indexed.")
    inputs: Contract = Field(default=Contract(), description="What it needs.")
    returns: Contract = Field(description="What it gives.")
    budget: CardBudget = Field(default=CardBudget(), description="What a run may spend.")
    tools: tuple[Text, ...] = Field(description="What it uses.")
    side_effects: Literal["none", "writes", "irreversible"] = Field(
        default="none", description="Other than none it never plays without --allow-writes."
    )


def parse_card(text: str, *, file: str, plans: Collection[str] | None = None) -> tuple[Card | None, list[CardError]]:
    """Read a card; return it, or None and all that is wrong with it in the order of the file.

    Parameters
    ----------
    text
        The file's content.
    file
        The file's name, with `.card.yaml`.
    plans
        The plans that can be played; None: they are not asked.
    """
    where = Where(file=file)
    try:
        yaml = load_strict(text.removeprefix("\ufeff"), file=file)
    except FamulusError as error:
        return None, [CardError(error.message, hint=error.hint, where=error.where)]
    if yaml.value is None:
        return None, [CardError.unreadable("the card is **empty**", "write id, summary, examples …").at(where)]
    if not isinstance(yaml.value, dict):
        return None, [
            CardError.unreadable("the card is **no mapping**", "write lines of the form key: value").at(where)
        ]
    card, complaints = checked(Card, yaml.value, yaml=yaml, where=where)
    problems = [_of_card(error) for error in complaints]
    problems += [error.at(where) for error in _broken_rules(yaml, file.removesuffix(SUFFIX), plans)]
    problems.sort(key=lambda error: error.where.line or 0)
    return (None if problems else card), problems


def card_schema() -> dict[str, Any]:
    """Return the JSON Schema of a card, for editors."""
    return schema_of(Card, "Capability card of Famulus")


def _of_card(error: FamulusError) -> CardError:
    """Return a complaint about a value as one about a card, with its field in front."""
    field = error.where.key or ""
    if isinstance(error, MissingId):
        return CardError.missing("id", error.where)
    if isinstance(error, PreambleError) and error.message.startswith("unknown key"):
        loc = tuple(field.split("."))[:-1]
        return CardError.unknown_field(field, keys_of(model_at(Card, loc)), error.where)
    message = error.message if error.message.startswith(f"**{field}**") else f"**{field}**: {error.message}"
    return CardError(message, hint=error.hint, where=error.where)


def _broken_rules(yaml: StrictYaml, stem: str, plans: Collection[str] | None) -> Iterator[CardError]:
    """Yield what no single value shows: lists that are too short, lines that repeat, names that do not agree."""
    data: dict[str, Any] = yaml.value
    seen: dict[str, dict[str, int | None]] = {}
    for field, least in LISTS.items():
        lines = data.get(field)
        if not isinstance(lines, list):
            continue
        if len(lines) < least:
            yield CardError.too_few(field, len(lines), least, Where(line=yaml.line_of(field), key=field))
        first = seen.setdefault(field, {})
        for number, line in enumerate(lines):
            place = Where(line=yaml.line_of(f"{field}.{number}"), key=field)
            key = _same(str(line))
            if key in first:
                yield CardError.twice(field, str(line), first[key], place)
            elif field == "counter_examples" and key in seen.get("examples", {}):
                yield CardError.in_both(str(line), seen["examples"][key], place)
            first.setdefault(key, place.line)
    id_, plan = data.get("id"), data.get("plan")
    if isinstance(id_, str | int | float) and unicodedata.normalize("NFC", str(id_)) != unicodedata.normalize(
        "NFC", stem
    ):
        yield CardError.other_stem(str(id_), stem, Where(line=yaml.line_of("id"), key="id"))
    if isinstance(plan, str) and plans is not None and plan not in plans:
        yield CardError.unknown_plan(plan, plans, Where(line=yaml.line_of("plan"), key="plan"))


def _same(line: str) -> str:
    """Return what two lines have in common that differ in case, blanks or the form of Unicode only."""
    return unicodedata.normalize("NFC", " ".join(line.split()).casefold())
