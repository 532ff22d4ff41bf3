"""What is remembered of notebooks between two commands, so that one that did not change is not parsed again.

`_famulus/outline.json` is a cache: safe to delete, ignored where a release, famulus.yml or a notebook is another. It
holds of each block just what staleness and the graph ask (:class:`~famulus_kernel.project.blocks.Facts`); a notebook
in which a block cannot be read is never remembered, so that its errors are told each time.
"""

from __future__ import annotations

import json
import logging
import os
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from famulus_kernel.project.locate import PROJECT_FILE
from famulus_kernel.store.stamps import stamp_of
from famulus_kernel.version import __version__

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from famulus_kernel.project.blocks import Facts
    from famulus_kernel.store.stamps import Stamp

FILE = "outline.json"
FORMAT = 3
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Outline:
    """What was remembered: the project's own words, and the facts of every notebook's blocks by relative path."""

    project: Mapping[str, Any]
    notebooks: Mapping[str, tuple[Facts, ...]]


def recall(root: Path) -> Outline | None:
    """Return what still holds of the outline; None where nothing does."""
    from famulus_kernel.project.blocks import Facts  # noqa: PLC0415 - blocks needs this module

    try:
        data = json.loads((root / "_famulus" / FILE).read_bytes())
        if data["format"] != FORMAT or data["famulus"] != __version__:
            return None
        if not _holds(root / PROJECT_FILE, data["project_file"], data["seen_ns"]):
            return None
        notebooks = {
            name: tuple(Facts.from_json(facts) for facts in entry["blocks"])
            for name, entry in data["notebooks"].items()
            if _holds(f"{root}/{name}", entry["stamp"], entry["seen_ns"])
        }
    except (OSError, ValueError, KeyError, TypeError) as error:
        _log.debug("no outline: %s", error)
        return None
    return Outline(data["project"], notebooks)


def _holds(path: Path | str, stamp: list[int] | None, seen_ns: int) -> bool:
    now = stamp_of(path)
    if now is None or stamp is None:
        return now is None and stamp is None
    return now == tuple(stamp) and now.was_settled(seen_ns)


def remember(
    root: Path, project: Mapping[str, Any], notebooks: Mapping[str, tuple[Stamp, int, tuple[Facts, ...]]]
) -> None:
    """Write the outline anew.

    Parameters
    ----------
    root
        The project's folder.
    project
        What of famulus.yml `status` needs.
    notebooks
        By relative path: the file's stamp when it was read, when that was (ns), and its blocks' facts.
    """
    data = {
        "format": FORMAT,
        "famulus": __version__,
        "seen_ns": time.time_ns(),
        "project_file": stamp_of(root / PROJECT_FILE),
        "project": project,
        "notebooks": {
            name: {"stamp": stamp, "seen_ns": seen_ns, "blocks": [one.as_json() for one in facts]}
            for name, (stamp, seen_ns, facts) in notebooks.items()
        },
    }
    path = root / "_famulus" / FILE
    temporary = path.with_name(f".{FILE}.{os.getpid()}")
    try:
        temporary.write_text(json.dumps(data, ensure_ascii=False), encoding="utf-8")
        temporary.replace(path)
    except OSError as error:  # a cache that cannot be written costs time and nothing else
        _log.info("%s cannot be written: %s", path, error)
