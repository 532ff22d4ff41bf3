"""Which data a block attaches, and which artefacts it makes (spec 1.3)."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import Annotated, Any, Self

from pydantic import AfterValidator, Field, ValidationInfo, field_validator, model_validator

from famulus_kernel.errors import PreambleError, Where
from famulus_kernel.language.fields import Bool, Identifier, PathText, PlainPath, ReferenceText, Text
from famulus_kernel.language.identifiers import same_id_key
from famulus_kernel.language.plan import known_kind
from famulus_kernel.language.validation import Carried, Part

RESERVED_NAMES = frozenset({"card", "verdict", "credit"})
"""Names that a shortcode gives another meaning (spec 5.4); `report` may be declared, it is the same thing."""

_ALIAS = re.compile(r"[^\W\d][\w-]*\Z")


def default_extension(kind: str) -> str:  # noqa: ARG001 - every kind of ours is an envelope (spec 2.3)
    """Return the extension, without a dot, of an artefact whose `file` is not given."""
    return "json"


class DuckdbAttachment(Part):
    """A database, a Parquet file or glob, or the full table of another block's artefact."""

    alias: Text = Field(description="Name of it in SQL.")
    path: PathText | None = Field(default=None, description="File or glob; $PDAI_COLLECTIONS and ~ are expanded.")
    ref: ReferenceText | None = Field(default=None, description="block.name: the full table of that artefact.")
    read_only: Bool = Field(default=True, description="Always true.")

    @field_validator("alias")
    @classmethod
    def _sql_name(cls, value: str) -> str:
        if not _ALIAS.match(value):
            raise ValueError("a name (a letter or _, then letters, digits, _ and -)")
        return value

    @field_validator("read_only")
    @classmethod
    def _only_reading(cls, value: bool) -> bool:  # noqa: FBT001 - pydantic's signature
        if not value:
            raise ValueError("true: a block only reads")
        return value

    @model_validator(mode="after")
    def _one_source(self) -> Self:
        if (self.path is None) == (self.ref is None):
            raise ValueError("exactly one of path and ref")
        return self


class ArtefactSpec(Part):
    """An artefact that the block makes."""

    name: Identifier = Field(description="Its name in references.")
    kind: Text = Field(description="How it is built and drawn.")
    file: PlainPath = Field(
        default="", description="Plain relative path under artefacts/; <name>.<extension> when missing."
    )

    @field_validator("name")
    @classmethod
    def _free_name(cls, value: str) -> str:
        if same_id_key(value) in RESERVED_NAMES:
            raise ValueError(f"another name: a shortcode reads {value} as something else")
        return value

    @field_validator("kind")
    @classmethod
    def _known_kind(cls, value: str, info: ValidationInfo) -> str:
        return known_kind(value, info)

    def model_post_init(self, _context: Any, /) -> None:
        """Fill in the file, without counting it as set: a later release may choose another default."""
        if not self.file:
            self.__dict__["file"] = f"{self.name}.{default_extension(self.kind)}"


def _unique_aliases(attachments: tuple[DuckdbAttachment, ...]) -> tuple[DuckdbAttachment, ...]:
    # DuckDB folds the case of names
    _unique([(f"{i}.alias", a.alias) for i, a in enumerate(attachments)])
    return attachments


def _unique_artefacts(artefacts: tuple[ArtefactSpec, ...]) -> tuple[ArtefactSpec, ...]:
    _unique([(f"{i}.name", artefact.name) for i, artefact in enumerate(artefacts)])
    _unique([(f"{i}.file", artefact.file) for i, artefact in enumerate(artefacts)])
    _apart([(f"{i}.file", artefact.file) for i, artefact in enumerate(artefacts)])
    return artefacts


def _apart(files: list[tuple[str, str]]) -> None:
    """Refuse a file that lies in a folder which is another one: no disk has both."""
    names = {same_id_key(file): file for _, file in files}
    for key, file in files:
        for folder in PurePosixPath(same_id_key(file)).parents:
            if (other := names.get(str(folder))) is not None:
                raise Carried(PreambleError.inside(file, other, Where(key=key)))


def _unique(values: list[tuple[str, str]]) -> None:
    seen: dict[str, str] = {}
    for key, value in values:
        folded = same_id_key(value)
        if folded in seen:
            raise Carried(PreambleError.twice(value, seen[folded], Where(key=key)))
        seen[folded] = value


Attachments = Annotated[tuple[DuckdbAttachment, ...], AfterValidator(_unique_aliases)]
Artefacts = Annotated[tuple[ArtefactSpec, ...], AfterValidator(_unique_artefacts)]
