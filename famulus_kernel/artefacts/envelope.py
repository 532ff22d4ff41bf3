"""The envelope around every artefact JSON (spec 2.3): who made it, what it holds, how it is drawn."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict

from famulus_kernel.artefacts.view import View

FORMAT: Final = 1


def utc_now() -> str:
    """Return the time as manifests, envelopes and traces write it: ISO 8601, UTC, milliseconds, `Z`."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class Header(BaseModel):
    """Where it is from. `inputs` is the sha256 of the manifest's inputs without machine and time."""

    model_config = ConfigDict(frozen=True, extra="allow")

    format: Literal[1] = FORMAT
    project: str
    notebook: str
    block: str
    version: str
    name: str
    kind: str
    created: str
    inputs: str


class Envelope(BaseModel):
    """One artefact: header, the data of its kind, and its view."""

    model_config = ConfigDict(frozen=True)

    famulus: Header
    data: Any
    view: View

    def to_bytes(self) -> bytes:
        """Return the artefact's file: pretty JSON, keys in a fixed order, a newline at the end (spec 2.6)."""
        return pretty_json(
            {"famulus": self.famulus.model_dump(mode="json"), "data": self.data, "view":
            self.view.model_dump(mode="json")}
        )


def pretty_json(value: object) -> bytes:
    """Return JSON that diffs well: UTF-8, indented, in the given order, floats as repr, no NaN, newline last."""
    return (json.dumps(value, ensure_ascii=False, indent=1, allow_nan=False) + "\n").encode()
