"""The Python process that Quarto's engine talks to: `python -m famulus_kernel.render.worker`.

One line of JSON a request on stdin; on stdout lines of JSON, the last of which is the answer. `{"event": …}` comes
before it; `{"error": {place, message}}` takes its place. It lives as long as stdin is open.
"""

from __future__ import annotations

import platform
import sys
import traceback
from dataclasses import asdict
from importlib.metadata import version as installed_version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from famulus_kernel.adapter.executors.connection import Connection
from famulus_kernel.errors import FamulusError, Interrupted, plain
from famulus_kernel.render.cells import CellOptions
from famulus_kernel.render.kernel_executor import KernelHost
from famulus_kernel.render.playing import Origins, PagePlayer, PageRequest
from famulus_kernel.version import __version__

if TYPE_CHECKING:
    from famulus_kernel.adapter.runner import Outcome

INTERRUPTED = 130


def serve(connection: Connection) -> None:
    """Answer requests until the engine is gone."""
    host = KernelHost()
    player = PagePlayer(host.executor)
    try:
        _serve(connection, player)
    finally:
        host.shut_down()


def _serve(connection: Connection, player: PagePlayer) -> None:
    for request in connection.requests():
        try:
            connection.send(answer(request, player, connection))
        except (KeyboardInterrupt, Interrupted):
            raise
        except FamulusError as error:
            connection.send({"error": _described(error, request)})
        except Exception as error:  # a defect of ours must reach the user as an answer, or Quarto would wait for ever
            traceback.print_exc()
            message = f"{type(error).__name__}: {error} (a defect of famulus; its traceback stands above)"
            connection.send({"error": {"place": request.get("file", "famulus"), "message": message}})


def answer(request: dict[str, Any], player: PagePlayer, connection: Connection) -> dict[str, Any]:
    """Return the answer to one request: `page` (`PagePlayer.play`) or `check` (what is installed)."""
    if request["op"] == "check":
        return installed()
    page = player.play(page_request(request), lambda outcome: connection.send(_event(outcome)))
    return asdict(page)


def page_request(request: dict[str, Any]) -> PageRequest:
    """Read a request for a page."""
    return PageRequest(
        file=Path(request["file"]),
        markdown=request["markdown"],
        origins=Origins(tuple((line, file, file_line) for line, file, file_line in request["origins"])),
        first_place=request["first_place"],
        options=CellOptions(**request["options"]),
        play=request["play"],
        lenient=request["lenient"],
        handled=frozenset(request["handled"]),
    )


def installed() -> dict[str, str]:
    """Return what the engine shows for `quarto check famulus`."""
    return {
        "famulus": __version__,
        "duckdb": installed_version("duckdb"),
        "python": platform.python_version(),
        "path": sys.executable,
    }


def _event(outcome: Outcome) -> dict[str, Any]:
    unchecked = outcome.status == "pass" and not outcome.checked
    return {
        "event": "played",
        "block": outcome.block,
        "version": outcome.version,
        "status": "unchecked" if unchecked else outcome.status,
        "seconds": outcome.duration_s or 0.0,
    }


def _described(error: FamulusError, request: dict[str, Any]) -> dict[str, str]:
    place = error.where.file or request.get("file", "famulus")
    if error.where.line:
        place = f"{place}:{error.where.line}"
    message = plain(error.message)
    return {"place": place, "message": f"{message} ({error.hint})" if error.hint else message}


def main() -> None:
    """Serve the engine on stdin and stdout."""
    try:
        serve(Connection.on_standard_streams())
    except (KeyboardInterrupt, Interrupted):
        raise SystemExit(INTERRUPTED) from None
    except BrokenPipeError:  # the engine is gone
        raise SystemExit(1) from None


if __name__ == "__main__":
    main()
