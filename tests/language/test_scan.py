from __future__ import annotations

import json
import re
import sys
import time

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from famulus_kernel.language.scan import scan

MEGA = 1_000_000
SOME = 200_000


def found(text: str) -> list[tuple[int, str, str]]:
    """Line, info and body of every fence."""
    return [
        (fence.start, fence.info, "".join(" " * pad + text[start:end] for pad, start, end in fence.body))
        for fence in scan(text).fences
    ]


def blocks(text: str) -> int:
    return sum(fence.info == "{famulus}" for fence in scan(text).fences)


@pytest.fixture(scope="module")
def commonmark():
    """CommonMark's own reading, but with raw HTML as pandoc has it: tags such as <div> hide nothing."""
    parser = MarkdownIt("commonmark", {"maxNesting": 1000})
    sequences = sys.modules["markdown_it.rules_block.html_block"].HTML_SEQUENCES
    kept = list(sequences)
    sequences[:] = kept[:5]
    yield lambda text: [
        (token.map[0], token.info.strip(" \t"), token.content) for token in parser.parse(text) if token.type == "fence"
    ]
    sequences[:] = kept


def alike(fences: list[tuple[int, str, str]]) -> list[tuple[int, str, str]]:
    """What the two parsers must agree about: blank ends of an unclosed fence are nobody's business."""
    return [(line, info, re.sub(r"\r\n|\r", "\n", body).rstrip(" \t\n")) for line, info, body in fences]


@settings(deadline=None, max_examples=200)
@given(data=st.data())
def test_fences_are_those_of_an_independent_commonmark_parser(lines, commonmark, data) -> None:
    text = "\n".join(data.draw(st.lists(lines, min_size=1, max_size=14)))
    text = text.replace("\ufeff", "")
    # markdown-it lets a quote go on behind four blanks, where CommonMark has indented code
    assume(not re.search(r"^[ >]*(?: {4,}|\t)[ \t]*>", text, re.MULTILINE))
    assume(scan(text).front_matter is None)
    assert alike(found(text)) == alike(commonmark(text + "\n"))


@settings(deadline=None, max_examples=150)
@given(data=st.data())
def test_a_comment_that_begins_a_line_hides_what_commonmark_says(lines, commonmark, data) -> None:
    before, hidden, after = (data.draw(st.lists(lines, max_size=5)) for _ in range(3))
    comment = ["", "<!-- hidden", *hidden, data.draw(st.sampled_from(["-->", "words -->", ""])), ""]
    text = "\n".join([*before, *comment, *after]).replace("\ufeff", "")
    assume(not re.search(r"^[ >]*(?: {4,}|\t)[ \t]*>", text, re.MULTILINE))
    assume(scan(text).front_matter is None)
    assert alike(found(text)) == alike(commonmark(text + "\n"))


@settings(deadline=None, max_examples=200)
@given(data=st.data())
def test_no_text_makes_the_scanner_raise(documents, data) -> None:
    text = data.draw(documents)
    result = scan(text)
    assert result.starts == sorted(set(result.starts)) or text == ""
    assert all(0 <= fence.start <= fence.end < len(result.starts) - 1 for fence in result.fences)


FENCE = "```{famulus}\nx\n```\n"

COMMENTED = [
    pytest.param(f"<!--\n{FENCE}-->\n", 0, id="around a fence"),
    pytest.param(f"<!-- a\n\n{FENCE}\n-->\n\n{FENCE}", 1, id="around blank lines"),
    pytest.param(f"text <!-- a\n{FENCE}--> b\n", 0, id="opened inside a line"),
    pytest.param(f"text <!-- a\n\n{FENCE}\n--> b\n\n{FENCE}", 1, id="opened inside a line, over blank lines"),
    pytest.param(f"text <!-- a\n\n{FENCE}", 1, id="opened inside a line and never closed"),
    pytest.param(f"# head <!-- a\n\n{FENCE}\n-->\n", 0, id="opened in a heading"),
    pytest.param(f"# head --> <!-- a\n\n{FENCE}", 1, id="a heading that only looks like it"),
    pytest.param(f"<!-- a --> x <!-- b\n\n{FENCE}\n--> more\n", 0, id="a second one in the line"),
    pytest.param(f"see `<!--` here\n\n{FENCE}\n-->\n", 1, id="in a code span"),
    pytest.param(f"see `a\nb <!-- c` d\n\n{FENCE}\n-->\n", 1, id="in a code span over two lines"),
    pytest.param(f"see \\<!-- here\n\n{FENCE}\n-->\n", 1, id="behind a backslash"),
    pytest.param(f"    <!-- a\n\n{FENCE}\n-->\n", 1, id="in indented code"),
    pytest.param(f"```\n<!--\n```\n\n{FENCE}\n-->\n", 1, id="in another fence"),
    pytest.param(f"a <!-- b --> c\n\n{FENCE}", 1, id="closed in its line"),
    pytest.param(f"a <!-- b\nc --> d\n\n{FENCE}", 1, id="closed in its paragraph"),
    pytest.param(f"<!-->\n{FENCE}", 1, id="the empty one"),
    pytest.param(f"<script>\n{FENCE}</script>\n", 0, id="in a script"),
    pytest.param(f"<pre>\n{FENCE}</pre>\n", 0, id="in pre"),
    pytest.param(f"<div>\n{FENCE}</div>\n", 1, id="in a div"),
]


