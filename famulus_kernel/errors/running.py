"""What goes wrong while a plan is played, a version stored or a page written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from famulus_kernel.errors.base import FamulusError, Where, bold, listed, offer

if TYPE_CHECKING:
    from collections.abc import Iterable


class EmptyResult(FamulusError):
    """Nothing was found though nothing says so (spec 3.1): a silent empty result is no answer."""

    code = "empty"

    @classmethod
    def of(cls, step: str, count: str = "n_rows") -> Self:
        """`step` found nothing; `count` is what its oracle would call that."""
        return cls(f"{bold(step)} found nothing", hint=f"if nothing is the answer, say so in the oracle: {count}: 0")


class ArtefactError(FamulusError):
    """An artefact cannot be built from what the plan returned."""

    code = "artefact"

    @classmethod
    def of(cls, name: str, kind: str, why: str) -> Self:
        """`name` of `kind` cannot be built because of `why`."""
        return cls(f"the artefact {bold(name)} ({kind}) cannot be built: {why}", hint="compare its kind with the step")


class UnknownMeasure(FamulusError):
    """The oracle asks for a key that the result does not have."""

    code = "oracle-key"

    @classmethod
    def of(cls, key: str, known: Iterable[str]) -> Self:
        """`known` are the keys that the result has."""
        return cls(f"the oracle asks for {bold(key)}, which the result does not have", hint=offer(key, known))

    @classmethod
    def of_guard(cls, key: str, known: Iterable[str]) -> Self:
        """The guard is to check `key`; `known` are the keys that the result has."""
        return cls(f"the guard is to check {bold(key)}, which the result does not have", hint=offer(key, known))


class ContractNotReached(FamulusError):
    """A run ended without the result that its contract describes."""

    code = "contract"

    @classmethod
    def of(cls, step: str, why: str) -> Self:
        """`step` did not reach its contract because of `why`."""
        return cls(f"{bold(step)} did not reach its contract: {why}", hint="the trace shows how far it came")


class BudgetExceeded(FamulusError):
    """A run used up what it may spend."""

    code = "budget"

    @classmethod
    def of(cls, what: str, used: object, allowed: object) -> Self:
        """`used` of `what` reached `allowed`."""
        return cls(
            f"the budget of {bold(what)} is used up ({used} / {allowed})", hint="raise it in limits: of the block"
        )


class Interrupted(FamulusError):
    """The user stopped the run."""

    code = "interrupted"
    exit_status = 130

    @classmethod
    def of(cls, what: str) -> Self:
        """`what` was stopped."""
        return cls(f"{bold(what)} was interrupted", hint="nothing was written; run it again when you like")


class NeverRun(FamulusError):
    """`rerun: never` without a version."""

    code = "never"

    @classmethod
    def of(cls, block: str) -> Self:
        """`block` may not be run and has no version."""
        return cls(
            f"block {bold(block)} says rerun: never, but there is no version of it",
            hint="bring its folder of the store along, or change rerun",
        )


class Blocked(FamulusError):
    """A block was not played, for one that it needs ended in error."""

    code = "blocked"

    @classmethod
    def of(cls, block: str, reasons: Iterable[str]) -> Self:
        """`reasons` say which blocks stop it."""
        return cls(f"block {bold(block)} was not played: {listed(reasons)}", hint="mend that block first")


class StoreError(FamulusError):
    """The block store cannot be written or read."""

    code = "store"
    exit_status = 2

    @classmethod
    def of(cls, path: object, why: str, hint: str = "") -> Self:
        """`path` cannot be written or read because of `why`."""
        return cls(
            f"the store cannot use {bold(path)}: {why}", hint=hint or "check the rights and the free space there"
        )


class NewerFormat(StoreError):
    """A file of the store was written by a newer release."""

    code = "format"

    @classmethod
    def of(cls, path: object, found: object, hint: str = "") -> Self:
        """`path` carries the format `found`."""
        return cls(
            f"{bold(path)} has the format {found}, which this release does not know", hint=hint or "update famulus"
        )


class BadCommand(FamulusError):
    """A cell asks for a command that there is not, or in a way it cannot be asked for."""

    code = "command"

    @classmethod
    def unknown(cls, name: str, known: Iterable[str]) -> Self:
        """`name` is none of the `known` commands."""
        return cls(f"there is no command {bold(name)}", hint=offer(name, known))

    @classmethod
    def needs(cls, name: str, what: str) -> Self:
        """The command `name` needs `what` after it."""
        return cls(f"{bold(name)} needs {what}", hint=f"write {name} block or {name} block.name")

    @classmethod
    def no_params(cls, written: str) -> Self:
        """What stands after %params is no JSON object."""
        return cls(f"{bold(written)} is no mapping of names to values", hint='write %params {"from": 1520}, as JSON')


class MissingExtra(FamulusError):
    """An optional part of famulus is not installed."""

    code = "extra-missing"
    exit_status = 2

    @classmethod
    def of(cls, what: str, extra: str) -> Self:
        """`what` needs the extra of that name."""
        return cls(f"{bold(what)} is not installed", hint=f"pip install 'famulus-kernel[{extra}]'")


class GoldenError(FamulusError):
    """A golden row cannot be used, or no version proves it (spec 6.3)."""

    code = "golden"

    @classmethod
    def malformed(cls, golden: str, why: str) -> Self:
        """The expected answer of the row `golden` is not one, because of `why`."""
        return cls(
            f"the expected_answer of {bold(golden)} cannot be used: {why}",
            hint='it is a JSON object in the forms of an oracle, such as {"n_letters": 3}; mend the row',
        )

    @classmethod
    def no_block(cls, golden: str, error: FamulusError) -> Self:
        """A block made of the row `golden` would have this `error`."""
        return cls(f"no block can be made of {bold(golden)}: {error.message}", hint=error.hint)

    @classmethod
    def no_subtask(cls, golden: str) -> Self:
        """The row `golden` says nothing of how it is to be answered."""
        return cls(f"the row {bold(golden)} names neither subtask nor expected_route", hint="name one in the row")

    @classmethod
    def not_proven(cls, golden: str, reasons: Iterable[str]) -> Self:
        """No version proves the row `golden`; `reasons` say why, block by block."""
        return cls(
            f"{bold(golden)} cannot be promoted: {'; '.join(reasons)}",
            hint="it takes a block whose newest version passed against what the row expects",
        )

    @classmethod
    def no_column(cls, path: object, column: str, *, table_is_there: bool) -> Self:
        """The database at `path` has no such column of golden_ground, or not even the table."""
        table = bold("golden_ground")
        what = f"no column {bold(column)} in its table {table}" if table_is_there else f"no table {table}"
        return cls(f"{bold(path)} has {what}", hint="agent_memory: in famulus.yml names the database of the rows")

    @classmethod
    def twice(cls, golden: str, path: object) -> Self:
        """Two rows of the database at `path` have the id `golden`."""
        return cls(f"the golden_id {bold(golden)} stands twice in {bold(path)}", hint="delete one of the two rows")


class UnknownGolden(GoldenError):
    """No row has the golden_id that a block or a command names."""

    code = "golden-unknown"
    exit_status = 2

    @classmethod
    def of(cls, golden: str, known: Iterable[str]) -> Self:
        """`known` are the ids that there are."""
        return cls(f"there is no row {bold(golden)} in golden_ground", hint=offer(golden, known))


class RenderError(FamulusError):
    """A page cannot be written, or shows a box instead of an artefact."""

    code = "render"

    @classmethod
    def of(cls, page: object, why: str, hint: str = "", where: Where | None = None) -> Self:
        """`page` has a problem that `why` describes."""
        return cls(f"{bold(page)}: {why}", hint=hint, where=where)


class UnknownFormat(RenderError):
    """Pages are asked for in a format, or by an engine, that there is not."""

    code = "render-format"
    exit_status = 2


class RenderWarning(RenderError):
    """Something a reader of the page may miss, which keeps no render from passing."""

    code = "render-warning"
    exit_status = 0
