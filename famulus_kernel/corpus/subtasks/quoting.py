"""Sentences as a page quotes them: markdown, document by document, in which data is text."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any, Final

from famulus_kernel.artefacts.markup import text
from famulus_kernel.artefacts.numbers import format_number
from famulus_kernel.artefacts.urls import is_web_url
from famulus_kernel.corpus.subtasks.payloads import records
from famulus_kernel.corpus.subtasks.wording import say

if TYPE_CHECKING:
    from famulus_kernel.corpus.result import TableResult
    from famulus_kernel.corpus.subtasks.wording import Words

MOST_QUOTED: Final = 200
MORE: Final[Words] = {
    "de": "Gezeigt sind die ersten {shown} von {all}.",
    "en": "The first {shown} of {all} are shown.",
}
PLACE: Final[Words] = {"de": "S. {page}", "en": "p. {page}"}
KINDS: Final[dict[str, Words]] = {
    "grounding": {"de": "Primärquellen", "en": "Primary sources"},
    "secondary": {"de": "Sekundärliteratur", "en": "Secondary literature"},
}


def quotations(head: str, findings: TableResult, lang: str, most: int = MOST_QUOTED) -> str:
    """Return the answer and under it the first sentences, each with the place it stands at."""
    rows = [row for row in records(findings, most) if row.get("text")]
    parts = [head]
    apart = len({row["evidence"] for row in rows}) > 1
    for (evidence, document), group in groupby(rows, lambda row: (row["evidence"], row["doc_id"])):
        title = text(str(document)) + (f" ({say(KINDS[evidence], lang)})" if apart else "")
        parts.append(f"**{title}**")
        parts.append("\n".join(f"- {text(row['text'])} ({_place(row, lang)})" for row in group))
    if findings.n_rows > len(rows):
        numbers = {"shown": format_number(len(rows), lang), "all": format_number(findings.n_rows, lang)}
        parts.append(f"*{say(MORE, lang, **numbers)}*")
    return "\n\n".join(parts)


def _place(row: dict[str, Any], lang: str) -> str:
    if row["page"] is None:
        return text(str(row["doc_id"]))
    place = say(PLACE, lang, page=str(row["page"]))
    url = row["url"]
    return f"[{place}]({url})" if isinstance(url, str) and is_web_url(url) and not set("()[]") & set(url) else place
