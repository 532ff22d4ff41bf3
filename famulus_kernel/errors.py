"""Everything that can go wrong, one class a situation (spec 3.1).

An error is a value: a stable `code`, a `message` that names the thing in bold (`**…**`), a `hint` that says what to do,
and `where` it is. It becomes a cell error, a verdict, a box on a page or an exit status only at the surface.

Each class is built by a classmethod `of` that takes the facts, so that the wording of a situation stands in one place.
Rooms raise without knowing the place; whoever knows it adds it with :meth:`FamulusError.at`.
"""

from __future__ import annotations

import difflib
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, ClassVar, Self

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence


@dataclass(frozen=True, slots=True)
class Where:
    """A place in a project: file, line (1-based, of the file), block id and preamble key. All may be unknown."""

    file: str | None = None
    line: int | None = None
    block: str | None = None
    key: str | None = None

    def filled(self, other: Where) -> Where:
        """Return this place with what is unknown taken from `other`."""
        return Where(
            self.file if self.file is not None else other.file,
            self.line if self.line is not None else other.line,
            self.block if self.block is not None else other.block,
            self.key if self.key is not None else other.key,
        )

    def __str__(self) -> str:
        place = self.file or ""
        if self.line is not None:
            place = f"{place}:{self.line}" if place else f"line {self.line}"
        extra = [f"block {self.block}"] if self.block else []
        extra += [f"key {self.key}"] if self.key else []
        return ", ".join([place, *extra] if place else extra)


def bold(value: object) -> str:
    """Return `value` marked as the thing a message is about; asterisks inside it are escaped."""
    return "**" + str(value).replace("*", "\\*") + "**"


def plain(message: str) -> str:
    """Return a message without the marks that :func:`bold` set."""
    return message.replace("\\*", "\0").replace("**", "").replace("\0", "*")


def listed(values: Iterable[object], most: int = 12) -> str:
    """Return `a, b, c` for a sentence, cut after `most` values with a count of the rest; "nothing" for none."""
    names = [str(value) for value in values]
    shown = ", ".join(names[:most])
    return f"{shown} and {len(names) - most} more" if len(names) > most else shown or "nothing"


def nearest(name: str, known: Iterable[str], most: int = 3) -> list[str]:
    """Return up to `most` of the known names that look like `name`, best first."""
    return difflib.get_close_matches(name, list(known), n=most, cutoff=0.6)


def _offer(name: str, known: Iterable[str]) -> str:
    names = sorted(known)
    close = nearest(name, names)
    return f"did you mean {' or '.join(close)}?" if close else f"known are: {listed(names, 60)}"


class FamulusError(Exception):
    """Base of all errors that are about the user's project, not about a defect of this program."""

    code: ClassVar[str] = "error"
    exit_status: ClassVar[int] = 1

    def __init__(self, message: str, *, hint: str = "", where: Where | None = None) -> None:
        super().__init__(plain(message))
        self.message = message
        self.hint = hint
        self.where = where or Where()

    def at(self, where: Where) -> Self:
        """Add what is still unknown of the place and return the same error, to be raised on."""
        self.where = self.where.filled(where)
        return self

    def as_dict(self) -> dict[str, object]:
        """Return the form that verdict.json and `--json` carry."""
        return {"code": self.code, "message": self.message, "hint": self.hint, "where": asdict(self.where)}

    @classmethod
    def from_dict(cls, data: Mapping[str, object]) -> FamulusError:
        """Build an error again from :meth:`as_dict`, as the class whose code it carries."""
        known = {kind.code: kind for kind in _all_kinds(FamulusError)}
        kind = known.get(str(data.get("code")), FamulusError)
        error = kind.__new__(kind)
        where = data.get("where")
        FamulusError.__init__(
            error,
            str(data.get("message", "")),
            hint=str(data.get("hint", "")),
            where=Where(**where) if isinstance(where, dict) else None,
        )
        return error

    def __reduce__(self) -> tuple[object, ...]:
        return FamulusError.from_dict, (self.as_dict(),)

    def __str__(self) -> str:
        place = str(self.where)
        return f"{place}: {plain(self.message)}" if place else plain(self.message)


