"""What is shown of a version, in every form that a frontend may choose from, and never too large for it (spec 7.1).

A Jupyter server lets about a megabyte a second through, and a browser draws all that it gets: rows that do not fit are
told and linked to, not sent.
"""

from __future__ import annotations

import json
import os
import re
from dataclasses import asdict, replace
from functools import lru_cache
from html import escape
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from famulus_kernel.artefacts import html, markdown, prose, text
from famulus_kernel.artefacts.card import Card, Mark, meta_parts
from famulus_kernel.artefacts.cells import MAX_ROWS
from famulus_kernel.artefacts.characters import cut
from famulus_kernel.artefacts.markup import text as as_markdown
from famulus_kernel.artefacts.view import Table, View

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from famulus_kernel.adapter.showing import Shown
    from famulus_kernel.artefacts.envelope import Envelope
    from famulus_kernel.artefacts.html import Files

MIME = "application/vnd.famulus.artefact+json"
FORMAT = 1
LATEX = "text/latex"

MOST_CHARACTERS = 200_000
"""What the artefacts of one form may have together."""

MOST_WORDS = 40_000
"""What question and answer may have together."""

MOST_IMAGE_BYTES = 300_000
"""Images are put into the page up to this size in all, and linked to beyond it."""

_FEWER_ROWS = (MAX_ROWS, 10, 1)
_FEWER_JSON_ROWS = (1000, 200, MAX_ROWS, 10, 1)


def bundle_of(shown: Shown, home: Path) -> dict[str, Any]:
    """Return the MIME bundle of a version.

    Parameters
    ----------
    shown
        The card and the artefacts that are to be seen.
    home
        The folder of the notebook: links to files of the version are relative to it.
    """
    shown = _with_bounded_card(shown)
    files = _linked(shown.version.folder, home)
    marks = () if shown.card else shown.marks
    return {
        "text/plain": _plain(shown, marks),
        "text/html": _html(shown, marks, files),
        "text/markdown": _markdown(shown, marks, files),
        MIME: _json(shown, files),
    }


def _with_bounded_card(shown: Shown) -> Shown:
    """Return the same with a card whose question and answer fit into a message; the store has all of them."""
    if shown.card is None or len(shown.card.question) + len(shown.card.answer) <= MOST_WORDS:
        return shown
    most = MOST_WORDS // 2
    card = replace(shown.card, question=cut(shown.card.question, most), answer=cut(shown.card.answer, most))
    return replace(shown, card=card)


def _linked(folder: Path, home: Path) -> Files:
    """Return the addresses of a version's files as seen from the notebook."""

    def address(name: str) -> str | None:
        try:
            return quote(os.path.relpath(folder / name, home).replace(os.sep, "/"))
        except ValueError:  # another drive of Windows
            return None

    return address


def _pictures(folder: Path, links: Files) -> Files:
    """Return the same addresses, but images as data while there is room."""
    embed = html.embedded(folder)
    left = MOST_IMAGE_BYTES

    def address(name: str) -> str | None:
        nonlocal left
        path = folder / name
        size = path.stat().st_size if path.is_file() else left + 1
        data = embed(name) if size <= left else None
        left -= size if data is not None else 0
        return data or links(name)

    return address


def _rows_that_fit(view: View, render: Callable[[int], str], most: int) -> int | None:
    """Return how many rows of a view's tables are drawn; None where it is too large even so."""
    rest = [part for part in view.parts if not isinstance(part, Table)]
    if sum(len(part.model_dump_json()) for part in rest) > most:
        return None  # told without drawing it: that takes a second for a long text
    choices = _FEWER_ROWS if len(rest) < len(view.parts) else _FEWER_ROWS[:1]
    return next((rows for rows in choices if len(render(rows)) <= most), None)


@lru_cache(maxsize=1)
def _stylesheet() -> str:
    """Return the stylesheet without what it says to those who write it: it stands in every output."""
    return re.sub(r"\n?/\*.*?\*/", "", html.stylesheet(), flags=re.DOTALL)


def _share(shown: Shown) -> int:
    return MOST_CHARACTERS // max(1, len(shown.envelopes))


def _file_of(shown: Shown, envelope: Envelope) -> str:
    entry = shown.version.manifest.artefact(envelope.famulus.name)
    return f"artefacts/{entry.file}" if entry else "report.json"


def _html(shown: Shown, marks: tuple[Mark, ...], files: Files) -> str:
    pieces = [_stylesheet()]
    pieces += [html.render_card(shown.card, shown.lang)] if shown.card else []
    pictures = _pictures(shown.version.folder, files)
    for envelope in shown.envelopes:

        def render(rows: int, files: Files = files, view: View = envelope.view) -> str:
            return html.render(view, shown.lang, files=files, marks=marks, max_rows=rows)

        rows = _rows_that_fit(envelope.view, render, _share(shown))
        if rows is not None:
            pieces.append(render(rows, pictures))
            continue
        file = _file_of(shown, envelope)
        pieces.append(f'<p class="famulus-more"><a href="{escape(files(file) or "")}">{escape(file)}</a></p>')
    return "\n".join(pieces)


