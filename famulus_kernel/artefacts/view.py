"""The view of an artefact: the only thing that surfaces know how to draw (spec 5.1).

A view is a list of five primitives. Builders make them, surfaces draw them: Lua on pages, `html` in Jupyter,
`text` in the terminal. A new kind of artefact is a new builder and nothing else.

A :class:`Label` is either a literal (a column name of somebody's query) or a key of `labels.json`, which the
surface resolves in the language of its document. Cells are JSON scalars; what JSON cannot carry (dates,
lists, huge numbers, NaN) is already text when it arrives here, and the column's type says what it was.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

PATTERN = r"^(,|,?(d|(\.[0-9]{1,2})?[f%]))$"
"""The patterns that `artefacts.numbers` knows."""

Cell = None | bool | int | float | str
"""One value of a table as JSON has it; integers beyond 2**53 are text."""


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Label(_Part):
    """A label: either `message`, a key of labels.json, or `text`, shown as it is."""

    message: str | None = None
    text: str | None = None


def message(key: str) -> Label:
    """Return a label that is resolved by the document's language."""
    return Label(message=key)


def literal(text: str) -> Label:
    """Return a label that is shown as it is."""
    return Label(text=text)


class _Primitive(_Part):
    """What all five primitives share: a title of their own, for a view that holds several."""

    title: Label | None = None


class Fact(_Part):
    """One line of facts. `badge` is set where the value is a verdict word or a mark (stale, unchecked)."""

    label: Label
    value: Cell | Label
    badge: Literal["pass", "fail", "gap", "error", "unchecked", "stale", "unverified"] | None = None


class Facts(_Primitive):
    """Label/value pairs."""

    type: Literal["facts"] = "facts"
    items: tuple[Fact, ...]


class Column(_Part):
    """A column of a table.

    `type` is DuckDB's name of the type. `link` names the column that holds the URL of this one's cells; a
    column that another one names there is not drawn by itself. `format` is a pattern of `artefacts.numbers`
    for the numbers of the column, None its plain rule: it is what keeps a year from being printed as 1,520.
    `words` begins the message keys of its values, where those are words of ours: `value.time` makes `possible`
    read as `value.time.possible` has it. A value without a message stays as it is.
    `hidden` columns are drawn only where a page names them.
    """

    key: str
    label: Label
    type: str = "VARCHAR"
    align: Literal["left", "center", "right"] = "left"
    link: str | None = None
    format: str | None = Field(default=None, pattern=PATTERN)
    words: str | None = None
    hidden: bool = False


class FullTable(_Part):
    """Where all rows lie: a file of the version, relative to its folder."""

    file: str
    format: Literal["parquet", "csv"] = "parquet"
    bytes: int


class Table(_Primitive):
    """The first rows of a table, how many there are in all, and where the full table lies.

    `csv` is the full table once more for readers with a spreadsheet, where it is small enough for one.
    """

    type: Literal["table"] = "table"
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    total: int
    full: FullTable | None = None
    csv: FullTable | None = None


class Prose(_Primitive):
    """Markdown text of unknown origin. Surfaces draw no raw HTML from it and follow no shortcode in it."""

    type: Literal["prose"] = "prose"
    markdown: str


class Figure(_Primitive):
    """An image of the version (`file` relative to its folder); `width` as CSS length or None."""

    type: Literal["figure"] = "figure"
    file: str
    alt: str
    caption: str | None = None
    width: str | None = None


class Node(_Part):
    """A node of a graph; `weight` sets its size, `group` its colour."""

    id: str
    label: str
    group: str | None = None
    weight: float = 1.0
    url: str | None = None


class Edge(_Part):
    """An edge between two nodes, by their ids."""

    source: str
    target: str
    weight: float = 1.0
    label: str | None = None


class Graph(_Primitive):
    """Nodes and edges, and the static SVG that stands where nothing can be computed.

    `svg` is a file of the version, relative to its folder.
    """

    type: Literal["graph"] = "graph"
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    layout: Literal["force", "layered"] = "force"
    svg: str


Part = Annotated[Facts | Table | Prose | Figure | Graph, Field(discriminator="type")]


class View(_Part):
    """A list of primitives with an optional title and caption."""

    title: Label | None = None
    caption: str | None = None
    parts: tuple[Part, ...]
