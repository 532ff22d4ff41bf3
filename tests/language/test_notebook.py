from __future__ import annotations

import re
import warnings

import nbformat
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from famulus_kernel.language.document import parse_document
from famulus_kernel.language.notebook import fam_to_notebook, notebook_to_fam

DOCUMENT = """---
title: Letters
famulus: {id: n}
---

Some text.

```{famulus}
---
id: first
---
How many?
```

```{famulus .wide}
---
id: café
---
And now?
```

> ```{famulus}
> ---
> id: quoted
> ---
> ```

The end.
"""


def sources(text: str) -> list[tuple[str, str]]:
    return [(cell.cell_type, cell.source) for cell in fam_to_notebook(text).cells]


def test_blocks_are_code_cells_and_the_rest_is_markdown() -> None:
    assert sources(DOCUMENT) == [
        ("markdown", "---\ntitle: Letters\nfamulus: {id: n}\n---\n\nSome text."),
        ("code", "---\nid: first\n---\nHow many?"),
        ("code", "---\nid: café\n---\nAnd now?"),
        ("markdown", "> ```{famulus}\n> ---\n> id: quoted\n> ---\n> ```\n\nThe end."),
    ]


def test_the_notebook_is_valid_and_says_which_kernel() -> None:
    notebook = fam_to_notebook(DOCUMENT)
    nbformat.validate(notebook)
    assert (notebook.nbformat, notebook.nbformat_minor) == (4, 5)
    assert notebook.metadata.kernelspec.name == "famulus"
    assert notebook.metadata.language_info.file_extension == ".fam"


@settings(deadline=None, max_examples=200)
@given(data=st.data())
def test_a_text_comes_back_to_the_byte(documents, data) -> None:
    text = data.draw(documents)
    assert notebook_to_fam(fam_to_notebook(text)) == text


