"""What every error is: a code, a message, a hint and a place; and the words that messages are made of."""

from __future__ import annotations

import difflib
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, ClassVar, Self

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


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


def counted(number: int, one: str, many: str = "") -> str:
    """Return a number with its noun: `1 block`, `1,234 blocks`; `many` is the plural where it is not `one` with an s.

    Every message counts with this; what a page says of numbers stands in labels.json, in the language of the page.
    """
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def nearest(name: str, known: Iterable[str], most: int = 3) -> list[str]:
    """Return up to `most` of the known names that look like `name`, best first."""
    return difflib.get_close_matches(name, list(known), n=most, cutoff=0.6)


def offer(name: str, known: Iterable[str]) -> str:
    """Return the hint for a name that is none of the known ones: those that look like it, else all."""
    names = sorted(known)
    close = nearest(name, names)
    return f"did you mean {' or '.join(close)}?" if close else f"known are: {listed(names, 60)}"


class FamulusError(Exception):
    """Base of all errors that are about the user's project, not about a defect of this program."""

    code: ClassVar[str] = "error"
    exit_status: ClassVar[int] = 1
    about: tuple[str, ...] = ()
    """Keys of a preamble that it is about: where a block has one of them, the error stands there."""

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