def _markdown(shown: Shown, marks: tuple[Mark, ...], files: Files) -> str:
    pieces = [markdown.render_card(shown.card, shown.lang)] if shown.card else []
    if marks:
        pieces.append(" · ".join(f"{mark.glyph} **{as_markdown(mark.text(shown.lang))}**" for mark in marks) + "\n")
    for envelope in shown.envelopes:

        def render(rows: int, view: View = envelope.view) -> str:
            return markdown.render(view, shown.lang, files=files, max_rows=rows)

        rows = _rows_that_fit(envelope.view, render, _share(shown))
        if rows is not None:
            pieces.append(render(rows))
            continue
        file = _file_of(shown, envelope)
        pieces.append(f"[{as_markdown(file)}](<{files(file) or ''}>)\n")
    return "\n".join(pieces)


def latex_of(shown: Shown, home: Path) -> str:
    """Return a version as LaTeX, for a notebook that is printed; see :func:`bundle_of`.

    It is no part of every bundle: in a page of Quarto it would stand before the markdown, which suits that page better.
    """
    from famulus_kernel.artefacts import latex  # noqa: PLC0415 - asked for by notebooks alone

    shown = _with_bounded_card(shown)
    files = _linked(shown.version.folder, home)
    pieces = [latex.render_card(shown.card, shown.lang)] if shown.card else []
    if shown.marks and not shown.card:
        pieces.append(latex.document([" ".join(latex.mark(one, shown.lang) for one in shown.marks)]))
    for envelope in shown.envelopes:

        def render(rows: int, view: View = envelope.view) -> str:
            return latex.render(view, shown.lang, files=files, max_rows=rows)

        rows = _rows_that_fit(envelope.view, render, _share(shown))
        pieces.append(render(rows) if rows is not None else latex.document([latex.text(_file_of(shown, envelope))]))
    return "\n".join(pieces)


def _plain(shown: Shown, marks: tuple[Mark, ...]) -> str:
    pieces = [text.plain(text.render_card(shown.card, shown.lang))] if shown.card else []
    for envelope in shown.envelopes:

        def render(rows: int, view: View = envelope.view) -> str:
            return text.plain(text.render(view, shown.lang, marks=marks, max_rows=rows))

        rows = _rows_that_fit(envelope.view, render, _share(shown))
        pieces.append(render(rows) if rows is not None else _file_of(shown, envelope) + "\n")
    return "\n".join(pieces)


def _json(shown: Shown, files: Files) -> dict[str, Any]:
    """Return card and views for a renderer of our own. The data behind the views lie in the store.

    What is said of a verdict is in words already; tables hold their values, so that they can be sorted.
    """
    share = _share(shown)
    return {
        "format": FORMAT,
        "lang": shown.lang,
        "folder": files("."),
        "card": _card_words(shown.card, shown.lang) if shown.card else None,
        "marks": _mark_words(shown.marks, shown.lang),
        "artefacts": [
            {"famulus": one.famulus.model_dump(mode="json"), "view": _bounded_view(one, share)}
            for one in shown.envelopes
        ],
    }


def _mark_words(marks: tuple[Mark, ...], lang: str) -> list[dict[str, str]]:
    return [{"status": mark.status, "glyph": mark.glyph, "text": mark.text(lang)} for mark in marks]


def _card_words(card: Card, lang: str) -> dict[str, Any]:
    """Return what a card says, each part as the text that is read."""
    return {
        "block": card.block,
        "question": card.question,
        "answer": card.answer,
        "answer_html": prose.to_html(card.answer),
        "marks": _mark_words(card.marks, lang),
        "oracle": [
            {"key": row.key, "expected": row.expected_text(lang), "observed": row.observed_text(lang), "ok": row.ok}
            for row in card.oracle
        ],
        "problem": asdict(card.problem) if card.problem else None,
        "note": card.note_text(lang),
        "guard": card.guard_texts(lang),
        "meta": [words for words, _ in meta_parts(card, lang)],
    }


def _bounded_view(envelope: Envelope, most: int) -> dict[str, Any]:
    """Return a view with as many rows as fit; one that is too large without them comes without its parts."""
    view = envelope.view.model_dump(mode="json")
    for part in view["parts"]:
        if part["type"] == "prose":
            part["html"] = prose.to_html(part["markdown"])
    for rows in _FEWER_JSON_ROWS:
        for part in view["parts"]:
            if part["type"] == "table":
                part["rows"] = part["rows"][:rows]
        if len(json.dumps(view, ensure_ascii=False)) <= most:
            return view
    return {"title": view["title"], "caption": None, "parts": []}
