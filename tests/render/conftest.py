"""A project on disk with a hand-made store: what pages are drawn from, without running anything."""

from __future__ import annotations

import hashlib
import json
import os
import resource
import shutil
import struct
import subprocess
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from famulus_kernel.artefacts.envelope import Envelope, Header, pretty_json
from famulus_kernel.artefacts.view import Column, Fact, Facts, Prose, Table, View, literal
from famulus_kernel.render.pandoc import pandoc_command
from famulus_kernel.resources import extension_dir
from famulus_kernel.store.manifest import (
    ArtefactEntry,
    CompanionFile,
    FileInput,
    Inputs,
    Manifest,
    Software,
    Verdict,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

CHROMIUM = shutil.which("chromium") or "/usr/bin/chromium"
AXE = "4.14.1"
AXE_SHA256 = "29348999450cdf2849a8e70b7912fc2da85a849da39c0d0d5394f51d4a9ed95c"
CREATED = "2026-09-22T10:00:00Z"


def png(width: int = 1, height: int = 1) -> bytes:
    """Return a red image."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(b"\0" + b"\x8f\x24\x15" * width for _ in range(height))
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


PNG = png()


def table_view(rows: list[list[Any]], columns: list[tuple[str, str]], **more: Any) -> View:
    """Return the view of a table whose headings are its column names."""
    made = tuple(
        Column(key=key, label=literal(key), type=kind, align="left" if kind == "VARCHAR" else "right")
        for key, kind in columns
    )
    caption = more.pop("caption", None)
    return View(
        title=literal(more.pop("title", "Table")),
        caption=caption,
        parts=(Table(columns=made, rows=tuple(map(tuple, rows)), total=more.pop("total", len(rows)), **more),),
    )


@dataclass
class MadeProject:
    """A project's folder, and blocks written into its store as a run would."""

    root: Path

    def __post_init__(self) -> None:
        self.root.mkdir(parents=True, exist_ok=True)
        self.index: dict[str, Any] = {"format": 1, "project": "briefe", "uses": {}, "blocks": {}, "aliases": {}}
        (self.root / "famulus.yml").write_text("id: briefe\n", encoding="utf-8")

    def page(self, text: str, name: str = "index.fam") -> Path:
        """Write a page."""
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def block(
        self,
        block: str,
        artefacts: dict[str, tuple[Any, View]] | None = None,
        *,
        notebook: str = "index",
        version: int = 1,
        verdict: Verdict | None = None,
        report: dict[str, Any] | None = None,
        files: dict[str, bytes] | None = None,
        format: int = 1,  # noqa: A002 - the key's name
    ) -> Path:
        """Write one version of a block and put it into the index; return the version's folder."""
        observed = {"n": {"value": 1, "ok": True}, "score": 1.0}
        verdict = verdict or Verdict(id=block, golden=None, status="pass", oracle={"n": 1}, observed=observed)
        name = f"v{version:04d}"
        relative = f"_famulus/store/{notebook}/{block}"
        folder = self.root / relative / name
        (folder / "artefacts").mkdir(parents=True)
        for file, content in (files or {}).items():
            (folder / "artefacts" / file).write_bytes(content)
        entries = []
        for artefact, (data, view) in (artefacts or {}).items():
            written = self._envelope(block, notebook, name, artefact, data, view)
            (folder / "artefacts" / f"{artefact}.json").write_bytes(written)
            entries.append(_entry(artefact, written, files or {}))
        data = {"question": f"Frage {block}?", "answer": "", "verdict": verdict.model_dump(mode="json"), "counts": {}}
        data |= report or {}
        parts = [Prose(markdown=data["answer"])] if data["answer"] else []
        view = View(
            title=literal(data["question"]),
            parts=(*parts, Facts(items=tuple(Fact(label=literal(k), value=v) for k, v in data["counts"].items()))),
        )
        (folder / "report.json").write_bytes(self._envelope(block, notebook, name, "report", data, view))
        (folder / "verdict.json").write_bytes(pretty_json(verdict.model_dump(mode="json")))
        (folder / "trace.json").write_bytes(b"{}\n")
        manifest = Manifest(
            project="briefe",
            notebook=notebook,
            block=block,
            version=name,
            created=CREATED,
            duration_s=0.5,
            software=Software(version="0.1.0", python="3.11", duckdb="2.0.1"),
            status=verdict.status,
            checked="score" in verdict.observed,
            inputs=Inputs(
                preamble={"id": block},
                instruction="",
                files=(FileInput(path="x.csv", size=1, mtime_ns=1786492800 * 10**9, sha256="0"),),
            ),
            artefacts=tuple(entries),
        )
        raw = manifest.model_dump(mode="json") | {"format": format}
        (folder / "manifest.json").write_bytes(pretty_json(raw))
        self.index["blocks"][block] = {
            "notebook": notebook,
            "folder": relative,
            "newest": name,
            "status": verdict.status,
            "checked": "score" in verdict.observed,
            "created": CREATED,
        }
        self.write_index()
        return folder

    def failing(self, block: str, status: str = "error", **observed: Any) -> Verdict:
        """Return a verdict that is not a pass."""
        return Verdict(id=block, golden=None, status=status, oracle=None, observed=observed)  # type: ignore[arg-type]

    def write_index(self) -> None:
        """Write the index as it stands."""
        (self.root / "_famulus").mkdir(exist_ok=True)
        (self.root / "_famulus" / "index.json").write_text(json.dumps(self.index), encoding="utf-8")

    def stale(self, block: str, since: str = "2026-10-01T00:00:00Z") -> None:
        """Say in status.json that a block is stale."""
        self.status(block, state="stale", since=since, reasons=["x.csv changed"])

    def status(self, block: str, since: str = "2026-10-01T00:00:00Z", **found: Any) -> None:
        """Write a status.json that says something of a block."""
        status = {"format": 1, "checked": since, "blocks": {block: {"since": since, "reasons": [], **found}}}
        (self.root / "_famulus" / "status.json").write_text(json.dumps(status), encoding="utf-8")

    def _envelope(self, block: str, notebook: str, version: str, name: str, data: Any, view: View) -> bytes:
        header = Header(
            project="briefe",
            notebook=notebook,
            block=block,
            version=version,
            name=name,
            kind="table",
            created=CREATED,
            inputs="0",
        )
        return Envelope(famulus=header, data=data, view=view).to_bytes()


def _entry(name: str, written: bytes, files: dict[str, bytes]) -> ArtefactEntry:
    companions = tuple(
        CompanionFile(file=file, bytes=len(content), sha256=hashlib.sha256(content).hexdigest())
        for file, content in files.items()
        if file.startswith(name)
    )
    return ArtefactEntry(
        name=name,
        kind="table",
        file=f"{name}.json",
        bytes=len(written),
        sha256=hashlib.sha256(written).hexdigest(),
        companions=companions,
    )


@dataclass(frozen=True)
class Drawn:
    """What plain pandoc made of a page with our filter, and how much of the processor it took."""

    text: str
    problems: list[dict[str, Any]]
    stderr: str
    cpu_seconds: float


def draw_page(
    page: Path, to: str = "html", *, options: tuple[str, ...] = (), filters: int = 1, log: bool = True
) -> Drawn:
    """Run pandoc on a page with the filter, as somebody without our renderer would."""
    problems = page.parent / "problems.jsonl"
    problems.unlink(missing_ok=True)
    command = [str(pandoc_command()), page.name, "--from", "markdown", "--to", to, "--wrap", "none", *options]
    command += ["--lua-filter", str(extension_dir() / "famulus-filter.lua")] * filters
    environment = {**os.environ, "FAMULUS_PROBLEMS": str(problems) if log else ""}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, cwd=page.parent, capture_output=True, check=True, env=environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    lines = problems.read_text(encoding="utf-8").splitlines() if problems.exists() else []
    return Drawn(
        done.stdout.decode(errors="replace"),
        [json.loads(line) for line in lines],
        done.stderr.decode(),
        after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime,
    )


@pytest.fixture
def draw() -> Callable[..., Drawn]:
    """The way from a page to what pandoc makes of it."""
    return draw_page


@pytest.fixture
def table() -> Callable[..., View]:
    """A maker of views of tables."""
    return table_view


@pytest.fixture(scope="session", name="png")
def png_bytes() -> bytes:
    """The bytes of a small image."""
    return PNG


@pytest.fixture
def project(tmp_path: Path) -> MadeProject:
    """An empty project."""
    return MadeProject(tmp_path / "projekt")


def roster_at(root: Path) -> MadeProject:
    """Make a project whose block `partner` holds a table `roster` of three of 12,345 rows and the value 75."""
    project = MadeProject(root)
    rows = [["Erasmus", 40, "https://example.org/e"], ["Dürer", 1234, None], ["Celtis", 7, "javascript:alert(1)"]]
    view = View(
        title=literal("Briefpartner"),
        caption="Alle Partner",
        parts=(
            Table(
                columns=(
                    Column(key="name", label=literal("Name"), link="url"),
                    Column(key="count", label=literal("Briefe"), type="BIGINT", align="right"),
                    Column(key="url", label=literal("URL")),
                ),
                rows=tuple(map(tuple, rows)),
                total=12345,
                full={"file": "artefacts/roster.parquet", "format": "parquet", "bytes": 1_234_567},
            ),
        ),
    )
    data = {"entries": [{"name": row[0], "count": row[1]} for row in rows], "n_rows": 12345}
    credit = {
        "source": "Pirckheimer-Briefwechsel",
        "licence": "CC BY 4.0",
        "cite": "Reicke 1940",
        "url": "https://e.org",
    }
    project.block(
        "partner",
        {"roster": (data, view)},
        files={"roster.parquet": b"PAR1" * 10},
        report={
            "answer": "Es sind **75** Partner.",
            "counts": {"n_correspondents": 75, "n_letters": 1234, "share": 0.25},
            "provenance": {"credits": [credit]},
        },
    )
    return project


@pytest.fixture
def roster(tmp_path: Path) -> MadeProject:
    """The project of `roster_at`."""
    return roster_at(tmp_path / "projekt")


@pytest.fixture(scope="session")
def make_roster() -> Callable[[Path], MadeProject]:
    """A maker of that project in any folder."""
    return roster_at


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A browser without network; one a file, for what runs it would be in the way of other tests' event loops."""
    if not os.access(CHROMIUM, os.X_OK):
        pytest.skip("needs Debian's Chromium")
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as running:
        options = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        opened = running.chromium.launch(executable_path=CHROMIUM, args=options)
        yield opened
        opened.close()


@pytest.fixture(scope="session")
def axe() -> Callable[[Any], list[str]]:
    """What axe-core complains of on a page: impact, rule and element of each. It is fetched from npm once."""
    deno = pytest.importorskip("deno")
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "famulus-tests"
    command = [deno.find_deno_bin(), "cache", "--no-lock", "--no-config", f"npm:axe-core@{AXE}"]
    done = subprocess.run(
        command, env={**os.environ, "DENO_DIR": str(cache)}, capture_output=True, text=True, timeout=120, check=False
    )
    found = list(cache.glob(f"npm/*/axe-core/{AXE}/axe.min.js"))
    if not found:
        pytest.skip(f"axe-core cannot be fetched: {done.stderr.strip()[-200:]}")
    source = found[0].read_bytes()
    assert hashlib.sha256(source).hexdigest() == AXE_SHA256

    def complaints(page: Any) -> list[str]:
        page.evaluate(source.decode())
        result = page.evaluate("axe.run(document, {resultTypes: ['violations'], preload: false})")
        return [
            f"{rule['impact']} {rule['id']}: {node['html'][:200]}"
            for rule in result["violations"]
            for node in rule["nodes"]
        ]

    return complaints
