"""Artefacts: builders make data and a view of a result, renderers draw the view (spec 5)."""

from __future__ import annotations

from famulus_kernel.artefacts.build import BuildContext, Builder, Built, ReportPayload, TablePayload, builders
from famulus_kernel.artefacts.card import Card, Mark, card
from famulus_kernel.artefacts.envelope import Envelope, Header
from famulus_kernel.artefacts.view import View

__all__ = [
    "BuildContext",
    "Builder",
    "Built",
    "Card",
    "Envelope",
    "Header",
    "Mark",
    "ReportPayload",
    "TablePayload",
    "View",
    "builders",
    "card",
]
