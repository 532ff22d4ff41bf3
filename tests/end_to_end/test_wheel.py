"""The wheel in an environment of its own: everything is found without a further step, and nothing stays behind."""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
import sysconfig
import tomllib
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from projects import REPOSITORY

if TYPE_CHECKING:
    from collections.abc import Iterator


LAB = "share/jupyter/labextensions/famulus"
BROUGHT = [
    "share/jupyter/kernels/famulus/kernel.json",
    "etc/jupyter/jupyter_server_config.d/famulus.json",
    f"{LAB}/package.json",
    f"{LAB}/install.json",
    f"{LAB}/modules/remoteEntry.js",
    f"{LAB}/modules/page/famulus.css",
    f"{LAB}/modules/page/d3.js",
]


@dataclass(frozen=True)
class Environment:
    """An environment that has the wheel; the packages that it needs are those of the running one."""

    prefix: Path

    @property
    def python(self) -> Path:
        return self.prefix / ("Scripts" if os.name == "nt" else "bin") / "python"

    @property
    def packages(self) -> Path:
        return Path(sysconfig.get_path("purelib", "venv", {"base": str(self.prefix), "platbase": str(self.prefix)}))

    def run(self, *words: str) -> str:
        """Run Python in it, outside of the checkout; return what it said."""
        surroundings = {key: value for key, value in os.environ.items() if not key.startswith(("JUPYTER", "PYTHON"))}
        surroundings["HOME"] = str(self.prefix)
        done = subprocess.run(
            [self.python, *words],
            cwd=self.prefix,
            env=surroundings,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout + done.stderr

    def files(self) -> set[str]:
        """Return the paths of all its files but caches of bytecode."""
        found = (path for path in self.prefix.rglob("*") if path.is_file() and path.suffix != ".pyc")
        return {path.relative_to(self.prefix).as_posix() for path in found}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel as `pip install` would, but with the packages that are here."""
    place = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(place)]
    subprocess.run(command, cwd=REPOSITORY, check=True, capture_output=True, timeout=120)
    (built,) = place.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """An empty environment."""
    place = tmp_path_factory.mktemp("environment") / "mit Leerzeichen"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(place)], check=True, timeout=60)
    return Environment(place)


def pip(environment: Environment, *words: str) -> None:
    command = [sys.executable, "-m", "pip", "--python", str(environment.python), "--disable-pip-version-check", *words]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def installed(environment: Environment, wheel: Path) -> Iterator[tuple[Environment, set[str]]]:
    """The environment with the wheel, and the files that it had before."""
    before = environment.files()
    pip(environment, "install", "--no-deps", "--no-index", str(wheel))
    others = environment.packages / "others.pth"
    others.write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    yield environment, before
    others.unlink(missing_ok=True)


def test_the_wheel_carries_what_it_needs_and_no_more(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    for name in BROUGHT:
        assert sum(one.endswith(f".data/data/{name}") for one in names) == 1, name
    assert not [name for name in names if "/tests/" in name or name.startswith("tests/") or "__pycache__" in name]
    assert wheel.stat().st_size < 2_000_000


def test_what_it_carries_beside_the_packages_is_the_sources_to_the_byte(wheel: Path) -> None:
    archive = zipfile.ZipFile(wheel)
    carried = {name.split(".data/data/", 1)[1]: name for name in archive.namelist() if ".data/data/" in name}
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))
    expected = {}
    for source, target in project["tool"]["hatch"]["build"]["targets"]["wheel"]["shared-data"].items():
        here = REPOSITORY / source
        files = [file for file in here.rglob("*") if file.is_file()] if here.is_dir() else [here]
        expected |= {(Path(target) / file.relative_to(here)).as_posix(): file for file in files}
    assert {name for name in carried if name.startswith("share/jupyter/")} <= set(expected)
    for name, file in expected.items():
        assert archive.read(carried[name]) == file.read_bytes(), name
    vendored = json.loads((REPOSITORY / "_extensions/famulus/vendor/vendor.json").read_bytes())["sha256"]
    assert hashlib.sha256(archive.read(carried[f"{LAB}/modules/page/d3.js"])).hexdigest() == vendored


def test_jupyter_finds_kernel_and_extensions_at_once(installed: tuple[Environment, set[str]]) -> None:
    environment, _ = installed
    where = environment.run("-c", "import famulus_kernel; print(famulus_kernel.__file__)")
    assert str(environment.prefix) in where
    specs = json.loads(environment.run("-m", "jupyter_client.kernelspecapp", "list", "--json").partition("\n[")[0])
    assert specs["kernelspecs"]["famulus"]["resource_dir"].startswith(str(environment.prefix))
    lab = environment.run("-c", "from jupyterlab.labextensions import main; main()", "list")
    (line,) = [line for line in lab.splitlines() if line.strip().startswith("famulus ")]
    assert "enabled" in line
    assert "OK" in line
    server = environment.run("-c", "from jupyter_server.extension.serverextension import main; main()", "list")
    plain = " ".join(re.sub(r"\x1b\[\d*m", "", server).split())
    assert "famulus_kernel.lab enabled" in plain
    assert "famulus_kernel.lab OK" in plain


def test_it_is_taken_away_whole(installed: tuple[Environment, set[str]]) -> None:
    environment, before = installed
    (environment.packages / "others.pth").unlink()
    assert set(BROUGHT) <= environment.files()
    pip(environment, "uninstall", "--yes", "famulus-kernel")
    home = (".cache/", ".ipython/", ".jupyter/", ".local/")  # what other programs write in a user's home
    assert {name for name in environment.files() - before if not name.startswith(home)} == set()
