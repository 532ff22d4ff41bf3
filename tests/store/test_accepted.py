from __future__ import annotations

import threading

import pytest

from famulus_kernel.errors import StoreError
from famulus_kernel.store.accepted import Acceptance, accept, acceptances, accepted_inputs
from famulus_kernel.store.manifest import Inputs


def an_acceptance(block="letters", version="v0001", instruction="How many?", why="only the layout changed"):
    inputs = Inputs(preamble={"id": block}, instruction=instruction)
    return Acceptance(block=block, version=version, when="2026-03-01T10:00:00Z", who="gk", why=why, inputs=inputs)


def test_nothing_is_accepted_at_first(store):
    assert acceptances(store) == ()
    assert accepted_inputs(store, "letters", "v0001") == frozenset()


def test_an_acceptance_says_who_when_why_and_for_which_inputs(store):
    accept(store, an_acceptance())
    assert acceptances(store) == (an_acceptance(),)
    assert accepted_inputs(store, "letters", "v0001") == {an_acceptance().inputs.fingerprint()}


def test_an_acceptance_is_of_one_version(store):
    accept(store, an_acceptance(version="v0001"))
    assert accepted_inputs(store, "letters", "v0002") == frozenset()
    assert accepted_inputs(store, "persons", "v0001") == frozenset()


def test_a_version_may_be_accepted_for_several_inputs(store):
    for instruction in ("one", "two"):
        accept(store, an_acceptance(instruction=instruction))
    assert len(accepted_inputs(store, "letters", "v0001")) == 2


def test_line_breaks_in_a_reason_stay_on_one_line(store):
    accept(store, an_acceptance(why="first\nsecond\u2028third"))
    accept(store, an_acceptance(why="later"))
    assert [one.why for one in acceptances(store)] == ["first\nsecond\u2028third", "later"]


def test_no_acceptance_is_lost_when_several_are_written_at_once(store):
    threads = [threading.Thread(target=accept, args=(store, an_acceptance(why=str(n)))) for n in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(int(one.why) for one in acceptances(store)) == list(range(12))


def test_a_line_without_its_end_is_completed_not_joined_with_the_next(store):
    accept(store, an_acceptance())
    store.accepted_path.write_bytes(store.accepted_path.read_bytes().rstrip(b"\n"))
    accept(store, an_acceptance(version="v0002"))
    assert [one.version for one in acceptances(store)] == ["v0001", "v0002"]


def test_a_damaged_line_is_named(store):
    accept(store, an_acceptance())
    with store.accepted_path.open("ab") as file:
        file.write(b'{"block": "lett\n')
    with pytest.raises(StoreError, match=r"accepted\.jsonl:2"):
        acceptances(store)
