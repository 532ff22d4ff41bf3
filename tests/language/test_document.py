from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from famulus_kernel.errors import BadReference, FamulusError, PreambleError, ProjectError, YamlError
from famulus_kernel.language.document import closes_fence, parse_document

BLOCK = "```{famulus}\n---\nid: a\n---\nx\n```\n"
WRITTEN = (
    "```{famulus}\nx\n```\n",
    "> ~~~{famulus}\n> x\n>\n> ~~~\n",
    "- - ````{famulus .k}\n    x\n    ````\n",
    "1. > ```{famulus}\n   > x\n   > ```\n",
    "   ```{famulus}\n  x\n   ```\n",
    "```{famulus}\r\nx\r\n```\r\n",
    "> ```{famulus}\n\n",
)


def parsed(text: str):
    """The document, or None where its front matter is one of our errors; anything else raised is a failure."""
    try:
        return parse_document(text, "a.fam")
    except FamulusError:
        return None


@settings(deadline=None, max_examples=120)
@given(data=st.data())
def test_parse_then_print_is_the_identity(documents, data) -> None:
    text = data.draw(documents)
    document = parsed(text)
    assume(document is not None)
    assert document.print() == text


@settings(deadline=None)
@given(st.text(max_size=200))
def test_any_text_gives_a_document_or_one_of_our_errors(text: str) -> None:
    document = parsed(text)
    assert document is None or document.print() == text


@settings(deadline=None, max_examples=120)
@given(data=st.data(), written=st.sampled_from(WRITTEN), body=st.text(alphabet="ab`~ \t>-\n<!", max_size=20))
def test_a_new_body_changes_its_block_and_nothing_else(lines, data, written, body) -> None:
    before, after = (data.draw(st.lists(lines, max_size=4).map("\n".join)) for _ in range(2))
    document = parse_document(f"text\n\n{before}\n\n{written}{after}")
    assume(document.fences)
    fence = document.fences[-1]
    assume(not any(closes_fence(line, fence.char, fence.length) for line in body.split("\n")))
    changed = document.with_body(fence.index, body)
    starts = document.scan.starts
    opening = document.text[starts[fence.start] : starts[fence.start + 1]]
    wanted = body if body.endswith("\n") or not body else body + "\n"
    assert changed.fences[fence.index].body == wanted.replace("\n", "\r\n" if opening.endswith("\r\n") else "\n")
    assert changed.text.startswith(document.text[: starts[fence.start + 1]])
    assert changed.text.endswith(document.text[starts[fence.end] if fence.closed else starts[fence.end + 1] :])


@settings(deadline=None, max_examples=120)
@given(data=st.data())
def test_the_same_body_again_is_the_same_document(documents, data) -> None:
    document = parsed(data.draw(documents))
    assume(document is not None)
    for fence in document.fences:
        assert document.with_body(fence.index, fence.body).text == document.text


@settings(deadline=None, max_examples=120)
@given(data=st.data())
def test_offsets_and_lines_of_a_fence_fit_its_text(documents, data) -> None:
    document = parsed(data.draw(documents))
    assume(document is not None)
    for index, fence in enumerate(document.fences):
        assert fence.index == index
        assert document.text[fence.offset_start : fence.offset_start + fence.length] == fence.char * fence.length
        assert document.line_of(fence.offset_start) == fence.start + 1
        assert fence.offset_end == document.scan.starts[fence.end + 1]


def test_attributes_are_kept_and_other_languages_are_not_blocks() -> None:
    infos = [
        "{famulus}",
        "{famulus .a key=val}",
        "{famulus, x}",
        "{Famulus}",
        "{famulus2}",
        "famulus",
        "{{famulus}}",
        "{famulus} x",
    ]
    document = parse_document("\n".join(f"```{info}\n```\n" for info in infos))
    assert [fence.info for fence in document.fences] == infos[:3]
    assert [fence.attributes for fence in document.fences] == ["", ".a key=val", ", x"]


def test_the_body_of_a_nested_block_has_no_prefix_and_gets_it_back() -> None:
    document = parse_document("> - ~~~{famulus}\n>   ---\n>   id: a\n>   ---\n>\n>     x\n>   ~~~\nend\n")
    (fence,) = document.fences
    assert fence.body == "---\nid: a\n---\n\n  x\n"
    assert (fence.prefix, fence.nested, fence.body_line) == (">   ", True, 2)
    assert document.with_body(0, "a\n\n b").text == "> - ~~~{famulus}\n>   a\n>\n>    b\n>   ~~~\nend\n"


