"""One block, one call (spec 3.1): from a block of a project to an immutable version in its store.

Load the effective preamble → static checks → resolve references → open data → play the plan step by step → build
artefacts → compare with the oracle → commit the version. A block that cannot be played leaves a version too: its error,
its trace, and no artefact.
"""

from __future__ import annotations

import platform
import shutil
import time
from dataclasses import dataclass, field, replace
from importlib.metadata import version as installed_version
from typing import TYPE_CHECKING, Any

from famulus_kernel.adapter.allowances import allowance
from famulus_kernel.adapter.budgets import limits_for
from famulus_kernel.adapter.building import REPORT, as_input, build_artefact, inside_artefacts, specs_by_step
from famulus_kernel.adapter.credits import credits_of
from famulus_kernel.adapter.judging import failed, judged, measures_of
from famulus_kernel.adapter.prepare import Prepared, prepare, step_name
from famulus_kernel.adapter.steps import Chain, StepResult
from famulus_kernel.adapter.trace import Trace
from famulus_kernel.artefacts.build import BuildContext, Built, ReportPayload, TablePayload, builders
from famulus_kernel.artefacts.envelope import Envelope, Header, utc_now
from famulus_kernel.corpus.failures import is_interrupt
from famulus_kernel.errors import (
    FamulusError,
    Interrupted,
    StoreError,
)
from famulus_kernel.harness.limits import Budget
from famulus_kernel.project.bindings import steps_of, stop_key
from famulus_kernel.project.inputs import gather_inputs
from famulus_kernel.store.manifest import Inputs, Manifest, Software, Verdict
from famulus_kernel.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from famulus_kernel.corpus import Progress
    from famulus_kernel.language.preamble import ArtefactSpec
    from famulus_kernel.project.blocks import Block
    from famulus_kernel.project.project import Project
    from famulus_kernel.store.draft import Draft
    from famulus_kernel.store.store import StoredVersion

REPORT_FILE = "_report.json"
"""What files beside report.json are named after, since an artefact may be called report.json itself."""

SCRATCH = ".work"
"""Where steps put their tables while they run: in the draft, so that an artefact is a link and not a copy."""


@dataclass
class _Run:
    """What is known of a run so far; an error may end it anywhere."""

    block: Block
    trace: Trace
    started_ns: int
    began: float
    inputs: Inputs
    created: str = ""
    credits: list[dict[str, str]] = field(default_factory=list)
    results: list[StepResult] = field(default_factory=list)
    artefacts: list[tuple[ArtefactSpec, Built]] = field(default_factory=list)
    findings: Sequence[Mapping[str, Any]] | TablePayload = ()
    by_document: Sequence[Mapping[str, Any]] | Mapping[str, Any] = ()


