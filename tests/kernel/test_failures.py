"""Exceptions as a reader sees them, and signals where they may strike."""

from __future__ import annotations

import signal
import time
from typing import TYPE_CHECKING

import pytest

from famulus_kernel.errors import FamulusError, MissingFile, Where
from famulus_kernel.kernel.failures import describe
from famulus_kernel.kernel.interrupts import Interrupts

if TYPE_CHECKING:
    from collections.abc import Iterator


def test_an_error_of_the_project_says_what_where_and_what_to_do() -> None:
    error = MissingFile.of("data/x.duckdb", "/p/data/x.duckdb").at(Where("a.fam", 7, "zahl", "duckdb.0.path"))
    failure = describe(error)
    assert failure.ename == "MissingFile"
    assert failure.evalue == "data/x.duckdb is not there (expanded: /p/data/x.duckdb)"
    assert failure.traceback == (
        "MissingFile: data/x.duckdb is not there (expanded: /p/data/x.duckdb)",
        "  at a.fam:7, block zahl, key duckdb.0.path",
        "  hint: check the spelling; relative paths start at the project's folder",
    )
    assert failure.content()["traceback"] == list(failure.traceback)


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
    text = "".join([failure.evalue, *failure.traceback])
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