def _all_kinds(kind: type[FamulusError]) -> Iterable[type[FamulusError]]:
    yield kind
    for below in kind.__subclasses__():
        yield from _all_kinds(below)


# --- documents, YAML, preambles (spec 1) ------------------------------------------------------------------------------


class ProjectError(FamulusError):
    """The project or a notebook cannot be read at all; exit status 2."""

    code = "project"
    exit_status = 2

    @classmethod
    def no_project(cls, path: object) -> Self:
        """Nothing at `path` is a project or a notebook."""
        return cls(
            f"{bold(path)} is neither a folder nor a .fam file",
            hint="name a project folder or a notebook, or make one with famulus-notebook init",
        )

    @classmethod
    def not_utf8(cls, path: object, offset: int) -> Self:
        """A file is not UTF-8 text."""
        return cls(f"{bold(path)} is not UTF-8 text (byte {offset})", hint="save the file as UTF-8")

    @classmethod
    def closing_line(cls, line: str, where: Where) -> Self:
        """A line of a block's new text would end the block's fence."""
        return cls(f"the line {bold(line)} would end the block's fence",
                   hint="use a longer run of backticks or tildes for the block's own fence", where=where)

    @classmethod
    def unknown_block(cls, name: str, known: Iterable[str]) -> Self:
        """A block that a command names is not in the project."""
        return cls(f"there is no block {bold(name)} in this project", hint=_offer(name, known))


class YamlError(ProjectError):
    """A piece of YAML is not YAML, or not the strict YAML of spec 1.2."""

    code = "yaml"

    @classmethod
    def of(cls, problem: str, *, hint: str = "", where: Where | None = None) -> Self:
        """The parser's own words for what is wrong."""
        return cls(problem, hint=hint, where=where)

    @classmethod
    def duplicate_key(cls, key: str, first_line: int, where: Where) -> Self:
        """A key stands twice in one mapping."""
        return cls(
            f"the key {bold(key)} stands twice (first in line {first_line})",
            hint="keep one of them; the second would silently win elsewhere",
            where=where,
        )


class PreambleError(ProjectError):
    """A preamble or famulus.yml says something that is not in the language."""

    code = "preamble"

    @classmethod
    def unknown_key(cls, key: str, known: Iterable[str], where: Where | None = None) -> Self:
        """A key that the language does not have."""
        return cls(f"unknown key {bold(key)}", hint=_offer(key.rpartition(".")[2], known), where=where)

    @classmethod
    def bad_value(cls, key: str, value: object, needed: str, where: Where | None = None) -> Self:
        """A key holds a value it cannot hold; `needed` says what it can."""
        return cls(f"{bold(key)} is {value!r}, but needs {needed}", hint=f"write {key}: with {needed}", where=where)

    @classmethod
    def no_preamble(cls, where: Where) -> Self:
        """A block's body does not begin with a line `---`."""
        hint = "begin it with a line ---, YAML with an id, and a line ---"
        return cls("this block has no **preamble**", hint=hint, where=where)

    @classmethod
    def unclosed_preamble(cls, where: Where) -> Self:
        """The line `---` that ends a preamble is missing."""
        hint = "write a line --- between the YAML and the instruction"
        return cls("the **preamble** has no end", hint=hint, where=where)

    @classmethod
    def not_a_mapping(cls, what: str, where: Where) -> Self:
        """`what` is YAML, but not `key: value` lines."""
        return cls(f"{bold(what)} must be a mapping", hint="write lines of the form key: value", where=where)

    @classmethod
    def missing_key(cls, key: str, where: Where | None = None) -> Self:
        """A key that must be there is not."""
        return cls(f"{bold(key)} is missing", hint=f"add {key.rpartition('.')[2]}: there", where=where)

    @classmethod
    def twice(cls, value: str, other: str, where: Where | None = None) -> Self:
        """`value` is the same name as an earlier `other`."""
        same = "" if value == other else f" (the first time as {bold(other)}: case does not tell names apart)"
        return cls(f"the name {bold(value)} is used twice{same}", hint="rename one of the two", where=where)

    @classmethod
    def unknown_kind(cls, kind: str, known: Iterable[str], where: Where | None = None) -> Self:
        """A kind of artefact that nothing builds."""
        return cls(f"{bold(kind)} is no kind of artefact", hint=_offer(kind, known), where=where)

    @classmethod
    def without_plan(cls, key: str, plan: str, where: Where | None = None) -> Self:
        """A key that has a meaning only beside a plan, which is not there."""
        problem = f"{bold(key)} means nothing without its plan ({bold(plan)})"
        return cls(problem, hint=f"add {plan}: or delete it", where=where)

    @classmethod
    def not_here(cls, key: str, where: Where | None = None) -> Self:
        """A key of one block stands in famulus.yml."""
        return cls(
            f"{bold(key)} belongs to one block and cannot be a default of the project",
            hint="move it into the preamble of the block it is about",
            where=where,
        )


