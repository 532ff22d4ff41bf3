"""The tools of our language institution, as they are served and as a project plays them without a server."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from famulus_kernel.institution.evaluate import evaluate
from famulus_kernel.institution.senses import opened, sense_history, situate_specimen

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from famulus_kernel.corpus.collection import ColumnMap

NAME: Final = "famulus-institution"
PORT: Final = 5116


@dataclass(frozen=True)
class Institution:
    """Our small language institution.

    Attributes
    ----------
    collections
        Root of the collections.
    columns
        `schema:` of famulus.yml, where collections name columns otherwise.
    """

    collections: Path
    columns: ColumnMap | None = None

    @property
    def tools(self) -> tuple[Callable[..., dict[str, Any]], ...]:
        """The functions that are its tools."""
        return (self.lw_evaluate, self.lw_sense_history, self.lw_situate_specimen)

    def lw_evaluate(
        self,
        text: str | list[str],
        evidence: Any = None,
        lang: str = "",
        task: str = "notebook-text",
        author: str = "",
        family: str = "",
    ) -> dict[str, Any]:
        """Check that every number, date and quotation of a text occurs in its evidence.

        text: the text, or its paragraphs. evidence: JSON that holds what may be claimed: rows, measures, sentences.
        lang: BCP 47; de, en, fr and la have number words; without it those of all four count. task, author, family:
        what the text is for, whose voice and which family of forms it claims; recorded.
        Returns passed, findings (kind, text, start, end, supported), n_numbers, n_dates, n_quotations, n_unsupported.
        """
        whole = text if isinstance(text, str) else "\n".join(text)
        said = {key: value for key, value in (("lang", lang), ("author", author), ("family", family)) if value}
        return {"task": task, **said, **evaluate(whole, evidence, lang).as_dict()}

    def lw_sense_history(
        self, lemma: str, collections: list[str] | None = None, *, family: bool = False
    ) -> dict[str, Any]:
        """Count the attestations of a lemma by year and by document.

        collections: their names; default: all that have a lemma index. family: count its registered variants too.
        Returns attestations, undated, first_year, last_year, by_year (year, count), by_document (collection, doc_id,
        count, year).
        """
        with opened(self.collections, collections or [], self.columns) as holdings:
            return sense_history(holdings, lemma, family=family)

    def lw_situate_specimen(self, text: str | list[str], collections: list[str] | None = None) -> dict[str, Any]:
        """Say where specimen sentences, one a line, stand in the collections, and how often their lemmata occur.

        Returns specimens, found, places (specimen, verbatim, collection, doc_id, page, sent_idx, text, alike),
        missing, lemmata (lemma, upos, attestations).
        """
        whole = text if isinstance(text, str) else "\n".join(text)
        with opened(self.collections, collections or [], self.columns) as holdings:
            return situate_specimen(holdings, whole)
