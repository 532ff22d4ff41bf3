"""Write command-line.md, collections.md and blocks.md from the code: `python docs/make.py`; a test holds them to it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
import yaml

if TYPE_CHECKING:
    from collections.abc import Sequence

TARGET = Path(__file__).parent / "command-line.md"
HEAD = """# The command line

`famulus-notebook COMMAND [PROJECT] [BLOCK]…`: every command takes the project first, a folder with famulus.yml or a
`.fam` file; without one it is the folder you are in.

Exit status: 0 all fine, 1 a block failed or is stale, 2 wrong usage or a project that cannot be read, 130 interrupted.
Progress is shown on a terminal only. `--json` of the reading commands is meant for programs.

With one or more blocks named, `run`, `status` and `check` tell what is wrong with these and with what they need, and of
the rest only how much there is. Where the environment has a say is in [running.md](running.md#environment).
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
of manuscripts `title`, and `doc_id` or `signature`; German ones do too (`Absender`, `Empfänger`, `Datum`). Each import
replaces what the same files made before, and leaves other tables where they are. What was read is what was kept, plus
what is listed with file and line; the report lies in the folder as `import_letters.json`, `import_texts.json` or
`import_manuscripts.json`.

Stanza is installed with `pip install 'famulus-kernel[stanza]'`, its models once with
`python -c "import stanza; stanza.download('la')"`; where they lie elsewhere, `STANZA_RESOURCES_DIR` names their folder. A
text file is a document, a form feed in it begins a page. Without models of names `stz_entities` stays empty, and the
report says so.

## One person under two names

A person is known by the number of an authority file, and without one by the name. Nobody is merged by guessing, so
`Zwingli, Ulrich` without a number and `Ulrich Zwingli` with one are two correspondents until somebody says otherwise. The
report of an import and `collection check` name them:

- names of the same words, whatever their order, accents and spelling of *u* and *v*, under different numbers or with a
  number and without;
- names that are alike word by word (`J. Eck`, `Johann Eck`), unless one list numbers both and so tells them apart;
- numbers that stand beside several names, first those whose names have no word in common: two persons under one number?

Who knows that two are one says so in a table of who is who, and imports the same files again with it:

```csv
name,person
"Mosheim, Gottlieb Christian von",http://d-nb.info/gnd/102245045
Dominik Dietrich,Dominikus Dietrich
```

`collection import cmif gottsched.xml --into DIR --persons persons.csv`: whoever stands in the files under `name` is
`person`; each is a name (of somebody without a number), a number in any spelling, or an id as the report has it. A row
about nobody in the files is reported. The most frequent name is then the canonical one, the others are its variants, and
questions find the person by each. Where the files are one's own, the same number beside every name of the person does
it too; two persons under one number are parted there.

## One register in two forms

What an import reads depends on what a form can say. The letters of Philipp Jakob Spener are published as CMIF and as a
table with EDTF dates, out of one register ([Saxon Academy of Sciences](https://www.saw-leipzig.de/), CC BY 4.0). Each
gives 2,435 letters in 2,437 rows, 426 persons and 533 unnamed ones, the same sender, addressee, place and bounds of the
date in every row; 74 letters certainly of 1686, 88 possibly. They differ in this:

| column | rows | in CMIF | in the table | why |
|---|---|---|---|---|
| `date_when` | 56 | `[1671-03..1671-04]` | `[1671-03,1671-04]` | TEI has a span for "the one or the other"; the bounds are the same |
| `date_when`, `date_basis` | 25 | `1667~`, inferred | `1667%`, uncertain | `cert="medium"` is an estimate; that it is doubted too does not fit in it |
| `date_basis` | 78 | stated | inferred | brackets about the written date stand in the table alone |
| `recipient_name` | 5 | `einen Amtsbruder] im [Elsaß` | `[einen Amtsbruder] im [Elsaß?]` | outer brackets were cut off on the way to CMIF |
| `recipient_basis` | 1 | supplied | stated | of one of these five the CMIF says in an attribute what its brackets said |
| `kind` | 2 | org | person | a table does not say which names are those of bodies |

So a question about years or partners has the same answer from both, and one with `certainty: stated` may not.

## Tables
"""  # noqa: E501 - a row of a table is a line

BLOCKS = TARGET.with_name("blocks.md")
BREAK = "\n"
BLOCKS_HEAD = """# Blocks

A block is a fence of the language `famulus`: a preamble between two lines of `---`, in YAML, and below it the question.

```famulus
---
id: partners
collections: [letters]
persons: ["Willibald Pirckheimer"]
years: {from: 1520, to: 1530}
subtask: correspondence-roster
artefacts:
  - {name: roster, kind: roster-table}
  - {name: network, kind: d3-graph}
oracle: {n_correspondents: {min: 20, max: 30}}
---
Who were Pirckheimer's partners in these years?
```

A block asks in one of two ways: by a `subtask`, a form of question that is known by name, or by `partiturs`, a chain of
steps (`duckdb-read`, `artifact:<kind>`, plans of [partituren.md](partituren.md), `lwgrammar:<tool>` of
[institution.md](institution.md)).

`famulus-notebook check --effective` prints the preamble as it holds, with the origin of each key;
`famulus-notebook schema preamble` is the same table for editors.

## Keys of the preamble

Only `id` is always needed. Those marked ◦ may stand in famulus.yml too, as the default of all blocks; a block that
names such a key replaces it whole.
"""
BLOCKS_LISTS = """
`counting_mode` says what counts as a lemma: `canonical` the lemma alone, `family` the variants too that the
collection's table `lemma_family` has for it, but no adjectives, `family+adj` these too.

`persons` are names as the collection has them (`collection show` lists them), or their `ent_id`. Where the question
names one person of the collection, or status.json has a `person`, subtasks about correspondence find it without.

What a subtask needs and the table does not have, as `text` and `source`, stands in `input: {text: …}`. There,
`direction: sent` or `direction: received` leaves of a correspondence only the letters that the person sent, or
received.

The artefacts are of the kinds in [artefact-kinds.md](artefact-kinds.md). Every version has a `report` besides.

## The oracle

The keys are counts and fields of the result; an unknown one is an error that names the nearest. A value is what must be
found, in one of these forms:

| form | holds where |
|---|---|
| `n_letters: 40` | it is this value |
| `n_letters: {min: 20, max: 50}` | it lies within, ends included; one may be missing |
| `share: {value: 0.4, tolerance: 0.01}` | it differs by no more |
| `sender: [a, b]` | at least one of them is there |
| `sender: {all: [a, b]}` | all of them are there |
| `sender: {min_share: 0.9, of: [a, b]}` | at least this share of them is there |
| `sender_contains: amic` | a value holds this text, whatever its case; `answer_contains` looks into the answer |

A list is compared with the values of a column or a list of the result; under a name that is neither, as `partners`,
with the names that the subtask found.

`note` and `status` are for readers and are not compared.
"""
BLOCKS_SUBTASKS = """
## Subtasks

What each does not do, `famulus-notebook can "…"` says. The last column are the main counts and fields; the report of a
run has all of them.

| `subtask` | what it does | needs | an oracle may ask |
|---|---|---|---|
"""
BLOCKS_PROSE = """
## In prose

`{{< famulus BLOCK NAME >}}` as a paragraph of its own draws the artefact; with `value=` it is one value in a line, in
a cell of a table, a heading or a note. In the place of a NAME may stand `card` (question, answer and verdict),
`report`, `verdict`, or `credit` (the source of the data). Both words may be one reference, `BLOCK.NAME`,
`BLOCK.NAME@v3` for an older version, or `fam:project/notebook/block.name` for another project (`uses:` in famulus.yml).

```markdown
{{< famulus partners roster columns=name,count sort=-count max-rows=10 caption="The ten first" >}}

They were {{< famulus partners report value=counts.n_correspondents >}}; before, they were
{{< famulus partners report value=counts.n_correspondents version=v1 >}}.
```

| option | |
|---|---|
"""


def blocks() -> str:
    """Return the page of blocks: keys of preambles, subtasks, options of the shortcode."""
    from famulus_kernel.cards.registry import load
    from famulus_kernel.corpus.subtasks import ALIASES, names
    from famulus_kernel.resources import extension_dir, registry_dir

    cards = {card.id: card for card in load(registry_dir()).cards}
    subtasks = [
        f"| `{name}` | {cards[name].summary.strip()} | {_code(cards[name].inputs.required)} "
        f"| {_code(cards[name].returns.required)} |"
        for name in names()
        if name not in ALIASES
    ]
    schema = yaml.safe_load((extension_dir() / "_schema.yml").read_text(encoding="utf-8"))
    options = schema["shortcodes"]["famulus"]["attributes"]
    shortcode = [f"| `{name}=` | {option['description']} |" for name, option in options.items()]
    parts = [BLOCKS_HEAD + "\n| key | what |\n|---|---|", *_keys(), BLOCKS_LISTS]
    return "\n".join(parts) + BLOCKS_SUBTASKS + "\n".join(subtasks) + "\n" + BLOCKS_PROSE + "\n".join(shortcode) + "\n"


def _keys() -> list[str]:
    """Return a row for each key of a preamble, and a last line for those of other harnesses."""
    from famulus_kernel.language.plan import Plan
    from famulus_kernel.language.preamble import DEFAULT_KEYS
    from famulus_kernel.language.schema import preamble_schema

    schema = preamble_schema()
    properties = schema["properties"]
    elsewhere = [name for name in Plan.model_fields if name not in ("subtask", "partiturs")]
    rows = []
    for name in sorted(properties, key=lambda name: (name != "id", name in DEFAULT_KEYS)):
        if name not in elsewhere:
            mark = " ◦" if name in DEFAULT_KEYS else ""
            what = properties[name]["description"] + _inside(schema, properties[name])
            rows.append(f"| `{name}`{mark} | {what.replace('<', '&lt;').replace(BREAK, '<br>')} |")
    return [*rows, "", f"{_code(elsewhere)} are for harnesses that enfold questions; the one that comes along says so."]


def _inside(schema: dict[str, Any], key: dict[str, Any]) -> str:
    """Return what may stand in a key: its values, or the keys of its mappings."""
    choices = key.get("anyOf", [key])
    values = [value for choice in choices for value in choice.get("enum", ())]
    named = [choice.get("$ref") or choice.get("items", {}).get("$ref", "") for choice in choices]
    models = [schema["$defs"][ref.rpartition("/")[2]] for ref in named if ref and not ref.endswith("/Parameter")]
    keys = [f"`{name}`: {one['description']}" for model in models for name, one in model["properties"].items()]
    return f" One of {_code(values)}." if values else "".join(BREAK + key for key in keys)


def _code(names: Sequence[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


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


_NEEDED = ("ID", "ID[.NAME]", "QUESTION")
"""What may come first only because the project may be left out."""


def _name(parameter: Any) -> str:
    if parameter.param_type_name == "argument":
        named = parameter.metavar or parameter.name.upper()
        several = "…" if parameter.nargs == -1 else ""
        return f"`{named}{several}`" if parameter.required or named in _NEEDED else f"`[{named}]{several}`"
    return ", ".join(f"`{name}`" for name in [*parameter.opts, *parameter.secondary_opts])


if __name__ == "__main__":
    TARGET.write_text(command_line(), encoding="utf-8")
    COLLECTIONS.write_text(collections(), encoding="utf-8")
    BLOCKS.write_text(blocks(), encoding="utf-8")
