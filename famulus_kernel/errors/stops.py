"""What stops a block before its plan (spec 3.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Self

from famulus_kernel.errors.base import FamulusError, bold, listed, offer

if TYPE_CHECKING:
    from collections.abc import Iterable


class UnknownSubtask(FamulusError):
    """The subtask is not registered."""

    code = "subtask-unknown"

    @classmethod
    def of(cls, name: str, known: Iterable[str]) -> Self:
        """`name` is none of the `known` subtasks."""
        return cls(f"the subtask {bold(name)} is not registered", hint=offer(name, known))


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
    exit_status = 2

    @classmethod
    def of(cls, reference: object, why: str, holds: Iterable[str] = ()) -> Self:
        """`why` says what is missing; `holds` lists the artefacts the version does hold."""
        names = sorted(holds)
        hint = f"that version holds: {listed(names)}" if names else "run that block first, and look at its verdict"
        return cls(f"{bold(reference)} does not resolve: {why}", hint=hint)

    @classmethod
    def unknown(cls, reference: object, why: str, wanted: str, known: Iterable[str]) -> Self:
        """`wanted`, a part of the reference, is none of the `known` names."""
        return cls(f"{bold(reference)} does not resolve: {why}", hint=offer(wanted, known))


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
    exit_status = 2

    @classmethod
    def of(cls, written: str, path: object) -> Self:
        """`written` is the path as the block has it, `path` what it expands to."""
        same = str(path) == written
        place = "" if same else f" (expanded: {path})"
        hint = (
            "mount the collections or set PDAI_COLLECTIONS / collections_root"
            if "$PDAI_COLLECTIONS" in written
            else ("check the spelling; relative paths start at the project's folder")
        )
        return cls(f"{bold(written)} is not there{place}", hint=hint)

    @classmethod
    def no_file(cls, written: str, path: object) -> Self:
        """Something is there, but a folder, a pipe or a device; parameters as of :meth:`of`."""
        place = "" if str(path) == written else f" (expanded: {path})"
        return cls(f"{bold(written)} is no file{place}", hint="name a file, not a folder, a pipe or a device")


class ForbiddenPath(FamulusError):
    """A path leaves what a block may read."""

    code = "path-forbidden"
    exit_status = 2

    @classmethod
    def of(cls, written: str, why: str) -> Self:
        """`written` may not be read because of `why`."""
        return cls(
            f"a block may not read {bold(written)}: {why}",
            hint="name the file in the preamble's duckdb list, or keep it under the project or the collections",
        )

    @classmethod
    def not_literal(cls, function: str) -> Self:
        """`function` is called with something else than the name of a file, or a list of names."""
        return cls(
            f"{bold(function + '()')} reads a file whose name is not written out",
            hint=f"write {function}('data/name.csv') or a list of such names, so that one can see what is read",
        )


class MissingCountingMode(FamulusError):
    """Lemmata are counted, but not how."""

    code = "counting-mode-missing"

    @classmethod
    def of(cls, block: str) -> Self:
        """`block` counts lemmata without a counting_mode."""
        return cls(
            f"block {bold(block)} counts lemmata without counting_mode",
            hint="add counting_mode: canonical, family or family+adj",
        )


_SCOPE: Final = frozenset(
    ("collections", "documents", "evidence", "years", "persons", "person_id", "lemmata", "counting_mode", "language")
)
"""Inputs that are keys of a block, and not entries of its `input`."""


class UnboundInput(FamulusError):
    """A required input of a partitur or step stays unbound, or is one it does not have."""

    code = "input-unbound"

    @classmethod
    def of(cls, name: str, step: str) -> Self:
        """`step` needs the input `name`."""
        way = f"{name}: …" if name in _SCOPE else f"input: {{{name}: …}}"
        return cls(f"{bold(step)} needs the input {bold(name)}", hint=f"add {way} to the block")

    @classmethod
    def nobody(cls) -> Self:
        """A subtask about a person, and neither the block nor its question names one."""
        return cls(
            f"{bold('persons')} is missing, and the question names nobody whom the collections have",
            hint="add persons: [a name] to the block; famulus-notebook collection show lists the names",
        )

    @classmethod
    def unknown(cls, name: str, step: str, known: Iterable[str]) -> Self:
        """`step` has no input of that `name`."""
        error = cls(f"{bold(step)} has no input {bold(name)}", hint=offer(name, known))
        error.about = (f"input.{name}", name)
        return error

    @classmethod
    def bad_value(cls, name: str, step: str, needed: str) -> Self:
        """The input `name` of `step` does not have the needed form."""
        key = name if name in _SCOPE else f"input.{name}"
        error = cls(f"the input {bold(name)} of {bold(step)} needs {needed}", hint=f"write it as {key} of the block")
        error.about = (key, name)
        return error


class NotOneQuery(FamulusError):
    """The SQL is not exactly one read-only query."""

    code = "sql-not-a-query"

    @classmethod
    def of(cls, kind: str, hint: str = "") -> Self:
        """`kind` is what DuckDB's parser calls the statement."""
        return cls(
            f"the SQL is {bold(kind)}, but a block runs exactly one read-only query",
            hint=hint
            or "write one SELECT (WITH, FROM and VALUES are fine, a PIVOT with its columns listed); "
            "a block writes nothing",
        )


