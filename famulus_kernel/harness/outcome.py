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

    Every run can become a report and JSON, and Markdown where it has an `answer`; the rest is what stages offered.

    Parameters
    ----------
    broken
        The clauses of the contract that the result violates.
    """
    result = value if isinstance(value, Mapping) else {"value": value}
    answer = result.get("answer")
    counts = result["counts"] if isinstance(result.get("counts"), Mapping) else {}
    method = result.get("method", ())
    payloads: dict[str, Any] = {"json": result, **offers.payloads}
    report = payloads.get("report")
    if isinstance(report, ReportPayload):
        report = replace(report, answer=answer if isinstance(answer, str) else report.answer)
    elif report is None:
        told = (method,) if isinstance(method, str) else tuple(map(str, method)) if isinstance(method, list) else ()
        report = ReportPayload(question=request.goal, answer=str(answer or ""), method=told, counts=counts)
    payloads["report"] = report
    if isinstance(answer, str):
        payloads.setdefault("markdown", {"content": answer})
    return RunResult(
        status="not-reached" if broken else "reached",
        result=result,
        trace=trace,
        usage={name: one["used"] for name, one in budget.usage().items()},
        payloads=payloads,
        measures=_measures(offers.measures or Measures(), counts, result),
        is_empty=offers.is_empty,
        model=offers.model,
        violations=broken,
    )


def _measures(offered: Measures, counts: Mapping[str, Any], result: Mapping[str, Any]) -> Measures:
    """Return what an oracle may ask: what a stage offered, with the counts and fields of the result."""
    return replace(offered, counts={**offered.counts, **counts}, fields=result)
