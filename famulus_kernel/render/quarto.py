"""Pages by Quarto, where it is installed (spec 7.3, 7.4).

From 1.9 on our engine runs in it, tells problems itself and sets the exit status; called from here it plays nothing. An
older Quarto knows no engines: there the filter's problems are read here. And where Quarto takes none of a website's
`.fam` pages it ends well, with no page written: that is noticed here too.
"""

from __future__ import annotations

import json
import logging
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from famulus_kernel.errors import RenderError
from famulus_kernel.language.shortcodes import find_shortcodes
from famulus_kernel.project.locate import made_of
from famulus_kernel.render.pages import find_pages
from famulus_kernel.render.site import CONFIG, read_site

if TYPE_CHECKING:
    from collections.abc import Sequence

    from famulus_kernel.language.shortcodes import Shortcode

_log = logging.getLogger(__name__)


def quarto_command() -> str | None:
    """Return the Quarto to use: QUARTO_PATH, or the one on PATH; None where there is none."""
    return os.environ.get("QUARTO_PATH") or shutil.which("quarto")


def render_with_quarto(
    command: str,
    root: Path,
    *,
    to: str,
    only: Path | None = None,
    output: Path | None = None,
    more: Sequence[str] = (),
) -> bool:
    """Render a project, or one page of it, from what the store holds; Quarto writes to the terminal.

    Parameters
    ----------
    command
        Quarto.
    root
        The project's folder.
    to
        Format of the pages.
    only
        The one page to render, absolute.
    output
        Folder of the pages; default: that of `_quarto.yml`.
    more
        Further words for the command, such as `--pdf-engine`.

    Returns
    -------
    bool
        Whether no page has a problem.

    Raises
    ------
    RenderError
        Quarto took none of the `.fam` pages, or cannot be started.
    """
    with tempfile.TemporaryDirectory(prefix="famulus-") as folder:
        record = Path(folder) / "problems.jsonl"
        environment = {"QUARTO_PYTHON": sys.executable, **os.environ}
        environment |= {"FAMULUS_PROBLEMS": str(record), "FAMULUS_RENDER_ONLY": "1"}
        # a pre-render script calls famulus-notebook by its name, though its environment may not be the active one
        environment["PATH"] = os.pathsep.join([os.environ.get("PATH", os.defpath), str(Path(sys.executable).parent)])
        arguments = [command, "render", *_inputs(root, only), "--to", to]
        arguments += ["--output-dir", str(output.absolute())] if output is not None else []
        arguments += more
        try:
            done = subprocess.run(arguments, cwd=root, env=environment, check=False)  # noqa: S603 - the user's Quarto
        except OSError as error:
            raise RenderError.of(command, error.strerror or str(error), "is QUARTO_PATH right?") from error
        failed = [problem for problem in _told(record, root) if problem["severity"] == "error"]
    if done.returncode == 0 and only is None:
        _check_taken(command, root)
    return done.returncode == 0 and not failed


def _inputs(root: Path, only: Path | None) -> list[str]:
    """Return what Quarto is to render: without `_quarto.yml` it takes no folder."""
    if only is not None:
        return [str(only)]
    return [] if (root / CONFIG).is_file() else find_pages(read_site(root))


def _told(record: Path, root: Path) -> list[dict[str, Any]]:
    """Log what the filter recorded where no engine told it, and return it."""
    if not record.is_file():
        return []
    problems = [json.loads(line) for line in record.read_text(encoding="utf-8").splitlines()]
    for problem in problems:
        level = logging.ERROR if problem["severity"] == "error" else logging.WARNING
        words = " ".join(filter(None, (problem[key] for key in ("shortcode", "message", "hint"))))
        _log.log(level, "%s: %s", _place(root, problem["document"], problem["shortcode"]), words)
    return problems


def _place(root: Path, document: str, shortcode: str) -> str:
    """Return the file, and the line where the shortcode is found in it, of the notebook that a page was made of."""
    file = root / document
    source = made_of(file) if file.is_file() else None
    if source is not None:
        file, document = source, Path(document).with_suffix(source.suffix).as_posix()
    wanted = next(iter(find_shortcodes(shortcode)), None)
    if wanted is None or not file.is_file():
        return document
    same = (code for code in find_shortcodes(file.read_text(encoding="utf-8")) if _words(code) == _words(wanted))
    found = next(same, None)
    return f"{document}:{found.line}" if found else document


def _words(code: Shortcode) -> tuple[tuple[str, ...], dict[str, str]]:
    return code.args, code.kwargs


def _check_taken(command: str, root: Path) -> None:
    """Make sure that Quarto took `.fam` pages for sources.

    Raises
    ------
    RenderError
        It took none, though there are some.
    """
    pages = [page for page in find_pages(read_site(root)) if page.endswith(".fam")]
    if not pages or not (root / CONFIG).is_file():
        return
    asked = subprocess.run(  # noqa: S603 - the user's Quarto
        [command, "inspect", str(root)], capture_output=True, text=True, encoding="utf-8", check=False
    )
    sources = json.loads(asked.stdout)["files"]["input"] if asked.returncode == 0 else []
    if not any(source.endswith((".fam", *_made_of(pages))) for source in sources):
        raise RenderError.of(
            pages[0],
            "Quarto took no .fam page" if len(pages) > 1 else "Quarto did not take this page",
            "Quarto 1.9 or newer needs _extensions/famulus in this folder (famulus-notebook init --update); "
            "an older one needs pre-render: famulus-notebook qmd and render: ['*.qmd'] in _quarto.yml",
        )


def _made_of(pages: list[str]) -> tuple[str, ...]:
    """Return the `.qmd` files that `famulus-notebook qmd` makes of these pages."""
    return tuple(str(Path(page).with_suffix(".qmd")) for page in pages)
