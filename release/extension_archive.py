"""Pack the Quarto extension into the archive that `quarto add` takes: `python release/extension_archive.py [FOLDER]`.

The same files give the same bytes: names in order, one fixed time.
"""

from __future__ import annotations

import sys
import zipfile
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parent.parent
EXTENSION = Path("_extensions/famulus")
BESIDE = ("LICENSE", "CHANGELOG.md", "example.qmd")
TIME = (1980, 1, 1, 0, 0, 0)
"""The earliest that a ZIP archive can name."""


def pack(folder: Path) -> Path:
    """Write `famulus-quarto-<version>.zip` into a folder and return its path."""
    version = yaml.safe_load((ROOT / EXTENSION / "_extension.yml").read_text(encoding="utf-8"))["version"]
    name = f"famulus-quarto-{version}"
    files = sorted(path for path in (ROOT / EXTENSION).rglob("*") if path.is_file() and not path.name.startswith("."))
    folder.mkdir(parents=True, exist_ok=True)
    archive = folder / f"{name}.zip"
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
        for path in [*(ROOT / one for one in BESIDE), *files]:
            entry = zipfile.ZipInfo(f"{name}/{path.relative_to(ROOT).as_posix()}", TIME)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            packed.writestr(entry, path.read_bytes())
    return archive


if __name__ == "__main__":
    sys.stdout.write(f"{pack(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / 'dist')}\n")
