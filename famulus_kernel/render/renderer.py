"""Pages of a project without Quarto (spec 7.4): pandoc, our filter, and the page around it."""

from __future__ import annotations

import json
import os
import secrets
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any

from famulus_kernel.artefacts.urls import is_web_url
from famulus_kernel.errors import FamulusError, MissingExtra, RenderError, RenderWarning, Where, bold
from famulus_kernel.project.project import Project
from famulus_kernel.render.commanding import Work, arguments, environment, language
from famulus_kernel.render.composing import ASSETS, FRAGMENT, compose, copy_assets, read_fragment
from famulus_kernel.render.embedding import embed_resources
from famulus_kernel.render.files import copy_matching, copy_needed
from famulus_kernel.render.footing import footer_of, make_footer
from famulus_kernel.render.formats import Format, format_of
from famulus_kernel.render.ingredients import Ingredients, blocks_in, stamp
from famulus_kernel.render.navigation import Navigator, dead_entries, named_files, relative
from famulus_kernel.render.pages import Page, check_targets, find_pages, read_page
from famulus_kernel.render.pandoc import check_version, pandoc_command, run_pandoc
from famulus_kernel.render.remembering import Memory, Record
from famulus_kernel.render.search import INDEX
from famulus_kernel.render.sharing import Share, shared, write_shared
from famulus_kernel.render.site import CONFIG, Site, read_site
from famulus_kernel.render.source import Source, prepare
from famulus_kernel.render.styling import prepare_styles
from famulus_kernel.render.typesetting import make_pdf

_PARALLEL = min(8, max(2, os.cpu_count() or 2))

Progress = Callable[[int, int, str], None]
"""Called after each page: how many are done, of how many, which one."""


@dataclass(frozen=True)
class RenderResult:
    """What a render wrote.

    Attributes
    ----------
    pages
        The pages, in the order of their sources.
    problems
        Everything that a page shows a box for, or that a reader may miss; those with an exit status of 0 are warnings.
    output_dir
        Where the pages are.
    unchanged
        How many of the pages were there already, made of the same.
    """

    pages: tuple[Path, ...]
    problems: tuple[FamulusError, ...]
    output_dir: Path
    unchanged: int = 0


@dataclass(frozen=True)
class _Made:
    page: Page
    target: Path
    problems: list[FamulusError]
    needed: set[str]
    alone: bool
    share: Share
    ingredients: dict[str, Any]


def render_project(
    project_root: Path,
    *,
    to: str = "html",
    output_dir: Path | None = None,
    pages: Sequence[Path] | None = None,
    pandoc: Path | None = None,
    pdf_engine: str = "",
    embed: bool = False,
    force: bool = False,
    on_progress: Progress | None = None,
) -> RenderResult:
    """Write the pages of a project from what its store holds; a page that would be the same is left as it is.

    Parameters
    ----------
    project_root
        The folder of the project.
    to
        html, pdf, docx, typst, latex, gfm, revealjs, epub, or another format of pandoc.
    output_dir
        Where pages go; default: that of `_quarto.yml`, else `_site`.
    pages
        The pages to write; default: all of the site.
    pandoc
        The pandoc to use; default: see :func:`~famulus_kernel.render.pandoc.pandoc_command`.
    pdf_engine
        What makes a PDF: typst, lualatex, xelatex, tectonic or pdflatex; default: what the page names (`pdf-engine:`),
        else the first of them that is at hand.
    embed
        Whether a page of HTML holds everything it needs, so that its file can be sent alone; a page may say so itself
        (`embed-resources: true`).
    force
        Make the pages too that would be the same.
    on_progress
        Told of every page that is done.

    Raises
    ------
    ProjectError
        `_quarto.yml` or famulus.yml cannot be read.
    RenderError
        Two pages would be one file, or the folder for pages cannot be made. A page that pandoc cannot make is a
        problem of the result, and stops no other.
    MissingExtra
        There is no pandoc.
    """
    root = project_root.resolve()
    project = Project.open(root)
    site = read_site(root, output_dir=output_dir.resolve() if output_dir else None)
    if not site.title and site.kind == "website":
        site = replace(site, title=project.title)
    there = find_pages(site)
    found, problems = _read_pages(root, there)
    wanted = None if pages is None else [_name(root, path) for path in pages]
    for name in wanted or ():
        if name not in found:
            found[name] = read_page(root, name)
    kind = RenderError if site.kind == "book" else RenderWarning
    dead = "the navigation names this page, but it is not there"
    problems += [kind.of(name, dead, where=Where(CONFIG)) for name in dead_entries(site, {*there, *found})]
    form = format_of(to, engine=pdf_engine)
    check_targets(list(found.values()), form.suffix)
    command = pandoc or pandoc_command()
    check_version(command)
    _make_folder(site.output_dir)
    settings = (to, form.name, pdf_engine, command, embed, project.given)
    ingredients = Ingredients.of(site, project, found.values(), settings)
    memory = Memory(project.store.ours, site.output_dir, to)
    asked = [found[name] for name in wanted or found]
    kept = {} if force else _kept(asked, site, form, memory, ingredients)
    with tempfile.TemporaryDirectory(prefix="famulus-") as folder:
        navigator, chapters = Navigator(site, found), _chapter_numbers(site, found)
        several, place = len(found) > 1, Path(folder)
        work = Work(site, project, form, command, place, navigator, chapters, several, ingredients, alone=embed)
        _write_site_file(work, found)
        shared_files: set[str] = set()
        if form.is_site:
            copy_assets(site.output_dir)
            work.footer, shared_files = make_footer(work)
        prepare_styles(form, site.output_dir, work.folder, command)
        made, failed = _make_all(work, [page for page in asked if page.source not in kept], on_progress)
    if form.is_site:
        others = found.values() if wanted is not None else [found[name] for name in kept]
        write_shared(site.output_dir, [one.share for one in made], others=[page.target(form.suffix) for page in others])
    problems += [*failed.values(), *(problem for one in made for problem in one.problems)]
    for record in kept.values():
        problems += record.problems
    named = dict.fromkeys([*(named_files(site, found) if form.is_site else ()), *shared_files], CONFIG)
    problems += copy_needed(root, site.output_dir, {**named, **_needed(made, kept)})
    copy_matching(root, site.output_dir, site.resources)
    for one in made:
        if form.suffix == ".html" and one.alone:
            embed_resources(one.target, site.output_dir)
        record = Record(one.ingredients, stamp(one.target), tuple(sorted(one.needed)), tuple(one.problems))
        memory.keep(one.page, record)
    memory.sweep(root, lambda source: _target(site, source, form))
    memory.write()
    targets = tuple(_target(site, page.source, form) for page in asked if page.source not in failed)
    return RenderResult(targets, tuple(problems), site.output_dir, len(kept))


