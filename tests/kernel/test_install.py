"""The kernelspec: what it says in the repository, and what an installed one says."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from jupyter_client.kernelspec import KernelSpecManager

from famulus_kernel.kernel.install import install
from famulus_kernel.kernel.kernel import LANGUAGE_INFO
from famulus_kernel.resources import kernelspec_dir


def test_the_spec_starts_whatever_python_jupyter_runs_in() -> None:
    spec = json.loads((kernelspec_dir() / "kernel.json").read_text(encoding="utf-8"))
    assert spec["argv"] == ["python", "-m", "famulus_kernel.kernel", "-f", "{connection_file}"]
    assert spec["language"] == LANGUAGE_INFO["name"] == "famulus"
    assert spec["interrupt_mode"] == "signal"


def test_the_folder_holds_what_a_kernelspec_may_hold() -> None:
    names = {path.name for path in kernelspec_dir().iterdir()}
    assert names == {"kernel.json", "logo-32x32.png", "logo-64x64.png", "logo-svg.svg"}
    for size in (32, 64):
        png = (kernelspec_dir() / f"logo-{size}x{size}.png").read_bytes()
        assert (png[:8], int.from_bytes(png[16:20]), int.from_bytes(png[20:24])) == (b"\x89PNG\r\n\x1a\n", size, size)
    logo = ET.parse(kernelspec_dir() / "logo-svg.svg").getroot()
    assert logo.tag == "{http://www.w3.org/2000/svg}svg"


def test_an_installed_spec_names_the_python_that_installed_it(tmp_path: Path) -> None:
    place = install(user=False, prefix=str(tmp_path))
    assert place == tmp_path / "share" / "jupyter" / "kernels" / "famulus"
    specs = KernelSpecManager(kernel_dirs=[str(place.parent)])
    assert specs.get_kernel_spec("famulus").argv[0] == sys.executable
    assert install(user=False, prefix=str(tmp_path)) == place


def test_it_can_be_installed_for_the_user_and_for_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "env"))
    assert install() == tmp_path / "data" / "kernels" / "famulus"
    assert install(sys_prefix=True) == tmp_path / "env" / "share" / "jupyter" / "kernels" / "famulus"
