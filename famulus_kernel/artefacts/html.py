"""Views and cards as HTML for notebooks; the classes are those of famulus.css (spec 5.1, 5.2, 5.6).

Every value goes through :func:`_escaped`, every address through `urls.safe_url` or the caller's own `files`,
prose through `prose.to_html`. No scripts, no styles but the one sheet, no ids.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Final, assert_never

from famulus_kernel.artefacts import prose
from famulus_kernel.artefacts.card import Card, Mark, OracleRow, Problem, meta_parts
from famulus_kernel.artefacts.cells import (
    GLYPHS,
    MAX_ROWS,
    DrawnCell,
    Status,
    byte_size,
    drawn_columns,
    drawn_rows,
    fact_text,
    heading,
    keyword_column,
    more_text,
    width_classes,
)
from famulus_kernel.artefacts.characters import one_line, visible
from famulus_kernel.artefacts.guard import MOST
from famulus_kernel.artefacts.labels import label, resolve
from famulus_kernel.artefacts.numbers import format_number
from famulus_kernel.artefacts.view import (
    Column,
    Fact,
    Facts,
    Figure,
    FullTable,
    Graph,
    Part,
    Prose,
    Table,
    View,
)
from famulus_kernel.resources import extension_dir

if TYPE_CHECKING:
    from collections.abc import Sequence

    from famulus_kernel.artefacts.guard import Claim, GuardResult

Files = Callable[[str], str | None]
"""Gives the address of a file of the version (named relative to its folder), or None where it has none."""

_IMAGES: Final = {".png": "image/png", ".jpg": "image/jpeg", ".svg": "image/svg+xml"}
_EMBEDDED_BYTES: Final = 2 * 1024 * 1024
_BOLD: Final = re.compile(r"(?<!\\)\*\*")
_LENGTH: Final = re.compile(r"[0-9]{1,5}(?:\.[0-9]{1,3})?(?:%|px|em|rem|ch|cm|mm|in|pt)")


def no_files(name: str) -> None:
    """Give no address for any file."""


def embedded(folder: Path, others: Files = no_files) -> Files:
    """Return a `files` that puts images of up to 2 MiB into the page itself and asks `others` for the rest.

    An image as a data address shows in every notebook, wherever its server keeps the store; as an image, an
    SVG runs nothing.
    """

    def address(name: str) -> str | None:
        path = folder / name
        kind = _IMAGES.get(path.suffix)
        if kind is None or not path.is_file() or path.stat().st_size > _EMBEDDED_BYTES:
            return others(name)
        return f"data:{kind};base64,{base64.b64encode(path.read_bytes()).decode()}"

    return address


@dataclass(frozen=True)
class _Surface:
    """For whom a view is drawn."""

    lang: str
    files: Files
    max_rows: int

    def word(self, key: str, **values: str) -> str:
        return _escaped(label(key, self.lang, **values))


def render(
    view: View, lang: str, *, files: Files = no_files, marks: Sequence[Mark] = (), max_rows: int = MAX_ROWS
) -> str:
    """Return a view as HTML.

    Parameters
    ----------
    view : View
        What is drawn.
    lang : str
        The document's language, BCP 47: its words and numbers.
    files : callable, optional
        Addresses of the version's files. They are escaped, not judged.
    marks : sequence of Mark, optional
        Badges of the block that a reader of its artefact must see.
    max_rows : int
        How many rows of a table are drawn.
    """
    surface = _Surface(lang, files, max_rows)
    alone = len(view.parts) == 1 and isinstance(view.parts[0], Table | Figure | Graph)
    caption, title = view.caption or "", resolve(view.title, lang)
    inner = [_marks(marks, lang)] if marks else []
    inner += [f'<p class="famulus-title">{_lines(title)}</p>'] if title else []
    inner += [_part(part, surface, caption if alone else "", title) for part in view.parts]
    inner += [f'<p class="famulus-caption">{_lines(caption)}</p>'] if caption and not alone else []
    return "\n".join(['<div class="famulus-view">', *inner, "</div>"])


def render_card(card: Card, lang: str) -> str:
    """Return a card as HTML."""
    name = label("card.label", lang, block=one_line(card.block))
    parts = [
        f'<section class="famulus-card" aria-label="{_escaped(name)}">',
        '<header class="famulus-card-head">',
    ]
    if card.question:
        parts.append(f'<p class="famulus-question">{_lines(card.question)}</p>')
    parts += [_marks(card.marks, lang), "</header>"]
    if card.answer:
        parts.append(f'<div class="famulus-answer famulus-prose">\n{prose.to_html(card.answer)}</div>')
    if card.problem:
        parts.append(render_problem(card.problem, lang))
    if card.oracle:
        parts.append(_oracle(card.oracle, lang))
    parts += [f'<p class="famulus-note">{_escaped(card.note_text(lang))}</p>'] if card.note_text(lang) else []
    parts += [_guard(card.guard, lang)] if card.guard is not None else []
    meta = (
        f'<time datetime="{_escaped(date)}">{_escaped(text)}</time>' if date else _escaped(text)
        for text, date in meta_parts(card, lang)
    )
    parts += [f'<p class="famulus-meta">{" · ".join(meta)}</p>', "</section>"]
    return "\n".join(parts)


def render_problem(problem: Problem, lang: str) -> str:
    """Return the box of a problem."""
    head = f"{_glyph(problem.status)} {_escaped(label(f'badge.{problem.status}', lang))}"
    parts = [
        f'<div class="famulus-box" role="note" data-code="{_escaped(one_line(problem.code))}">',
        f'<p class="famulus-box-title">{head}</p>',
        f"<p>{_emphasised(problem.message)}</p>",
    ]
    if problem.hint:
        hint = f"{label('hint', lang)}: {problem.hint}"
        parts.append(f'<p class="famulus-hint">{_lines(hint)}</p>')
    if problem.where:
        parts.append(f'<p class="famulus-where">{_lines(problem.where)}</p>')
    return "\n".join([*parts, "</div>"])


@lru_cache(maxsize=1)
def stylesheet() -> str:
    """Return famulus.css as an element, for a notebook that does not bring it itself."""
    css = (extension_dir() / "famulus.css").read_text(encoding="utf-8")
    return f"<style>\n{css}</style>"


def _part(part: Part, surface: _Surface, caption: str, name: str) -> str:
    """Draw a primitive; `caption` is that of a view of this alone, `name` that of a table without."""
    title = resolve(part.title, surface.lang)
    match part:
        case Table():
            return _table(part, surface, title or caption, title or caption or name)
        case Figure():
            drawn = _figure(part, surface, caption or part.caption or "")
        case Facts():
            drawn = _facts(part, surface.lang)
        case Prose():
            drawn = f'<div class="famulus-prose">\n{prose.to_html(part.markdown)}</div>'
        case Graph():
            drawn = _graph(part, surface, caption)
        case _:
            assert_never(part)
    head = f'<p class="famulus-part-title">{_lines(title)}</p>\n' if title else ""
    return f'<div class="famulus-part">\n{head}{drawn}\n</div>'


def _facts(facts: Facts, lang: str) -> str:
    lines = (f"<dt>{_lines(resolve(fact.label, lang))}</dt><dd>{_fact_value(fact, lang)}</dd>" for fact in facts.items)
    return "\n".join(['<dl class="famulus-facts">', *lines, "</dl>"])


def _fact_value(fact: Fact, lang: str) -> str:
    text = fact_text(fact, lang)
    return _lines(text) if fact.badge is None else _badge(fact.badge, text)


def _table(table: Table, surface: _Surface, caption: str, name: str) -> str:
    lang = surface.lang
    columns = [column for _, column in drawn_columns(table)]
    keyword = keyword_column(columns)
    drawn = list(drawn_rows(table, lang, surface.max_rows))
    titles = [heading(column, lang) for column in columns]
    lengths = [
        max(map(len, texts)) for texts in zip(titles, *([cell.text for cell in row] for row in drawn), strict=True)
    ]
    heads = "".join(
        f'<th scope="col"{_classes(column, *width_classes(length))}{_day(column)}>{_lines(title)}</th>'
        for column, title, length in zip(columns, titles, lengths, strict=True)
    )
    rows = (
        "<tr>" + "".join(_cell(*one, at == keyword) for at, one in enumerate(zip(row, columns, strict=True))) + "</tr>"
        for row in drawn
    )
    region = f' role="region" aria-label="{_escaped(one_line(name))}"' if name else ""
    head = f"<caption>{_lines(caption)}</caption>\n" if caption else ""
    kind = "famulus-table" if keyword is None else "famulus-table famulus-kwic"
    return "\n".join(
        [
            f'<div class="famulus-part">\n<div class="{kind}" tabindex="0"{region}>',
            f"<table>\n{head}<thead><tr>{heads}</tr></thead>\n<tbody>",
            *rows,
            f"</tbody>\n</table>\n</div>\n{_more(table, surface)}\n</div>",
        ]
    )


def _cell(cell: DrawnCell, column: Column, is_keyword: bool) -> str:  # noqa: FBT001 - how it is drawn
    text = _lines(cell.text)
    if is_keyword and text:
        text = f'<span class="famulus-keyword">{text}</span>'
    if cell.url is not None and text:
        text = f'<a href="{_escaped(cell.url)}" rel="noopener noreferrer">{text}</a>'
    return f"<td{_classes(column)}>{text}</td>"


def _classes(column: Column, *others: str) -> str:
    names = others if column.align == "left" else (f"famulus-{column.align}", *others)
    return f' class="{" ".join(names)}"' if names else ""


def _day(column: Column) -> str:
    return ' data-order="date"' if column.type == "DATE" else ""


def _more(table: Table, surface: _Surface) -> str:
    parts = [_escaped(more_text(table, surface.lang, surface.max_rows))]
    links = ((full, surface.files(full.file)) for full in (table.full, table.csv) if full)
    drawn = [_download(full, address, surface.lang) for full, address in links if address is not None]
    if drawn:
        drawn[0] = f"{surface.word('table.full')}: {drawn[0]}"
    return f'<p class="famulus-more">{" · ".join(parts + drawn)}</p>'


def _download(full: FullTable, address: str, lang: str) -> str:
    name = {"parquet": "Parquet", "csv": "CSV"}[full.format]
    return f'<a href="{_escaped(address)}" download>{name} ({_escaped(byte_size(full.bytes, lang))})</a>'


def _figure(figure: Figure, surface: _Surface, caption: str) -> str:
    address, suffix = surface.files(figure.file), Path(figure.file).suffix
    if address is None:
        drawn = f"<p>{_lines(figure.alt)}</p>"
    elif suffix in _IMAGES:
        width = f' style="width:{figure.width}"' if _LENGTH.fullmatch(figure.width or "") else ""
        drawn = f'<img src="{_escaped(address)}" alt="{_escaped(one_line(figure.alt))}"{width}>'
    else:
        opening = surface.word("figure.open", format=suffix.removeprefix(".").upper())
        drawn = f'<p>{_lines(figure.alt)}</p><p><a href="{_escaped(address)}">{opening}</a></p>'
    return f'<div class="famulus-figure">{_captioned(drawn, caption)}</div>'


def _graph(graph: Graph, surface: _Surface, caption: str) -> str:
    address = surface.files(graph.svg)
    nodes, edges = (format_number(len(items), surface.lang) for items in (graph.nodes, graph.edges))
    alt = surface.word("graph.alt", nodes=nodes, edges=edges)
    drawn = f'<img src="{_escaped(address)}" alt="{alt}">' if address is not None else f"<p>{alt}</p>"
    moved = f' tabindex="0" role="region" aria-label="{alt}"' if graph.layout == "layered" else ""
    return f'<div class="famulus-graph" data-layout="{graph.layout}"{moved}>{_captioned(drawn, caption)}</div>'


def _captioned(drawn: str, caption: str) -> str:
    text = f"<figcaption>{_lines(caption)}</figcaption>" if caption else ""
    return f"<figure>{drawn}{text}</figure>"


def _oracle(rows: Sequence[OracleRow], lang: str) -> str:
    heads = "".join(
        f'<th scope="col">{_escaped(label(f"oracle.{key}", lang))}</th>'
        for key in ("key", "expected", "observed", "ok")
    )
    lines = (
        f'<tr><th scope="row">{_escaped(one_line(row.key))}</th><td>{_escaped(row.expected_text(lang))}</td>'
        f"<td>{_escaped(row.observed_text(lang))}</td><td>{_agrees(row.ok, lang)}</td></tr>"
        for row in rows
    )
    caption = _escaped(label("oracle", lang))
    return "\n".join(
        [
            f'<div class="famulus-oracle" tabindex="0" role="region" aria-label="{caption}">',
            f"<table><caption>{caption}</caption>",
            f"<thead><tr>{heads}</tr></thead>",
            "<tbody>",
            *lines,
            "</tbody></table>",
            "</div>",
        ]
    )


_BAR_WIDTH: Final = 1000
_LEAST_MARK: Final = 4


def _guard(guard: GuardResult, lang: str) -> str:
    """Return the bar under the verdict, drawn as guard.lua draws it."""
    counts = "".join(f" · {_escaped(words)}" for words in guard.count_texts(lang))
    badge = _badge(guard.badge, guard.badge_text(lang))
    parts = [
        f'<div class="famulus-guard" data-status="{guard.badge}">',
        f'<p class="famulus-guard-line">{_escaped(label("guard", lang))}: {badge}{counts}</p>',
        _guard_bar(guard, lang),
    ]
    items = [_unsupported(one, lang) for one in guard.open[:MOST]]
    if len(guard.open) > MOST:
        items.append(f"… {_escaped(label('card.evidence-more', lang, count=str(len(guard.open) - MOST)))}")
    parts += [f"<ul>{''.join(f'<li>{item}</li>' for item in items)}</ul>"] if items else []
    return "\n".join([*(part for part in parts if part), "</div>"])


def _guard_bar(guard: GuardResult, lang: str) -> str:
    marks = []
    for one in sorted(guard.claims, key=lambda claim: not claim.supported):
        if one.start is not None and one.end is not None:
            width = max(_LEAST_MARK, (one.end - one.start) * _BAR_WIDTH // guard.length)
            x = min(one.start * _BAR_WIDTH // guard.length, _BAR_WIDTH - width)
            name, y, height = ("held", 3, 4) if one.supported else ("open", 0, 10)
            marks.append(
                f'<rect class="famulus-guard-{name}" x="{x}" y="{y}" width="{width}" height="{height}"></rect>'
            )
    if not marks:
        return ""
    return (
        f'<svg class="famulus-guard-bar" viewBox="0 0 {_BAR_WIDTH} 10" preserveAspectRatio="none" role="img"'
        f' aria-label="{_escaped(guard.bar_text(lang))}"><rect class="famulus-guard-ground" x="0" y="4"'
        f' width="{_BAR_WIDTH}" height="2"></rect>{"".join(marks)}</svg>'
    )


def _unsupported(one: Claim, lang: str) -> str:
    place = f" ({_escaped(one.place_text(lang))})" if one.start is not None else ""
    return (
        f"{_escaped(one.kind_text(lang))}: {_escaped(one.before)}"
        f'<mark class="famulus-unsupported">{_escaped(one.text)}</mark>{_escaped(one.after)}{place}'
    )


def _agrees(ok: bool, lang: str) -> str:  # noqa: FBT001 - the one fact it draws
    word = f"{_glyph('pass' if ok else 'fail')} {_escaped(label('value.yes' if ok else 'value.no', lang))}"
    return f'<span class="famulus-agrees" data-ok="{str(ok).lower()}">{word}</span>'


def _marks(marks: Sequence[Mark], lang: str) -> str:
    badges = " ".join(_badge(mark.status, mark.text(lang)) for mark in marks)
    return f'<p class="famulus-marks">{badges}</p>'


def _badge(status: Status, word: str) -> str:
    text = f"{_glyph(status)} {_escaped(one_line(word))}"
    return f'<span class="famulus-badge" data-status="{status}">{text}</span>'


def _glyph(status: Status) -> str:
    return f'<span class="famulus-glyph" aria-hidden="true">{GLYPHS[status]}</span>'


def _emphasised(message: str) -> str:
    """Return an error's message with the things that it is about in bold (`errors.bold`)."""
    parts = (_lines(part.replace("\\*", "*")) for part in _BOLD.split(visible(message)))
    return "".join(f"<strong>{part}</strong>" if odd % 2 else part for odd, part in enumerate(parts))


def _lines(text: str) -> str:
    return "<br>".join(_escaped(line) for line in visible(text).split("\n"))


def _escaped(text: str) -> str:
    return escape(visible(text), quote=True)