def _make_folder(output: Path) -> None:
    try:
        output.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        raise RenderError.of(output, f"no folder for pages can be made there: {error}") from error


def _needed(made: Iterable[_Made], kept: Mapping[str, Record]) -> dict[str, str]:
    """Return the files that pages name, each with one of these pages."""
    named = {name: page for page, record in kept.items() for name in record.needed}
    return named | {name: one.page.source for one in made for name in one.needed}


def _kept(
    pages: Sequence[Page], site: Site, form: Format, memory: Memory, ingredients: Ingredients
) -> dict[str, Record]:
    """Return the pages that would be the same; none where what they share is gone."""
    if form.is_site and not (site.output_dir / ASSETS / INDEX).is_file():
        return {}
    known = ((one.source, memory.unchanged(one, _target(site, one.source, form), ingredients)) for one in pages)
    return {name: record for name, record in known if record is not None}


def _target(site: Site, source: str, form: Format) -> Path:
    return site.output_dir / PurePosixPath(source).with_suffix(form.suffix)


def _name(root: Path, path: Path) -> str:
    whole = path if path.is_absolute() else root / path
    try:
        return whole.resolve().relative_to(root).as_posix()
    except ValueError:
        raise RenderError.of(path, "it lies outside of the project") from None


def _read_pages(root: Path, names: Sequence[str]) -> tuple[dict[str, Page], list[FamulusError]]:
    """Return the pages that can be read, and why the others cannot."""
    found: dict[str, Page] = {}
    problems: list[FamulusError] = []
    for name in names:
        try:
            found[name] = read_page(root, name)
        except FamulusError as error:
            problems.append(error.at(Where(name)))
    return found, problems


def _chapter_numbers(site: Site, pages: Mapping[str, Page]) -> dict[str, int]:
    """Return the numbers of a book's chapters; its first page, the preface, has none, nor has the page of a part."""
    if site.kind != "book" or site.options.get("number-sections") is False:
        return {}
    chapters = [entry for entries in site.sidebars for entry in entries]
    flat = (below for entry in chapters for below in entry.children or (entry,))
    numbered = [pages[entry.href] for entry in flat if entry.href and entry.href in pages]
    names = [page.source for page in numbered if Path(page.source).stem != "index" and not page.is_unnumbered]
    return {name: number for number, name in enumerate(dict.fromkeys(names), 1)}


def _write_site_file(work: Work, pages: Mapping[str, Page]) -> None:
    told = {"sources": dict.fromkeys(pages, True), "suffix": work.to.suffix}
    (work.folder / "site.json").write_text(json.dumps(told), encoding="utf-8")


