"""Pages as a reader has them: in Chromium, light and dark, wide and narrow, with and without script."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from famulus_kernel.artefacts.view import Column, Prose, Table, View, literal
from famulus_kernel.render.renderer import render_project

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

CHROMIUM = shutil.which("chromium") or "/usr/bin/chromium"
RESULTS = Path(__file__).resolve().parents[2] / "test-results"
HOSTILE = "<script>document.title='taken'</script><img src=x onerror=\"document.title='taken'\">"

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not os.access(CHROMIUM, os.X_OK), reason="needs Debian's Chromium"),
]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A browser without network."""
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as running:
        options = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        opened = running.chromium.launch(executable_path=CHROMIUM, args=options)
        yield opened
        opened.close()


@pytest.fixture
def site(roster: Any) -> Path:
    """A site with cards, tables, tabs, a wide table and hostile data."""
    columns = tuple(Column(key=f"k{n}", label=literal(f"Spalte {n}")) for n in range(12))
    wide = Table(columns=columns, rows=(tuple(f"Wert {n} " * 4 for n in range(12)), (HOSTILE,) * 12), total=2)
    roster.block("breit", {"tafel": ({}, View(title=literal(HOSTILE), parts=(Prose(markdown=HOSTILE), wide)))})
    roster.block("kaputt", verdict=roster.failing("kaputt", error={"code": "x", "message": "ging nicht", "where": {}}))
    roster.stale("partner")
    roster.page(
        "---\ntitle: Die Briefe\nlang: de\n---\n\n## Eins\n\n{{< famulus partner card >}}\n\n"
        "Es sind {{< famulus partner report value=counts.n_letters >}} Briefe.\n\n{{< famulus partner roster >}}\n\n"
        "## Zwei\n\n{{< famulus breit tafel >}}\n\n{{< famulus kaputt card >}}\n\n{{< famulus weg a >}}\n\n"
        "::: {.panel-tabset}\n## A\nInhalt A\n\n## B\nInhalt B\n:::\n\n" + "Absatz.\n\n" * 40
    )
    roster.page("---\ntitle: Zweite\nlang: de\n---\n", "zwei.fam")
    return render_project(roster.root).output_dir


@pytest.fixture
def visit(browser: Any, site: Path) -> Iterator[Callable[..., Any]]:
    """Open a page; what the console complains of fails the test."""
    opened: list[Any] = []
    complaints: list[str] = []

    def open_page(name: str = "index.html", *, width: int = 1280, scheme: str = "light", script: bool = True) -> Any:
        context = browser.new_context(
            viewport={"width": width, "height": 900}, color_scheme=scheme, java_script_enabled=script
        )
        page = context.new_page()
        page.on("console", lambda said: complaints.append(said.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("requestfailed", lambda request: complaints.append(request.url))
        page.goto((site / name).as_uri())
        opened.append(context)
        return page

    yield open_page
    for context in opened:
        context.close()
    assert complaints == []


def shoot(page: Any, name: str) -> None:
    """Keep a picture of a page for whoever looks."""
    RESULTS.mkdir(exist_ok=True)
    page.screenshot(path=RESULTS / f"render-{name}.png", full_page=True)


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
def test_a_page_reads_well_at_any_width_and_no_data_acts(visit: Callable[..., Any], width: int, scheme: str) -> None:
    page = visit(width=width, scheme=scheme)
    shoot(page, f"{width}-{scheme}")
    assert page.title() == "Die Briefe · briefe"
    text = page.inner_text("main")
    for words in (
        "Es sind 75 Partner.",
        "1.234",
        "veraltet seit 1. Oktober 2026",
        "ging nicht",
        "Kein Block weg",
        HOSTILE,
    ):
        assert words in text
    assert page.locator("main img").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    measure = page.evaluate("document.querySelector('main p').getBoundingClientRect().width")
    assert measure <= 780
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert paper == ("rgb(253, 252, 249)" if scheme == "light" else "rgb(25, 23, 20)")


def test_text_has_enough_contrast_on_both_papers(visit: Callable[..., Any]) -> None:
    script = """() => {
      const rgb = (s) => s.match(/[\\d.]+/g).slice(0, 3).map(Number);
      const linear = (v) => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
      const lum = (c) => [0.2126, 0.7152, 0.0722].reduce((sum, part, at) => sum + part * linear(rgb(c)[at] / 255), 0);
      const paper = lum(getComputedStyle(document.body).backgroundColor);
      return ["main p", ".subtitle, nav.toc a", "main a", "nav a[aria-current]", ".site-title a"].flatMap((which) => {
        const el = document.querySelector(which); if (!el) return [];
        const ink = lum(getComputedStyle(el).color);
        return [[which, (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05)]];
      });
    }"""
    for scheme in ("light", "dark"):
        for which, ratio in visit(scheme=scheme).evaluate(script):
            assert ratio >= 4.5, (scheme, which, ratio)


def test_the_reader_chooses_light_or_dark_and_the_choice_stays(visit: Callable[..., Any]) -> None:
    page = visit(scheme="light")
    button = page.locator("button.theme")
    assert button.get_attribute("aria-pressed") == "false"
    button.click()
    assert page.evaluate("document.documentElement.dataset.bsTheme") == "dark"
    page.reload()
    assert page.evaluate("document.documentElement.dataset.bsTheme") == "dark"
    assert button.get_attribute("aria-pressed") == "true"


def test_a_page_reads_without_script(visit: Callable[..., Any]) -> None:
    page = visit(scheme="dark", script=False)
    assert page.locator("button.theme").is_hidden()
    assert page.locator("nav.side a").first.is_visible()
    assert page.get_by_text("Inhalt A").is_visible()
    assert page.get_by_text("Inhalt B").is_visible()
    shoot(page, "no-script")


def test_tabs_are_worked_by_mouse_and_keyboard(visit: Callable[..., Any]) -> None:
    page = visit()
    assert page.get_by_text("Inhalt A").is_visible()
    assert page.get_by_text("Inhalt B").is_hidden()
    page.get_by_role("tab", name="B").click()
    assert page.get_by_text("Inhalt B").is_visible()
    page.keyboard.press("ArrowRight")
    assert page.get_by_text("Inhalt A").is_visible()
    assert page.evaluate("document.activeElement.textContent.trim()") == "A"


def test_lists_beside_the_page_fold_on_a_phone(visit: Callable[..., Any]) -> None:
    page = visit(width=390)
    assert page.locator("nav.side a").first.is_hidden()
    page.locator("nav.side summary").click()
    assert page.locator("nav.side a").first.is_visible()
    wide = visit(width=1280)
    assert wide.locator("nav.side a").first.is_visible()


def test_the_contents_follow_the_reader_and_the_keyboard_reaches_the_text(visit: Callable[..., Any]) -> None:
    page = visit()
    assert page.locator("nav.toc a.here").inner_text() == "Eins"
    page.evaluate("document.getElementById('zwei').scrollIntoView()")
    page.wait_for_function("document.querySelector('nav.toc a.here').textContent === 'Zwei'")
    page.evaluate("scrollTo(0, 0)")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    assert page.url.endswith("#text")


def test_paper_shows_the_text_and_no_navigation(visit: Callable[..., Any]) -> None:
    page = visit(scheme="dark")
    page.emulate_media(media="print")
    assert page.locator("nav.toc").is_hidden()
    assert page.locator("nav.side").is_hidden()
    assert page.evaluate("getComputedStyle(document.body).color") == "rgb(0, 0, 0)"
    assert page.get_by_text("Inhalt B").is_visible()
    shoot(page, "print")
