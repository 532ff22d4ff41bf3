"""A session of reading: one locked DuckDB connection, opened for the read and closed after it (spec 3.7)."""

from __future__ import annotations

import shutil
import tempfile
import threading
import time
from concurrent.futures import Future, wait
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeVar

from famulus_kernel.corpus.files import Allowed
from famulus_kernel.corpus.progress import Progress, rows_planned
from famulus_kernel.corpus.sandbox import Attachment, Sandbox
from famulus_kernel.corpus.sql import with_files
from famulus_kernel.corpus.syntax import parse
from famulus_kernel.corpus.table import read_rows, write_result
from famulus_kernel.errors import Interrupted

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import TracebackType

    from famulus_kernel.artefacts.view import Cell
    from famulus_kernel.corpus.result import TableResult

T = TypeVar("T")

QUIET_SECONDS = 1.0
"""A query that takes less reports no progress."""

REPORT_SECONDS = 0.25
INTERRUPT_SECONDS = 0.05
PATIENCE_SECONDS = 0.7
"""How long a query that was stopped may take to notice."""


class DataSession:
    """Reads the attached files, and those that its SQL names and may name; nothing else.

    Parameters
    ----------
    attachments : sequence of Attachment
    allowed_paths : sequence of Path
        Files that the SQL may read by name. Absolute.
    allowed_directories : sequence of Path
        Folders in which the SQL may read files by name: the project, the collections. Only the files it names can
        be read, and links must not lead out.
    folder : Path, optional
        Where relative names in the SQL start: the project's folder. Default: the working directory.
    threads : int, optional
    memory_limit : str, optional
        As DuckDB writes it: `4GB`. Default: 80 % of the memory.
    alive : callable, optional
        Called about four times a second while a query runs; what it raises stops the query and is raised on.

    Notes
    -----
    A session belongs to one thread at a time; only :meth:`interrupt` may be called from others. The connection
    is opened by the first :meth:`run`, and again when a run reads other files or writes to another folder.
    """

    def __init__(
        self,
        attachments: Sequence[Attachment],
        allowed_paths: Sequence[Path] = (),
        allowed_directories: Sequence[Path] = (),
        *,
        folder: Path | None = None,
        threads: int | None = None,
        memory_limit: str | None = None,
        alive: Callable[[], None] | None = None,
    ) -> None:
        self.attachments = tuple(attachments)
        self.folder = folder or Path.cwd()
        self._allowed = Allowed.of(allowed_paths, allowed_directories)
        self._always = frozenset(allowed_paths)
        self._threads = threads
        self._memory_limit = memory_limit
        self._alive = alive
        self._sandbox: Sandbox | None = None
        self._written = 0
        self._stopped = False  # a plain value: a signal handler must not wait for a lock

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def run(
        self,
        sql: str,
        sink: Path,
        *,
        view_rows: int = 1000,
        view_bytes: int = 256 * 1024,
        progress: Callable[[Progress], None] | None = None,
    ) -> TableResult:
        """Run one query and write all its rows to a Parquet file.

        Parameters
        ----------
        sql : str
            One query that only asks.
        sink : Path
            The file to write; it appears whole, or not at all. Its folder must exist.
        view_rows : int
            How many rows the result has at hand at most.
        view_bytes : int
            How many bytes these rows hold at most; the first one is always there, cut when it is larger.
        progress : callable, optional
            Called in this thread about four times a second, once a second has passed.

        Returns
        -------
        TableResult

        Raises
        ------
        NotOneQuery, ForbiddenPath, MissingFile, DatabaseBusy, QueryFailed
        Interrupted
            :meth:`interrupt` was called.
        """
        text, sandbox = self._prepared(sql, sink.parent)
        self._written += 1
        part = sandbox.folder / f"result-{self._written}.parquet"  # DuckDB remembers the foot of a file by its name
        plans: list[str] = []
        work = _started(lambda: write_result(sandbox.connection, text, part, view_rows, view_bytes, plans.append))
        try:
            result = self._awaited(work, sandbox, part, plans, progress)
            part.replace(sink)
        finally:
            part.unlink(missing_ok=True)
        return result.at(sink)

    def rows(self, sql: str, place: Path, *, view_rows: int, view_bytes: int) -> tuple[tuple[Cell, ...], ...]:
        """Return the first rows of a query whose result nobody keeps.

        Parameters
        ----------
        sql : str
            One query that only asks.
        place : Path
            A folder in which DuckDB may lay aside what does not fit into memory.
        view_rows, view_bytes : int
            As of :meth:`run`, which also tells what is raised.
        """
        text, sandbox = self._prepared(sql, place)
        return self._awaited(_started(lambda: read_rows(sandbox.connection, text, view_rows, view_bytes)), sandbox)

    def _prepared(self, sql: str, place: Path) -> tuple[str, Sandbox]:
        """Return the checked text of a query, its files spelled out, and the connection that may run it."""
        query = parse(sql)
        reads = {name: self._allowed.files(name, self.folder) for name in {literal.text for literal in query.files}}
        text = with_files(query, reads)
        if text != query.text:
            text = parse(text).text
        return text, self._opened(place.absolute(), {file for files in reads.values() for file in files})

    def interrupt(self) -> None:
        """Stop the running query and every later one; from another thread or a signal handler."""
        self._stopped = True
        sandbox = self._sandbox
        if sandbox is not None:
            sandbox.connection.interrupt()

    def close(self) -> None:
        """Close the connection and remove its temporary folder."""
        sandbox, self._sandbox = self._sandbox, None
        if sandbox is not None:
            sandbox.close()

    def _opened(self, place: Path, files: set[Path]) -> Sandbox:
        """Return a locked connection that may read `files` and write to a private folder in `place`."""
        if (
            self._sandbox is not None
            and self._sandbox.folder.parent == place
            and files <= self._sandbox.files
        ):
            return self._sandbox
        self.close()
        folder = Path(tempfile.mkdtemp(prefix=".reading-", dir=place))
        try:
            self._sandbox = Sandbox.open(
                self.attachments,
                self._always | files,
                folder,
                threads=self._threads,
                memory_limit=self._memory_limit,
            )
        except BaseException:
            shutil.rmtree(folder)
            raise
        return self._sandbox

    def _awaited(
        self,
        work: Future[T],
        sandbox: Sandbox,
        part: Path | None = None,
        plans: Sequence[str] = (),
        progress: Callable[[Progress], None] | None = None,
    ) -> T:
        """Wait for the work, report, and stop it when this thread or another one says so.

        The work has a thread of its own, so that this one, which gets the signals, is never deep inside DuckDB.
        """
        begun = time.monotonic()
        fraction: float | None = None
        rows: int | None = None
        try:
            while not _is_done(work, REPORT_SECONDS) and not self._stopped:
                elapsed = time.monotonic() - begun
                if self._alive is not None:
                    self._alive()
                if progress is not None and elapsed >= QUIET_SECONDS:
                    fraction = sandbox.fraction(at_least=fraction)
                    rows = rows or (rows_planned(plans[0]) if plans else None)
                    written = part.stat().st_size if part and part.exists() else 0
                    progress(Progress(fraction, written, elapsed, rows))
        finally:
            # Left by interrupt() or by an exception (Ctrl-C, one of the callback), the query must not go on.
            self._stop(work, sandbox)
        if self._stopped:
            raise Interrupted.of("the query")
        return work.result()

    def _stop(self, work: Future[Any], sandbox: Sandbox) -> None:
        """End the work if it still goes on."""
        try:
            for _ in range(round(PATIENCE_SECONDS / INTERRUPT_SECONDS)):
                if _is_done(work, INTERRUPT_SECONDS):
                    break
                sandbox.connection.interrupt()
        finally:
            if not work.done():
                # DuckDB does not look up while it makes one value, however large. Its thread is left to itself: it
                # can write nowhere but into the folder that goes now, and again once the thread has ended.
                self._sandbox = None
                shutil.rmtree(sandbox.folder, ignore_errors=True)
                work.add_done_callback(lambda _: sandbox.close())


def _started(function: Callable[[], T]) -> Future[T]:
    """Run a function in a thread that does not keep the program from ending."""
    future: Future[T] = Future()

    def fill() -> None:
        try:
            future.set_result(function())
        except BaseException as error:  # raised again by whoever asks for the result
            future.set_exception(error)

    threading.Thread(target=fill, name="famulus-query", daemon=True).start()
    return future


def _is_done(work: Future[Any], seconds: float) -> bool:
    """Wait at most that long for the work."""
    return bool(wait([work], seconds).done)