def test_an_indented_fence_takes_its_indent_from_the_body() -> None:
    (fence,) = parse_document("  ```{famulus}\n  a\n b\n    c\n  ```\n").fences
    assert (fence.body, fence.prefix, fence.nested) == ("a\nb\n  c\n", "  ", False)


def test_crlf_bom_and_a_lone_cr_are_kept() -> None:
    text = "\ufeff---\r\ntitle: x\r\n---\r\n```{famulus}\r\nx\r\n```\r\nend\rof\n"
    document = parse_document(text)
    assert document.print() == text
    assert document.front_matter.data == {"title": "x"}
    assert document.fences[0].body == "x\r\n"
    assert document.with_body(0, "y\nz").text == text.replace("x\r\n```", "y\r\nz\r\n```")


def test_a_block_in_the_first_line_behind_a_bom_is_found() -> None:
    assert parse_document("\ufeff" + BLOCK).fences[0].body == "---\nid: a\n---\nx\n"


def test_an_unclosed_fence_ends_at_the_last_line_and_says_so() -> None:
    document = parse_document("```{famulus}\na\n```{famulus}\nb\n")
    (fence,) = document.fences
    assert (fence.end, fence.closed, fence.body) == (3, False, "a\n```{famulus}\nb\n")
    assert document.with_body(0, "c").text == "```{famulus}\nc\n"
    assert parse_document("```{famulus}").with_body(0, "c").text == "```{famulus}\nc\n"


def test_an_instruction_may_hold_a_shorter_fence() -> None:
    (fence,) = parse_document("````{famulus}\n```{famulus}\n```\n````\n").fences
    assert fence.body == "```{famulus}\n```\n"


def test_a_shown_block_is_not_executed() -> None:
    assert not parse_document(f"````markdown\n{BLOCK}````\n").fences


def test_a_body_that_would_end_its_fence_is_refused() -> None:
    document = parse_document("text\n\n" + BLOCK, "a.fam")
    with pytest.raises(ProjectError, match="would end the block's fence") as caught:
        document.with_body(0, "a\n  ````  \nb")
    assert (caught.value.where.file, caught.value.where.line) == ("a.fam", 5)
    assert document.with_body(0, "a\n    ```\n``\nb").fences[0].body == "a\n    ```\n``\nb\n"


def test_front_matter_is_loaded_and_our_key_is_validated() -> None:
    matter = parse_document(
        "---\ntitle: no\ndate: 1520-01-01\nfamulus:\n  id: briefe.zahl\n  uses: {p: ../p}\n  chapters: [a.fam]\n"
        "  on-error: warn\n  mark-stale: false\n---\n"
    ).front_matter
    assert matter.data["title"] == "no"
    assert matter.data["date"] == "1520-01-01"
    ours = matter.famulus
    assert (ours.id, ours.uses, ours.chapters, ours.on_error, ours.mark_stale) == (
        "briefe.zahl", {"p": "../p"}, ("a.fam",), "warn", False,
    )  # fmt: skip


def test_without_front_matter_everything_is_default() -> None:
    matter = parse_document("text\n").front_matter
    assert (matter.raw, matter.data, matter.famulus.id, matter.famulus.on_error) == ("", {}, None, "error")
    assert parse_document("---\ntitle: x\nfamulus:\n---\n").front_matter.famulus.mark_stale is True


def test_quartos_own_tags_pass_in_the_front_matter() -> None:
    assert parse_document("---\nparams:\n  x: !expr 1 + 1\n---\n").front_matter.data == {"params": {"x": "1 + 1"}}


@pytest.mark.parametrize(
    ("yaml", "error", "line", "key", "words"),
    [
        ("famulus: {ids: a}", PreambleError, 3, "famulus.ids", "unknown key"),
        ("famulus: {id: a b}", BadReference, 3, "famulus.id", "a b"),
        ("famulus: [a]", PreambleError, 3, "famulus", "must be a mapping"),
        ("famulus:\n  on-error: ignore", PreambleError, 4, "famulus.on-error", "'error' or 'warn'"),
        ("title: y", YamlError, 3, "title", "twice"),
        ("a: [", YamlError, 4, None, "flow node"),
    ],
)
def test_a_mistake_in_the_front_matter_names_its_line(yaml, error, line, key, words) -> None:
    with pytest.raises(error, match=words) as caught:
        parse_document(f"---\ntitle: x\n{yaml}\n---\n", "a.fam")
    where = caught.value.where
    assert (where.file, where.line, where.key) == ("a.fam", line, key)


def test_a_front_matter_that_is_no_mapping_is_an_error() -> None:
    with pytest.raises(PreambleError, match="front matter"):
        parse_document("---\n- a\n---\n")
