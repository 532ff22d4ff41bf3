"""A Jupyter server with JupyterLab, Notebook 7 and our extension, as a wheel would install them."""

from __future__ import annotations

import os
import secrets
import shutil
import socket
import subprocess
import sys
import time
import tomllib
import urllib.request
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.error import URLError

from projects import REPOSITORY

if TYPE_CHECKING:
    from collections.abc import Iterator


def install_shared_data(prefix: Path) -> None:
    """Copy what the wheel puts beside the packages of an environment: kernelspec, lab extension, server's config."""
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))
    for source, target in project["tool"]["hatch"]["build"]["targets"]["wheel"]["shared-data"].items():
        here, there = REPOSITORY / source, prefix / target
        there.parent.mkdir(parents=True, exist_ok=True)
        if here.is_dir():
            shutil.copytree(here, there, dirs_exist_ok=True)
        else:
            shutil.copyfile(here, there)


def surroundings(place: Path) -> dict[str, str]:
    """Return an environment in which Jupyter finds what lies below `place`, and writes nowhere else."""
    folders = ("CONFIG_DIR", "DATA_DIR", "RUNTIME_DIR")
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("JUPYTER", "JPY_", "FAMULUS_"))}
    return {
        **kept,
        **{f"JUPYTER_{name}": str(place / name.lower()) for name in folders},
        "JUPYTERLAB_SETTINGS_DIR": str(place / "settings"),
        "JUPYTERLAB_WORKSPACES_DIR": str(place / "workspaces"),
        "JUPYTER_PATH": str(place / "prefix" / "share" / "jupyter"),
        "JUPYTER_CONFIG_PATH": str(place / "prefix" / "etc" / "jupyter"),
        "JUPYTER_NO_CONFIG": "",
        "HOME": str(place),
    }


@dataclass(frozen=True)
class Lab:
    """A server that runs, and the folder that it shows."""

    url: str
    token: str
    root: Path

    def page(self, path: str) -> str:
        """Return the address of a page, with what lets its reader in."""
        return f"{self.url}/{path}{'&' if '?' in path else '?'}token={self.token}"


@contextmanager
def running_lab(root: Path, place: Path, *options: str) -> Iterator[Lab]:
    """Give a server that shows `root`; `place` is a private folder for all that is Jupyter's."""
    install_shared_data(place / "prefix")
    _ask_for_no_news(place / "settings")
    token, port = secrets.token_hex(16), _free_port()
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", f"--ServerApp.root_dir={root}"]
    command += [f"--IdentityProvider.token={token}", f"--ServerApp.port={port}", "--ServerApp.port_retries=0"]
    command += options
    log = place / "server.log"
    with log.open("wb") as output:
        server = subprocess.Popen(command, cwd=root, env=surroundings(place), stdout=output, stderr=subprocess.STDOUT)
        try:
            lab = Lab(f"http://127.0.0.1:{port}", token, root)
            _wait_for(lab, server, log)
            yield lab
        finally:
            server.kill()  # it would wait for each of its kernels; they end by themselves when it is gone
            server.wait()


def _ask_for_no_news(settings: Path) -> None:
    """Have JupyterLab ask nobody for news, and no reader whether it may."""
    file = settings / "@jupyterlab" / "apputils-extension" / "notification.jupyterlab-settings"
    file.parent.mkdir(parents=True)
    file.write_text('{"fetchNews": "false", "checkForUpdates": false}', encoding="utf-8")


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


def _wait_for(lab: Lab, server: subprocess.Popen[Any], log: Path) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and server.poll() is None:
        try:
            with urllib.request.urlopen(lab.page("api/status"), timeout=5):
                return
        except (URLError, OSError):
            time.sleep(0.1)
    raise TimeoutError(log.read_text(errors="replace"))