class MissingId(ProjectError):
    """A block has no id."""

    code = "id-missing"

    @classmethod
    def of(cls, where: Where) -> Self:
        """The block at `where` has no id."""
        return cls("this block has no **id**", hint="add a line such as id: letters-count to its preamble", where=where)


class DuplicateId(ProjectError):
    """Two blocks of one project share an id (also when they differ only in case or normalisation)."""

    code = "id-duplicate"

    @classmethod
    def of(cls, block: str, first: Where, second: Where) -> Self:
        """`block` stands at both places."""
        return cls(
            f"the id {bold(block)} is used twice: {first.file}:{first.line} and {second.file}:{second.line}",
            hint="ids are folders of the store and are compared without regard to case: rename one of the two",
            where=second,
        )


class PlanChoice(ProjectError):
    """None or several of the plan keys are set."""

    code = "plan"
    KEYS: ClassVar[tuple[str, ...]] = ("subtask", "partiturs", "ziel", "request", "pruefen")

    @classmethod
    def of(cls, found: Sequence[str]) -> Self:
        """`found` are the plan keys that the block sets."""
        if found:
            return cls(
                f"{' and '.join(bold(key) for key in found)} are both set; a block has exactly one plan",
                hint="keep one of subtask, partiturs, ziel, request, pruefen",
            )
        return cls(
            "the block has no **plan**",
            hint="add exactly one of subtask, partiturs, ziel: entfalten, request: true, pruefen",
        )


class BadReference(ProjectError):
    """A text that should be an identifier or a reference is none."""

    code = "reference-syntax"

    @classmethod
    def of(cls, text: str, needed: str) -> Self:
        """`text` is not of the form `needed`."""
        return cls(f"{bold(text)} is not {needed}", hint="a reference is block.name, block.name@v3 or "
                   "fam:project/notebook/block.name; an id holds letters, digits, - and _, at most 80")


class CycleError(ProjectError):
    """Blocks wait for one another."""

    code = "cycle"

    @classmethod
    def of(cls, cycle: Sequence[str]) -> Self:
        """`cycle` lists the blocks in order, the first one again at its end."""
        return cls(f"these blocks wait for one another: {bold(' → '.join(cycle))}", hint="take one reference out")


# --- before the plan (spec 3.1) ---------------------------------------------------------------------------------------


class UnknownSubtask(FamulusError):
    """The subtask is not registered."""

    code = "subtask-unknown"

    @classmethod
    def of(cls, name: str, known: Iterable[str]) -> Self:
        """`name` is none of the `known` subtasks."""
        return cls(f"the subtask {bold(name)} is not registered", hint=_offer(name, known))


class NotAvailable(FamulusError):
    """The language has it, this harness does not play it."""

    code = "not-available"

    @classmethod
    def of(cls, what: str, harness: str, can: str) -> Self:
        """`what` cannot be played by `harness`, which plays `can`."""
        return cls(f"the harness {bold(harness)} does not play {bold(what)}", hint=f"it plays {can}")


class UnresolvedReference(FamulusError):
    """A reference or placeholder names an artefact that is not there."""

    code = "reference-unresolved"

    @classmethod
    def of(cls, reference: object, why: str, holds: Iterable[str] = ()) -> Self:
        """`why` says what is missing; `holds` lists the artefacts the version does hold."""
        names = sorted(holds)
        hint = f"that version holds: {listed(names)}" if names else "run that block first, and look at its verdict"
        return cls(f"{bold(reference)} does not resolve: {why}", hint=hint)