def _make_all(
    work: Work, pages: Sequence[Page], on_progress: Progress | None
) -> tuple[list[_Made], dict[str, FamulusError]]:
    """Return the pages that could be made, and why the others could not: one of them stops no other."""
    made: list[_Made] = []
    failed: dict[str, FamulusError] = {}
    with ThreadPoolExecutor(_PARALLEL) as pool:
        jobs = [pool.submit(_make, work, page, number) for number, page in enumerate(pages)]
        try:
            for page, job in zip(pages, jobs, strict=True):
                try:
                    made.append(job.result())
                except MissingExtra:  # no page can be made
                    raise
                except FamulusError as error:
                    failed[page.source] = error.at(Where(page.source))
                if on_progress is not None:
                    on_progress(len(made) + len(failed), len(pages), page.source)
        except BaseException:
            pool.shutdown(wait=True, cancel_futures=True)
            raise
    return made, failed


def _make(work: Work, page: Page, number: int) -> _Made:
    project = work.project
    source = prepare(
        page.document,
        work.site.root,
        defaults=project.config.defaults,
        execute=work.site.execute,
        given=project.given,
        known=project.block,
    )
    data = {**work.site.options, **page.data}
    form = work.to.for_page(data)
    alone = work.alone or data.get("embed-resources") is True
    target = work.site.output_dir / page.target(form.suffix)
    target.parent.mkdir(parents=True, exist_ok=True)
    log = work.folder / f"{number}.jsonl"
    boundary = f"famulus-{secrets.token_hex(8)}"
    words = arguments(work, page, number, form)
    missing = list(_missing_files(work, page))
    if missing:  # pandoc would make no page at all
        words = [word for word in words if word != "--citeproc"]
    typeset = work.folder / f"{number}.typ"
    if form.is_site:
        words += ["--template", str(FRAGMENT), "--variable", f"boundary={boundary}", "--mathml"]
    else:
        words += [*form.options, "--output", str(typeset if form.by_typst else target)]
    ran = run_pandoc(
        work.command,
        words,
        cwd=(work.site.root / page.source).parent,
        text=source.text,
        environment=environment(work, page, log, form),
    )
    if form.by_typst:
        make_pdf(typeset, target)
    share = Share()
    if form.is_site:
        fragment = read_fragment(ran.output.decode(), boundary)
        html = compose(
            work.site,
            page,
            fragment,
            work.navigator.of(page.source),
            lang=language(work, page),
            assets=relative(page.source, ASSETS) + "/",
            number=str(work.chapters.get(page.source, "")),
            footer=footer_of(work.footer, page.source),
            search=work.searchable and not alone,
        )
        address = target.relative_to(work.site.output_dir).as_posix()
        html, share = shared(html, address=address, title=page.title, body=fragment.body)
        target.write_text(html, encoding="utf-8")
    problems, needed = _read_log(log, source, page)
    problems += missing
    problems += [_as_warning(one) for one in source.problems] if _is_lenient(data) else source.problems
    problems += [
        RenderWarning.of(page.source, line.removeprefix("[WARNING] "), where=Where(page.source))
        for line in ran.warnings
        if line.startswith("[WARNING]")
    ]
    ingredients = work.ingredients.of_page(page, source.files, blocks_in(source.text))
    return _Made(page, target, sorted(problems, key=_place), needed, alone, share, ingredients)


def _missing_files(work: Work, page: Page) -> Iterator[FamulusError]:
    """Yield a problem for each file that the page names for its citations and that is not there."""
    for key, name, path in work.ingredients.named(page):
        if not (path.is_file() or (work.site.root / name).is_file() or is_web_url(name)):
            yield RenderError.of(name, f"the page names it as its {key}, but it is not there", where=Where(page.source))


def _is_lenient(data: Mapping[str, Any]) -> bool:
    ours = data.get("famulus")
    return isinstance(ours, dict) and ours.get("on-error") == "warn"


def _as_warning(problem: FamulusError) -> FamulusError:
    return RenderWarning(problem.message, hint=problem.hint, where=problem.where)


def _place(problem: FamulusError) -> tuple[str, int, int]:
    return problem.where.file or "", problem.where.line or 0, -problem.exit_status


def _read_log(log: Path, source: Source, page: Page) -> tuple[list[FamulusError], set[str]]:
    """Return what the filters wrote down: problems, and files of the project that the page needs."""
    problems: list[FamulusError] = []
    needed: set[str] = set()
    lines = log.read_text(encoding="utf-8").splitlines() if log.is_file() else []
    folder = Path(page.source).parent
    for line in lines:
        record = json.loads(line)
        if "resource" in record:
            needed.add((folder / record["resource"]).as_posix())
            continue
        problems.append(_problem(record, source, page))
    return problems, needed


def _problem(record: Mapping[str, Any], source: Source, page: Page) -> FamulusError:
    kind = RenderWarning if record.get("severity") == "warning" else RenderError
    written = str(record.get("shortcode") or "")
    message = f"{bold(written)}: {record['message']}" if written else str(record["message"])
    where = source.where(record.get("at"))
    line = where.line
    if line is None and written and (offset := page.document.text.find(written)) >= 0:
        line = page.document.line_of(offset)
    return kind(message, hint=str(record.get("hint") or ""), where=Where(where.file, line, record.get("block")))