class Adapter:
    """Plays the blocks of one project.

    Parameters
    ----------
    project
        The project as it stands.
    on_progress
        Called while a query runs for longer than a second.
    """

    def __init__(self, project: Project, on_progress: Callable[[Progress], None] | None = None) -> None:
        self._project = project
        self._on_progress = on_progress

    def run(self, block: Block) -> StoredVersion:
        """Play a block and return the version that came of it; its manifest says how it ended.

        Raises
        ------
        Interrupted
            The user stopped it: nothing was written.
        StoreError
            The store cannot be written.
        """
        return self._make_version(block, self._play)

    def give_up(self, block: Block, error: FamulusError) -> StoredVersion:
        """Return the version of a block that was played elsewhere and ended there in an `error` that left none.

        Raises
        ------
        StoreError
            The store cannot be written.
        """

        def fail(run: _Run, folder: Path, scratch: Path) -> Verdict:  # noqa: ARG001 - as _play
            raise error

        return self._make_version(block, fail)

    def _make_version(self, block: Block, play: Callable[[_Run, Path, Path], Verdict]) -> StoredVersion:
        store = self._project.store
        with store.draft(self._project.folder_of(block)) as draft:
            run = self._begin(block)
            scratch = draft.folder / SCRATCH
            scratch.mkdir()
            try:
                verdict = play(run, draft.folder, scratch)
            except (Interrupted, StoreError):
                raise
            except (KeyboardInterrupt, RuntimeError) as error:
                if not is_interrupt(error):
                    raise
                raise Interrupted.of(block.id) from None
            except FamulusError as error:
                verdict = failed(block, error.at(block.place()), self._project)
                run.trace.keep({spec.name: built.data for spec, built in run.artefacts})
                run.artefacts.clear()
                _empty(draft.folder / "artefacts")
            finally:
                shutil.rmtree(scratch, ignore_errors=True)
            for _, built in run.artefacts:
                for companion in built.companions:
                    draft.hash_beforehand(inside_artefacts(companion))
            return draft.commit(lambda name: self._finish(run, verdict, draft, name))

    def _begin(self, block: Block) -> _Run:
        facts = block.facts
        inputs = Inputs(preamble=dict(facts.claims), instruction=facts.instruction, operations=dict(facts.operations))
        return _Run(block, Trace(block.id), time.time_ns(), time.perf_counter(), inputs)

    def _play(self, run: _Run, folder: Path, scratch: Path) -> Verdict:
        run.trace.budget = Budget(limits_for(run.block, allowance(run.block, self._project)))
        prepared = prepare(run.block, self._project)
        run.credits = credits_of(prepared.reads.files)
        with self._project.stats as cache:
            run.inputs = gather_inputs(
                run.block, self._project, prepared.reads, prepared.resolved, cache, run.started_ns
            )
        run.credits += [credit for credit in _upstream_credits(prepared) if credit not in run.credits]
        specs = specs_by_step(run.block)
        chain = Chain(prepared, self._project, scratch, self._on_progress, run.trace.budget)
        for number, step in enumerate(steps_of(run.block)):
            name = step_name(step, number)
            with run.trace.step(name, step.id) as record:
                try:
                    result = chain.play(step, number, record)
                    run.results.append(result)
                    for spec in specs.get(number, ()):
                        built = build_artefact(self._project, run.block, spec, step.id, result, folder)
                        run.artefacts.append((spec, built))
                        record.setdefault("artefacts", []).append({"name": spec.name, "kind": spec.kind})
                        chain.made(name, spec.name, as_input(spec, built, folder))
                except FamulusError as error:
                    raise error.at(run.block.place(stop_key(run.block, number, error))) from None
        called = [result.model for result in run.results if result.model is not None]
        run.inputs = run.inputs.model_copy(update={"model": called[-1]}) if called else run.inputs
        verdict = judged(run.block, run.results)
        if run.block.preamble.guard is not None:
            from famulus_kernel.adapter.guarding import guarded  # noqa: PLC0415 - few blocks have one

            verdict = guarded(
                verdict, run.block, self._project, run.results, measures_of(run.results), chain, run.trace
            )
        run.findings, run.by_document = _findings_of(run.results, folder)
        return verdict

    def _finish(self, run: _Run, verdict: Verdict, draft: Draft, name: str) -> Manifest:
        """Write what carries the version's number, and return its manifest."""
        run.created = utc_now()
        fingerprint = run.inputs.fingerprint()
        entries = []
        for spec, built in run.artefacts:
            file = inside_artefacts(spec.file)
            envelope = self._envelope(run, fingerprint, name, spec.name, spec.kind, built)
            draft.write(f"artefacts/{file}", envelope.to_bytes())
            companions = [inside_artefacts(companion) for companion in built.companions]
            entries.append(draft.entry(spec.name, spec.kind, file, companions))
        report = self._report(run, verdict, name, draft.folder)
        draft.write("report.json", self._envelope(run, fingerprint, name, REPORT, REPORT, report).to_bytes())
        draft.write_json("trace.json", run.trace.as_dict())
        draft.write_json("verdict.json", verdict.model_dump(mode="json"))
        return Manifest(
            project=self._project.id,
            notebook=run.block.notebook,
            block=run.block.id,
            version=name,
            created=run.created,
            duration_s=round(time.perf_counter() - run.began, 6),
            software=Software(
                version=__version__, python=platform.python_version(), duckdb=installed_version("duckdb")
            ),
            status=verdict.status,
            checked="score" in verdict.observed,
            inputs=run.inputs,
            artefacts=tuple(entries),
        )

    def _envelope(self, run: _Run, inputs: str, version: str, name: str, kind: str, built: Built) -> Envelope:
        header = Header(
            project=self._project.id,
            notebook=run.block.notebook,
            block=run.block.id,
            version=version,
            name=name,
            kind=kind,
            created=run.created,
            inputs=inputs,
        )
        return Envelope(famulus=header, data=built.data, view=built.view)

    def _report(self, run: _Run, verdict: Verdict, version: str, folder: Path) -> Built:
        tells = verdict.status in {"pass", "fail"} or verdict.is_unverified
        last = run.results[-1] if run.results and tells else None
        counts: dict[str, Any] = {}
        for result in run.results if last is not None else ():
            counts |= result.counts
        payload = ReportPayload(
            question=run.block.source.instruction,
            answer=last.answer if last is not None else "",
            verdict=verdict.model_dump(mode="json"),
            method=[rule for result in run.results for rule in result.rules],
            counts=counts,
            findings=run.findings,
            by_document=run.by_document,
            specification=run.inputs.preamble,
            provenance={
                "version": version,
                "created": run.created,
                "files": [{"path": file.path, "size": file.size, "sha256": file.sha256} for file in run.inputs.files],
                "references": [one.model_dump(mode="json") for one in run.inputs.references],
                "credits": run.credits,
            },
        )
        context = BuildContext(
            name=REPORT,
            kind=REPORT,
            file=REPORT_FILE,
            lang=self._project.language_of(run.block),
            folder=folder,
            question=payload.question,
        )
        return builders()[REPORT].build(payload, context)


def _findings_of(results: list[StepResult], folder: Path) -> tuple[Any, Any]:
    """Return findings and documents of the last run of a chain; what lies on the disk is kept where the report will be.

    The report itself carries the version's number and is written later, when the results of the steps are gone.
    """
    reports = [result.payloads[REPORT] for result in results if result.payloads and REPORT in result.payloads]
    if not reports:
        return (), ()
    findings = reports[-1].findings
    if isinstance(findings, TablePayload) and findings.parquet is not None and findings.total:
        kept = folder / "artefacts" / REPORT_FILE.replace(".json", ".findings.parquet")
        findings.parquet.replace(kept)
        findings = replace(findings, parquet=kept)
    return findings, reports[-1].by_document


def _upstream_credits(prepared: Prepared) -> list[dict[str, str]]:
    """Return the credits that the referred-to versions carry: what was read there is read here."""
    found: list[dict[str, str]] = []
    for one in prepared.resolved:
        provenance = one.version.report()["data"].get("provenance") or {}
        found += [credit for credit in provenance.get("credits", ()) if credit not in found]
    return found


def _empty(folder: Path) -> None:
    for entry in folder.iterdir():
        shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
