"""What is wrong with documents, YAML, preambles and projects (spec 1 and 2): exit status 2."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Self

from famulus_kernel.errors.base import FamulusError, Where, bold, offer

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


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
    def no_notebook(cls, file: str, where: Where) -> Self:
        """A block stands in a file that is no notebook of the project, such as an included `.md`."""
        return cls(
            f"a block stands in {bold(file)}, which is no notebook of the project",
            hint="put it into a .fam or .qmd file, in a folder whose name does not begin with _ or . "
            "(a file that is only included may be called _name.fam)",
            where=where,
        )

    @classmethod
    def not_plain_json(cls, file: str, why: str, wanted: str) -> Self:
        """A settings file of an editor cannot be added to: it is not plain JSON."""
        return cls(
            f"{bold(file)} cannot be added to: {why}",
            hint=f"it may hold comments; nothing was changed, add by hand: {wanted}",
            where=Where(file),
        )

    @classmethod
    def closing_line(cls, line: str, where: Where) -> Self:
        """A line of a block's new text would end the block's fence."""
        return cls(
            f"the line {bold(line)} would end the block's fence",
            hint="use a longer run of backticks or tildes for the block's own fence",
            where=where,
        )

    @classmethod
    def unknown_block(cls, name: str, known: Iterable[str]) -> Self:
        """A block that a command names is not in the project."""
        return cls(f"there is no block {bold(name)} in this project", hint=offer(name, known))


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
        return cls(f"unknown key {bold(key)}", hint=offer(key.rpartition(".")[2], known), where=where)

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
    def inside(cls, file: str, other: str, where: Where | None = None) -> Self:
        """`file` lies in a folder of the name of another file."""
        why = f"the file {bold(file)} lies in a folder {bold(other)}, which is a file too"
        return cls(why, hint="name one of the two otherwise", where=where)

    @classmethod
    def unknown_kind(cls, kind: str, known: Iterable[str], where: Where | None = None) -> Self:
        """A kind of artefact that nothing builds."""
        return cls(f"{bold(kind)} is no kind of artefact", hint=offer(kind, known), where=where)

    @classmethod
    def unknown_parameter(cls, name: str, known: Iterable[str], where: Where | None = None) -> Self:
        """A parameter that no front matter declares."""
        names = ", ".join(sorted(known)) or "none"
        hint = f"write it under params: in the front matter of the document (known are: {names})"
        return cls(f"there is no parameter {bold(name)}", hint=hint, where=where)

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
        return cls(
            f"{bold(text)} is not {needed}",
            hint="a reference is block.name, block.name@v3 or "
            "fam:project/notebook/block.name; an id holds letters, digits, - and _, at most 80",
        )


class CycleError(ProjectError):
    """Blocks wait for one another."""

    code = "cycle"

    @classmethod
    def of(cls, cycle: Sequence[str]) -> Self:
        """`cycle` lists the blocks in order, the first one again at its end."""
        return cls(f"these blocks wait for one another: {bold(' → '.join(cycle))}", hint="take one reference out")
