"""The scope of a question as a value and as SQL, made once and in one place (spec 4.3)."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Literal, Self, get_args

from famulus_kernel.corpus.sql import quoted
from famulus_kernel.errors import UnboundInput, YearsReversed

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

Evidence = Literal["grounding", "secondary", "both"]
CountingMode = Literal["canonical", "family", "family+adj"]

STATED: Final = "stated"
"""The value of the input `certainty` that leaves out what the source itself doubts."""


@dataclass(frozen=True, slots=True)
class Scope:
    """Which documents, persons, years and words a question is about.

    Attributes
    ----------
    collections : tuple of str
        Primary collections, as the block names them.
    locked : bool
        They hold against any name in the question's text.
    evidence : {"grounding", "secondary", "both"}
        The named collections, their `-sec` siblings, or both.
    documents : tuple of str, optional
        doc_ids; None: all.
    languages : tuple of str
        Of sentences; empty: all.
    first, last : int, optional
        Years, both ends included, astronomical (0 is 1 BC); None: open.
    persons, lemmata : tuples of str
    counting_mode : str, optional
    person_id : str, optional
    stated_only : bool
        Parties and dates whose basis is uncertain are left out.
    """

    collections: tuple[str, ...] = ()
    locked: bool = False
    evidence: Evidence = "grounding"
    documents: tuple[str, ...] | None = None
    languages: tuple[str, ...] = ()
    first: int | None = None
    last: int | None = None
    persons: tuple[str, ...] = ()
    lemmata: tuple[str, ...] = ()
    counting_mode: CountingMode | None = None
    person_id: str | None = None
    stated_only: bool = False

    @classmethod
    def of(cls, inputs: Mapping[str, Any]) -> Self:
        """Read the scope from the inputs of a run.

        Raises
        ------
        YearsReversed
            years.from lies after years.to.
        UnboundInput
            A value is none that the scope can have: it may come from another block's artefact.
        """
        first, last = _years(inputs.get("years"))
        if first is not None and last is not None and first > last:
            raise YearsReversed.of(first, last)
        certainty = _one_of(inputs, "certainty", ("all", STATED)) or "all"
        documents, reading = inputs.get("documents"), inputs.get("reading_doc")
        if documents is None and reading:
            documents = [reading]
        return cls(
            collections=_texts(inputs.get("collections")),
            locked=bool(inputs.get("locked")),
            evidence=_one_of(inputs, "evidence", get_args(Evidence)) or "grounding",
            documents=None if documents is None else _texts(documents),
            languages=_texts(inputs.get("language")),
            first=first,
            last=last,
            persons=_texts(inputs.get("persons")),
            lemmata=_texts(inputs.get("lemmata")),
            counting_mode=_one_of(inputs, "counting_mode", get_args(CountingMode)),
            person_id=str(inputs["person_id"]) if inputs.get("person_id") else None,
            stated_only=certainty == STATED,
        )

    @property
    def has_years(self) -> bool:
        """Whether either end of the years is given."""
        return self.first is not None or self.last is not None

    def time(self, earliest: str = "date_from", latest: str = "date_to") -> str:
        """Return the SQL that says how a span of days lies to the years.

        Its value is `certain` (wholly inside), `possible` (it may lie inside), `undated`, or NULL (outside). Without
        years everything is certain.
        """
        if not self.has_years:
            return "'certain'"
        wholly, partly = [], []
        if self.first is not None:
            day = f"make_date({self.first}, 1, 1)"
            wholly.append(f"coalesce({earliest} >= {day}, false)")
            partly.append(f"coalesce({latest} >= {day}, true)")
        if self.last is not None:
            day = f"make_date({self.last}, 12, 31)"
            wholly.append(f"coalesce({latest} <= {day}, false)")
            partly.append(f"coalesce({earliest} <= {day}, true)")
        return (
            f"CASE WHEN {earliest} IS NULL AND {latest} IS NULL THEN 'undated' "
            f"WHEN {' AND '.join(wholly)} THEN 'certain' WHEN {' AND '.join(partly)} THEN 'possible' END"
        )

    def documents_condition(self, column: str = "doc_id") -> str:
        """Return the SQL condition that a document is one of the scope's; `true` where all are."""
        return "true" if self.documents is None else f"{column} IN ({literals(self.documents) or 'NULL'})"

    def language_condition(self, column: str = "lang") -> str:
        """Return the SQL condition that a sentence is in one of the languages; `la` means `la-x-medieval` too."""
        if not self.languages:
            return "true"
        primary = f"lower(split_part(replace({column}, '_', '-'), '-', 1))"
        return f"{primary} IN ({literals(tag.lower() for tag in self.languages)})"


def narrowed(scope: Scope, text: str) -> Scope:
    """Return the scope with those of its collections only that the question names, if it names some; not when locked.

    The name counts where it stands as a whole word, whatever the case of its letters.
    """
    if scope.locked:
        return scope
    named = tuple(name for name in scope.collections if re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text, re.I))
    return replace(scope, collections=named) if named else scope


def literals(texts: Iterable[str]) -> str:
    """Return texts as string literals of SQL with commas between; "" for none."""
    return ", ".join(quoted(text) for text in texts)


def folded(expression: str) -> str:
    """Return the SQL of a text in which NFC, case, u/v and the long s make no difference (spec 4.3)."""
    return f"replace(replace(lower(nfc_normalize({expression})), '\u017f', 's'), 'v', 'u')"


def _one_of(inputs: Mapping[str, Any], name: str, known: tuple[str, ...]) -> Any:
    value = inputs.get(name)
    if value is not None and value not in known:
        raise UnboundInput.bad_value(name, "subtask", " or ".join(known))
    return value


def _years(value: object) -> tuple[int | None, int | None]:
    """Return first and last year; each is a number, for it becomes a part of SQL."""
    ends = (value.get("from"), value.get("to")) if isinstance(value, dict) else (None, None)
    is_known = value is None or isinstance(value, dict)
    if not is_known or any(end is not None and type(end) is not int for end in ends):
        raise UnboundInput.bad_value("years", "subtask", "from: and to: with whole numbers")
    return ends


def _texts(value: object) -> tuple[str, ...]:
    if value is None or value == "":
        return ()
    if isinstance(value, str):
        return (value,)
    return tuple(str(one) for one in value) if isinstance(value, list | tuple) else (str(value),)
