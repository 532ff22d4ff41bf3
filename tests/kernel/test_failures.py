"""Exceptions as a reader sees them, and signals where they may strike."""

from __future__ import annotations

import re
import signal
import time
from typing import TYPE_CHECKING

import pytest

from famulus_kernel.errors import FamulusError, MissingFile, Where
from famulus_kernel.kernel.failures import describe
from famulus_kernel.kernel.interrupts import Interrupts
from famulus_kernel.language.block import parse_block

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


OURS = re.compile(r"\x1b\[(31|1|2|0)m")


def uncoloured(lines: Sequence[str]) -> list[str]:
    return [OURS.sub("", line) for line in lines]


def test_an_error_of_the_project_says_what_where_and_what_to_do() -> None:
    error = MissingFile.of("data/x.duckdb", "/p/data/x.duckdb").at(Where("a.fam", 7, "zahl", "duckdb.0.path"))
    failure = describe(error)
    assert failure.ename == "MissingFile"
    assert failure.evalue == "data/x.duckdb is not there (expanded: /p/data/x.duckdb)"
    assert uncoloured(failure.traceback) == [
        "MissingFile: data/x.duckdb is not there (expanded: /p/data/x.duckdb)",
        "  hint: check the spelling; relative paths start at the project's folder",
        "  at a.fam:7, block zahl, key duckdb.0.path",
    ]
    assert failure.content()["traceback"] == list(failure.traceback)


CELL = "#| label: x\n---\nid: zahl\nduckdb:\n  - alias: a\n    path: data/x.duckdb\n---\nWie viele?"


def test_the_line_of_the_cell_is_marked_although_the_place_counts_the_lines_of_the_file() -> None:
    error = MissingFile.of("data/x.duckdb", "/p/data/x.duckdb").at(Where("a.fam", 70, "zahl", "duckdb.0.path"))
    assert uncoloured(describe(error, CELL).traceback)[3:] == [
        "     5 |   - alias: a",
        ">    6 |     path: data/x.duckdb",
        "     7 | ---",
    ]


def test_a_key_below_the_preamble_s_own_lines_marks_the_nearest_one_around_it() -> None:
    error = FamulusError("no", where=Where("a.fam", 70, "zahl", "duckdb.0.nothing.at.all"))
    assert uncoloured(describe(error, CELL).traceback)[2].startswith("     4 | duckdb:")


def test_yaml_that_cannot_be_read_is_marked_where_it_ends() -> None:
    code = "---\nid: x\n  bad: [\n---\nWas?"
    with pytest.raises(FamulusError) as caught:
        parse_block(code, line=30, file="a.fam")
    assert ">    3 |   bad: [" in uncoloured(describe(caught.value, code).traceback)


@pytest.mark.parametrize("code", ["", "roster.table", "---\nid: x\n---\n\x1b[31m", "no block\nat all"])
def test_a_cell_in_which_there_is_no_such_place_shows_no_lines(code: str) -> None:
    failure = describe(FamulusError("no", where=Where("a.fam", 999, "x", "nothing")), code)
    assert not [line for line in uncoloured(failure.traceback)[2:] if line.startswith(">")]


@pytest.mark.parametrize(
    ("code", "line"), [("---\nid: x\n", "---"), ("\nid: x\n---\n", "id: x"), ("#| x\n---\n---", "#| x")]
)
def test_a_cell_that_is_no_block_has_the_line_marked_where_one_should_begin(code: str, line: str) -> None:
    with pytest.raises(FamulusError) as caught:
        parse_block(code, line=30, file="a.fam")
    (marked,) = [one for one in uncoloured(describe(caught.value, code).traceback) if one.startswith(">")]
    assert marked.endswith(f"| {line}")


def test_a_block_that_was_pasted_with_its_fence_is_told_to_come_without() -> None:
    code = "```{famulus}\n---\nid: x\n---\nWas?\n```"
    with pytest.raises(FamulusError) as caught:
        parse_block(code)
    assert any("one block without its fence" in line for line in describe(caught.value, code).traceback)


def test_an_interrupt_is_told_as_one() -> None:
    assert describe(KeyboardInterrupt()).ename == "Interrupted"


class Mute(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no words")


def raised(error: BaseException) -> BaseException:
    """Return an exception with a traceback."""
    with pytest.raises(type(error)) as caught:
        raise error
    return caught.value


@pytest.mark.parametrize(
    "error", [Mute(), SystemExit(3), MemoryError(), RecursionError("deep"), GeneratorExit(), ValueError("x" * 10**6)]
)
def test_any_exception_has_a_name_and_words(error: BaseException) -> None:
    failure = describe(raised(error))
    assert failure.ename == type(error).__name__
    assert failure.evalue
    assert sum(map(len, failure.traceback)) < 50_000


def test_what_would_act_on_a_terminal_is_taken_out() -> None:
    failure = describe(FamulusError("\x1b[31mred\ud800\x07", hint="\x9b2J", where=Where("a\x1b.fam")))
    text = "".join([failure.evalue, *uncoloured(failure.traceback)])
    assert not set("\x1b\x07\x9b\ud800") & set(text)
    text.encode()


@pytest.fixture
def interrupts() -> Iterator[Interrupts]:
    before = signal.getsignal(signal.SIGINT)
    installed = Interrupts()
    installed.install()
    yield installed
    signal.signal(signal.SIGINT, before)


def test_a_signal_strikes_only_where_it_is_let_in(interrupts: Interrupts) -> None:
    signal.raise_signal(signal.SIGINT)
    assert not interrupts.struck
    with pytest.raises(KeyboardInterrupt), interrupts.let_in():
        signal.raise_signal(signal.SIGINT)
    assert interrupts.struck
    signal.raise_signal(signal.SIGINT)
    with interrupts.let_in():
        pass
    assert not interrupts.struck


def test_a_second_signal_does_not_break_into_the_cleaning_up(interrupts: Interrupts) -> None:
    cleaned = []

    def work() -> None:
        try:
            signal.raise_signal(signal.SIGINT)
        finally:
            signal.raise_signal(signal.SIGINT)
            cleaned.append("all of it")

    with pytest.raises(KeyboardInterrupt), interrupts.let_in():
        work()
    assert cleaned == ["all of it"]


def test_a_signal_long_after_the_first_strikes_again(interrupts: Interrupts) -> None:
    strikes = 0
    for _ in range(2):
        try:
            with interrupts.let_in():
                signal.raise_signal(signal.SIGINT)
        except KeyboardInterrupt:
            strikes += 1
        time.sleep(0.55)
    assert strikes == 2
