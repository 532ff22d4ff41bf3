"""Each subtask over 5 million letters and 100 million words, beside the best hand-written SQL; and a large import.

Every answer is found in a process of its own, so that its memory is its own: ours as a block's run is played, from the
request to the payloads of its artefacts, the other as SQL for this one collection. Both must come to the same counts.
"""

from __future__ import annotations

import multiprocessing
import resource
import shutil
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import duckdb

from benchmarks.by_hand import BY_HAND, Desk
from benchmarks.collection import NAME, make
from benchmarks.measuring import Result, against
from famulus_kernel.corpus.collection import Collection
from famulus_kernel.corpus.holdings import MEMORY_BYTES
from famulus_kernel.harness.embedded import EmbeddedHarness
from famulus_kernel.harness.operations import STAGE_ONE
from famulus_kernel.harness.request import RunRequest, Surroundings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

LETTERS: Final = 5_000_000
QUICK: Final = LETTERS // 50
YEARS: Final = {"from": 1550, "to": 1600}
QUESTIONS: Final[dict[str, tuple[str, dict[str, Any]]]] = {
    "correspondence-count": ("report", {"persons": ["Person Nummer 0"], "years": YEARS}),
    "correspondence-roster": ("roster-table", {"persons": ["Person Nummer 0"]}),
    "letter-subject": ("markdown", {"persons": ["Person Nummer 0"], "years": YEARS}),
    "mention-in-letters": ("roster-table", {"persons": ["Person Nummer 5"]}),
    "terminology-find": ("kwic", {"lemmata": ["w50"], "counting_mode": "canonical"}),
    "concept-statements": ("markdown", {"lemmata": ["w500"], "counting_mode": "canonical", "years": YEARS}),
    "source-attestation": ("citation-list", {"source": "Person Nummer 5"}),
    "sentence-mention": ("kwic", {"text": "w77us"}),
    "cooccurrence": ("kwic", {"lemmata": ["w50", "w60"], "counting_mode": "canonical"}),
    "manuscript-inventory": ("roster-table", {}),
    "register-inventory": ("roster-table", {}),
    "entity-mention-count": ("kwic", {"persons": ["Person Nummer 5"]}),
}
"""The artefact that is asked for, and the question."""


class Played(NamedTuple):
    """An answer: its counts, seconds by the clock and of the processors, the bytes its process held at most."""

    counts: dict[str, int]
    seconds: float
    worked: float
    memory: int

    @classmethod
    def since(cls, began: _Clocks, counts: Mapping[str, int]) -> Played:
        """Return an answer that is there now."""
        now = _Clocks.read()
        return cls(dict(counts), now.wall - began.wall, now.work - began.work, _held())


class _Clocks(NamedTuple):
    """Seconds by the clock, and those that the processors worked for this process: others may be at work too."""

    wall: float
    work: float

    @classmethod
    def read(cls) -> _Clocks:
        return cls(time.perf_counter(), time.process_time())


def measure(work: Path, *, quick: bool = False) -> Iterator[Result]:
    """Yield for each subtask its time over that of the hand-written SQL, and its memory; then the import."""
    letters = QUICK if quick else LETTERS
    root = make(work, letters)
    _warm(root)
    for subtask in QUESTIONS:
        theirs = _apart(by_hand, subtask, root, work)
        ours = _apart(asked, subtask, root, work)
        wrong = {name: number for name, number in theirs.counts.items() if ours.counts.get(name) != number}
        if wrong:
            raise RuntimeError(f"{subtask}: we count {ours.counts}, by hand {wrong}")
        work_ratio = f"work {ours.worked / theirs.worked:.2f} ×"
        memory = f"{ours.memory / 1e9:.1f} GB ({theirs.memory / 1e9:.1f})"
        value = f"{against(ours.seconds, theirs.seconds)}; {work_ratio}; {memory}"
        yield Result(f"{subtask}, {letters:,} letters, over SQL by hand", value)


def asked(subtask: str, root: Path, folder: Path) -> Played:
    """Answer a question as a block's run does."""
    kind, inputs = QUESTIONS[subtask]
    request = RunRequest(
        goal_id="question",
        goal="Question.",
        partitur=STAGE_ONE,
        inputs={"instruction": "Question.", "subtask": subtask, "collections": [NAME], "locked": True, **inputs},
        kinds=frozenset({"report", kind}),
        surroundings=Surroundings(root, folder, lang="en"),
    )
    EmbeddedHarness().check(request)  # loads what a running process has loaded
    began = _Clocks.read()
    return Played.since(began, EmbeddedHarness().run(request).result["counts"])


def by_hand(subtask: str, root: Path, folder: Path) -> Played:
    """Answer it with the hand-written SQL, under the same bound of memory."""
    collection = Collection(root, NAME)
    began = _Clocks.read()
    with duckdb.connect(":memory:") as connection:
        connection.execute(f"SET memory_limit = '{MEMORY_BYTES // 1000**2}MB'; SET temp_directory = '{folder}'")
        connection.execute("SET enable_progress_bar = false")
        connection.execute(f"ATTACH '{collection.letters_path}' AS l (READ_ONLY)")
        connection.execute(f"ATTACH '{collection.texts_path}' AS t (READ_ONLY)")
        return Played.since(began, BY_HAND[subtask](Desk(connection, folder, collection.lemmata_path)))


def _apart(function: Callable[[str, Path, Path], Played], subtask: str, root: Path, work: Path) -> Played:
    """Call a function in a process of its own, with a folder that goes with it."""
    folder = Path(tempfile.mkdtemp(dir=work))
    try:
        with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
            return pool.submit(function, subtask, root, folder).result()
    finally:
        shutil.rmtree(folder)


def _held() -> int:
    """Return the most bytes that this process held in memory."""
    status = Path("/proc/self/status")
    if status.exists():  # what getrusage says begins with what the parent held
        line = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1]) * 1024
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024


def _warm(root: Path) -> None:
    """Read all files once: whoever comes first does not pay for the disk."""
    for path in sorted((root / NAME).iterdir()):
        with path.open("rb") as file:
            while file.read(1 << 24):
                pass