class MissingDependency(FamulusError):
    """A block of depends_on has no manifest."""

    code = "dependency-missing"

    @classmethod
    def of(cls, block: object, why: str = "it has no version with a manifest.json") -> Self:
        """`block` was never run, or ended in error."""
        return cls(f"depends_on names {bold(block)}, but {why}", hint="run that block first")


class MissingFile(FamulusError):
    """A named file or folder is not there."""

    code = "file-missing"

    @classmethod
    def of(cls, written: str, path: object) -> Self:
        """`written` is the path as the block has it, `path` what it expands to."""
        same = str(path) == written
        place = "" if same else f" (expanded: {path})"
        hint = "mount the collections or set PDAI_COLLECTIONS / collections_root" if "$PDAI_COLLECTIONS" in written else (
            "check the spelling; relative paths start at the project's folder")
        return cls(f"{bold(written)} is not there{place}", hint=hint)


class ForbiddenPath(FamulusError):
    """A path leaves what a block may read."""

    code = "path-forbidden"

    @classmethod
    def of(cls, written: str, why: str) -> Self:
        """`written` may not be read because of `why`."""
        return cls(f"a block may not read {bold(written)}: {why}",
                   hint="name the file in the preamble's duckdb list, or keep it under the project or the collections")

    @classmethod
    def not_literal(cls, function: str) -> Self:
        """`function` is called with something else than the name of a file, or a list of names."""
        return cls(f"{bold(function + '()')} reads a file whose name is not written out",
                   hint=f"write {function}('data/name.csv') or a list of such names, so that one can see what is read")


class MissingCountingMode(FamulusError):
    """Lemmata are counted, but not how."""

    code = "counting-mode-missing"

    @classmethod
    def of(cls, block: str) -> Self:
        """`block` counts lemmata without a counting_mode."""
        return cls(f"block {bold(block)} counts lemmata without counting_mode",
                   hint="add counting_mode: canonical, family or family+adj")


class UnboundInput(FamulusError):
    """A required input of a partitur or step stays unbound, or is one it does not have."""

    code = "input-unbound"

    @classmethod
    def of(cls, name: str, step: str) -> Self:
        """`step` needs the input `name`."""
        return cls(f"{bold(step)} needs the input {bold(name)}", hint=f"add input: {{{name}: …}} to that step")

    @classmethod
    def unknown(cls, name: str, step: str, known: Iterable[str]) -> Self:
        """`step` has no input of that `name`."""
        return cls(f"{bold(step)} has no input {bold(name)}", hint=_offer(name, known))

    @classmethod
    def bad_value(cls, name: str, step: str, needed: str) -> Self:
        """The input `name` of `step` does not have the needed form."""
        return cls(f"the input {bold(name)} of {bold(step)} needs {needed}", hint="see the step's documentation")


class NotOneQuery(FamulusError):
    """The SQL is not exactly one read-only query."""

    code = "sql-not-a-query"

    @classmethod
    def of(cls, kind: str, hint: str = "") -> Self:
        """`kind` is what DuckDB's parser calls the statement."""
        return cls(f"the SQL is {bold(kind)}, but a block runs exactly one read-only query",
                   hint=hint or "write one SELECT (WITH, FROM and VALUES are fine, a PIVOT with its columns listed); "
                   "a block writes nothing")


class QueryFailed(FamulusError):
    """DuckDB refused or could not run the query."""

    code = "sql-failed"

    @classmethod
    def of(cls, message: str, hint: str = "") -> Self:
        """`message` is DuckDB's own."""
        return cls(message.replace("*", "\\*"), hint=hint or "the tables and columns at hand are those of the aliases in duckdb:")


class DatabaseBusy(FamulusError):
    """Another process has a database open for writing."""

    code = "database-busy"

    @classmethod
    def of(cls, path: object, holder: str) -> Self:
        """`holder` describes the process that holds `path`."""
        return cls(f"{bold(path)} is open for writing in another process{f' ({holder})' if holder else ''}",
                   hint="close it there, or run the block again when it is done")


class NotEdtf(FamulusError):
    """A text that should be a date is no EDTF."""

    code = "date"

    @classmethod
    def of(cls, text: str, why: str) -> Self:
        """`text` is no date because of `why`."""
        return cls(f"{bold(repr(text[:80]))} is not an EDTF date: {why[:160]}",
                   hint="dates look like 1522, 1522-05, 1522-05-03~, 1511-23 (autumn), 1541/1542, [..1522-05-03]")


