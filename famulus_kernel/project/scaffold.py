"""The files of a new project."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

from famulus_kernel.errors import StoreError
from famulus_kernel.resources import extension_dir

if TYPE_CHECKING:
    from pathlib import Path

_FAMULUS_YML = """\
# The project's defaults. Every key of a block's preamble may stand here; a block that names a key replaces it whole.
title: {title}
"""

_QUARTO_YML = """\
project:
  type: website
  render:
    - "*.fam"

lang: {lang}

website:
  title: {title}

format:
  html:
    theme: [cosmo]
    toc: true

filters:
  - famulus
"""

_NOTEBOOK = """\
---
title: {title}
---

{intro}

```{{famulus}}
---
id: {block}
partiturs:
  - id: duckdb-read
    input:
      sql: SELECT sum(i)::BIGINT AS total FROM range(1, 101) AS numbers(i)
    artefact: table
artefacts:
  - {{name: table, kind: table}}
oracle: {{total: 5050}}
---
{question}
```

{outro}
"""

_WORDS = {
    "en": {
        "title": "A first notebook",
        "intro": "A block names what it reads and how it is checked, and asks its question in plain words:",
        "block": "sum",
        "question": "What do the numbers from 1 to 100 add up to?",
        "outro": "The sum is {{< famulus sum report value=counts.total >}}.",
    },
    "de": {
        "title": "Ein erstes Notebook",
        "intro": "Ein Block nennt, was er liest und wie er geprüft wird, und stellt seine Frage in Worten:",
        "block": "summe",
        "question": "Was ergeben die Zahlen von 1 bis 100 zusammen?",
        "outro": "Die Summe ist {{< famulus summe report value=counts.total >}}.",
    },
}

_GITIGNORE = """\
/_site/
/.quarto/
/_famulus/files/
/_famulus/outline.json
/_famulus/register.json
/_famulus/rendered.json
/_famulus/status.json
/_famulus/stat-cache.sqlite*
/_famulus/history.sqlite*
/_famulus/.*.lock
.lock
.new-*
.old-*
"""


def scaffold(folder: Path, *, title: str | None = None, lang: str = "en") -> list[Path]:
    """Make the files of a project where they are missing, and return those that were made.

    Raises
    ------
    StoreError
        When the folder cannot be written.
    """
    words = _WORDS.get(lang, _WORDS["en"])
    called = " ".join((title or folder.absolute().name).split())
    name = json.dumps(called, ensure_ascii=not called.isprintable())
    files = {
        "famulus.yml": _FAMULUS_YML.format(title=name),
        "_quarto.yml": _QUARTO_YML.format(title=name, lang=lang),
        "index.fam": _NOTEBOOK.format(**words),
        ".gitignore": _GITIGNORE,
    }
    made = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.glob("*.fam")):
            del files["index.fam"]
        for file, text in files.items():
            path = folder / file
            if not path.exists():
                path.write_text(text, encoding="utf-8")
                made.append(path)
        if not (folder / "_extensions" / "famulus").exists():
            made.append(copy_extension(folder))
    except OSError as error:
        raise StoreError.of(folder, error.strerror or str(error)) from error
    return made


def copy_extension(folder: Path) -> Path:
    """Copy the Quarto extension into a project, replacing an older copy; Quarto does not follow a link there."""
    target = folder / "_extensions" / "famulus"
    if target.is_symlink():
        target.unlink()
    elif target.exists():
        shutil.rmtree(target)
    shutil.copytree(extension_dir(), target)
    return target
