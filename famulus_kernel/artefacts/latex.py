r"""Views and cards as LaTeX for a notebook on paper: `nbconvert --to pdf` (spec 5.1, 7.1).

Only what the preamble of nbconvert loads is used: longtable, booktabs, array, graphicx, amssymb. Data is text: every
character that means something to TeX is written as itself. What the fonts of LaTeX lack is set in DejaVu Sans where
that is there, since a missing character would be dropped without a word.
"""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final, assert_never

from markdown_it.tree import SyntaxTreeNode

from famulus_kernel.artefacts.card import Card, Mark, meta_parts
from famulus_kernel.artefacts.cells import GLYPHS, MAX_ROWS, drawn_columns, drawn_rows, fact_text, heading, more_text
from famulus_kernel.artefacts.characters import cut, one_line, visible
from famulus_kernel.artefacts.drawing import WIDTH
from famulus_kernel.artefacts.graph_picture import force_places
from famulus_kernel.artefacts.labels import label, resolve
from famulus_kernel.artefacts.numbers import format_number
from famulus_kernel.artefacts.prose import parse
from famulus_kernel.artefacts.view import Fact, Facts, Figure, Graph, Part, Prose, Table, View

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from famulus_kernel.artefacts.html import Files

_OTHER: Final = r"""\providecommand{\famulusother}[1]{\ifdefined\IfFontExistsTF
\IfFontExistsTF{DejaVu Sans}{{\fontspec{DejaVu Sans}#1}}{#1}\else#1\fi}"""
"""How characters are set that the fonts of LaTeX lack; it comes first where there are some."""
_SIGNS: Final = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "_": r"\_", "%": r"\%",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", '"': r"\textquotedbl{}", "'": r"\textquotesingle{}",
    "`": r"\textasciigrave{}", "-": "-{}", "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}",
    "[": "{[}", "]": "{]}", "\u00a0": "~", "✓": r"\ensuremath{\checkmark}", "✗": r"\ensuremath{\times}",
    "○": r"\ensuremath{\circ}", "◇": r"\ensuremath{\diamond}", "▲": r"\ensuremath{\blacktriangle}",
    "…": r"\ldots{}", "·": r"\textperiodcentered{}", "*": "{*}",
}  # fmt: skip
_SIGN: Final = re.compile("|".join(map(re.escape, _SIGNS)))
_LACKING: Final = re.compile(r"[^\x00-\u017f\u2010-\u201f\u2020-\u2022\u20ac✓✗○◇▲…]+")
_DEEPEST: Final = 4
"""So many lists and quotes may stand inside one another; LaTeX stops at more."""
_WIDE: Final = 84
"""Characters that fit on a line of a page."""
_LONGEST: Final = 44
"""A longer cell is broken into lines."""
_MOST_NODES, _MOST_EDGES, _NAME = 40, 100, 32
"""What is drawn of a graph at most; of a larger one it is told where its picture lies."""
_LEFT: Final = r"\raggedright"
_IMAGES: Final = frozenset({".png", ".jpg", ".jpeg", ".pdf"})


def render(view: View, lang: str, *, files: Files | None = None, max_rows: int = MAX_ROWS) -> str:
    """Return a view as LaTeX; the parameters are those of `html.render`."""
    blocks = [_bold(resolve(view.title, lang))] if view.title else []
    for part in view.parts:
        blocks += [_bold(resolve(part.title, lang))] if part.title else []
        blocks += _part(part, lang, files or (lambda _name: None), max_rows)
    blocks += [_italic(view.caption)] if view.caption else []
    return document(blocks)


def render_card(card: Card, lang: str) -> str:
    """Return a card as LaTeX."""
    blocks = [_bold(card.question), r" \quad ".join(mark(one, lang) for one in card.marks), prose(card.answer)]
    if card.problem:
        blocks += [text(card.problem.message.replace("**", "")), text(card.problem.hint or "")]
    if card.oracle:
        heads = [text(label(f"oracle.{key}", lang)) for key in ("key", "expected", "observed", "ok")]
        agrees = {
            True: f"{GLYPHS['pass']} {label('value.yes', lang)}",
            False: f"{GLYPHS['fail']} {label('value.no', lang)}",
        }
        rows = [[row.key, row.expected_text(lang), row.observed_text(lang), agrees[row.ok]] for row in card.oracle]
        blocks.append(_table(heads, ["left"] * len(heads), rows))
    blocks += [text(card.note_text(lang)), *map(text, card.guard_texts(lang))]
    blocks.append(_italic(" · ".join(words for words, _ in meta_parts(card, lang))))
    return document(blocks)


