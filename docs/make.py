"""Write docs/command-line.md and docs/collections.md from the code: `python docs/make.py`; a test holds them to it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import typer

TARGET = Path(__file__).parent / "command-line.md"
HEAD = """# The command line

`famulus-notebook COMMAND [PROJECT] [BLOCK]…`: every command takes the project first, a folder with famulus.yml or a
`.fam` file; without one it is the folder you are in.

Exit status: 0 all fine, 1 a block failed or is stale, 2 wrong usage or a project that cannot be read, 130 interrupted.
Progress is shown on a terminal only. `--json` of the reading commands is meant for programs.

Environment: `PDAI_COLLECTIONS` is the folder of the collections (`collections_root` in famulus.yml comes first);
`NO_COLOR` takes the colours away; `QUARTO_PYTHON` names the Python that Quarto's engine starts;
`FAMULUS_CACHE` is the folder where `route` keeps its indexes; `FAMULUS_ALLOW_WRITES` is what `run --allow-writes` sets.
`FAMULUS_PARAMETERS` holds what `-P` gives, as JSON.
"""

COLLECTIONS = TARGET.with_name("collections.md")
COLLECTIONS_HEAD = """# Collections

A collection is a folder under the collections' root (`collections_root` in famulus.yml, else `$PDAI_COLLECTIONS`):
`NAME.duckdb` with letters, persons and manuscripts, `NAME_stanza.duckdb` with sentences and words,
`lemma_index.parquet`, and `status.json`. Each of the data files may be missing. Secondary literature lies beside it in
`NAME-sec`.

- A letter is one `letter_id`, with a row for each pair of a sender and a recipient.
- A person is one `ent_id`. A missing party is NULL; somebody unnamed is an entity of kind `unknown`, a new one in each
  letter.
- A sentence is (`doc_id`, `pidx`, `sent_idx`): `sent_idx` restarts on every page, and page = `pidx` + 1.
- Where columns are called otherwise, `schema:` of famulus.yml says how:
  `schema: {letters_resolved: {sender_id: from_ent}}`.

`famulus-notebook collection check NAME` holds a collection to all this, `collection show NAME` says what it holds.

## Making one

| command | reads | makes |
|---|---|---|
| `collection import cmif FILE… --into DIR` | TEI CMIF, also where it is not well-formed | letters, persons |
| `collection import edtf-csv FILE… --into DIR` | a table with a row for each letter | letters, persons |
| `collection import manuscripts-csv FILE… --into DIR` | a table with a row for each manuscript | manuscripts |
| `collection import conllu FILE… --into DIR` | CoNLL-U, Stanza's too | sentences, words, lemma index |
| `collection import stanza FILE… --into DIR --lang la` | plain text, with Stanza and its models | the same |

Columns of tables are found by their names, whatever their case: of letters `sender`, `recipient` and `date` are needed,
of manuscripts `title`, and `doc_id` or `signature`. Each import replaces what the same files made before, and leaves
other tables where they are. What was read is what was kept, plus what is listed with file and line; the report lies in
the folder as `import_letters.json`, `import_texts.json` or `import_manuscripts.json`.

## Tables
"""


def collections() -> str:
    """Return the page of collections."""
    from famulus_kernel.corpus.collection import TABLES, Status

    files = {"letters": "NAME.duckdb", "texts": "NAME_stanza.duckdb", "lemmata": "lemma_index.parquet"}
    parts = [COLLECTIONS_HEAD]
    for table in TABLES.values():
        optional = "" if table.required else ", optional"
        rows = [
            f"| `{one.name}` | {one.type} | {one.meaning}{'' if one.otherwise is None else ' (may be missing)'} |"
            for one in table.columns
        ]
        head = [f"### `{table.name}`", "", f"In `{files[table.file]}`{optional}.", "", "| column | type | what |"]
        parts.append("\n".join([*head, "|---|---|---|", *rows, ""]))
    rows = [f"| `{name}` | {field.description} |" for name, field in Status.model_fields.items()]
    parts.append("\n".join(["## status.json", "", "| key | what |", "|---|---|", *rows, ""]))
    return "\n".join(parts)


def command_line() -> str:
    """Return the page."""
    from famulus_kernel.cli.app import app

    parts = [HEAD]
    parts += _commands(typer.main.get_command(app), "famulus-notebook")
    return "\n".join(parts)


def _commands(group: Any, name: str) -> list[str]:
    parts = []
    for command in group.commands.values():
        path = f"{name} {command.name}"
        if hasattr(command, "commands"):
            parts += _commands(command, path)
        else:
            parts.append(_command(command, path))
    return parts


def _command(command: Any, path: str) -> str:
    shown = [parameter for parameter in command.params if not parameter.hidden]
    lines = [f"## `{path}`", "", " ".join((command.help or "").split()), ""]
    rows = [f"| {_name(parameter)} | {(parameter.help or '').replace('|', chr(92) + '|')} |" for parameter in shown]
    return "\n".join([*lines, "| | |", "|---|---|", *rows, ""]) if rows else "\n".join(lines)


def _name(parameter: Any) -> str:
    if parameter.param_type_name == "argument":
        return f"`{parameter.metavar or parameter.name.upper()}`"
    return ", ".join(f"`{name}`" for name in [*parameter.opts, *parameter.secondary_opts])


if __name__ == "__main__":
    TARGET.write_text(command_line(), encoding="utf-8")
    COLLECTIONS.write_text(collections(), encoding="utf-8")
