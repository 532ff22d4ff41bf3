from __future__ import annotations

from famulus_kernel.store.manifest import FileInput, Inputs, Manifest, Software


def inputs(**changes):
    file = {"path": "data/a.parquet", "size": 10, "mtime_ns": 1, "sha256": "0" * 64}
    return Inputs(preamble={"id": "letters"}, instruction="How many?", files=(FileInput(**(file | changes)),))


def a_manifest(created="2026-03-01T10:00:00+00:00", duration_s=2.5):
    return Manifest(
        project="p", notebook="work", block="letters", version="v0001", created=created, duration_s=duration_s,
        software=Software(version="0.1.0", python="3.11.0", duckdb="2.0.1"), status="pass", checked=True,
        inputs=inputs(),
    )


def test_the_fingerprint_leaves_out_what_a_copy_changes():
    assert inputs(mtime_ns=2, size=10).fingerprint() == inputs().fingerprint()


def test_the_fingerprint_takes_in_content_and_place():
    assert len({inputs().fingerprint(), inputs(sha256="1" * 64).fingerprint(), inputs(path="b").fingerprint()}) == 3


def test_the_fingerprint_is_the_same_in_every_release():
    # A change here makes every project stale: it may only come with a new format number.
    assert inputs().fingerprint() == "9519568cdb562abd4d2077ef6ea5328941407eb482c49cb29f36e6cf252c0dde"


def test_a_run_began_its_duration_before_it_was_written_down():
    end = 1_772_359_200_000_000_000
    assert a_manifest().started_ns == end - 2_500_000_000
    assert a_manifest(created="2026-03-01T11:00:00+01:00").started_ns == end - 2_500_000_000
    assert a_manifest(created="2026-03-01T10:00:00Z", duration_s=0).started_ns == end


def test_a_date_that_nobody_can_read_vouches_for_nothing():
    assert a_manifest(created="yesterday").started_ns == 0