def document(blocks: Iterable[str]) -> str:
    """Return pieces one below the other, so that they can be set anywhere in a document."""
    written = "\n\n".join(block for block in blocks if block) + "\n"
    return f"{_OTHER}\n\n{written}" if r"\famulusother" in written else written


def text(value: str) -> str:
    """Return data as LaTeX that reads as that data, on one line."""
    return _escaped(one_line(value))


def mark(one: Mark, lang: str) -> str:
    """Return a mark: its sign and its word."""
    return rf"{text(one.glyph)} \textbf{{{text(one.text(lang))}}}"


def prose(markdown: str) -> str:
    """Return markdown of unknown origin as LaTeX."""
    return _blocks(SyntaxTreeNode(parse(markdown)), 0)


def _escaped(words: str) -> str:
    pieces = []
    at = 0
    for found in _LACKING.finditer(words):
        pieces += [_plain(words[at : found.start()]), rf"\famulusother{{{_plain(found[0])}}}"]
        at = found.end()
    return "".join([*pieces, _plain(words[at:])])


def _plain(words: str) -> str:
    return _SIGN.sub(lambda found: _SIGNS[found[0]], words)


def _bold(words: str) -> str:
    return rf"\textbf{{{text(words)}}}" if words.strip() else ""


def _italic(words: str) -> str:
    return rf"\emph{{{text(words)}}}" if words.strip() else ""


def _part(part: Part, lang: str, files: Files, max_rows: int) -> list[str]:
    match part:
        case Facts():
            items = "\n".join(
                rf"\item \textbf{{{text(resolve(fact.label, lang))}:}} {_fact(fact, lang)}" for fact in part.items
            )
            return [_list("itemize", items)] if items else []
        case Table():
            columns = [column for _, column in drawn_columns(part)]
            rows = [[cell.text for cell in row] for row in drawn_rows(part, lang, max_rows)]
            heads = [text(heading(column, lang)) for column in columns]
            drawn = _table(heads, [column.align for column in columns], rows) if columns else ""
            return [drawn, text(more_text(part, lang, max_rows))]
        case Prose():
            return [prose(part.markdown)]
        case Figure():
            return [_image(part.file, part.alt, files), _italic(part.caption or "")]
        case Graph():
            numbers = {
                "nodes": format_number(len(part.nodes), lang),
                "edges": format_number(len(part.edges), lang),
            }
            words = label("graph.alt", lang, **numbers)
            return [_graph(part), text(words)] if _is_small(part) else [_image(part.svg, words, files)]
        case _:
            assert_never(part)


def _is_small(graph: Graph) -> bool:
    return graph.layout == "force" and 0 < len(graph.nodes) <= _MOST_NODES and len(graph.edges) <= _MOST_EDGES


def _graph(graph: Graph) -> str:
    """Return a graph as LaTeX draws one without a package: lines, discs and names, where its SVG has them."""
    points, height = force_places(graph.nodes, graph.edges)
    at = {node.id: (x, round(height - y, 1)) for node, (x, y) in zip(graph.nodes, points, strict=True)}
    drawn = [
        rf"\qbezier({x1},{y1})({(x1 + x2) / 2:.1f},{(y1 + y2) / 2:.1f})({x2},{y2})"
        for edge in graph.edges
        if edge.source in at and edge.target in at and edge.source != edge.target
        for (x1, y1), (x2, y2) in [(at[edge.source], at[edge.target])]
    ]
    for node in graph.nodes:
        x, y = at[node.id]
        name = rf"\makebox(0,0)[l]{{\footnotesize {text(cut(one_line(node.label), _NAME))}}}"
        drawn.append(rf"\put({x},{y}){{\circle*{{12}}}}\put({x + 10:.1f},{y}){{{name}}}")
    lines = "\n".join(drawn)
    sheet = f"\\begin{{picture}}({WIDTH:.0f},{height:.0f})\n{lines}\n\\end{{picture}}"
    return f"\\begin{{center}}\\setlength{{\\unitlength}}{{0.55pt}}\n{sheet}\n\\end{{center}}"


