"""The style sheet in a real browser: contrast, phone width, and hostile data that must stay inert."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Any

import pytest

from famulus_kernel.artefacts import html
from famulus_kernel.artefacts.card import Mark, card
from famulus_kernel.artefacts.cells import GLYPHS
from famulus_kernel.artefacts.characters import storable
from famulus_kernel.artefacts.tables import first_rows, from_lists, table_part
from famulus_kernel.artefacts.view import Fact, Facts, Prose, View, literal

if TYPE_CHECKING:
    from collections.abc import Iterator

CHROMIUM = shutil.which("chromium")
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
pytestmark = [pytest.mark.browser, pytest.mark.skipif(CHROMIUM is None, reason="no chromium on PATH")]

PAGES = {
    "plain": "<body style='color:#212529;background:#fff'>{}",
    "quarto light": "<body class='quarto-light' style='--bs-body-color:#343a40;--bs-link-color:#2761e3;"
    "background:#fff'>{}",
    "quarto dark": "<body class='quarto-dark' data-bs-theme='dark' style='--bs-body-color:#dee2e6;"
    "--bs-link-color:#6ea8fe;color:#dee2e6;background:#222'>{}",
    "sepia": "<body style='color:#433422;background:#f8f1e3'>{}",
    "jupyterlab dark": "<body data-jp-theme-light='false' style='--jp-content-font-color1:rgba(255,255,255,.87);"
    "--jp-content-link-color:#64b5f6;background:#111'><div class='jp-RenderedHTMLCommon'>{}</div>",
}

CONTRAST = """() => {
  const canvas = Object.assign(document.createElement('canvas'), {width: 1, height: 1});
  const pen = canvas.getContext('2d', {willReadFrequently: true});
  const over = (colours) => {
    pen.clearRect(0, 0, 1, 1);
    for (const colour of colours) { pen.fillStyle = colour; pen.fillRect(0, 0, 1, 1); }
    return [...pen.getImageData(0, 0, 1, 1).data];
  };
  const light = ([r, g, b]) => [r, g, b].map((c) => c / 255)
    .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
    .reduce((sum, c, at) => sum + c * [0.2126, 0.7152, 0.0722][at], 0);
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || ['STYLE', 'SCRIPT'].includes(element.tagName)) continue;
    const grounds = [];
    for (let at = element; at; at = at.parentElement) grounds.unshift(getComputedStyle(at).backgroundColor);
    const paper = over(['white', ...grounds]);
    const ink = over(['white', ...grounds, getComputedStyle(element).color]);
    const [low, high] = [light(paper), light(ink)].sort((a, b) => a - b);
    found.push([(high + 0.05) / (low + 0.05), element.className || element.tagName, walker.currentNode.data.trim()]);
  }
  return found;
}"""


@pytest.fixture(scope="module")
def browsing() -> Iterator[Any]:
    """Open a browser window without a network."""
    sync_api = pytest.importorskip("playwright.sync_api")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        page = browser.new_page(viewport={"width": 900, "height": 900}, offline=True)
        yield page
        browser.close()


def everything(text: str = "A question") -> str:
    """Return HTML with a card and a view of each kind, `text` at every place."""
    verdict = {
        "status": "error",
        "oracle": {"n": 1, "m": 2},
        "observed": {
            "n": {"value": text, "ok": True},
            "m": {"value": 3, "ok": False},
            "error": {"message": f"**{text}**", "hint": text, "where": {"file": text, "line": 1}},
            "guard": {
                "status": "failed",
                "task": text,
                "findings": [{"kind": text, "text": text, "start": 0, "end": len(text), "supported": False}],
            },
        },
    }
    shown = card(
        {"question": text, "answer": text, "verdict": verdict}, block=text, version="v0001", created="2026-01-01"
    )
    table = from_lists([[text, 1234, "https://example.org"]] * 60, ["name", "n", "name_url"])
    facts = Facts(
        title=literal(text), items=tuple(Fact(label=literal(text), value=text, badge=status) for status in GLYPHS)
    )
    prose = Prose(
        title=literal(text), markdown=f"# {text}\n\n`code` > \n\n```\n{text}\n```\n\n> {text}\n\n| a |\n|---|\n| b |\n"
    )
    view = View(title=literal(text), caption=text, parts=(table_part(table, first_rows(table.rows)), facts, prose))
    marks = [Mark(status) for status in GLYPHS]
    return html.stylesheet() + html.render_card(shown, "en") + html.render(view, "en", marks=marks)


@pytest.mark.parametrize("name", PAGES)
def test_every_text_has_the_contrast_that_wcag_aa_asks_for(browsing: Any, name: str) -> None:
    browsing.set_content("<!doctype html>" + PAGES[name].format(everything()))
    found = browsing.evaluate(CONTRAST)
    assert len(found) > 100
    assert "famulus-unsupported" in {one[1] for one in found}
    assert [one for one in found if one[0] < 4.5] == []


def test_a_phone_shows_everything_within_its_width(browsing: Any) -> None:
    browsing.set_viewport_size({"width": 360, "height": 700})
    try:
        browsing.set_content("<!doctype html><body style='margin:8px'>" + everything("Pirckheimer " * 12 + "x" * 80))
        assert browsing.evaluate("document.documentElement.scrollWidth") <= 360
    finally:
        browsing.set_viewport_size({"width": 900, "height": 900})


def test_hostile_data_runs_nothing_and_asks_for_nothing(browsing: Any, hostile: dict[str, str]) -> None:
    asked: list[str] = []
    browsing.on("request", lambda request: asked.append(request.url))
    browsing.on("dialog", lambda dialog: asked.append(dialog.message))
    for text in hostile.values():
        browsing.set_content("<!doctype html><body>" + everything(storable(text)))
        names = browsing.evaluate("[...document.querySelectorAll('*')].map((e) => e.tagName)")
        assert not {"SCRIPT", "IFRAME", "OBJECT", "IMG", "FORM", "B"} & set(names)
        assert names.count("STYLE") == 1
        assert browsing.evaluate("document.querySelectorAll('[onmouseover], [onerror], [onload]').length") == 0
    assert asked == []


def test_verdicts_are_told_apart_without_colour(browsing: Any) -> None:
    browsing.set_content("<!doctype html><body>" + everything())
    badges = browsing.evaluate(
        "[...document.querySelectorAll('.famulus-view > .famulus-marks > span')].map((e) => e.textContent.trim())"
    )
    assert len({text[0] for text in badges}) == len({text[1:] for text in badges}) == len(GLYPHS)