class UndatedCollection(FamulusError):
    """Years are asked of a collection without dates."""

    code = "undated"

    @classmethod
    def of(cls, collection: str) -> Self:
        """`collection` has no date at all."""
        return cls(f"years are given, but the collection {bold(collection)} holds no date", hint="leave out years")


class YearsReversed(FamulusError):
    """years.from lies after years.to."""

    code = "years-reversed"

    @classmethod
    def of(cls, first: int, last: int) -> Self:
        """The years as given."""
        return cls(f"years.from {bold(first)} lies after years.to {bold(last)}", hint="swap the two")


class UnknownPerson(FamulusError):
    """No person of the collections has that name."""

    code = "person-unknown"

    @classmethod
    def of(cls, name: str, candidates: Iterable[str]) -> Self:
        """`candidates` are the names that look alike."""
        return cls(f"no person is called {bold(name)}", hint=f"nearest: {listed(candidates)}")


class AmbiguousPerson(FamulusError):
    """Several persons have that name."""

    code = "person-ambiguous"

    @classmethod
    def of(cls, name: str, candidates: Iterable[str]) -> Self:
        """`candidates` are the canonical names that share it."""
        return cls(f"{bold(name)} may be several persons", hint=f"name one of: {listed(candidates)}")


# --- in and after the plan --------------------------------------------------------------------------------------------


class EmptyResult(FamulusError):
    """Nothing was found though nothing says so (spec 3.1): a silent empty result is no answer."""

    code = "empty"

    @classmethod
    def of(cls, step: str) -> Self:
        """`step` found nothing."""
        return cls(f"{bold(step)} found nothing", hint="if nothing is the answer, say so in the oracle: n_rows: 0")


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
        return cls(f"the oracle asks for {bold(key)}, which the result does not have", hint=_offer(key, known))


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
        return cls(f"the budget of {bold(what)} is used up ({used} / {allowed})", hint="raise it in limits: of the block")


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
        return cls(f"block {bold(block)} says rerun: never, but there is no version of it",
                   hint="bring its folder of the store along, or change rerun")


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

    @classmethod
    def of(cls, path: object, why: str, hint: str = "") -> Self:
        """`path` cannot be written or read because of `why`."""
        return cls(f"the store cannot use {bold(path)}: {why}", hint=hint or "check the rights and the free space there")


class NewerFormat(StoreError):
    """A file of the store was written by a newer release."""

    code = "format"

    @classmethod
    def of(cls, path: object, found: object, hint: str = "") -> Self:
        """`path` carries the format `found`."""
        return cls(f"{bold(path)} has the format {found}, which this release does not know", hint=hint or "update famulus")


class BadCommand(FamulusError):
    """A cell asks for a command that there is not, or in a way it cannot be asked for."""

    code = "command"

    @classmethod
    def unknown(cls, name: str, known: Iterable[str]) -> Self:
        """`name` is none of the `known` commands."""
        return cls(f"there is no command {bold(name)}", hint=_offer(name, known))

    @classmethod
    def needs(cls, name: str, what: str) -> Self:
        """The command `name` needs `what` after it."""
        return cls(f"{bold(name)} needs {what}", hint=f"write {name} block or {name} block.name")


class MissingExtra(FamulusError):
    """An optional part of famulus is not installed."""

    code = "extra-missing"
    exit_status = 2

    @classmethod
    def of(cls, what: str, extra: str) -> Self:
        """`what` needs the extra of that name."""
        return cls(f"{bold(what)} is not installed", hint=f"pip install 'famulus-kernel[{extra}]'")


class RenderError(FamulusError):
    """A page cannot be written, or shows a box instead of an artefact."""

    code = "render"

    @classmethod
    def of(cls, page: object, why: str, hint: str = "", where: Where | None = None) -> Self:
        """`page` has a problem that `why` describes."""
        return cls(f"{bold(page)}: {why}", hint=hint, where=where)


class RenderWarning(RenderError):
    """Something a reader of the page may miss, which keeps no render from passing."""

    code = "render-warning"
    exit_status = 0
