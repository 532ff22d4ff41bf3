from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from famulus_kernel.errors import BadReference
from famulus_kernel.language.references import (
    BlockRef,
    Reference,
    find_placeholders,
    find_refs,
    parse_dependency,
    parse_version,
    replace_placeholders,
    replace_refs,
)


@pytest.mark.parametrize(
    ("text", "reference"),
    [
        ("a.b", Reference("a", "b")),
        ("a.b@v3", Reference("a", "b", 3)),
        ("a.b@v0003", Reference("a", "b", 3)),
        ("fam:p/n/a.b", Reference("a", "b", None, "p", "n")),
        ("fam:p/briefe.zahl/a.b@v12", Reference("a", "b", 12, "p", "briefe.zahl")),
        (unicodedata.normalize("NFD", "café.né"), Reference("café", "né")),
    ],
)
def test_a_reference_is_read(text: str, reference: Reference) -> None:
    assert Reference.parse(text) == reference
    assert Reference.parse(str(reference)) == reference


def test_versions_are_written_one_way() -> None:
    assert str(Reference.parse("a.b@v3")) == str(Reference.parse("a.b@v0003")) == "a.b@v0003"
    assert str(BlockRef.parse("a@v3")) == "a@v0003"
    assert parse_version("v10000") == 10000


@pytest.mark.parametrize(
    "text",
    ["", "a", "a.", ".b", "a.b.c", "a b.c", "a.b@", "a.b@3", "a.b@v", "a.b@v0", "a.b@v-1", "a.b@V3", "a.b@v3@v4",
     "a.b@v٣", "fam:a.b", "fam:p/a.b", "fam:p/n/m/a.b", "fam:/n/a.b", "fam:p//a.b", "fam:p/n/", "fam:../n/a.b",
     "FAM:p/n/a.b", "a/b.c", " a.b", "a.b\n", "a.b@v9999999999"],
)  # fmt: skip
def test_anything_else_is_a_bad_reference(text: str) -> None:
    with pytest.raises(BadReference):
        Reference.parse(text)


def test_depends_on_names_blocks_or_references() -> None:
    assert parse_dependency("a") == BlockRef("a")
    assert parse_dependency("a@v3") == BlockRef("a", 3)
    assert parse_dependency("a.b@v3") == Reference("a", "b", 3)
    assert parse_dependency("fam:p/n/a.b") == Reference("a", "b", None, "p", "n")
    for text in ("", "a@3", "a b", "fam:p/n/a"):
        with pytest.raises(BadReference):
            parse_dependency(text)


def test_placeholders_are_found_with_their_lines() -> None:
    text = "see {{ref:a.b}}\nand {{ref: c.d@v2 }} and {ref:x} and {{ref}}"
    found = find_placeholders(text, line=7)
    assert [(text[each.start : each.end], str(each.reference), each.line) for each in found] == [
        ("{{ref:a.b}}", "a.b", 7),
        ("{{ref: c.d@v2 }}", "c.d@v0002", 8),
    ]
    assert replace_placeholders(text, lambda ref: f"<{ref.name}>") == "see <b>\nand <d> and {ref:x} and {{ref}}"


def test_a_placeholder_that_is_no_reference_names_its_line() -> None:
    with pytest.raises(BadReference) as caught:
        find_placeholders("a\n\n{{ref:nonsense}}", line=5, file="a.fam")
    assert (caught.value.where.file, caught.value.where.line) == ("a.fam", 7)


def test_what_stands_in_place_of_a_placeholder_is_not_read_again() -> None:
    assert replace_placeholders("{{ref:a.b}}", lambda _: "{{ref:a.b}}") == "{{ref:a.b}}"


def test_refs_are_found_anywhere_inside_a_value() -> None:
    value = {"x": {"ref": "a.b"}, "y": [1, {"z": {"ref": "c.d"}}], "ref": "text", "t": ({"ref": "e.f"},)}
    assert find_refs(value) == [
        (("x",), Reference("a", "b")),
        (("y", 1, "z"), Reference("c", "d")),
        (("t", 0), Reference("e", "f")),
    ]
    assert replace_refs(value, lambda ref: ref.name) == {"x": "b", "y": [1, {"z": "d"}], "ref": "text", "t": ["f"]}
    assert value["x"] == {"ref": "a.b"}


@pytest.mark.parametrize("wrong", [12, None, "", "a", ["a.b"], {"ref": "a.b"}])
def test_a_ref_that_holds_no_reference_names_its_key(wrong) -> None:
    with pytest.raises(BadReference) as caught:
        find_refs({"x": [{"ref": wrong}]})
    assert caught.value.where.key == "x.0.ref"


@given(st.text(alphabet="ab.@v3/:fm-é ", max_size=20) | st.text(max_size=20))
def test_any_text_is_a_reference_or_a_bad_one(text: str) -> None:
    try:
        reference = Reference.parse(text)
    except BadReference:
        return
    assert Reference.parse(str(reference)) == reference
    assert (reference.project is None) == (reference.notebook is None)


@pytest.mark.timeout(30)
def test_placeholders_are_looked_for_in_linear_time() -> None:
    assert find_placeholders("{{ref:" * 200_000) == []
    assert len(find_placeholders("{{ref:a.b}}\n" * 20_000)) == 20_000
