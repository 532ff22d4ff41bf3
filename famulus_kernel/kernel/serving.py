"""Open the sockets of a connection file and run the kernel on them.

ipykernel's own application would do the same, but it loads IPython's shell and debugger and makes a profile in the
user's home first. A kernel that is to start before python3, and to write nothing outside of its project, cannot have
that.
"""
# mypy: allow-untyped-calls
# ipykernel's own classes are only partly annotated.

from __future__ import annotations

import json
import logging
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import zmq
from ipykernel.control import ControlThread
from ipykernel.heartbeat import Heartbeat
from ipykernel.iostream import IOPubThread
from ipykernel.parentpoller import ParentPollerUnix, ParentPollerWindows
from jupyter_client.session import Session
from tornado.ioloop import IOLoop
from zmq.eventloop.zmqstream import ZMQStream

from famulus_kernel.kernel.kernel import FamulusKernel

_LINGER_MS = 1000
"""How long a closing socket keeps what was not yet sent."""


@dataclass(frozen=True)
class Connection:
    """A connection file: where the five sockets are, and the keys of their messages."""

    info: dict[str, Any]

    @classmethod
    def read(cls, path: str) -> Connection:
        """Read a connection file."""
        return cls(json.loads(Path(path).read_text(encoding="utf-8")))

    def address(self, port: str) -> str:
        """Return the address of one of the sockets, which its port is called after."""
        transport, ip = self.info.get("transport", "tcp"), self.info["ip"]
        return f"{transport}://{ip}{'-' if transport == 'ipc' else ':'}{self.info[port]}"

    def bind(self, context: zmq.Context[Any], kind: int, port: str) -> zmq.Socket[Any]:
        """Return a bound socket, encrypted where the file holds keys for that."""
        socket: zmq.Socket[Any] = context.socket(kind)
        socket.linger = _LINGER_MS
        if kind == zmq.ROUTER:
            socket.router_handover = 1  # a client that connects again under its old name is heard
        if self.secret is not None:
            socket.curve_secretkey, socket.curve_publickey, socket.curve_server = self.secret, self.public, True
        socket.bind(self.address(port))
        return socket

    @property
    def secret(self) -> bytes | None:
        """The server's secret CurveZMQ key (Z85); None for plain sockets."""
        key = self.info.get("curve_secretkey")
        return key.encode() if key else None

    @property
    def public(self) -> bytes | None:
        """The server's public CurveZMQ key (Z85)."""
        key = self.info.get("curve_publickey")
        return key.encode() if key else None

    def session(self) -> Session:
        """Return the session that signs the messages."""
        return Session(
            key=self.info.get("key", "").encode(), signature_scheme=self.info.get("signature_scheme", "hmac-sha256")
        )

    def heartbeat(self) -> Heartbeat:
        """Return the thread that echoes, on a context of its own: nothing may keep it waiting."""
        place = (self.info.get("transport", "tcp"), self.info["ip"], self.info["hb_port"])
        return Heartbeat(zmq.Context(), place, curve_publickey=self.public, curve_secretkey=self.secret)


def serve(connection_file: str) -> None:
    """Serve the clients of a connection file until one of them shuts the kernel down."""
    logging.basicConfig(format="[famulus] %(levelname)s %(message)s", level=logging.WARNING)
    connection = Connection.read(connection_file)
    session = connection.session()
    context = zmq.Context()
    shell, stdin, control = (
        connection.bind(context, zmq.ROUTER, port) for port in ("shell_port", "stdin_port", "control_port")
    )
    iopub = IOPubThread(connection.bind(context, zmq.XPUB, "iopub_port"), session=session)
    iopub.start()
    heartbeat = connection.heartbeat()
    heartbeat.start()
    controlling = ControlThread(daemon=True)
    kernel = FamulusKernel.instance(
        session=session,
        shell_stream=ZMQStream(shell),
        control_stream=ZMQStream(control, controlling.io_loop),
        control_thread=controlling,
        iopub_thread=iopub,
        iopub_socket=iopub.background_socket,
        stdin_socket=stdin,
        log=logging.getLogger("famulus_kernel.kernel"),
    )
    controlling.start()
    _die_with_parent()
    kernel.start()
    IOLoop.current().start()
    controlling.stop()
    controlling.join()
    iopub.stop()
    iopub.close()
    for socket in (shell, stdin, control):
        socket.close()
    heartbeat.context.term()
    context.term()


def _die_with_parent() -> None:
    """End when the process that started the kernel is gone, so that no kernel is left behind."""
    parent = int(os.environ.get("JPY_PARENT_PID") or 0)
    if sys.platform == "win32":
        interrupt = int(os.environ.get("JPY_INTERRUPT_EVENT") or 0)
        if interrupt or parent:
            ParentPollerWindows(interrupt, parent).start()
    elif parent > 1:
        ParentPollerUnix(parent).start()
