"""What Jupyter is told of us, and whether `doctor` sees it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from labs import install_shared_data, surroundings
from projects import run_cli

pytest.importorskip("jupyterlab")

from jupyter_server.serverapp import ServerApp
from jupyter_server.services.contents.largefilemanager import AsyncLargeFileManager

import famulus_kernel.lab as room
from famulus_kernel.lab.extension import link

MANIFEST = "prefix/share/jupyter/labextensions/famulus/package.json"


def test_the_server_is_told_where_its_extension_is() -> None:
    (point,) = room._jupyter_server_extension_points()
    config = json.loads((Path(room.__file__).parent / "server_config.json").read_text())
    assert config["ServerApp"]["jpserver_extensions"] == {point["module"]: True}
    assert callable(room._link_jupyter_server_extension)
    assert callable(room._load_jupyter_server_extension)


def test_the_manager_that_is_configured_is_the_one_that_is_extended() -> None:
    class Other(AsyncLargeFileManager):
        """A manager of somebody else."""

    server = ServerApp(contents_manager_class=Other)
    link(server)
    assert issubclass(server.contents_manager_class, Other)
    assert server.contents_manager_class is not Other
    before = server.contents_manager_class
    link(server)
    assert server.contents_manager_class is before


def test_doctor_finds_the_extension_or_says_what_to_do(tmp_path: Path) -> None:
    def finding() -> dict[str, str]:
        found = run_cli("doctor", ".", "--json", cwd=tmp_path, env=surroundings(tmp_path)).json
        return next(one for one in found if one["subject"] == "jupyterlab")

    install_shared_data(tmp_path / "prefix")
    assert finding()["level"] == "ok"
    assert str(tmp_path / "prefix") in finding()["says"]
    manifest = tmp_path / MANIFEST
    manifest.write_text(manifest.read_text().replace('"version": "', '"version": "9.'))
    found = finding()
    assert found["level"] == "wrong"
    assert "install famulus-kernel again" in found["says"]
