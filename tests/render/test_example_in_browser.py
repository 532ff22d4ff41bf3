"""Every page of the example in Chromium: axe-core finds nothing in it, in light on a desk and in dark on a phone."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

EXAMPLE = Path(__file__).resolve().parents[2] / "example-project"
NAMES = sorted(path.stem for path in EXAMPLE.glob("*.fam"))

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example's pages, made as its reader makes them."""
    work = tmp_path_factory.mktemp("beispiel") / "werk"
    made = shutil.ignore_patterns("_famulus", "_site", "_extensions", "data", "__pycache__", ".*")
    shutil.copytree(EXAMPLE, work, ignore=made)
    commands = (
        [sys.executable, EXAMPLE / "build.py", "--into", work],
        [sys.executable, "-m", "famulus_kernel.cli", "refresh", work],
    )
    without_quarto = {**os.environ, "PATH": str(Path(sys.executable).parent) + os.pathsep + "/usr/bin:/bin"}
    for command in commands:
        done = subprocess.run(command, capture_output=True, text=True, env=without_quarto, timeout=300, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
    return work / "_site"


@pytest.mark.parametrize("name", NAMES)
def test_everybody_can_read_the_page(site: Path, browser: Any, axe: Any, name: str) -> None:
    for width, scheme in ((1280, "light"), (390, "dark")):
        context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme="light")
        page = context.new_page()
        complaints: list[str] = []
        page.on("console", lambda said, told=complaints: told.append(said.text))
        page.on("pageerror", lambda error, told=complaints: told.append(str(error)))
        page.goto((site / f"{name}.html").as_uri())
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), width
        if scheme == "dark":
            page.locator("button.theme").click()
            assert page.evaluate("document.documentElement.dataset.bsTheme") == "dark"
        found = axe(page)
        context.close()
        assert (width, found, complaints) == (width, [], [])
