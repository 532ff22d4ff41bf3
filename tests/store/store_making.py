"""Versions as a run would write them, for tests and for the processes that tests start."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from famulus_kernel.artefacts.envelope import Envelope, Header
from famulus_kernel.artefacts.view import View
from famulus_kernel.store.manifest import Inputs, Manifest, Software, Verdict

if TYPE_CHECKING:
    from pathlib import Path

    from famulus_kernel.store.store import BlockStore, StoredVersion

CREATED = "2026-03-01T10:00:00+00:00"


def commit_version(
    store: BlockStore,
    block: str = "letters",
    *,
    notebook: str = "work",
    folder: Path | None = None,
    data: object = None,
    companions: dict[str, bytes] | None = None,
    inputs: Inputs | None = None,
    status: str = "pass",
    created: str = CREATED,
    counts: dict | None = None,
    observed: dict | None = None,
    extra: dict[str, bytes] | None = None,
) -> StoredVersion:
    """Commit a version with one artefact `rows` (none when it ended in error)."""
    inputs = inputs or Inputs(preamble={"id": block}, instruction="How many letters?")
    folder = folder or store.block_folder(notebook, block)
    with store.draft(folder) as draft:
        for file, content in (companions or {}).items():
            draft.write(f"artefacts/{file}", content)
        for file, content in (extra or {}).items():
            draft.write(file, content)

        def finish(version: str) -> Manifest:
            header = Header(
                project="p", notebook=notebook, block=block, version=version, name="rows", kind="json",
                created=created, inputs=inputs.fingerprint(),
            )
            entries = ()
            if status != "error":
                envelope = Envelope(famulus=header, data=data, view=View(parts=()))
                draft.write("artefacts/rows.json", envelope.to_bytes())
                entries = (draft.entry("rows", "json", "rows.json", companions or ()),)
            draft.write_json("trace.json", {"steps": []})
            draft.write_json("report.json", {"data": {"counts": counts or {}}})
            verdict = Verdict(id=block, golden=None, status=status, oracle=None, observed=observed or {})
            draft.write_json("verdict.json", verdict.model_dump(mode="json"))
            return Manifest(
                project="p", notebook=notebook, block=block, version=version, created=created, duration_s=0.25,
                software=Software(version="0.1.0", python="3.11.0", duckdb="2.0.1"), status=status, checked=False,
                inputs=inputs, artefacts=entries,
            )

        return draft.commit(finish)


def edit_manifest(version: StoredVersion, /, **changes: object) -> None:
    """Change manifest.json behind the store's back."""
    path = version.folder / "manifest.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))
