"""From what the stages of a run left to what whoever asked for it gets: result, payloads, measures (spec 3.2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from famulus_kernel.artefacts.build import ReportPayload
from famulus_kernel.harness.request import RunResult
from famulus_kernel.verdict import Measures

if TYPE_CHECKING:
    from famulus_kernel.harness.limits import Budget
    from famulus_kernel.harness.operations.operation import Offers
    from famulus_kernel.harness.request import RunRequest


def outcome(
    request: RunRequest,
    value: Any,
    offers: Offers,
    trace: tuple[Mapping[str, Any], ...],
    budget: Budget,
    broken: tuple[str, ...],
) -> RunResult:
    """Return the result of a run whose last stage gave `value`.

    Parameters
    ----------
    broken
        The clauses of the contract that the result violates.
    """
    result = value if isinstance(value, Mapping) else {"value": value}
    counts = result["counts"] if isinstance(result.get("counts"), Mapping) else {}
    return RunResult(
        status="not-reached" if broken else "reached",
        result=result,
        trace=trace,
        usage={name: one["used"] for name, one in budget.usage().items()},
        payloads=payloads_of(request.goal, result, offers.payloads),
        measures=_measures(offers.measures or Measures(), counts, result),
        is_empty=offers.is_empty,
        model=offers.model,
        violations=broken,
    )


def payloads_of(question: str, result: Mapping[str, Any], offered: Mapping[str, Any]) -> dict[str, Any]:
    """Return what artefacts are built from: what was offered by kind, and what every result can become.

    That is a report and JSON, and Markdown where the result has an `answer`.
    """
    answer, method = result.get("answer"), result.get("method", ())
    payloads: dict[str, Any] = {"json": result, **offered}
    report = payloads.get("report")
    if isinstance(report, ReportPayload):
        report = replace(report, answer=answer if isinstance(answer, str) else report.answer)
    elif report is None:
        counts = result["counts"] if isinstance(result.get("counts"), Mapping) else {}
        told = method if isinstance(method, str | list | tuple) else ()
        report = ReportPayload(question=question, answer=str(answer or ""), method=told, counts=counts)
    payloads["report"] = report
    if isinstance(answer, str):
        payloads.setdefault("markdown", {"content": answer})
    return payloads


def _measures(offered: Measures, counts: Mapping[str, Any], result: Mapping[str, Any]) -> Measures:
    """Return what an oracle may ask: what a stage offered, with the counts and fields of the result."""
    return replace(offered, counts={**offered.counts, **counts}, fields=result)
