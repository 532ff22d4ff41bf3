"""Where the package keeps the files that are not Python: the Quarto extension, the kernelspec, the cards.

In a wheel they lie inside the package (`_data/`); in a checkout they are the top-level folders that a reader of the
repository sees. Nothing else in the package knows the difference.
"""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def extension_dir() -> Path:
    """Return the folder of the Quarto extension (`_extension.yml`, Lua, CSS, labels)."""
    return _first_existing(_PACKAGE / "_data" / "extension", _PACKAGE.parent / "_extensions" / "famulus")


def kernelspec_dir() -> Path:
    """Return the folder of the kernelspec (`kernel.json`, logos)."""
    return _first_existing(_PACKAGE / "_data" / "kernelspec", _PACKAGE.parent / "kernelspec")


def registry_dir() -> Path:
    """Return the folder of our capability cards."""
    return _first_existing(_PACKAGE / "_data" / "registry", _PACKAGE.parent / "registry")


def _first_existing(*candidates: Path) -> Path:
    for candidate in candidates:
        if candidate.is_dir():
            return candidate
    raise FileNotFoundError(f"the installation of famulus is incomplete: none of {', '.join(map(str, candidates))}")