@pytest.mark.parametrize(("text", "count"), COMMENTED)
def test_what_a_comment_hides_is_no_block(text: str, count: int) -> None:
    assert blocks(text) == count


@pytest.mark.parametrize(("text", "count"), COMMENTED)
def test_pandoc_hides_the_same(text: str, count: int) -> None:
    pypandoc = pytest.importorskip("pypandoc")
    # pandoc reads {famulus} as an attribute only with Quarto's dot
    tree = json.loads(pypandoc.convert_text(text.replace("{famulus}", "{.famulus}"), "json", format="markdown"))
    assert json.dumps(tree).count('"CodeBlock", "c": [["", ["famulus"]') == count


def test_a_comment_ends_with_the_quote_it_stands_in() -> None:
    assert blocks(f"> text <!-- a\n\n{FENCE}-->\n") == 1


def test_a_fence_in_a_list_or_quote_is_found_with_its_containers() -> None:
    (fence,) = scan("> 1. ~~~{famulus}\n>    x\n>    ~~~\n").fences
    assert (fence.start, fence.end, fence.closed, fence.containers) == (0, 2, True, (0, 3))


def test_a_fence_ends_with_the_container_it_stands_in() -> None:
    (first, second) = scan("> ```{famulus}\n> x\n\n```{famulus}\n```\n").fences
    assert (first.start, first.end, first.closed) == (0, 1, False)
    assert (second.start, second.end, second.closed) == (3, 4, True)


def test_nesting_beyond_the_limit_is_text() -> None:
    assert scan("> " * 100 + "```\n").fences
    assert not scan("> " * 101 + "```\n").fences


def test_front_matter_needs_a_first_line_right_below_its_rule() -> None:
    assert scan("---\na: b\n---\n").front_matter == (0, 2)
    assert scan("\ufeff\n---  \na: b\n...\n").front_matter == (1, 3)
    assert scan("---\n\na: b\n---\n").front_matter is None
    assert scan("---\na: b\n").front_matter is None
    assert scan("a\n---\nb\n---\n").front_matter is None


def test_fences_in_the_front_matter_are_not_seen() -> None:
    assert blocks(f"---\nabstract: |\n```{{famulus}}\n---\n{FENCE}") == 1


HOSTILE = {
    "one line of backticks": "`" * MEGA,
    "backtick fences": "```\n" * (SOME // 4),
    "backtick runs that match nothing": "".join("`" * n + " " for n in range(1, 1400)) + "<!-- x",
    "quotes": ">" * MEGA,
    "quotes with blanks": "> " * (MEGA // 2),
    "quoted lines": (">" * 99 + "\n") * (SOME // 100),
    "lists": "- " * (MEGA // 2) + "x",
    "ordered lists": "1. " * (MEGA // 3) + "x",
    "stars": "* " * (MEGA // 2) + "x",
    "blank lines in deep lists": "- " * 90 + "x\n" + "\n" * SOME,
    "blank lines in a fence in deep lists": "- " * 90 + "```\n" + "\n" * (SOME // 4),
    "deep lists and a wide line": ("- " * 90 + "x\n") * 40 + " " * MEGA + "x",
    "an unclosed comment": "<!--" + "x\n" * (MEGA // 2),
    "openings of comments": "a <!-- " * (MEGA // 7),
    "paragraphs that open comments": "a <!-- b\n\n" * (SOME // 10),
    "comments across paragraphs": "a <!-- b\n\n-->" * (SOME // 13),
    "a setext line that is none": "a\n" + "=" * MEGA + "x",
    "blanks": " " * MEGA,
    "tabs": "- \t" + "\t" * MEGA,
    "ten thousand blocks": "```{famulus}\n---\nid: a\n---\nx\n```\n\n" * 10_000,
}


@pytest.mark.timeout(120)
@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_megabyte_takes_seconds_at_most(name: str) -> None:
    # anything quadratic would take hours here
    text = HOSTILE[name]
    begun = time.process_time()
    scan(text)
    assert time.process_time() - begun < 15
