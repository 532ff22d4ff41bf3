"""The plan of a block (spec 1.3): exactly one of subtask, partiturs, ziel, request, pruefen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

from pydantic import Field, ValidationInfo, field_validator, model_validator

from famulus_kernel.errors import PlanChoice, PreambleError, Where
from famulus_kernel.language.fields import Arguments, Bool, Json, NotNull, Number, PathText, Text, WholeNumber
from famulus_kernel.language.validation import Carried, Part

if TYPE_CHECKING:
    from collections.abc import Mapping

KINDS = (
    "report",
    "roster-table",
    "kwic",
    "citation-list",
    "d3-graph",
    "proof-structure",
    "markdown",
    "table",
    "json",
    "figure",
    "entfaltung-teil",
    "timeline",
)
"""The kinds of artefacts that come with the package; others register in the entry-point group famulus.artefacts."""

COMPANIONS: Mapping[str, tuple[str, ...]] = {
    "ziel": (
        "form",
        "slots",
        "bind",
        "lesart",
        "verfeinerung",
        "budget",
        "rest_max",
        "annahmegrad_verfasser",
        "abgeschaltet",
        "erwartung",
    ),
    "pruefen": ("satz", "aussage"),
}
"""Keys that have a meaning only beside a plan."""

Share = Annotated[Number, Field(ge=0, le=1)]
Count = Annotated[WholeNumber, Field(ge=0)]


def known_kind(kind: str, info: ValidationInfo) -> str:
    """Return a kind that is built in or named by the validation context (`kinds`).

    Raises
    ------
    Carried
        It is neither.
    """
    known = (*KINDS, *(info.context or {}).get("kinds", ()))
    if kind not in known:
        raise Carried(PreambleError.unknown_kind(kind, known))
    return kind


class PartiturStep(Part):
    """One run of a chain."""

    id: Text = Field(description="Register id, goal_path, duckdb-read, artifact:<kind> or lwgrammar:<tool>.")
    setting: PathText | None = Field(default=None, description="Setting file, relative to the project.")
    input: Arguments = Field(default={}, description="Arguments; a value may be {ref: block.name}.")
    artefact: Text | None = Field(
        default=None, description="Name of the artefact, of the block's list, that this run makes."
    )
    text_from: Text | None = Field(default=None, description="Column of the previous step whose rows become the text.")
    rows_from: Text | None = Field(default=None, description="Key of the answer whose list is shown as a table.")

    @field_validator("id")
    @classmethod
    def _known_builder(cls, value: str, info: ValidationInfo) -> str:
        if value.startswith("artifact:"):
            known_kind(value.removeprefix("artifact:"), info)
        return value


class Verfeinerung(Part):
    """The answer to a question of the filter: `{streng: …}`, `{offen: …}` or `{knoten: …, wert: …}`."""

    streng: Text | None = None
    offen: Text | None = None
    knoten: Text | None = None
    wert: Json = None

    @model_validator(mode="after")
    def _one_form(self) -> Self:
        if self.model_fields_set not in ({"streng"}, {"offen"}, {"knoten", "wert"}):
            raise ValueError("{streng: …}, {offen: …} or {knoten: …, wert: …}")
        return self


class Budget(Part):
    """What an enfolding may spend; what does not fit is put off and counts as rest."""

    zeit_s: Annotated[Number, Field(gt=0)] = Field(default=300, description="Seconds.")
    modellaufrufe: Count = Field(default=200, description="Calls of a model.")
    kandidaten_max: Annotated[WholeNumber, Field(gt=0)] = Field(
        default=1000, description="Candidates that are looked at."
    )


class Satz(Part):
    """One sentence of an essay that is checked against the evidence base (spec 8.3)."""

    paper: PathText = Field(description="File of the project.")
    hash: Text = Field(description="Prefix of the sentence's sha256.")
    text: Text = Field(description="The sentence.")


class Aussage(Part):
    """A statement of measurement (spec 8.4)."""

    koerper: Text = Field(description="Id of the registered body of measurement.")
    objekt: Text = Field(description="The object that was measured.")
    groesse: Text = Field(description="The quantity.")
    methode: Text = Field(description="The method.")
    wert: Json = Field(description="A number, or text with a unit.")
    toleranz: Json = Field(description="A number, or text with a unit.")

    @field_validator("wert", "toleranz")
    @classmethod
    def _quantity(cls, value: Any) -> Any:
        if isinstance(value, bool) or not isinstance(value, (int, float, str)):
            raise ValueError("a number, or text with a unit")  # noqa: TRY004 - pydantic takes ValueError only
        return value


class Plan(Part):
    """What a block plays."""

    subtask: Text | None = Field(default=None, description="A registered subtask.")
    partiturs: Annotated[Annotated[tuple[PartiturStep, ...], Field(min_length=1)] | None, NotNull] = Field(
        default=None, description="A chain of runs, in order."
    )
    request: Bool = Field(default=False, description="true: the instruction is an FQL request.")
    pruefen: Literal["satz", "messwert"] | None = Field(default=None, description="Check a sentence or a measurement.")
    satz: Satz | None = Field(default=None, description="The sentence of pruefen: satz.")
    aussage: Aussage | None = Field(default=None, description="The statement of pruefen: messwert.")
    ziel: Literal["entfalten"] | None = Field(default=None, description="entfalten: the question is enfolded.")
    form: Literal["erwaehnung", "korrespondenz", "eponym", "thema"] | None = Field(
        default=None, description="Form of the question; read from it when missing."
    )
    slots: dict[str, Json] = Field(default={}, description="Values of slots; with form, no model is needed.")
    bind: dict[str, Text] = Field(default={}, description="Slot to the id of an individual.")
    lesart: dict[str, Text] = Field(
        default={}, description="The owner's reading of a candidate; beats rule, cache and model."
    )
    verfeinerung: Verfeinerung | None = Field(default=None, description="The answer to a question of the filter.")
    budget: Budget = Field(default=Budget(), description="What the enfolding may spend.")
    rest_max: Share = Field(default=0.05, description="Share of open candidates that validiert-mit-rest still bears.")
    annahmegrad_verfasser: Literal["schwach", "mittel", "stark", "gewiss"] = Field(
        default="mittel", description="How surely the author of a piece of evidence must be known."
    )
    abgeschaltet: tuple[Text, ...] = Field(default=(), description="Subgoals that are not played.")
    erwartung: PathText | None = Field(default=None, description="YAML file of the gate.")

    def plans(self) -> list[str]:
        """Return the plan keys that are set."""
        return [key for key in PlanChoice.KEYS if getattr(self, key)]


def check_plan(plan: Plan) -> None:
    """Check that a block has exactly one plan, what that plan needs, and nothing that belongs to another.

    Raises
    ------
    PlanChoice
        None or several of the plan keys are set.
    PreambleError
        `pruefen` without its `satz` or `aussage`, or a key that has no meaning without its plan.
    """
    found = plan.plans()
    if len(found) != 1:
        raise PlanChoice.of(found)
    if plan.pruefen:
        needed = {"satz": "satz", "messwert": "aussage"}[plan.pruefen]
        if getattr(plan, needed) is None:
            raise PreambleError.missing_key(needed, Where(key=needed))
    allowed = {"satz": {"satz"}, "messwert": {"aussage"}, None: set()}[plan.pruefen]
    allowed |= set(COMPANIONS["ziel"]) if plan.ziel else set()
    for home, companions in COMPANIONS.items():
        for key in companions:
            if key in plan.model_fields_set and key not in allowed:
                raise PreambleError.without_plan(key, home, Where(key=key))
