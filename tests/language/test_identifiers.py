from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from famulus_kernel.errors import BadReference
from famulus_kernel.language.identifiers import check_identifier, check_notebook_id, is_device_name, same_id_key

NFD = unicodedata.normalize("NFD", "café")


@pytest.mark.parametrize(
    "text", ["a", "1", "letters-count", "a_b", "Ärzte", "письма", "手紙", "010", "कीमत", "x" * 80, "on", "no"]
)
def test_letters_of_any_script_digits_dash_and_underscore_make_an_identifier(text: str) -> None:
    assert check_identifier(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "-a",
        "_a",
        "a b",
        "a.b",
        "a/b",
        "a\\b",
        "a:b",
        "é̂\u0301"[1:],
        "x" * 81,
        "²",
        "½",
        "a\n",
        "a\u200b",
        "..",
        "a@b",
        "😀",
    ],
)
def test_anything_else_is_none(text: str) -> None:
    with pytest.raises(BadReference, match="identifier"):
        check_identifier(text)


@pytest.mark.parametrize("text", ["con", "NUL", "aux", "prn", "com1", "LPT9", "com0"])
def test_a_name_that_windows_keeps_is_no_folder(text: str) -> None:
    with pytest.raises(BadReference, match="device"):
        check_identifier(text)


@pytest.mark.parametrize(
    ("name", "device"),
    [
        ("CON", True),
        ("con.json", True),
        ("con .x", True),
        ("com10", False),
        ("cons", False),
        ("com¹.txt", True),
        ("conin$", True),
        ("", False),
    ],
)
def test_device_names_are_known_with_any_extension(name: str, device: bool) -> None:
    assert is_device_name(name) is device


def test_identifiers_are_composed() -> None:
    assert check_identifier(NFD) == "café"
    assert len(NFD) == 5


def test_ids_that_would_be_one_folder_are_the_same() -> None:
    assert same_id_key("Café") == same_id_key(NFD) == same_id_key("CAFÉ")
    assert same_id_key("straße") == same_id_key("STRASSE")
    assert same_id_key("a") != same_id_key("b")


def test_a_notebook_id_may_hold_dots() -> None:
    assert check_notebook_id("briefe.zahl") == "briefe.zahl"
    for text in ("briefe..zahl", ".a", "a.", "a b", "a/b"):
        with pytest.raises(BadReference):
            check_notebook_id(text)


@given(st.text(max_size=90))
def test_a_checked_identifier_is_checked_again_as_itself(text: str) -> None:
    try:
        name = check_identifier(text)
    except BadReference:
        return
    assert check_identifier(name) == name == unicodedata.normalize("NFC", name)
    assert not set(name) & set("./\\:@ \n{}\"'")