@settings(deadline=None, max_examples=100)
@given(data=st.data())
def test_a_text_comes_back_through_the_file_format(documents, data) -> None:
    text = data.draw(documents)
    notebook = fam_to_notebook(text)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        written = nbformat.writes(notebook)
        again = nbformat.reads(written, as_version=4)
    assert notebook_to_fam(again) == text
    ids = [cell.id for cell in again.cells]
    assert len(set(ids)) == len(ids)
    assert all(re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", name) for name in ids)


@settings(deadline=None)
@given(st.text(max_size=120))
def test_any_text_comes_back(text: str) -> None:
    assert notebook_to_fam(fam_to_notebook(text)) == text


def test_the_edges_come_back() -> None:
    for text in (
        "", "\n", " ", "\ufeff", "a", "a\n\n\n", "\n\n```{famulus}\n```", "```{famulus}\n\n```\n", "```{famulus}",
        "```{famulus}\nx", "~~~~{famulus}\n~~~\n~~~~~~  \n\n \n", "  ```{famulus}\n  a\n b\n\n   ```\nx",
        "a\r\n```{famulus}\r\nx\r\n```\r\n",
        "a\r```{famulus}\rx\r```\r", "a\r\n```{famulus}\nx\r\n```\n",
    ):  # fmt: skip
        assert notebook_to_fam(fam_to_notebook(text)) == text


def test_cells_of_a_crlf_file_have_plain_line_feeds_and_give_crlf_back() -> None:
    text = DOCUMENT.replace("\n", "\r\n")
    notebook = fam_to_notebook(text)
    assert not any("\r" in cell.source for cell in notebook.cells)
    notebook.cells[1].source += "\nmore"
    assert notebook_to_fam(notebook) == text.replace("How many?\r\n", "How many?\r\nmore\r\n")


def test_an_edited_cell_changes_its_block_only() -> None:
    notebook = fam_to_notebook(DOCUMENT)
    notebook.cells[2].source = "---\nid: café\n---\nSomething else\n\nlonger"
    assert notebook_to_fam(notebook) == DOCUMENT.replace("And now?", "Something else\n\nlonger")
    notebook.cells[0].source = notebook.cells[0].source.replace("Some text.", "Other text.")
    assert "\nOther text.\n\n```{famulus}\n" in notebook_to_fam(notebook)


def test_outputs_stay_in_the_notebook() -> None:
    notebook = fam_to_notebook(DOCUMENT)
    notebook.cells[1].outputs.append({"output_type": "stream", "name": "stdout", "text": "75"})
    notebook.cells[1].execution_count = 3
    assert notebook_to_fam(notebook) == DOCUMENT


def test_ids_follow_the_block_and_stay_when_others_come() -> None:
    ids = [cell.id for cell in fam_to_notebook(DOCUMENT).cells]
    assert ids[:2] == ["text", "first"]
    assert ids[2].startswith("caf--")
    assert ids[3] == f"text-{ids[2]}"
    more = DOCUMENT.replace("Some text.\n", "Some text.\n\n```{famulus}\n---\nid: zero\n---\n```\n\nMore text.\n")
    assert [name for name in (cell.id for cell in fam_to_notebook(more).cells) if name in ids] == ids


def test_blocks_without_or_with_the_same_id_have_ids_by_position() -> None:
    ids = ["a", "a", "[", "text-a"]
    text = "".join(f"```{{famulus}}\n---\nid: {name}\n---\n```\n" for name in ids) + "x\n"
    assert [cell.id for cell in fam_to_notebook(text).cells] == ["a", "a-2", "block-3", "text-a", "text-text-a"]


@pytest.mark.timeout(60)
def test_ten_thousand_blocks_of_one_id_take_linear_time() -> None:
    text = "```{famulus}\n---\nid: a\n---\n```\n" * 10_000
    notebook = fam_to_notebook(text)
    assert len({cell.id for cell in notebook.cells}) == 10_000
    assert notebook_to_fam(notebook) == text


def test_ids_too_long_for_a_cell_are_told_apart() -> None:
    text = "".join(f"```{{famulus}}\n---\nid: {'x' * 79}{end}\n---\n```\n" for end in "ab")
    first, second = (cell.id for cell in fam_to_notebook(text).cells)
    assert first != second
    assert len(first) <= 64


def code(source: str, **metadata) -> dict:
    return {
        "cell_type": "code",
        "id": "c",
        "metadata": metadata,
        "source": source,
        "outputs": [],
        "execution_count": None,
    }


def markdown(source: str) -> dict:
    return {"cell_type": "markdown", "id": "m", "metadata": {}, "source": source}


def test_cells_made_elsewhere_get_fences_and_blank_lines() -> None:
    notebook = {
        "cells": [markdown("a"), markdown("b\n"), code("---\nid: x\n---"), code(""), markdown("c")],
        "metadata": {},
    }
    text = notebook_to_fam(notebook)
    assert text == "a\n\nb\n\n```{famulus}\n---\nid: x\n---\n```\n\n```{famulus}\n\n```\n\nc\n"
    assert notebook_to_fam(fam_to_notebook(text)) == text


def test_sources_as_lists_of_lines_are_read() -> None:
    assert notebook_to_fam({"cells": [code(["a\n", "b"])], "metadata": {}}) == "```{famulus}\na\nb\n```\n"


def test_a_new_cell_among_old_ones_leaves_them_as_they_are() -> None:
    notebook = fam_to_notebook(DOCUMENT)
    notebook.cells.insert(2, nbformat.from_dict(code("---\nid: new\n---")))
    text = notebook_to_fam(notebook)
    assert text.replace("\n```{famulus}\n---\nid: new\n---\n```\n", "", 1) == DOCUMENT
    assert len(parse_document(text).fences) == 4


def test_deleted_and_moved_cells_leave_a_readable_text() -> None:
    notebook = fam_to_notebook("```{famulus}\na\n```\ntext\n```{famulus}\nb\n```\nlast\n~~~{famulus}\nopen to the end")
    notebook.cells.reverse()
    document = parse_document(notebook_to_fam(notebook))
    assert [fence.body for fence in document.fences] == ["open to the end\n", "b\n", "a\n"]
    del notebook.cells[2]
    assert [cell.cell_type for cell in fam_to_notebook(notebook_to_fam(notebook)).cells] == ["code", "markdown", "code"]


@pytest.mark.parametrize("source", ["a\n```\nb", "```", "~~~~~\n`````  \n  ```"])
def test_a_source_that_would_end_its_fence_gets_a_longer_one(source: str) -> None:
    for text in ("```{famulus}\nx\n```\n", "  ~~~ {famulus .k}\n  x\n  ~~~~\n"):
        notebook = fam_to_notebook(text)
        notebook.cells[0].source = source
        (fence,) = parse_document(notebook_to_fam(notebook)).fences
        assert fence.body == source + "\n"
        assert fence.closed


@settings(deadline=None, max_examples=200)
@given(st.lists(st.tuples(st.booleans(), st.text(alphabet="ab`~ \n>-", max_size=12)), max_size=6))
def test_what_stands_in_code_cells_is_what_the_blocks_hold(cells: list[tuple[bool, str]]) -> None:
    # words in the markdown cells, whose own fences and quotes could swallow what follows
    made = [code(source) if is_code else markdown("words") for is_code, source in cells]
    document = parse_document(notebook_to_fam({"cells": made, "metadata": {}}))
    assert [fence.body for fence in document.fences] == [f"{source}\n" for is_code, source in cells if is_code]


@pytest.mark.parametrize(
    "metadata",
    [{"famulus": "x"}, {"famulus": {"open": 3, "close": []}}, {"famulus": {"open": "<script>", "close": "x"}},
     {"famulus": {"open": "```{famulus}\n```\n", "close": "~~~"}}, {"famulus": {"raw": "y", "raw_source": "no"}}],
)  # fmt: skip
def test_metadata_that_is_no_fence_is_not_believed(metadata: dict) -> None:
    text = notebook_to_fam({"cells": [code("x", **metadata)], "metadata": {}})
    assert [fence.body for fence in parse_document(text).fences] == ["x\n"]