class QueryFailed(FamulusError):
    """DuckDB refused or could not run the query."""

    code = "sql-failed"

    @classmethod
    def of(cls, message: str, hint: str = "") -> Self:
        """`message` is DuckDB's own."""
        return cls(
            message.replace("*", "\\*"),
            hint=hint,
        )


class DatabaseBusy(FamulusError):
    """Another process has a database open for writing."""

    code = "database-busy"

    @classmethod
    def of(cls, path: object, holder: str) -> Self:
        """`holder` describes the process that holds `path`."""
        return cls(
            f"{bold(path)} is open for writing in another process{f' ({holder})' if holder else ''}",
            hint="close it there, or run the block again when it is done",
        )


class CollectionError(FamulusError):
    """A collection is not there, or does not hold what is asked of it (spec 4.1)."""

    code = "collection"
    about = ("collections",)
    exit_status = 2

    @classmethod
    def missing(cls, name: str, root: object, known: Iterable[str]) -> Self:
        """`root` has no collection `name`, but the `known` ones."""
        names = list(known)
        hint = offer(name, names) if names else "mount the collections or set PDAI_COLLECTIONS / collections_root"
        return cls(f"there is no collection {bold(name)} in {root}", hint=hint)

    @classmethod
    def missing_table(cls, table: str, collection: str, path: object) -> Self:
        """`collection` has no `table`, which lies in `path`."""
        return cls(
            f"the collection {bold(collection)} has no table {bold(table)} ({path})",
            hint=f"make it with famulus-notebook collection import, or look at collection check {collection}",
        )

    @classmethod
    def missing_column(cls, table: str, column: str, has: Iterable[str], ours: str, collection: str = "") -> Self:
        """`table` lacks `column`, which is what we call `ours`."""
        whose = f" of the collection {bold(collection)}" if collection else ""
        return cls(
            f"the table {bold(table)}{whose} has no column {bold(column)}; it has: {listed(has, 30)}",
            hint=f"map it in famulus.yml: schema: {{{table}: {{{ours}: its name there}}}}",
        )

    @classmethod
    def empty(cls, collection: str, table: str) -> Self:
        """`table` has no rows."""
        return cls(f"the collection {bold(collection)} is empty: {bold(table)} has no rows", hint="import it anew")

    @classmethod
    def bad_status(cls, why: str) -> Self:
        """status.json cannot be read because of `why`."""
        return cls(f"{bold('status.json')} of a collection cannot be read: {why}", hint="mend it; it is a JSON object")


