"""Pages that follow their sources: look for changes, render, and tell the browser (on this machine only)."""

from __future__ import annotations

import os
import threading
import time
from contextlib import contextmanager
from functools import partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Final

from famulus_kernel.errors import RenderError
from famulus_kernel.render.ingredients import Stamp, stamp
from famulus_kernel.store.store import OURS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

HOST: Final = "127.0.0.1"
EVERY_S: Final = 0.4
"""How often the files are looked at."""

_LIVE: Final = "/famulus/live"
_SCRIPT: Final = b'<script src="/famulus/live.js"></script>'
_CODE: Final = b"""\
let known;
new EventSource("/famulus/live").onmessage = ({ data }) => {
  if (known !== undefined && data !== known) location.reload();
  known = data;
};
"""
_HEARTBEAT_S: Final = 10.0
_TOLD: Final = "index.json"
"""What of `_famulus` is looked at: it changes with every version. status.json a render writes itself."""


class Generation:
    """The number of the render that the pages are of; browsers wait for the next one."""

    def __init__(self) -> None:
        self._number = 0
        self._changed = threading.Condition()

    @property
    def number(self) -> int:
        """The number of the last render."""
        return self._number

    def advance(self) -> None:
        """Tell all who wait that the pages are new."""
        with self._changed:
            self._number += 1
            self._changed.notify_all()

    def wait_beyond(self, known: int, timeout: float) -> int:
        """Return the number when it is another one than `known`, at the latest after `timeout` seconds."""
        with self._changed:
            self._changed.wait_for(lambda: self._number != known, timeout)
            return self._number


def changes(root: Path, output: Path, stop: threading.Event) -> Iterator[list[str]]:
    """Yield the files that changed, each time when some did, until `stop` is set.

    The output, hidden folders and what the store keeps are not looked at, but for what pages are told of the store.
    """
    known = _state(root, output)
    while not stop.wait(EVERY_S):
        now = _state(root, output)
        changed = [name for name in known.keys() | now.keys() if known.get(name) != now.get(name)]
        if changed:
            time.sleep(EVERY_S / 4)  # an editor that writes several files is given the time
            known = _state(root, output)
            yield sorted(changed)


def _state(root: Path, output: Path) -> dict[str, Stamp]:
    found: dict[str, Stamp] = {}
    for folder, folders, files in os.walk(root):
        here = Path(folder)
        of_store = here == root / OURS
        folders[:] = [name for name in folders if not (of_store or name.startswith(".") or here / name == output)]
        for name in [_TOLD] if of_store else files:
            if not name.startswith("."):
                found[os.path.relpath(here / name, root)] = stamp(here / name)
    return found


@contextmanager
def served(output: Path, generation: Generation, port: int) -> Iterator[str]:
    """Serve a folder of pages on this machine and give its address.

    Raises
    ------
    RenderError
        The port is taken.
    """
    try:
        server = ThreadingHTTPServer((HOST, port), partial(_Handler, generation, directory=str(output)))
    except OSError as error:
        why = error.strerror or str(error)
        raise RenderError.of(f"port {port}", why, "name another with --port (0: any that is free)") from None
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, name="Pages", daemon=True)
    thread.start()
    try:
        yield f"http://{HOST}:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Handler(SimpleHTTPRequestHandler):
    """Gives files, pages with a line that reloads them, and the events that they wait for."""

    def __init__(self, generation: Generation, *args: object, directory: str) -> None:
        self._generation = generation
        super().__init__(*args, directory=directory)  # type: ignore[arg-type] # the server's own arguments

    def do_GET(self) -> None:
        if not self._is_local():
            self.send_error(HTTPStatus.FORBIDDEN, "this server is for this machine only")
        elif self.path == _LIVE:
            self._tell()
        elif self.path == "/famulus/live.js":
            self._answer(_CODE, "text/javascript")
        elif (page := self._page()) is not None:
            self._answer(page.replace(b"</body>", _SCRIPT + b"</body>", 1), "text/html; charset=utf-8")
        else:
            super().do_GET()

    def end_headers(self) -> None:
        self.send_header("Cache-Control", "no-store")
        super().end_headers()

    def log_message(self, *args: object) -> None:
        """Say nothing: the terminal tells of renders."""

    def _is_local(self) -> bool:
        """Say whether the address is ours: a page of somebody else's may have a name that leads here."""
        host = (self.headers.get("Host") or "").rpartition(":")[0]
        return host in (HOST, "localhost")

    def _page(self) -> bytes | None:
        path = Path(self.translate_path(self.path))
        path = path / "index.html" if self.path.partition("?")[0].endswith("/") else path
        return path.read_bytes() if path.suffix == ".html" and path.is_file() else None

    def _answer(self, data: bytes, kind: str) -> None:
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def _tell(self) -> None:
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        known = self._generation.number
        try:
            while True:
                self.wfile.write(f"data: {known}\n\n".encode())
                self.wfile.flush()
                known = self._generation.wait_beyond(known, _HEARTBEAT_S)
        except OSError:  # the page was left
            return


def watch(
    root: Path, output: Path, render: Callable[[], object], *, port: int, on_served: Callable[[str], object]
) -> None:
    """Render whenever a file of the project changes, until Ctrl-C.

    Parameters
    ----------
    root, output
        The project, and where its pages go.
    render
        Renders and says what came of it; what it raises ends the watch.
    port
        Of the server; 0 for any that is free.
    on_served
        Told the address of the pages.

    Raises
    ------
    RenderError
        The port is taken.
    """
    generation = Generation()
    with served(output, generation, port) as address:
        on_served(address)
        try:
            for _ in changes(root, output, threading.Event()):
                render()
                generation.advance()
        except KeyboardInterrupt:
            return
