"""A process that plays blocks for another one: `python -m famulus_kernel.adapter.executors.worker`.

A request is a line of JSON `{project, block, environment}`. The answer is `{version}`, `{error}` for what is about the
user's project, or `{defect}` with a traceback for what is not; `{progress}` may come before it. A process serves one
run, so it reads the project once, as the run itself does.
"""

from __future__ import annotations

import os
import traceback
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from famulus_kernel.adapter.adapter import Adapter
from famulus_kernel.adapter.executors.connection import Connection
from famulus_kernel.errors import FamulusError, Interrupted
from famulus_kernel.project.project import Project

if TYPE_CHECKING:
    from collections.abc import Mapping

INTERRUPTED = 130


def serve(connection: Connection) -> None:
    """Play what is asked for until the starter is gone."""
    opened: dict[str, Project] = {}
    for request in connection.requests():
        connection.send(_answer(request, opened, connection))


def _answer(request: dict[str, Any], opened: dict[str, Project], connection: Connection) -> dict[str, Any]:
    _take_on(request["environment"])
    try:
        path = request["project"]
        project = opened.get(path) or opened.setdefault(path, Project.open(path))
        adapter = Adapter(project, lambda progress: connection.send({"progress": asdict(progress)}))
        return {"version": adapter.run(project.block(request["block"])).name}
    except Interrupted:
        raise
    except FamulusError as error:
        return {"error": error.as_dict()}
    except BrokenPipeError:  # the starter is gone
        raise
    except Exception:  # a defect must be shown where the run was started, not in the log of a worker
        return {"defect": traceback.format_exc()}


def _take_on(environment: Mapping[str, str | None]) -> None:
    """Set the variables of the machine that started the run; None takes one away."""
    for name, value in environment.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value


def main() -> None:
    """Serve on stdin and stdout."""
    try:
        serve(Connection.on_standard_streams())
    except (KeyboardInterrupt, Interrupted):
        os._exit(INTERRUPTED)  # a query that does not look up is not waited for; all that was begun is cleared away
    except BrokenPipeError:
        raise SystemExit(1) from None


if __name__ == "__main__":
    main()
