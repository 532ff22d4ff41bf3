"""Documents of partituren: what is read, and what each error says and where."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from famulus_kernel.errors import FamulusError, PartiturError
from famulus_kernel.harness.partitur import MAX_BYTES, read_partitur
from famulus_kernel.harness.register import Shipped, version_order

HEAD = "id: frage\nversion: 1.10\ngoal_path: query/probe\n"


def read(stages: str, head: str = HEAD, rest: str = "") -> object:
    return read_partitur(f"{head}stages:\n{stages}{rest}".encode(), "frage.yaml")


def test_a_document_keeps_its_bytes_and_its_version_as_it_is_written() -> None:
    text = f"\ufeff{HEAD}stages:\r\n  - {{id: a, op: sql}}\r\n".encode()
    document = read_partitur(text)
    assert document.text == text
    assert document.name == "frage@1.10"
    assert document.sha256 == hashlib.sha256(text).hexdigest()


@pytest.mark.parametrize("indent", ["  ", "\t"])
def test_json_is_read_too(indent: str) -> None:
    stages = '"stages": [{"id": "x", "op": "sql"}]'
    text = f'{{\n{indent}"id": "a",\n{indent}"version": "2", "goal_path": "a/b",\n{stages}}}'
    assert read_partitur(text.encode()).name == "a@2"


BAD = [
    ("- {id: a, op: x, with: {y: '{{ stages.b }}'}}\n- {id: b, op: x}", 5, "a", "plays after it"),
    ("- {id: a, op: x, with: {y: '{{ stages.b }}'}}\n- {id: b, op: x, when: '{{ stages.a.n }}'}", 5, "a → b → a", ""),
    ("- {id: a, op: x}\n- {id: b, op: x, with: {y: '{{ stages.b }}'}}", 6, "b → b", "wait for one another"),
    ("- {id: a, op: x}\n- {id: b, op: x, with: {y: '{{ stages.aa }}'}}", 6, "aa", "there is no stage"),
    ("- {id: a, op: x, with: {y: '{{ inputs.z }}'}}", 5, "z", "declares no input"),
    ("- {id: a, op: x, when: {z: 1}}", 5, "z", "declares no input"),
    ("- {id: a, op: x, wiht: {}}", 5, "wiht", "unknown key"),
    ("- {id: a, op: x}\n- {id: a, op: y}", 6, "a", "twice"),
    ("- {id: a, op: x, when: 3}", 5, "stages.0.when", "a template"),
    ("- {id: a-b, op: x}", 5, "stages.0.id", "templates can use"),
    ("- {id: a, op: x, with: {y: ['{{ self }}']}}", 5, "self", "neither inputs nor stages"),
    ("- {id: a}", 5, "stages.0.op", "missing"),
    ("- {id: a, id: b, op: x}", 5, "id", "twice"),
]


@pytest.mark.parametrize(("stages", "line", "names", "says"), BAD)
def test_what_is_wrong_with_stages_is_told_with_file_line_and_key(
    stages: str, line: int, names: str, says: str
) -> None:
    with pytest.raises(FamulusError) as found:
        read(stages)
    where = found.value.where
    assert (where.file, where.line) == ("frage.yaml", line)
    assert where.key is not None
    assert names in found.value.message
    assert says in f"{found.value.message} {found.value.hint}"
    assert found.value.exit_status == 2


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (b"- a\n", "no mapping"),
        (b"\xff\xfe", "UTF-8"),
        (b"x" * (MAX_BYTES + 1), "bytes"),
        (b"id: a\nversion: eins\ngoal_path: a/b\nstages: [{id: a, op: x}]", "version"),
        (b"id: a\nversion: 1\ngoal_path: a\nstages: [{id: a, op: x}]", "goal_path"),
        (b"id: a\nversion: 1\ngoal_path: a/b\nstages: []", "stages"),
        (b"id: a\nversion: 1\ngoal_path: a/b\nstages: [{id: a, op: x}]\nstage: []", "unknown key"),
        (b"id: a\nversion: 1\ngoal_path: a/b\ninputs: {x: {type: text}}\nstages: [{id: a, op: x}]", "string"),
        (b"id: a\nversion: 1\ngoal_path: a/b\nstages: [{id: a, op: x}]\ninputs: {x: {type: list, default: 2}}", "list"),
        (b'{"id": "a", "id": "b"}', "twice"),
        (b"id: !!python/object:os.system a", "tag"),
        (b"a: &x [*x]", "alias"),
    ],
)
def test_what_is_no_document_is_refused(text: bytes, names: str) -> None:
    with pytest.raises(FamulusError) as found:
        read_partitur(text, "frage.yaml")
    assert names in f"{found.value.message} {found.value.hint}"
    assert found.value.where.file == "frage.yaml"


@given(st.binary(max_size=200))
def test_no_bytes_raise_anything_but_our_errors(data: bytes) -> None:
    try:
        read_partitur(data)
        read_partitur(HEAD.encode() + data)
    except FamulusError:
        pass


def test_versions_are_ordered_by_their_numbers() -> None:
    assert sorted(["1.9", "1.10", "2", "1"], key=version_order) == ["1", "1.9", "1.10", "2"]


def test_what_the_package_ships_is_sound_and_called_by_its_id() -> None:
    shipped = Shipped()
    for entry in shipped.entries():
        document = read_partitur(shipped.text(entry), entry.id)  # with all the checks that a run leaves out
        partitur = document.partitur
        said = (partitur.id, partitur.version, partitur.goal_path, document.sha256)
        assert said == (entry.id, entry.version, entry.goal_path, entry.sha256)


def test_a_cycle_names_the_whole_way() -> None:
    stages = (
        "- {id: a, op: x, with: {y: '{{ stages.c }}'}}\n- {id: b, op: x, with: {y: '{{ stages.a }}'}}\n"
        "- {id: c, op: x, with: {y: '{{ stages.b }}'}}"
    )
    with pytest.raises(PartiturError, match="a → c → b → a"):
        read(stages)
