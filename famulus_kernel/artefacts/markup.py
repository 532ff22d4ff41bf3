"""Data and prose as markdown in which nothing acts (spec 5.2).

Data is text: every character that markup is made of has a backslash. The two openings of a shortcode, `{{<`
and `<<<`, are parted by a word joiner (U+2060, which has no width), in code too, since the one is read before
markdown is and the other after. Prose is written anew from its tokens, so that no dialect finds more in it
than CommonMark does.
"""

from __future__ import annotations

import re
from typing import Final

from markdown_it.tree import SyntaxTreeNode

from famulus_kernel.artefacts.characters import one_line
from famulus_kernel.artefacts.prose import parse

_JOINER: Final = "\u2060"
_SHORTCODE: Final = re.compile(r"<<(?=<)|\{\{(?=<)")
# The last two are what GitHub makes links of by itself.
_MARKUP: Final = re.compile(
    r"[\\`*_{}\[\]<>|$@^~\"'&#]|-(?=-)|(?<=-)-|\.(?=\.)|(?<=\.)\.|:(?=//)|(?<=[wW]{3})\."
)
# What begins a list, a title block, a definition, a division or an underline, at the start of a line only.
_LINE_START: Final = re.compile(
    r"(?m)^([ \t]*)(?:(\(?(?:[0-9]+|[A-Za-z]|[ivxlcdmIVXLCDM]+|\\#))([.)](?=\s|$))"
    r"|([-+:%](?=\s|$)|:(?=::)|=(?=[= \t]*$)))"
)
_LANGUAGE: Final = re.compile(r"[A-Za-z0-9_+-]{1,30}")
_BACKTICKS: Final = re.compile("`+")
_MARKER: Final = 4


def text(value: str) -> str:
    """Return data as markdown that reads as that data, on one line."""
    return _guarded(_escaped(one_line(value)))


def prose(markdown: str) -> str:
    """Return markdown of unknown origin as markdown that every dialect reads as CommonMark read it."""
    return _blocks(SyntaxTreeNode(parse(markdown)))


def _escaped(words: str) -> str:
    return _MARKUP.sub(r"\\\g<0>", _inert(words))


def _inert(words: str) -> str:
    return _SHORTCODE.sub(lambda found: found.group() + _JOINER, words)


def _guarded(line: str) -> str:
    return _LINE_START.sub(lambda at: f"{at[1]}{at[2] or ''}\\{at[3] or at[4]}", line)


def _blocks(node: SyntaxTreeNode) -> str:
    return "\n\n".join(filter(None, (_block(child) for child in node.children)))


def _block(node: SyntaxTreeNode) -> str:  # noqa: PLR0911 - one return for each kind of block
    match node.type:
        case "paragraph":
            return _line(node)
        case "heading":
            return f"**{words}**" if (words := _line(node)) else ""
        case "blockquote":
            return _indented(_blocks(node), "> ", "> ")
        case "bullet_list":
            return "\n\n".join(_item(item, "-") for item in node.children)
        case "ordered_list":
            first = int(str(node.attrs.get("start", 1)))
            return "\n\n".join(_item(item, f"{number}.") for number, item in enumerate(node.children, first))
        case "fence" | "code_block":
            return _code_block(node)
        case "hr":
            return "* * *"
        case "table":
            return _table(node)
        case _:
            return _line(node)


def _item(node: SyntaxTreeNode, marker: str) -> str:
    first = f"{marker} ".ljust(_MARKER)
    return _indented(_blocks(node), first, " " * len(first))


def _indented(block: str, first: str, others: str) -> str:
    lines = block.split("\n")
    kept = [f"{first if at == 0 else others}{line}".rstrip() for at, line in enumerate(lines)]
    return "\n".join(kept)


def _line(node: SyntaxTreeNode) -> str:
    """Return the inline content of a block."""
    words = "".join(_inline(child) for inline in node.children for child in inline.children)
    return "\n".join(_guarded(line.strip()) for line in words.split("\n"))


def _inline(node: SyntaxTreeNode, *, in_table: bool = False) -> str:
    inner = "".join(_inline(child, in_table=in_table) for child in node.children)
    match node.type:
        case "softbreak":
            return " "
        case "hardbreak":
            return " " if in_table else "\\\n"
        case "code_inline":
            return _escaped(node.content) if in_table and "|" in node.content else _code_span(node.content)
        case "em" | "strong" | "s":
            mark = {"em": "*", "strong": "**", "s": "~~"}[node.type]
            return f"{mark}{inner}{mark}" if inner else ""
        case "link":
            return f"[{inner}](<{node.attrs['href']}>)" if inner else ""
        case _:
            return _escaped(node.content)


def _code_span(code: str) -> str:
    code = _inert(code)
    ticks = "`" * (_longest(code) + 1)
    blank = " " if code.startswith("`") or code.endswith("`") or not code.strip() else ""
    return f"{ticks}{blank}{code}{blank}{ticks}"


def _code_block(node: SyntaxTreeNode) -> str:
    code = _inert(node.content.removesuffix("\n"))
    ticks = "`" * max(3, _longest(code) + 1)
    word = node.info.partition(" ")[0] if node.type == "fence" else ""
    language = word if _LANGUAGE.fullmatch(word) else ""
    return f"{ticks}{language}\n{code}\n{ticks}"


def _longest(code: str) -> int:
    return max((len(run) for run in _BACKTICKS.findall(code)), default=0)


def _table(node: SyntaxTreeNode) -> str:
    rows = [
        [
            "".join(_inline(child, in_table=True) for inline in cell.children for child in inline.children)
            for cell in row.children
        ]
        for section in node.children
        for row in section.children
    ]
    rows.insert(1, ["---"] * len(rows[0]))
    return "\n".join(f"| {' | '.join(cells)} |" for cells in rows)
