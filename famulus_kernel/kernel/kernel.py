"""The kernel as Jupyter's messages meet it (spec 7.1). What a cell means is not known here.

Whatever happens to a request, it is replied to: an exception that leaves a handler would send no reply, and clients
wait for ever. A cell is answered in the main thread without awaiting anything, so that an interrupt reaches it there.
"""
# mypy: allow-untyped-calls
# ipykernel's own methods are only partly annotated.

from __future__ import annotations

import os
import sqlite3
import threading
from _thread import interrupt_main
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from ipykernel._version import kernel_protocol_version
from ipykernel.kernelbase import Kernel

from famulus_kernel.errors import FamulusError
from famulus_kernel.kernel.frontend import Frontend
from famulus_kernel.kernel.history import FILE, History
from famulus_kernel.kernel.interrupts import Interrupts
from famulus_kernel.language.info import LANGUAGE_INFO
from famulus_kernel.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from famulus_kernel.kernel.desk import Desk

HELP_LINKS = [
    {"text": "Quarto", "url": "https://quarto.org/docs/guide/"},
    {"text": "DuckDB's SQL", "url": "https://duckdb.org/docs/stable/sql/introduction"},
]
QUARTO_SETUP = "quarto_kernel_setup"
"""The comm by which Quarto tells a kernel its options. They are about figures and formats, which are not ours."""

Message = dict[str, Any]
Answer = TypeVar("Answer")


