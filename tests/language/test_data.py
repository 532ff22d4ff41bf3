from __future__ import annotations

import json
import unicodedata

import pytest

from famulus_kernel.errors import PreambleError
from famulus_kernel.language.block import parse_block
from famulus_kernel.language.preamble import Preamble, parse_preamble


def preamble(text: str) -> Preamble:
    """The preamble whose YAML begins in line 11 of a file."""
    return parse_preamble(parse_block(f"---\n{text}\n---\nx", line=10, file="a.fam"))


@pytest.mark.parametrize(
    "file",
    ["", "/a.json", "../a.json", "a/../b.json", "a//b.json", "./a.json", "a/.", "C:a.json", "C:/a.json", "a\\b.json",
     "~/a|b", "a?.json", "a*.json", "a<b", 'a".json', "a\nb", "a\x7f", "con", "CON.json", "sub/nul.txt", "com1.json",
     "LPT9", "é" * 101, "aux.tar.gz", "a.", "a ", " a", "a./b", "//server/share/a"],
)  # fmt: skip
def test_a_file_that_could_leave_its_folder_or_not_be_made_everywhere_is_refused(file: str) -> None:
    with pytest.raises(PreambleError) as caught:
        preamble(f"id: a\nartefacts: [{{name: b, kind: table, file: {json.dumps(file)}}}]")
    assert caught.value.where.key == "artefacts.0.file"


@pytest.mark.parametrize("file", ["a.json", "sub/a.json", "Ärzte und Briefe.json", ".hidden", "console.json", "a..b"])
def test_a_plain_file_is_taken(file: str) -> None:
    found = preamble(f"id: a\nartefacts: [{{name: b, kind: table, file: {json.dumps(file)}}}]")
    assert found.artefact("b").file == file


def test_a_composed_and_a_decomposed_file_are_the_same() -> None:
    files = [unicodedata.normalize(form, "é.json") for form in ("NFC", "NFD")]
    items = (f"- {{name: n{number}, kind: table, file: {file}}}\n" for number, file in enumerate(files))
    text = "id: a\nartefacts:\n" + "".join(items)
    with pytest.raises(PreambleError, match="used twice"):
        preamble(text)


@pytest.mark.parametrize("files", [("x", "x/y.json"), ("a/b/c.json", "A/b")])
def test_a_file_below_another_file_is_refused_with_line_and_key(files) -> None:
    items = (f"- {{name: n{number}, kind: table, file: {file}}}\n" for number, file in enumerate(files))
    with pytest.raises(PreambleError, match="which is a file too") as caught:
        preamble("id: a\nartefacts:\n" + "".join(items))
    assert str(caught.value.where.key).endswith(".file")
    assert caught.value.where.line is not None