class ImportRefused(FamulusError):
    """Files cannot be made into a collection (spec 4.2); what was there before is untouched."""

    code = "import"

    @classmethod
    def entities(cls, name: str) -> Self:
        """The file declares the entity `name`."""
        return cls(
            f"the file declares the entity {bold(name)}, and entities are not expanded",
            hint="write the text in place of the entity and take the declaration out",
        )

    @classmethod
    def nothing(cls, unit: str, form: str) -> Self:
        """The files hold no `unit` in the form that is read."""
        return cls(f"the files hold {bold('no ' + unit)}", hint=f"is it {form}?")

    @classmethod
    def no_column(cls, wanted: str, names: Iterable[str], has: Iterable[str]) -> Self:
        """A table has no column for `wanted`, which may be called `names`."""
        return cls(
            f"the table has no column of the {bold(wanted)}; it has: {listed(has, 30)}",
            hint=f"call it {' or '.join(names)}",
        )

    @classmethod
    def unreadable(cls, why: str, hint: str) -> Self:
        """A file cannot be read at all."""
        return cls(f"the file cannot be read: {why}", hint=hint)

    @classmethod
    def encoding(cls, why: str) -> Self:
        """A text file is not UTF-8."""
        return cls.unreadable(f"it is not UTF-8 ({why})", "save it as UTF-8; it may be Windows-1252 or UTF-16 now")

    @classmethod
    def no_models(cls, lang: str, why: str) -> Self:
        """Stanza has no models of a language on this machine."""
        fetch = f"python -c \"import stanza; stanza.download('{lang}')\""
        return cls(
            f"Stanza has {bold('no models of ' + lang)} here: {why}",
            hint=f"fetch them once ({fetch}), or set STANZA_RESOURCES_DIR to the folder that has them",
        )

    @classmethod
    def same_name(cls, one: object, other: object) -> Self:
        """Two files are called alike."""
        return cls(f"{bold(one)} and {bold(other)} have the same name", hint="rename one of them, or give it once")

    @classmethod
    def cannot_write(cls, why: str, hint: str) -> Self:
        """The collection cannot be written because of `why`."""
        return cls(f"the collection cannot be written: {why}", hint=hint)

    @classmethod
    def other_data(cls, path: object, made_of: str) -> Self:
        """`path` was `made_of` other files than those given now."""
        return cls(
            f"{bold(path)} is there already, {made_of}",
            hint="give all files at once, choose another folder, or say --replace",
        )

    @classmethod
    def busy(cls, folder: object) -> Self:
        """Another import works on `folder`."""
        return cls(f"another import is at work in {bold(folder)}", hint="wait until it is done")


class NotEdtf(FamulusError):
    """A text that should be a date is no EDTF."""

    code = "date"

    @classmethod
    def of(cls, text: str, why: str) -> Self:
        """`text` is no date because of `why`."""
        return cls(
            f"{bold(repr(text[:80]))} is not an EDTF date: {why[:160]}",
            hint="dates look like 1522, 1522-05, 1522-05-03~, 1511-23 (autumn), 1541/1542, [..1522-05-03]",
        )


class UndatedCollection(FamulusError):
    """Years are asked of a collection without dates."""

    code = "undated"
    about = ("years",)

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


class UnknownLemma(FamulusError):
    """The lemma index does not have a lemma."""

    code = "lemma-unknown"
    about = ("lemmata", "input.source")

    @classmethod
    def of(cls, lemma: str, candidates: Iterable[str]) -> Self:
        """`candidates` are the lemmata of the index that look alike."""
        near = listed(candidates)
        hint = "no lemma of the index looks like it" if near == "nothing" else f"nearest: {near}"
        return cls(f"the lemma index has no lemma {bold(lemma)}", hint=hint)


class UnknownPerson(FamulusError):
    """No person of the collections has that name."""

    code = "person-unknown"
    about = ("persons", "person_id")

    @classmethod
    def of(cls, name: str, candidates: Iterable[str]) -> Self:
        """`candidates` are the names that look alike."""
        near = "; ".join(candidates)  # names hold commas
        hint = f"nearest: {near}" if near else "famulus-notebook collection show lists whom a collection has"
        return cls(f"no person is called {bold(name)}", hint=hint)


class AmbiguousPerson(FamulusError):
    """Several persons have that name."""

    code = "person-ambiguous"
    about = ("persons", "person_id")

    @classmethod
    def of(cls, name: str, candidates: Iterable[str]) -> Self:
        """`candidates` are the canonical names that share it."""
        return cls(f"{bold(name)} may be several persons", hint=f"name one of: {listed(candidates)}")