class FamulusKernel(Kernel):
    """Answers cells with what the store holds of them."""

    implementation = "famulus"
    implementation_version = __version__
    language_info = LANGUAGE_INFO
    banner = f"Famulus {__version__}: a cell is a block (id, plan, question); name? tells what a name is"

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(help_links=HELP_LINKS, **kwargs)
        for name in ("comm_open", "comm_msg", "comm_close"):
            self.shell_handlers[name] = getattr(self, name)
        self._folder = Path.cwd()  # now: it may be gone when the first cell comes
        self._history = History(self._history_file)
        self._interrupts = Interrupts()
        self._desk: Desk | None = None
        self._setting_up = threading.Lock()
        self._is_loading = False

    def start(self) -> None:
        """Begin to serve."""
        self._interrupts.install()
        super().start()

    def pre_handler_hook(self) -> None:
        """Leave SIGINT to :class:`Interrupts`; the base class would let it break into any handler."""

    def post_handler_hook(self) -> None:
        """See :meth:`pre_handler_hook`."""

    def _at_desk(self) -> Desk:
        """Return what cells are answered from. It is loaded with the first of them, or by :meth:`_get_ready` before."""
        with self._setting_up:
            if self._desk is None:
                from famulus_kernel.kernel.desk import Desk  # noqa: PLC0415 - a kernel is ready before its libraries

                self._desk = Desk(os.environ, self._folder)
            return self._desk

    def _get_ready(self) -> None:
        """Load what a cell needs. What cannot be loaded will say so where it is used."""
        try:
            self._at_desk().get_ready()
        except Exception:
            self.log.debug("not everything could be loaded beforehand", exc_info=True)

    # --- execute ------------------------------------------------------------------------------------------------------

    async def execute_request(self, stream: Any, ident: Any, parent: Message) -> None:
        """Take in a cell; one without text, or with characters that no message can carry back, is a cell too."""
        content = parent["content"]
        content["code"] = _code(content).encode("utf-8", "replace").decode()
        if not isinstance(content.get("user_expressions"), dict):
            content["user_expressions"] = {}
        await super().execute_request(stream, ident, parent)

    async def do_execute(
        self,
        code: str,
        silent: bool,  # noqa: FBT001 - the base class calls it so
        store_history: bool = True,  # noqa: FBT001, FBT002
        user_expressions: Mapping[str, Any] | None = None,
        allow_stdin: bool = False,  # noqa: ARG002, FBT001, FBT002
        *,
        cell_meta: Mapping[str, Any] | None = None,
        cell_id: str | None = None,  # noqa: ARG002
    ) -> Message:
        """Answer a cell."""
        frontend = Frontend(self._publish, self.execution_count, silent=silent)
        values: Message = {}
        failure: Message = {}
        try:
            with self._interrupts.let_in():
                _stand_in(self._folder)
                desk = self._at_desk()
                desk.turn_to(cell_meta)
                desk.answer(code, frontend)
                values = {name: _value(desk, text) for name, text in (user_expressions or {}).items()}
        except BaseException as error:  # SystemExit and MemoryError want a reply as well
            failure = self._failed(error, code)
        if failure and not silent:
            self._publish("error", failure)
        if store_history and not silent and code.strip():
            self._history.add(self.execution_count, code, frontend.said)
        reply = {"execution_count": self.execution_count, "payload": frontend.payload}
        if not store_history and not silent:
            self.execution_count -= 1  # the base class has counted the cell
        if failure:
            return {"status": "error", **reply, **failure}
        return {"status": "ok", **reply, "user_expressions": values}

    def _publish(self, kind: str, content: Message) -> None:
        self.send_response(self.iopub_socket, kind, content)

    def _failed(self, error: BaseException, code: str) -> Message:
        if self._interrupts.struck and not isinstance(error, FamulusError):
            error = KeyboardInterrupt()
        if not isinstance(error, FamulusError | KeyboardInterrupt):
            self.log.error("a cell failed", exc_info=error)
        return _described(error, code)

    async def do_shutdown(self, restart: bool) -> Message:  # noqa: FBT001 - the base class calls it so
        """End: the history is closed."""
        self._history.close()
        return {"status": "ok", "restart": restart}

    # --- about a cell -------------------------------------------------------------------------------------------------

    async def complete_request(self, stream: Any, ident: Any, parent: Message) -> None:
        """Take in a question about a cursor; one that says neither cell nor cursor is answered as well."""
        content = parent["content"]
        cursor = content.get("cursor_pos")
        content |= {"code": _code(content), "cursor_pos": cursor if isinstance(cursor, int) else None}
        await super().complete_request(stream, ident, parent)

    async def inspect_request(self, stream: Any, ident: Any, parent: Message) -> None:
        """See :meth:`complete_request`."""
        content = parent["content"]
        cursor = content.get("cursor_pos")
        content |= {"code": _code(content), "cursor_pos": cursor if isinstance(cursor, int) else None}
        await super().inspect_request(stream, ident, parent)

    async def is_complete_request(self, stream: Any, ident: Any, parent: Message) -> None:
        """See :meth:`complete_request`."""
        parent["content"]["code"] = _code(parent["content"])
        await super().is_complete_request(stream, ident, parent)

    async def do_complete(self, code: str, cursor_pos: int | None) -> Message:
        """Say what may be written at a cursor."""
        end = len(code) if cursor_pos is None else cursor_pos
        found = self._asked(lambda desk: desk.complete(code, end))
        if found is None:
            return {"status": "ok", "matches": [], "cursor_start": end, "cursor_end": end, "metadata": {}}
        return found.reply()

    async def do_inspect(
        self,
        code: str,
        cursor_pos: int | None,
        detail_level: int = 0,  # noqa: ARG002
        omit_sections: object = (),  # noqa: ARG002
    ) -> Message:
        """Say what is known of the word at a cursor."""
        end = len(code) if cursor_pos is None else cursor_pos
        found = self._asked(lambda desk: desk.inspect(code, end))
        return {"status": "ok", "found": found is not None, "data": found or {}, "metadata": {}}

    async def do_is_complete(self, code: str) -> Message:
        """Say whether a cell wants more lines."""
        from famulus_kernel.kernel.completeness import completeness  # noqa: PLC0415 - see _at_desk

        try:
            status: str = completeness(code)  # not at the desk: a console waits a second, and asks no more after that
        except Exception:
            self.log.exception("a question about a cell failed")
            status = "unknown"
        return {"status": status, "indent": ""} if status == "incomplete" else {"status": status}

    async def do_history(
        self,
        hist_access_type: str = "tail",
        output: bool = False,  # noqa: FBT001, FBT002 - the base class calls it so
        raw: bool = True,  # noqa: ARG002, FBT001, FBT002
        session: int | None = None,
        start: int | None = None,
        stop: int | None = None,
        n: int | None = None,
        pattern: str | None = None,
        unique: bool = False,  # noqa: FBT001, FBT002
        **_more: object,
    ) -> Message:
        """Return earlier cells."""
        try:
            found = self._history.find(
                hist_access_type, session=session, start=start, stop=stop, n=n, pattern=pattern, unique=unique
            )
        except (TypeError, ValueError, sqlite3.Error) as error:  # numbers that are none; a file that was taken away
            self.log.warning("the history was asked for in vain: %s", error)
            found = []
        return {"status": "ok", "history": [entry.row(output=output) for entry in found]}

    def _history_file(self) -> Path | None:
        """Return where the history of the project is kept; None where there is no project to keep it in.

        A console asks for the history when it starts and waits a second: the desk would not be there in time.
        """
        from famulus_kernel.kernel.place import project_folder  # noqa: PLC0415 - see _at_desk

        root = project_folder(os.environ, self._folder)
        return None if root is None else root / FILE

    def _asked(self, question: Callable[[Desk], Answer]) -> Answer | None:
        """Return the answer to a question of an editor; one that fails is none, and never a missing reply."""
        try:
            return question(self._at_desk())
        except Exception:
            self.log.exception("a question about a cell failed")
            return None

    # --- about the kernel ---------------------------------------------------------------------------------------------

    @property
    def kernel_info(self) -> Message:
        """What the kernel is. The base class would load a debugger to say so."""
        return {
            "protocol_version": kernel_protocol_version,
            "implementation": self.implementation,
            "implementation_version": self.implementation_version,
            "language_info": self.language_info,
            "banner": self.banner,
            "help_links": self.help_links,
            "supported_features": [],
        }

    async def kernel_info_request(self, stream: Any, ident: Any, parent: Message) -> None:
        """Say what the kernel is; then, while the client gets ready, load what the first cell will need."""
        await super().kernel_info_request(stream, ident, parent)
        if not self._is_loading:
            self._is_loading = True
            # Not a daemon: a process that ends in the middle of DuckDB's work would be aborted.
            threading.Thread(target=self._get_ready, name="Loading").start()

    async def interrupt_request(self, stream: Any, ident: Any, parent: Message) -> None:
        """End the running cell. Unlike the base class's way, this one is there on every system."""
        interrupt_main()
        if self.session:
            self.session.send(stream, "interrupt_reply", {"status": "ok"}, parent, ident=ident)

    async def comm_open(self, _stream: Any, _ident: Any, parent: Message) -> None:
        """Let Quarto say its options; close any other comm at once, as the protocol wants it: there are none here."""
        content = parent["content"]
        if content.get("target_name") != QUARTO_SETUP:
            self._publish("comm_close", {"comm_id": str(content.get("comm_id", "")), "data": {}})

    async def comm_msg(self, _stream: Any, _ident: Any, _parent: Message) -> None:
        """Pass over a word to a comm: none is open. That it was heard, the dispatcher says by busy and idle."""

    async def comm_close(self, _stream: Any, _ident: Any, _parent: Message) -> None:
        """See :meth:`comm_msg`."""


def _stand_in(folder: Path) -> None:
    """Work in a folder again that was taken away and came back: libraries cannot do without one."""
    try:
        Path.cwd()
    except OSError:
        if folder.is_dir():
            os.chdir(folder)


def _code(content: Message) -> str:
    """Return the text of a cell in a request; one without text is a cell too."""
    code = content.get("code")
    return code if isinstance(code, str) else ""


def _value(desk: Desk, text: object) -> Message:
    """Return the value of one user expression, or its own error: the others are answered all the same."""
    try:
        return {"status": "ok", "data": desk.value(str(text)), "metadata": {}}
    except Exception as error:  # one expression's failure is its own
        return {"status": "error", **_described(error)}


def _described(error: BaseException, code: str | None = None) -> Message:
    from famulus_kernel.kernel.failures import describe  # noqa: PLC0415 - see FamulusKernel._at_desk

    return describe(error, code).content()
