"""What is wrong with partituren, their templates and the register that holds them (spec 3.3): exit status 2."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from famulus_kernel.errors.base import bold, listed, offer
from famulus_kernel.errors.language import ProjectError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from famulus_kernel.errors.base import Where


class UnknownPartitur(ProjectError):
    """No register has a partitur of that id, version or goal_path."""

    code = "partitur-unknown"

    @classmethod
    def of(cls, name: str, known: Iterable[str]) -> Self:
        """`known` are the ids and goal_paths that there are."""
        return cls(f"there is no partitur {bold(name)}", hint=offer(name, known))

    @classmethod
    def version(cls, name: str, version: str, known: Iterable[str]) -> Self:
        """The partitur `name` is there, but only in the `known` versions."""
        return cls(f"the partitur {bold(name)} has no version {bold(version)}", hint=f"it has: {listed(known)}")


class PartiturError(ProjectError):
    """A partitur says something that cannot be played."""

    code = "partitur"

    @classmethod
    def no_document(cls, why: str, where: Where | None = None) -> Self:
        """A text is no document because of `why`."""
        return cls(f"this is no partitur: {why}", hint="write id, version, goal_path, stages and contract", where=where)

    @classmethod
    def unknown_stage(cls, stage: str, known: Iterable[str], where: Where | None = None) -> Self:
        """A template refers to a stage that there is not."""
        return cls(f"there is no stage {bold(stage)}", hint=offer(stage, known), where=where)

    @classmethod
    def later_stage(cls, stage: str, by: str, where: Where | None = None) -> Self:
        """The stage `by` refers to one that plays later."""
        return cls(
            f"the stage {bold(by)} refers to {bold(stage)}, which plays after it",
            hint="stages play in the order of the list: move one of the two",
            where=where,
        )

    @classmethod
    def cycle(cls, stages: Sequence[str], where: Where | None = None) -> Self:
        """Stages wait for one another; the first is named again at the end."""
        return cls(
            f"these stages wait for one another: {bold(' → '.join(stages))}",
            hint="take one of the references out",
            where=where,
        )

    @classmethod
    def unknown_input(cls, name: str, known: Iterable[str], where: Where | None = None) -> Self:
        """A template refers to an input that the partitur does not declare."""
        return cls(f"the partitur declares no input {bold(name)}", hint=offer(name, known), where=where)

    @classmethod
    def unknown_operation(cls, name: str, known: Iterable[str], where: Where | None = None) -> Self:
        """`op` names none of the `known` operations."""
        return cls(f"the operation {bold(name)} is not registered", hint=offer(name, known), where=where)

    @classmethod
    def broken_operation(cls, name: str, why: str) -> Self:
        """A registered operation cannot be used because of `why`."""
        return cls(f"the operation {bold(name)} cannot be loaded: {why}", hint="mend the package that registers it")

    @classmethod
    def bad_contract(cls, why: str, where: Where | None = None) -> Self:
        """The contract is no JSON Schema because of `why`."""
        return cls(f"the {bold('contract')} is no JSON Schema: {why}", hint="see json-schema.org", where=where)


class TemplateError(ProjectError):
    """A `{{ … }}` cannot be read, or means nothing here."""

    code = "template"

    @classmethod
    def of(cls, text: str, why: str, where: Where | None = None) -> Self:
        """`text` is refused because of `why`."""
        return cls(
            f"the template {bold(text)} cannot be used: {why}",
            hint="a template reads {{ inputs.name }} and {{ stages.id.path }}, compares, and chooses",
            where=where,
        )

    @classmethod
    def nothing_there(cls, path: str, name: str, known: Iterable[str]) -> Self:
        """`path` has no `name`; `known` are the names that it has."""
        return cls(f"{bold(path)} has no {bold(name)}", hint=offer(name, known))


class RegisterError(ProjectError):
    """The register cannot be read or written."""

    code = "register"

    @classmethod
    def of(cls, place: object, why: str, hint: str = "") -> Self:
        """The register at `place` cannot be used because of `why`."""
        return cls(
            f"the register {bold(place)} cannot be used: {why}",
            hint=hint or "register: in famulus.yml names a partitur_register.duckdb or an MCP URL",
        )

    @classmethod
    def newer_format(cls, place: object, found: object) -> Self:
        """The register at `place` has the format `found`."""
        return cls(
            f"the register {bold(place)} has the format {found}, which this release does not know",
            hint="update famulus, or name an older register",
        )

    @classmethod
    def other_document(cls, partitur: str, place: object) -> Self:
        """`place` holds another document under the same id and version."""
        return cls(
            f"{bold(partitur)} is in {place} already, with other content",
            hint="a version never changes: give the document a new version",
        )
