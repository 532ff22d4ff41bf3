from __future__ import annotations

import json

import pytest

from famulus_kernel.errors import NewerFormat
from famulus_kernel.store.status_file import carried_on, read_status, write_status


def test_nothing_was_found_before_status_looked(store):
    assert read_status(store) is None


def test_the_file_has_the_form_that_pages_read(store):
    write_status(store, {"b": ("stale", ["the key years changed"]), "a": ("fresh", ())}, "2026-03-01T10:00:00Z")
    assert json.loads(store.status_path.read_text()) == {
        "format": 1,
        "checked": "2026-03-01T10:00:00Z",
        "blocks": {
            "a": {"state": "fresh", "since": "2026-03-01T10:00:00Z", "reasons": []},
            "b": {"state": "stale", "since": "2026-03-01T10:00:00Z", "reasons": ["the key years changed"]},
        },
    }


def test_a_state_that_lasts_keeps_the_time_it_was_first_seen(store):
    write_status(store, {"a": ("stale", ["one"]), "b": ("stale", [])}, "2026-03-01")
    status = write_status(store, {"a": ("stale", ["one", "two"]), "b": ("fresh", [])}, "2026-03-02")
    assert status.blocks["a"].since == "2026-03-01"
    assert status.blocks["a"].reasons == ("one", "two")
    assert status.blocks["b"].since == "2026-03-02"
    assert read_status(store) == status


def test_a_block_that_is_gone_is_not_carried_on():
    before = carried_on(None, {"a": ("fresh", ())}, "2026-03-01")
    assert carried_on(before, {}, "2026-03-02").blocks == {}


def test_a_damaged_file_counts_as_none_and_is_replaced(store):
    write_status(store, {}, "2026-03-01")
    store.status_path.write_text("{")
    assert read_status(store) is None
    write_status(store, {"a": ("fresh", ())}, "2026-03-02")
    assert read_status(store).checked == "2026-03-02"


def test_a_file_of_a_newer_release_is_not_overwritten(store):
    write_status(store, {}, "2026-03-01")
    store.status_path.write_text('{"format": 3}')
    with pytest.raises(NewerFormat):
        write_status(store, {}, "2026-03-02")
    assert store.status_path.read_text() == '{"format": 3}'
