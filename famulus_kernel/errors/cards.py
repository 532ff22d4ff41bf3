"""What goes wrong with capability cards, and with finding one for a question (spec 9)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from famulus_kernel.errors.base import FamulusError, Where, bold, counted, offer

if TYPE_CHECKING:
    from collections.abc import Iterable


class CardError(FamulusError):
    """A capability card, or a folder of them, is not as it must be; its message begins with the field."""

    code = "card"
    exit_status = 2

    @classmethod
    def no_folder(cls, folder: object) -> Self:
        """There is no `folder`."""
        return cls(f"{bold(folder)} is no folder", hint="name a folder of cards, such as registry/")

    @classmethod
    def no_card(cls, folder: object) -> Self:
        """A `folder` holds no card."""
        return cls(f"{bold(folder)} holds no card", hint="a card is a file of the form <id>.card.yaml")

    @classmethod
    def unreadable(cls, why: str, hint: str = "mend the file, or take it away") -> Self:
        """A file cannot be read because of `why`."""
        return cls(why, hint=hint)

    @classmethod
    def unknown_field(cls, field: str, known: Iterable[str], where: Where) -> Self:
        """A `field` that cards do not have."""
        return cls(f"{bold(field)} is no field of a card", hint=offer(field.rpartition(".")[2], known), where=where)

    @classmethod
    def missing(cls, field: str, where: Where) -> Self:
        """A required `field` is not there."""
        return cls(f"{bold(field)} is missing", hint=f"add {field}: to the card", where=where)

    @classmethod
    def too_few(cls, field: str, number: int, least: int, where: Where) -> Self:
        """A list has too few lines."""
        hint = "write down more of the words in which people ask"
        found = counted(number, "entry", "entries")
        return cls(f"{bold(field)} has {found}, at least {least} are needed", hint=hint, where=where)

    @classmethod
    def twice(cls, field: str, line: str, first: int | None, where: Where) -> Self:
        """A `line` of a list stands there twice."""
        hint = "keep one; case and blanks do not tell lines apart"
        return cls(f"{bold(field)} has {line!r} twice (first in line {first})", hint=hint, where=where)

    @classmethod
    def in_both(cls, line: str, first: int | None, where: Where) -> Self:
        """A `line` is an example and a counter-example."""
        return cls(
            f"{bold('counter_examples')} has {line!r}, which stands in examples too (line {first})",
            hint="a line that is in both would keep the card from its own question: keep it in one",
            where=where,
        )

    @classmethod
    def other_stem(cls, id_: str, stem: str, where: Where) -> Self:
        """A card is not called as its file is."""
        hint = f"rename the file to {id_}.card.yaml, or write id: {stem}"
        return cls(f"{bold('id')} is {id_!r}, but the file is called {stem!r}", hint=hint, where=where)

    @classmethod
    def same_id(cls, id_: str, other: str, where: Where) -> Self:
        """Two cards have one id."""
        hint = "ids are unique in a registry, whatever their case: rename one of the two"
        return cls(f"{bold('id')} is {id_!r}, as in {other} already", hint=hint, where=where)

    @classmethod
    def unknown_plan(cls, plan: str, known: Iterable[str], where: Where) -> Self:
        """Nothing plays the `plan` that a card names."""
        return cls(f"{bold('plan')} is {plan!r}, which nothing plays", hint=offer(plan, known), where=where)

    @classmethod
    def unknown(cls, card: str, known: Iterable[str]) -> Self:
        """There is no `card` of that id."""
        return cls(f"there is no card {bold(card)}", hint=offer(card, known))


class WritesRefused(FamulusError):
    """A card has side effects, and nobody allowed them (spec 9)."""

    code = "side-effects"

    @classmethod
    def of(cls, card: str, effects: str) -> Self:
        """The `card` of the block's plan has side effects: writes, or irreversible ones."""
        return cls(
            f"the card {bold(card)} has the side effects {bold(effects)}",
            hint="run it with --allow-writes to allow them",
        )


class RouteError(FamulusError):
    """No card, or no single one, is meant by a question."""

    code = "route"

    @classmethod
    def none(cls, question: str) -> Self:
        """Nothing that anybody asks for is near the `question`."""
        return cls(
            f"no card is near the question {bold(question[:80])}",
            hint="put it in other words, look at famulus-notebook can, or name a card with --card",
        )

    @classmethod
    def several(cls, question: str, first: str, second: str) -> Self:
        """Two cards are as near."""
        return cls(
            f"{bold(question[:80])} may be asked of {bold(first)} or of {bold(second)}",
            hint=f"say which with --card {first} or --card {second}",
        )

    @classmethod
    def no_embedding(cls, tag: str, why: str) -> Self:
        """The embedding model `tag` gave no vectors because of `why`."""
        hint = "check the tag, the provider's key and its address in the environment, or leave out --embedding"
        return cls(f"the embedding model {bold(tag)} does not answer: {why[:300]}", hint=hint)


class DraftError(FamulusError):
    """A block cannot be drafted from a question."""

    code = "draft"

    @classmethod
    def of(cls, card: str, why: str, hint: str) -> Self:
        """A block for `card` cannot be written because of `why`."""
        return cls(f"no block can be drafted for {bold(card)}: {why}", hint=hint)