def _fact(fact: Fact, lang: str) -> str:
    return text(f"{GLYPHS[fact.badge]} {fact_text(fact, lang)}" if fact.badge else fact_text(fact, lang))


def _list(kind: str, items: str) -> str:
    return f"\\begin{{{kind}}}\n{items}\n\\end{{{kind}}}"


def _image(file: str, alt: str, files: Files) -> str:
    """Return an image where LaTeX can set it, else its words and where it lies: what is missing must stop no page."""
    address = files(file)
    if address is None or PurePosixPath(file).suffix.lower() not in _IMAGES or not re.fullmatch(r"[\w./-]+", address):
        return text(alt) + (rf" (\texttt{{{text(address)}}})" if address is not None else "")
    set_it = rf"\includegraphics[width=0.8\linewidth,height=0.5\textheight,keepaspectratio]{{{address}}}"
    return rf"\IfFileExists{{{address}}}{{{set_it}}}{{{text(alt)}}}"


def _table(heads: Sequence[str], aligns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a longtable: columns as wide as they are where they fit on a page, else broken by what stands in them."""
    longest = [max(len(head), 1, *(len(row[at]) for row in rows)) for at, head in enumerate(heads)]
    if sum(longest) + 2 * len(heads) <= _WIDE and max(longest) <= _LONGEST:
        form = "".join({"right": "r", "center": "c"}.get(align, "l") for align in aligns)
    else:
        bounded = [min(max(one, 4), _LONGEST) for one in longest]
        shares = [0.94 * one / sum(bounded) - 0.02 for one in bounded]
        turned = {"right": r"\raggedleft", "center": r"\centering"}
        form = "".join(
            rf">{{{turned.get(align, _LEFT)}\arraybackslash}}p{{{max(share, 0.02):.3f}\linewidth}}"
            for align, share in zip(aligns, shares, strict=True)
        )
    lines = [" & ".join(map(text, row)) + r" \\" for row in rows]
    head = " & ".join(heads) + r" \\"
    body = "\n".join([r"\toprule", head, r"\midrule", r"\endhead", r"\bottomrule", r"\endlastfoot", *lines])
    return f"\\begin{{longtable}}{{@{{}}{form}@{{}}}}\n{body}\n\\end{{longtable}}"


def _blocks(node: SyntaxTreeNode, depth: int) -> str:
    return "\n\n".join(filter(None, (_block(child, depth) for child in node.children)))


def _block(node: SyntaxTreeNode, depth: int) -> str:  # noqa: PLR0911 - one return for each kind of block
    match node.type:
        case "heading":
            return rf"\textbf{{{_line(node)}}}"
        case "blockquote" | "bullet_list" | "ordered_list" | "list_item" if depth >= _DEEPEST:
            return _blocks(node, depth)
        case "blockquote":
            return _list("quote", _blocks(node, depth + 1))
        case "bullet_list" | "ordered_list":
            items = "\n".join(rf"\item {_blocks(item, depth + 1)}" for item in node.children)
            return _list("itemize" if node.type == "bullet_list" else "enumerate", items)
        case "fence" | "code_block":
            return "\n\n".join(rf"\texttt{{{text(line)}}}" for line in node.content.splitlines() if line.strip())
        case "hr":
            return r"\medskip\hrule\medskip"
        case "table":
            rows = [[_words(cell) for cell in row.children] for section in node.children for row in section.children]
            return _table([text(cell) for cell in rows[0]], ["left"] * len(rows[0]), rows[1:])
        case _:
            return _line(node)


def _words(node: SyntaxTreeNode) -> str:
    """Return the bare words of a node."""
    return node.content if not node.children else "".join(map(_words, node.children))


def _line(node: SyntaxTreeNode) -> str:
    return "".join(_inline(child) for inline in node.children for child in inline.children)


def _inline(node: SyntaxTreeNode) -> str:
    inner = "".join(map(_inline, node.children))
    match node.type:
        case "softbreak" | "hardbreak":
            return " "
        case "code_inline":
            return rf"\texttt{{{text(node.content)}}}"
        case "strong":
            return rf"\textbf{{{inner}}}"
        case "em":
            return rf"\emph{{{inner}}}"
        case "s" | "link":
            return inner
        case _:
            return _escaped(visible(node.content))
