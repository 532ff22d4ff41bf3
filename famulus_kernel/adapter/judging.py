"""From the results of steps to the verdict (spec 6.2), and from an error to one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from famulus_kernel.adapter.goldens.memory import is_known_gap
from famulus_kernel.errors import ContractNotReached, EmptyResult, NotAvailable
from famulus_kernel.project.bindings import steps_of
from famulus_kernel.store.manifest import Verdict
from famulus_kernel.verdict import Measures, compare
from famulus_kernel.verdict.oracle import SKIPPED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from famulus_kernel.adapter.steps import StepResult
    from famulus_kernel.errors import FamulusError
    from famulus_kernel.project.blocks import Block
    from famulus_kernel.project.project import Project


def judged(block: Block, results: Sequence[StepResult]) -> Verdict:
    """Compare the results of a block's steps with its oracle.

    Raises
    ------
    EmptyResult
        Nothing was found, which is no answer unless the oracle was asked about just that.
    UnknownMeasure
        The oracle names what the results do not have.
    """
    preamble = block.preamble
    oracle = dict(preamble.oracle or {})
    last = results[-1] if results else None
    if last is not None and last.is_empty and not oracle.keys() - SKIPPED:
        raise EmptyResult.of(preamble.subtask or steps_of(block)[-1].id, next(iter(last.counts), "n_rows"))
    compared = compare(oracle, measures_of(results)) if oracle else None
    observed: dict[str, Any] = {}
    if compared is not None and compared.checked:
        observed = {**compared.observed, "score": compared.score}
    return Verdict(
        id=block.id,
        golden=preamble.golden,
        status=compared.status if compared is not None else "pass",
        oracle=oracle or None,
        observed=observed,
    )


def measures_of(results: Sequence[StepResult]) -> Measures:
    """Return what the oracle can ask: the measures of all steps, a later one before an earlier one."""
    if not results:
        return Measures()
    counts: dict[str, Any] = {}
    measures: dict[str, Any] = {}
    fields: dict[str, Any] = {}
    entries: dict[str, Any] = {}
    labels = None
    for result in results:
        one = result.measures()
        counts |= one.counts
        measures |= one.measures
        fields |= one.fields
        entries |= dict(one.entries) if isinstance(one.entries, dict) else {}
        labels = one.labels if one.labels is not None else labels
    return Measures(counts=counts, measures=measures, fields=fields, entries=entries, labels=labels)


def failed(block: Block, error: FamulusError, project: Project) -> Verdict:
    """Return the verdict of a run that ended in an error: a gap where it reports one that its golden row knows of."""
    preamble = block.preamble
    reports_gap = preamble.golden is not None and isinstance(error, NotAvailable | ContractNotReached)
    return Verdict(
        id=block.id,
        golden=preamble.golden,
        status="gap" if reports_gap and is_known_gap(project, preamble.golden or "") else "error",
        oracle=dict(preamble.oracle) if preamble.oracle else None,
        observed={"error": error.as_dict()},
    )
