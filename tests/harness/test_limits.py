"""Budgets are enforced: the clock, the calls, the tokens."""

from __future__ import annotations

import re
import signal
import threading
import time

import pytest

from famulus_kernel.errors import BudgetExceeded
from famulus_kernel.harness.limits import Budget, Limits


class Clock:
    now = 10.0

    def __call__(self) -> float:
        return self.now


def test_without_limits_everything_goes_and_nothing_is_reported_that_was_not_spent() -> None:
    budget = Budget()
    budget.check()
    budget.tool_call()
    assert (budget.seconds_left(), budget.tokens_left(), budget.model_call()) == (None, None, None)
    assert budget.usage() == {"tool_calls": {"used": 1, "allowed": None}}


def test_the_wall_clock_ends_what_goes_on() -> None:
    clock = Clock()
    budget = Budget(Limits(max_wall_seconds=2), clock)
    clock.now += 1.5
    budget.check()
    assert budget.seconds_left() == 0.5
    clock.now += 1
    with pytest.raises(BudgetExceeded, match=r"max_wall_seconds.*2\.5 / 2"):
        budget.check()
    with pytest.raises(BudgetExceeded):
        budget.tool_call()
    assert budget.usage() == {"wall_seconds": {"used": 2.5, "allowed": 2}}


def test_the_wall_clock_ends_a_regular_expression_that_would_never_end() -> None:
    budget = Budget(Limits(max_wall_seconds=0.2))
    began = time.monotonic()
    with pytest.raises(BudgetExceeded, match="max_wall_seconds"), budget.ticking():
        re.search(r"(a+)+b", "a" * 60)
    assert time.monotonic() - began < 10
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_what_ends_in_time_is_not_disturbed_and_elsewhere_the_clock_is_asked_afterwards() -> None:
    with Budget().ticking(), Budget(Limits(max_wall_seconds=30)).ticking():
        pass
    clock = Clock()
    budget = Budget(Limits(max_wall_seconds=2), clock)
    found: list[type[BaseException] | None] = []

    def in_a_thread() -> None:
        try:
            with budget.ticking():
                clock.now += 3
        except BudgetExceeded as error:
            found.append(type(error))

    thread = threading.Thread(target=in_a_thread)
    thread.start()
    thread.join(10)
    assert found == [BudgetExceeded]


def test_the_call_past_the_limit_is_refused_and_not_counted() -> None:
    budget = Budget(Limits(max_tool_calls=1))
    budget.tool_call()
    with pytest.raises(BudgetExceeded, match="max_tool_calls"):
        budget.tool_call()
    assert budget.usage()["tool_calls"] == {"used": 1, "allowed": 1}


def test_a_text_is_cut_between_words_and_marked_where_the_tokens_end() -> None:
    budget = Budget(Limits(max_output_tokens=8))
    assert budget.written("drei kurze Worte", 3) == "drei kurze Worte"
    assert budget.model_call() == 5
    cut = budget.written("eins zwei drei vier fünf sechs sieben acht neun zehn", 10)
    assert cut == "eins zwei drei vier fünf … [cut: 8 tokens]"
    with pytest.raises(BudgetExceeded, match=r"max_output_tokens.*13 / 8"):
        budget.model_call()


def test_a_text_of_one_long_word_is_cut_inside_it() -> None:
    assert Budget(Limits(max_output_tokens=1)).written("x" * 40, 4).startswith("x" * 10 + " …")
