"""The scope of a block (spec 1.3): which documents, persons, years and words it is about."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from famulus_kernel.language.fields import Bool, CollectionName, LanguageTags, Text, WholeNumber
from famulus_kernel.language.validation import Part

Year = Annotated[WholeNumber, Field(ge=-9999, le=9999)]


class Years(Part):
    """A span of years, ends included; either may be missing. A `from` after its `to` is seen when the block runs."""

    from_: Year | None = Field(default=None, alias="from", description="First year.")
    to: Year | None = Field(default=None, description="Last year.")


class Scope(Part):
    """The keys that become the Setting and, where it does not carry them, inputs of the run."""

    collections: tuple[CollectionName, ...] = Field(default=(), description="Names of collections.")
    locked: Bool = Field(default=False, description="The named collections win over an anchor in the question.")
    reading_doc: Text | None = Field(default=None, description="doc_id of the document being read.")
    documents: tuple[Text, ...] | None = Field(default=None, description="doc_ids; without it all of the collections.")
    evidence: Literal["grounding", "secondary", "both"] = Field(
        default="grounding", description="Primary collections, their -sec siblings, or both, kept apart."
    )
    language: LanguageTags | None = Field(
        default=None, description="BCP 47 primary tag or a list of them; without it no filter."
    )
    years: Years = Field(default=Years(), description="{from, to}, ends included; either may be missing.")
    persons: tuple[Text, ...] = Field(
        default=(), description="Canonical names or variants, resolved by ent_canonical only."
    )
    lemmata: tuple[Text, ...] = Field(default=(), description="Lemmata.")
    counting_mode: Literal["canonical", "family", "family+adj"] | None = Field(
        default=None, description="How lemmata are counted; required where they are."
    )
    person_id: Text | None = Field(default=None, description="Handed to the run as it is.")
    project: Text | None = Field(default=None, description="Handed to the run as it is.")
