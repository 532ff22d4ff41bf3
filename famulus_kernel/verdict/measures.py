"""What a result offers to an oracle: the places where a key is looked up, in order (spec 6.1)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable


@runtime_checkable
class LongList(Protocol):
    """A list of the result that may be too long to hold: a column of a table that lies on disk."""

    def __iter__(self) -> Iterator[object]:
        """Yield the values in order, each time from the first one on."""
        ...

    def matching(self, wanted: Sequence[object]) -> Iterable[object]:
        """Return the distinct values of the list that may equal one of `wanted`; the caller compares them."""
        ...


@dataclass(frozen=True)
class Lookup:
    """What a key led to. `value` is a scalar, a mapping, a sequence or a :class:`LongList`."""

    value: object


@dataclass(frozen=True)
class Measures:
    """The result of a plan as an oracle sees it.

    Attributes
    ----------
    counts : Mapping
        The counts of a subtask (spec 4.4).
    measures : Mapping
        Measures of the steps: scalar fields of an answer, lengths of its lists, `n_rows`, the columns of a
        single row.
    fields : Mapping
        The result object; dotted paths go into it, a number in a path into one of its lists. `answer` is the
        answer.
    entries : Mapping of lists, or a sequence of mappings
        Columns by name, or the entries themselves, whose keys are then columns.
    labels : list or LongList, optional
        What a list key that names no field is compared with: names, keywords, documents.
    """

    counts: Mapping[str, object] = field(default_factory=dict)
    measures: Mapping[str, object] = field(default_factory=dict)
    fields: Mapping[str, object] = field(default_factory=dict)
    entries: Mapping[str, Sequence[object] | LongList] | Sequence[Mapping[str, object]] = ()
    labels: Sequence[object] | LongList | None = None

    def find(self, key: str) -> Lookup | None:
        """Look `key` up in counts, measures, fields and entries; None where none of them has it."""
        for place in (self.counts, self.measures, self.fields):
            if key in place:
                return Lookup(place[key])
        return _walk(self.fields, key) or self._column(key)

    def known(self) -> tuple[str, ...]:
        """Return every key that :meth:`find` answers, for a message."""
        names = [*self.counts, *self.measures, *_paths(self.fields)]
        if isinstance(self.entries, Mapping):
            names += self.entries
        else:
            names += [key for entry in self.entries for key in entry]
        return tuple(dict.fromkeys(names))

    def _column(self, key: str) -> Lookup | None:
        if isinstance(self.entries, Mapping):
            return Lookup(self.entries[key]) if key in self.entries else None
        values = [entry[key] for entry in self.entries if key in entry]
        return Lookup(values) if values else None


def _walk(fields: object, path: str) -> Lookup | None:
    """Follow a dotted path into mappings and lists."""
    here = fields
    for part in path.split("."):
        if isinstance(here, Mapping) and part in here:
            here = here[part]
        elif isinstance(here, list | tuple) and part.isascii() and part.isdigit() and int(part) < len(here):
            here = here[int(part)]
        else:
            return None
    return Lookup(here)


def _paths(fields: Mapping[str, object], before: str = "", depth: int = 4) -> Iterator[str]:
    for name, value in fields.items():
        yield f"{before}{name}"
        if isinstance(value, Mapping) and depth:
            yield from _paths(value, f"{before}{name}.", depth - 1)
