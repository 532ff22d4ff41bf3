"""Pages as a reader has them: in Chromium, light and dark, wide and narrow, with and without script."""

from __future__ import annotations

import functools
import http.server
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from famulus_kernel.artefacts.build import BuildContext, builders
from famulus_kernel.artefacts.view import Column, Prose, Table, View, literal
from famulus_kernel.render.renderer import render_project

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'"
)
"""What a careful server sends with a page: nothing inline, nothing from elsewhere."""
RESULTS = Path(__file__).resolve().parents[2] / "test-results"
HOSTILE = "<script>document.title='taken'</script><img src=x onerror=\"document.title='taken'\">"

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def site(make_roster: Callable[[Path], Any], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site with cards, tables, tabs, a wide table, a graph and hostile data."""
    roster = make_roster(tmp_path_factory.mktemp("seiten") / "projekt")
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
    roster.block("liste", {"tafel": ({}, letters())})
    kwic, net = built(roster.root, "kwic", KWIC), built(roster.root, "d3-graph", NET)
    roster.block("wort", {"kwic": kwic[:2], "netz": net[:2]}, files={**kwic[2], **net[2]})
    roster.page(
        "---\ntitle: Zweite\nlang: de\n---\n\n## Tafeln\n\n{{< famulus liste tafel >}}\n\n{{< famulus wort kwic >}}\n\n"
        "{{< famulus wort netz >}}\n\n| a | b |\n|--:|:-:|\n| 1 | 2 |\n\n$$\\begin{aligned} a &= b \\end{aligned}$$\n",
        "zwei.fam",
    )
    return render_project(roster.root).output_dir


def letters() -> View:
    """Return a table of 12 of 300 rows with a name, a number, a day and a share, one row of it empty."""
    names = ["Zwingli", "Ärzte", "Ulm", "Ostern", "Öl", "Arzt", "zu P10", "zu P9", "Dürer", "Celtis", "Straße", None]
    days = ["1519-05-01", "0044-03-15 (BC)", "1520-01-02", "0001-01-01 (BC)", "1519-04-30", "1470-12-05", "1471-01-01",
            "1500-01-01", "1501-01-01", "1502-01-01", "1503-01-01", None]  # fmt: skip
    numbers = [1234, 9, 100, -5, 0, 12, 13, 14, 15, 16, 17, None]
    rows = tuple((name, number, day, (number or 0) / 8) for name, number, day in zip(names, numbers, days, strict=True))
    columns = (
        Column(key="name", label=literal("Name")),
        Column(key="n", label=literal("Zahl"), type="BIGINT", align="right"),
        Column(key="tag", label=literal("Tag"), type="DATE"),
        Column(key="anteil", label=literal("Anteil"), type="DOUBLE", align="right"),
    )
    parts = (Table(columns=columns, rows=rows, total=300),)
    return View(title=literal("Liste"), caption="Namen und Zahlen", parts=parts)


KWIC = [
    {"doc_id": "b", "page": 2, "left": "ex quo omnis, zelo ", "keyword": "amicitia", "right": " nominata est"},
    {"doc_id": "a", "page": 10, "left": "Nihil est, alta ", "keyword": "amicitia", "right": " beatius"},
    {"doc_id": "a", "page": 9, "left": "Quid sit, mundo ", "keyword": "amicitia", "right": ", amor"},
]
NET = [{"source": f"Person {at}", "target": f"Person {at * 7 % 40}"} for at in range(40)]


def built(root: Path, kind: str, payload: object) -> tuple[Any, View, dict[str, bytes]]:
    """Return data, view and files of an artefact as its builder makes it."""
    folder = root.parent / f"built-{kind}"
    folder.mkdir()
    made = builders()[kind].build(payload, BuildContext("netz", kind, f"{kind}.json", "de", folder))
    files = {name.removeprefix("artefacts/"): (folder / name).read_bytes() for name in made.companions}
    return made.data, made.view, files


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
    inside = "document.querySelector('[role=tabpanel][hidden] p').id = 'drin'"
    page.evaluate(inside)
    page.evaluate("location.hash = '#drin'")
    page.wait_for_function("!document.getElementById('drin').closest('[hidden]')")
    assert page.get_by_text("Inhalt B").is_visible(), "a link into a tab opens it, as the browser's search does"


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


def test_a_menu_of_the_bar_is_worked_by_keys_and_stands_without_script(
    browser: Any, make_roster: Callable[[Path], Any], tmp_path: Path
) -> None:
    project = make_roster(tmp_path / "projekt")
    (project.root / "_quarto.yml").write_text(
        f"website:\n  title: {'Briefe ' * 12}\n  navbar:\n    left:\n      - index.fam\n"
        "      - {text: Mehr, menu: [zwei.fam, {text: Fern, href: 'https://example.org/'}]}\n",
        encoding="utf-8",
    )
    project.page("---\ntitle: Eins\n---\n\nText.\n")
    project.page("---\ntitle: Zwei\n---\n\nText.\n", "zwei.fam")
    address = (render_project(project.root).output_dir / "index.html").as_uri()
    for script in (True, False):
        context = browser.new_context(java_script_enabled=script)
        page = context.new_page()
        page.goto(address)
        link = page.get_by_role("link", name="Fern")
        assert link.is_hidden()
        page.locator("nav.bar summary").focus()
        page.keyboard.press("Enter")
        assert link.is_visible()
        for width in (1280, 900, 360):
            page.set_viewport_size({"width": width, "height": 600})
            bar, title = (page.locator(one).bounding_box() for one in ("nav.bar", ".site-title"))
            assert bar["height"] < 60, "it stands in one line, beside the title or below it"
            assert (bar["y"] > title["y"] + title["height"] - 10) == (width < 1280)
        if script:
            page.keyboard.press("Tab")
            page.keyboard.press("Escape")
            assert link.is_hidden()
            assert page.evaluate("document.activeElement.textContent") == "Mehr"
            page.set_viewport_size({"width": 1060, "height": 600})
            page.keyboard.press("Enter")
            page.wait_for_function("document.documentElement.scrollWidth <= innerWidth")
            assert link.is_visible()
        context.close()


# --- tables -----------------------------------------------------------------------------------------------------------


def cells(page: Any, column: int, table: int = 0) -> list[str]:
    """Return the texts of a column's cells that are shown, from above."""
    rows = page.locator(".famulus-table").nth(table).locator("tbody tr:not([hidden])")
    return [text.strip() for text in rows.locator(f"td:nth-child({column})").all_text_contents()]


def heading(page: Any, name: str) -> Any:
    """Return the heading of a column."""
    return page.locator("th", has=page.get_by_role("button", name=name, exact=True))


def test_rows_are_ordered_by_value_up_down_and_as_they_were(visit: Callable[..., Any]) -> None:
    page = visit("zwei.html")
    before = cells(page, 2)
    button = page.get_by_role("button", name="Zahl", exact=True)
    button.click()
    assert heading(page, "Zahl").get_attribute("aria-sort") == "ascending"
    assert cells(page, 2) == ["-5", "0", "9", "12", "13", "14", "15", "16", "17", "100", "1.234", ""]
    status = page.locator(".famulus-table-bar [role=status]").first
    assert status.inner_text() == "geordnet nach Zahl, aufsteigend · nur die 12 gezeigten Zeilen"
    button.click()
    assert heading(page, "Zahl").get_attribute("aria-sort") == "descending"
    assert cells(page, 2)[0] == "1.234"
    assert cells(page, 2)[-1] == ""
    button.click()
    assert heading(page, "Zahl").get_attribute("aria-sort") is None
    assert cells(page, 2) == before
    assert status.inner_text() == "in der ursprünglichen Ordnung"


def test_words_are_ordered_by_the_language_of_the_page_and_days_by_the_calendar(visit: Callable[..., Any]) -> None:
    page = visit("zwei.html")
    page.get_by_role("button", name="Name", exact=True).focus()
    page.keyboard.press("Enter")
    assert cells(page, 1) == [
        "Arzt", "Ärzte", "Celtis", "Dürer", "Öl", "Ostern", "Straße", "Ulm", "zu P9", "zu P10", "Zwingli", "",
    ]  # fmt: skip
    page.get_by_role("button", name="Tag", exact=True).focus()
    page.keyboard.press("Space")
    assert cells(page, 3)[:3] == ["0044-03-15 (BC)", "0001-01-01 (BC)", "1470-12-05"]
    assert heading(page, "Name").get_attribute("aria-sort") is None
    page.get_by_role("button", name="Anteil", exact=True).click()
    assert cells(page, 4)[:2] == ["-0,625", "0"]
    assert cells(page, 4)[-1] == "154,25"


def test_a_filter_leaves_the_rows_with_all_words_and_says_how_many(visit: Callable[..., Any]) -> None:
    page = visit("zwei.html")
    field = page.get_by_role("searchbox", name="Zeilen filtern").first
    status = page.locator(".famulus-table-bar [role=status]").first
    field.fill("DURER 1501")
    assert cells(page, 1) == ["Dürer"]
    assert status.inner_text() == "1 von 12 Zeilen · nur die 12 gezeigten Zeilen"
    field.fill("strasse")
    assert cells(page, 1) == ["Straße"]
    field.fill("gibt es nicht")
    assert cells(page, 1) == []
    field.press("Escape")
    assert len(cells(page, 1)) == 12
    assert page.locator(".famulus-table").nth(1).locator("xpath=preceding-sibling::*[1]//input").count() == 0


def test_contexts_are_ordered_outward_from_the_keyword(visit: Callable[..., Any]) -> None:
    page = visit("zwei.html")
    page.get_by_role("button", name="davor").click()
    assert cells(page, 3, table=1) == ["Nihil est, alta", "Quid sit, mundo", "ex quo omnis, zelo"]
    page.get_by_role("button", name="danach").click()
    assert cells(page, 5, table=1) == [", amor", "beatius", "nominata est"]
    page.get_by_role("button", name="Dokument").click()
    assert cells(page, 1, table=1) == ["a", "a", "b"]
    page.get_by_role("button", name="Seite").click()
    assert cells(page, 2, table=1) == ["2", "9", "10"]


def test_a_keyword_stands_between_its_contexts(visit: Callable[..., Any]) -> None:
    edges = """() => [...document.querySelectorAll('.famulus-keyword')].map((word) => {
      const box = (node) => { const range = document.createRange(); range.selectNodeContents(node);
        return range.getBoundingClientRect(); };
      const cell = word.closest('td');
      const [before, after] = [cell.previousElementSibling, cell.nextElementSibling];
      return [box(before).right, box(word).left, box(word).right, box(after).left];
    })"""
    for left, start, end, right in visit("zwei.html").evaluate(edges):
        assert 0 < start - left < 40
        assert 0 < right - end < 40
    page = visit("zwei.html", width=360)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for place in page.locator(".famulus-keyword").all():
        box = place.bounding_box()
        assert 0 <= box["x"] <= box["x"] + box["width"] <= 360


@pytest.mark.parametrize("width", [360, 400])
def test_captions_stay_in_sight_where_a_table_scrolls(visit: Callable[..., Any], width: int) -> None:
    page = visit("zwei.html", width=width)
    page.evaluate("document.querySelector('.famulus-table').scrollLeft = 1000")
    for box in page.evaluate(
        "[...document.querySelectorAll('.famulus-table caption')].map((one) => one.getBoundingClientRect().toJSON())"
    ):
        assert box["left"] >= 0
        assert box["right"] <= width
    shoot(page, f"tables-{width}")


def test_no_text_of_a_wide_table_stands_word_by_word(visit: Callable[..., Any]) -> None:
    page = visit()
    widths = "[...document.querySelectorAll('th.famulus-long')].map((one) => one.offsetWidth / 16)"
    assert min(page.evaluate(widths)) >= 8
    page.emulate_media(media="print")
    assert page.evaluate("getComputedStyle(document.querySelector('th.famulus-long')).minWidth") in ("auto", "0px")


def test_a_table_that_does_not_scroll_is_no_stop_for_the_keyboard(visit: Callable[..., Any]) -> None:
    narrow = visit(width=390).locator(".famulus-table")
    assert narrow.nth(1).get_attribute("tabindex") == "0"
    assert visit("zwei.html").locator(".famulus-table").first.get_attribute("tabindex") is None


def test_tables_are_whole_without_script_and_on_paper(visit: Callable[..., Any]) -> None:
    page = visit("zwei.html", script=False)
    assert page.locator("button.famulus-sort").count() == 0
    assert len(cells(page, 1)) == 12
    assert page.evaluate("getComputedStyle(document.querySelector('tbody td:nth-child(2)')).textAlign") == "right"
    page = visit("zwei.html")
    page.get_by_role("searchbox", name="Zeilen filtern").first.fill("durer")
    page.emulate_media(media="print")
    assert page.locator(".famulus-table").first.locator("tbody tr").filter(visible=True).count() == 12
    assert page.locator(".famulus-table-bar").first.is_hidden()


# --- search -----------------------------------------------------------------------------------------------------------


def test_all_pages_are_searched_from_a_disk_and_by_keys(visit: Callable[..., Any]) -> None:
    page = visit()
    page.keyboard.press("Control+k")
    page.keyboard.type("durer zahl")
    page.wait_for_selector("dialog.search li")
    assert page.locator("dialog.search [role=status]").inner_text() == "1 gefunden"
    link = page.locator("dialog.search a")
    assert link.inner_text() == "Zweite \u203a Tafeln"
    assert "Zahl" in page.locator("dialog.search mark").all_inner_texts()
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.textContent") == "Zweite \u203a Tafeln"
    page.keyboard.press("ArrowUp")
    assert page.evaluate("document.activeElement.type") == "search"
    page.keyboard.press("Enter")
    page.wait_for_url("**/zwei.html#tafeln")


def test_the_search_is_left_as_it_was_found(visit: Callable[..., Any]) -> None:
    page = visit(width=390, scheme="dark")
    button = page.get_by_role("button", name="Suchen")
    button.click()
    page.keyboard.type(HOSTILE)
    page.wait_for_function("document.querySelector('dialog.search [role=status]').textContent")
    assert page.title() == "Die Briefe · briefe"
    assert page.locator("dialog.search :is(img, script)").count() == 0
    shoot(page, "search-390")
    page.keyboard.press("Escape")  # empties the field, as browsers do
    page.keyboard.press("Escape")
    assert not page.locator("dialog.search").is_visible()
    assert page.evaluate("document.activeElement.className") == "search"
    assert visit(script=False).locator("button.search").is_hidden()


# --- a policy that allows nothing inline ------------------------------------------------------------------------------


@pytest.fixture
def served(site: Path) -> Iterator[str]:
    """Serve the site on this machine under the policy; give its address."""

    class Careful(http.server.SimpleHTTPRequestHandler):
        def end_headers(self) -> None:
            self.send_header("Content-Security-Policy", POLICY)
            super().end_headers()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name it has there
            """Say nothing."""

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Careful, directory=site)) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def test_pages_do_all_they_do_where_nothing_inline_is_allowed(served: str, browser: Any) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    said: list[str] = []

    def tell(words: str) -> None:
        said.append(words)

    context.expose_function("tell", tell)
    context.add_init_script(
        "addEventListener('securitypolicyviolation', (e) => tell(`${e.violatedDirective} ${e.blockedURI} ${e.sample}`))"
    )
    page = context.new_page()
    page.on("console", lambda message: said.append(f"{message.text} {message.location['url']}"))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto(f"{served}/index.html")
    page.get_by_role("tab", name="B").click()
    page.locator("button.theme").click()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(25, 23, 20)"
    page.keyboard.press("Control+k")
    page.keyboard.type("tafeln")
    page.locator("dialog.search a").first.click()
    page.wait_for_url("**/zwei.html*")
    page.get_by_role("button", name="Zahl", exact=True).click()
    assert cells(page, 2)[0] == "-5"
    assert page.locator(".famulus-graph-live .famulus-node").count() > 30
    aligned = "(which) => getComputedStyle(document.querySelector(which)).textAlign"
    assert page.evaluate(aligned, "main > table td") == "right"
    assert page.evaluate(aligned, ".famulus-table td:nth-child(2)") == "right"
    context.close()
    assert [one for one in said if "favicon" not in one] == []


# --- axe --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["index.html", "zwei.html"])
@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
def test_axe_finds_nothing(visit: Callable[..., Any], axe: Any, name: str, width: int, scheme: str) -> None:
    assert axe(visit(name, width=width, scheme=scheme)) == []


def test_axe_finds_nothing_in_the_search(visit: Callable[..., Any], axe: Any) -> None:
    page = visit()
    page.keyboard.press("Control+k")
    page.keyboard.type("zahl")
    page.wait_for_selector("dialog.search li")
    assert axe(page) == []
