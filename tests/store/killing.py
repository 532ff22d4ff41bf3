"""A process that starts writers, kills them at random instants and says which versions they had reported as written.

Started by test_kill.py as `python killing.py PROJECT WRITERS COMMITS SEED`. It forks its writers, which is quicker than
starting Python for each, and kills with SIGKILL. Prints JSON: `{"kills": n, "written": {version: data}}`.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import time
import traceback
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent.parent.parent)]

from filelock import FileLock  # noqa: E402, F401 - loaded before the forks
from store_making import commit_version  # noqa: E402

from famulus_kernel.store.soundness import check_version  # noqa: E402
from famulus_kernel.store.store import BlockStore  # noqa: E402


def write_for_ever(store: BlockStore, reports: int) -> None:
    count = 0
    started = time.monotonic()
    while True:
        data = {"writer": os.getpid(), "count": count, "weight": "x" * 20_000}
        version = commit_version(
            store, data=data, companions={"rows.parquet": os.urandom(100_000)}, extra={"enfold/enfolding.json": b"{}"}
        )
        took, started = time.monotonic() - started, time.monotonic()
        os.write(reports, json.dumps([version.name, data["writer"], count, took]).encode() + b"\n")
        count += 1


class Writer:
    """A process that commits version after version until it is killed."""

    def __init__(self, store: BlockStore) -> None:
        self._reports, writing = os.pipe()
        self._pid = os.fork()
        if self._pid == 0:
            try:
                write_for_ever(store, writing)
            finally:  # the rest of this file is the parent's
                traceback.print_exc()
                os._exit(1)
        os.close(writing)
        self._heard = b""

    def wait_for_a_version(self) -> float:
        """Return how long its last version took, in seconds."""
        while self._heard.count(b"\n") < 1:
            more = os.read(self._reports, 1 << 16)
            assert more, "a writer died before it was killed"
            self._heard += more
        return float(json.loads(self._heard.splitlines()[0])[3])

    def kill(self, written: dict[str, list[int]]) -> None:
        os.kill(self._pid, signal.SIGKILL)
        os.waitpid(self._pid, 0)
        while more := os.read(self._reports, 1 << 16):
            self._heard += more
        os.close(self._reports)
        for line in self._heard.splitlines(keepends=True):
            if line.endswith(b"\n"):
                name, *data = json.loads(line)
                assert name not in written, f"{name} was given out twice"
                written[name] = data[:2]


KILLS = 12


def main(project: str, writers: int, commits: int, seed: int) -> None:
    store = BlockStore(Path(project))
    folder = store.block_folder("work", "letters")
    chance = random.Random(seed)
    written: dict[str, list[int]] = {}
    running = [Writer(store) for _ in range(writers)]
    kills = 0
    try:
        while len(written) < commits or kills < KILLS:  # on a quick disk few kills see many commits
            doomed = chance.choice(running)
            time.sleep(chance.uniform(0, 1.5 * doomed.wait_for_a_version()))
            running.remove(doomed)
            doomed.kill(written)
            kills += 1
            newest = store.newest(folder)  # others are writing: readers take no lock
            assert check_version(store, folder, newest.number) == []
            running.append(Writer(store))
    finally:
        for writer in running:
            writer.kill(written)
    sys.stdout.write(json.dumps({"kills": kills, "written": written}))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))
