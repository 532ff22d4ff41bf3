"""One block a row, written at the end of a notebook; what stands there is not touched (spec 6.3)."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from famulus_kernel.adapter.appending import append_blocks, free_id, notebook_name, taken_ids
from famulus_kernel.adapter.goldens.proving import blocks_by_golden
from famulus_kernel.adapter.prepare import check
from famulus_kernel.corpus.subtasks import names as registered
from famulus_kernel.corpus.subtasks import subtask as subtask_named
from famulus_kernel.errors import BadReference, FamulusError, GoldenError
from famulus_kernel.language.flow import in_one_line
from famulus_kernel.language.identifiers import check_identifier
from famulus_kernel.language.references import same_id_key
from famulus_kernel.project.blocks import BrokenBlock, read_block

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from famulus_kernel.adapter.goldens.memory import AgentMemory, GoldenRow
    from famulus_kernel.project.project import Project

ATTESTATION: Final = "attestation"
"""A route of golden rows that is no subtask: one lemma is found, several are sought together."""

_LEMMA_KEYS: Final = ("lemmata", "lemma", "terms")
_QUOTED_WORD: Final = re.compile(
    '[\u201e\u201c"\u00ab\u00bb]([^\\s\u201c\u201d\u201e"\u00ab\u00bb]+)[\u201c\u201d"\u00ab\u00bb]'
)


@dataclass(frozen=True, slots=True)
class Written:
    """What was written: `blocks` gives (golden_id, block id), `skipped` the rows that had a block before."""

    file: Path
    blocks: tuple[tuple[str, str], ...]
    skipped: tuple[str, ...]
    problems: tuple[FamulusError, ...]


def write_blocks(project: Project, memory: AgentMemory, file: Path) -> Written:
    """Add a block to a notebook for each row that no block of the project names.

    A row that no sound block can be made of is told among the problems; the others are written all the same.

    Raises
    ------
    ProjectError
        `file` would be no notebook of the project, or nothing can be added at its end.
    StoreError
        It cannot be written.
    DatabaseBusy, GoldenError
        The rows cannot be read.
    """
    name = notebook_name(project, file)
    aliases = memory.aliases()
    have = blocks_by_golden(project)
    taken = taken_ids(project)
    bodies: list[str] = []
    blocks: list[tuple[str, str]] = []
    skipped: list[str] = []
    problems: list[FamulusError] = []
    for row in memory.rows().values():
        if row.golden_id in have:
            skipped.append(row.golden_id)
            continue
        block = _free_id(row.golden_id, taken)
        try:
            body = _sound_body(row, block, aliases, project, file)
        except FamulusError as error:
            problems.append(error if isinstance(error, GoldenError) else GoldenError.no_block(row.golden_id, error))
            continue
        taken.add(same_id_key(block))
        bodies.append(body)
        blocks.append((row.golden_id, block))
    if bodies:
        append_blocks(file, name, bodies)
    return Written(file, tuple(blocks), tuple(skipped), tuple(problems))


def body_of(row: GoldenRow, block: str, aliases: Mapping[str, str], defaults: Mapping[str, Any]) -> str:
    """Return the text of a block that asks what a row asks and expects what it expects.

    Parameters
    ----------
    block
        The block's id.
    aliases
        Other names of subtasks.
    defaults
        What famulus.yml sets for all blocks.

    Raises
    ------
    GoldenError
        The expected answer is malformed, or the row does not say how it is answered.
    """
    expected = row.expected()
    lemmata = _lemmata(row, expected)
    named = _subtask(row, lemmata, aliases)
    keys: dict[str, Any] = {"id": block}
    if row.collections:
        keys["collections"] = list(row.collections)
    if named in registered() and subtask_named(named).counts_lemmata:
        if lemmata:
            keys["lemmata"] = lemmata
        if "counting_mode" not in defaults:
            keys["counting_mode"] = "canonical"
    keys |= {"subtask": named, "golden": row.golden_id}
    lines = [f"{key}: {in_one_line(value)}" for key, value in keys.items()]
    if expected:
        lines += ["oracle:", *(f"  {in_one_line(key)}: {in_one_line(value)}" for key, value in expected.items())]
    question = row.question.replace("\r\n", "\n").replace("\r", "\n").strip()
    return "\n".join(["---", *lines, "---", question])


def _sound_body(row: GoldenRow, block: str, aliases: Mapping[str, str], project: Project, file: Path) -> str:
    """Return :func:`body_of` once it was read back: it says what the row says, and nothing is wrong with it."""
    body = body_of(row, block, aliases, project.config.defaults)
    read = read_block(
        body,
        notebook="goldens",
        file=file,
        name=file.name,
        line=1,
        fence=None,
        defaults=project.config.defaults,
    )
    if isinstance(read, BrokenBlock):
        raise read.error
    check(read, project)
    if read.preamble.golden != row.golden_id or dict(read.preamble.oracle or {}) != row.expected():
        raise GoldenError.malformed(row.golden_id, "it holds signs that YAML cannot carry")
    return body


def _subtask(row: GoldenRow, lemmata: list[str], aliases: Mapping[str, str]) -> str:
    named = row.subtask or row.route
    if not named:
        raise GoldenError.no_subtask(row.golden_id)
    if named == ATTESTATION:
        return "cooccurrence" if len(lemmata) > 1 else "terminology-find"
    return named if named in registered() else aliases.get(named, named)


def _lemmata(row: GoldenRow, expected: Mapping[str, Any]) -> list[str]:
    """Return the lemmata that a row names: in its answer, else in quotes in its question."""
    for key in _LEMMA_KEYS:
        value = expected.get(key)
        if isinstance(value, dict):
            value = value.get("all") or value.get("of")
        found = [value] if isinstance(value, str) else value
        if isinstance(found, list) and found and all(isinstance(one, str) for one in found):
            return list(dict.fromkeys(found))
    return list(dict.fromkeys(_QUOTED_WORD.findall(row.question)))


def _free_id(golden_id: str, taken: set[str]) -> str:
    """Return the golden_id as the id of a block, mended where it cannot be one, with a number where it is taken."""
    base = unicodedata.normalize("NFC", golden_id)
    try:
        base = check_identifier(base)
    except BadReference:
        base = "golden-" + re.sub(r"[^A-Za-z0-9]+", "-", base).strip("-").lower()
    return free_id(base, taken)
