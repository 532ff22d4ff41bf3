"""The foot of all pages: markdown of `_quarto.yml`, whose addresses start at the site's root."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

from famulus_kernel.render.commanding import DIALECT
from famulus_kernel.render.pandoc import run_pandoc
from famulus_kernel.render.site import CONFIG
from famulus_kernel.resources import extension_dir

if TYPE_CHECKING:
    from collections.abc import Mapping

    from famulus_kernel.render.commanding import Work

_LINKING = Path(__file__).resolve().parent / "linking.lua"
_ADDRESS = re.compile(r'(\s(?:href|src)=")(?![A-Za-z][\w+.-]*:|[/#?])')


def make_footer(work: Work) -> tuple[dict[str, str], set[str]]:
    """Make the foot for a page at the site's root.

    Returns
    -------
    tuple
        HTML by place, and the files of the project that it names.
    """
    foot = work.site.footer
    log = work.folder / "footer.jsonl"
    told = {
        "FAMULUS_DOCUMENT": str(work.site.root / CONFIG),
        "FAMULUS_PAGE": CONFIG,
        "FAMULUS_PAGES": str(work.folder / "site.json"),
        "FAMULUS_PROBLEMS": str(log),
        "FAMULUS_EXTENSION": str(extension_dir()),
    }
    words = ["--from", DIALECT, "--to", "html5", "--lua-filter", str(_LINKING)]
    made = {
        place: run_pandoc(work.command, words, cwd=work.site.root, text=text, environment=told).output.decode()
        for place, text in (("left", foot.left), ("center", foot.center), ("right", foot.right))
        if text
    }
    lines = log.read_text(encoding="utf-8").splitlines() if log.is_file() else []
    return made, {str(json.loads(line)["resource"]) for line in lines}


def footer_of(footer: Mapping[str, str], source: str) -> dict[str, str]:
    """Return the foot as the page `source` needs it."""
    up = "../" * source.count("/")
    return {place: _ADDRESS.sub(rf"\1{up}", html) for place, html in footer.items()}
