"""d3 beside the extension is what npm has: each file to the byte, in a scope of its own."""

from __future__ import annotations

import hashlib
import json
import re

from famulus_kernel.resources import extension_dir

VENDOR = extension_dir() / "vendor"
PINNED = json.loads((VENDOR / "vendor.json").read_text(encoding="utf-8"))


def test_the_file_is_the_pinned_one() -> None:
    assert hashlib.sha256((VENDOR / PINNED["file"]).read_bytes()).hexdigest() == PINNED["sha256"]


def test_it_holds_the_files_of_the_packages_unchanged_and_four_lines_of_ours() -> None:
    whole = (VENDOR / PINNED["file"]).read_text(encoding="utf-8")
    ours, *parts = re.split(r"(?m)^(?=// https://d3js\.org/)", whole)
    files, closing = parts[:-1], parts[-1]
    last, closing = closing.split("}).call(window.famulusD3")
    found = [hashlib.sha256(file.encode()).hexdigest() for file in [*files, last]]
    assert found == [part["sha256"] for part in PINNED["parts"]]
    assert len(ours.splitlines()) == 3
    assert len(closing.splitlines()) == 2


def test_every_package_is_named_with_its_version_and_licence() -> None:
    whole = (VENDOR / PINNED["file"]).read_text(encoding="utf-8")
    for part in PINNED["parts"]:
        assert f"// https://d3js.org/{part['package']}/ v{part['version']} " in whole
        assert re.fullmatch(r"[0-9a-f]{64}", part["tarball"])
    licence = (VENDOR / "LICENSE").read_text(encoding="utf-8")
    assert "Mike Bostock" in licence
    assert "Robert Penner" in licence


def test_nothing_that_is_needed_lies_elsewhere() -> None:
    packages = {part["package"] for part in PINNED["parts"]}
    whole = (VENDOR / PINNED["file"]).read_text(encoding="utf-8")
    assert {f"d3-{name}" for name in ("force", "selection", "zoom", "drag")} <= packages
    assert set(re.findall(r'require\("(d3-[a-z]+)"\)', whole)) <= packages
