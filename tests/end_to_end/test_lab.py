"""Notebooks as their authors have them: real JupyterLab and Notebook 7 in Chromium, with our kernel."""

from __future__ import annotations

import json
import os
import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.error import HTTPError
from urllib.parse import urljoin
from urllib.request import urlopen

import nbformat
import pytest
from labs import Lab, running_lab
from nbformat.v4 import new_code_cell, new_notebook, new_output
from projects import REPOSITORY, ProjectFolder, read_block

from famulus_kernel.adapter.bundle import MIME

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

PlaywrightTimeout = pytest.importorskip("playwright.sync_api").TimeoutError
CHROMIUM = shutil.which("chromium") or "/usr/bin/chromium"
RESULTS = Path(__file__).resolve().parents[2] / "test-results"
ATTACH = "duckdb: [{alias: main, path: data/letters.duckdb, read_only: true}]"
OURS = "extensions/famulus"
PAGE = ("famulus.css", "famulus-graph.js", "famulus-table.js", "labels.json")
HOSTILE = "<img src=x onerror=\"document.title='taken'\">"
GRAPH = """---
id: netz
duckdb: [{alias: main, path: data/letters.duckdb, read_only: true}]
partiturs:
  - id: duckdb-read
    input: {sql: "SELECT sender AS source, recipient AS target FROM main.letters"}
    artefact: graph
artefacts:
  - {name: graph, kind: d3-graph}
---
Wer schrieb wem?"""
COUNT = "SELECT count(*) AS n_letters FROM main.letters"
LONG = "SELECT count(*) AS n FROM range(4000000) a, range(4000000) b WHERE a.range * b.range % 7 = 3"

pytestmark = [
    pytest.mark.browser,
    pytest.mark.timeout(240),
    pytest.mark.skipif(not os.access(CHROMIUM, os.X_OK), reason="needs Debian's Chromium"),
]


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    """A server over a folder with projects, one for each test that writes."""
    pytest.importorskip("jupyterlab")
    place = tmp_path_factory.mktemp("lab")
    root = place / "Arbeit über Briefe"
    for name in ("neu", "alt"):
        project = ProjectFolder(root / name)
        project.write("famulus.yml", "id: probe\n")
        project.database()
    text = HOSTILE.replace("'", "''")
    project.blocks(
        "Briefe öffnen.fam",
        read_block(
            "liste", f"SELECT letter_id, sender, year, '{text}' AS text FROM main.letters ORDER BY 1", extra=ATTACH
        ),
        read_block("zahl", COUNT, extra=f"{ATTACH}\noracle: {{n_letters: 3}}"),
        GRAPH,
    )
    assert project.cli("run").status == 0
    (root / "neu" / "farben.fam").write_text("```{famulus}\n---\nid: farben\n---\n```\n", encoding="utf-8")
    for name in ("sieben", "umzug"):
        shutil.copytree(root / "alt", root / name)
    with running_lab(root, place / "jupyter") as running:
        yield running


@pytest.fixture(scope="module")
def window(lab: Lab) -> Iterator[Any]:
    """A browser's window; what it keeps of JupyterLab's files serves all tests."""
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as running:
        options = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        browser = running.chromium.launch(executable_path=CHROMIUM, args=options)
        context = browser.new_context(viewport={"width": 1300, "height": 900})
        context.set_default_timeout(30_000)
        yield context
        browser.close()


@pytest.fixture
def page(window: Any, request: pytest.FixtureRequest) -> Iterator[Any]:
    """A page on which nothing of ours may fail unseen."""
    opened = window.new_page()
    complaints: list[str] = []
    opened.on("pageerror", lambda error: complaints.append(error.stack) if OURS in error.stack else None)
    opened.on("console", lambda said: complaints.append(said.text) if said.text.startswith("famulus:") else None)
    yield opened
    shoot(opened, f"end-of-{request.node.name[5:45]}")
    opened.close()
    assert complaints == []


def shoot(page: Any, name: str) -> None:
    """Keep a picture of a page for whoever looks."""
    RESULTS.mkdir(exist_ok=True)
    page.screenshot(path=RESULTS / f"lab-{name}.png")


def write_cell(page: Any, text: str, index: int = 0) -> None:
    """Write a cell anew."""
    page.locator(".jp-CodeCell .cm-content").nth(index).click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(text)


def run_cell(page: Any) -> None:
    page.keyboard.press("Control+Enter")


def is_idle(page: Any) -> None:
    """Wait until the kernel is there and has nothing to do."""
    indicator = page.locator(".jp-Notebook-ExecutionIndicator", has_text="Kernel status: Idle")
    indicator.wait_for(state="attached")


def save(page: Any, file: Path, words: str) -> str:
    """Save the notebook; return the file's text once it holds some words."""
    page.keyboard.press("Control+s")
    return wait_for_text(page, file, words)


def wait_for_text(page: Any, file: Path, words: str) -> str:
    """Return a file's text once it holds some words."""
    wait_until(page, lambda: words in file.read_text(encoding="utf-8"))
    return file.read_text(encoding="utf-8")


def wait_until(page: Any, holds: Callable[[], bool]) -> None:
    """Wait, for half a minute at most, while the page goes on."""
    for _ in range(600):
        if holds():
            return
        page.wait_for_timeout(50)
    raise TimeoutError


def test_a_notebook_is_made_written_run_broken_interrupted_saved_and_opened_again(lab: Lab, page: Any) -> None:
    page.goto(lab.page("lab/tree/neu?reset"))
    card = page.locator(".jp-LauncherCard", has_text="Famulus Notebook")
    assert card.locator("img").get_attribute("src").startswith("data:image/svg+xml,")
    shoot(page, "launcher")
    card.click()
    page.wait_for_selector(".jp-CodeCell .cm-content")
    file = lab.root / "neu" / "untitled.fam"
    is_idle(page)

    # A key is completed, then the rest of the block is written.
    offered = page.locator(".jp-Completer-item", has_text="oracle")
    for _ in range(10):
        write_cell(page, "---\nid: zahl\no")
        page.keyboard.press("Tab")
        try:
            offered.wait_for(timeout=1500)  # JupyterLab waits a second for the kernel: where it is busy, ask again
        except PlaywrightTimeout:
            continue
        break
    shoot(page, "completion")
    offered.click()
    page.locator(".jp-CodeCell .cm-line", has_text="oracle:").wait_for()
    block = read_block("zahl", COUNT, extra=f"{ATTACH}\noracle: {{n_letters: 3}}").strip()
    write_cell(page, block)
    run_cell(page)
    card = page.locator(".jp-OutputArea .famulus-card")
    card.get_by_text("passed").wait_for()
    assert card.locator(".famulus-oracle td").all_inner_texts()[:2] == ["3", "3"]
    shoot(page, "card")

    # A mistake is told where it is.
    write_cell(page, block.replace("partiturs", "partitur"))
    run_cell(page)
    error = page.locator(".jp-OutputArea-output[data-mime-type='application/vnd.jupyter.stderr']")
    error.wait_for()
    assert "partiturs" in error.inner_text()
    shoot(page, "error")

    # A query that would take for ever is interrupted, and the kernel lives on.
    write_cell(page, read_block("lang", LONG))
    run_cell(page)
    page.locator(".famulus-progress").wait_for()
    page.locator('[data-command="notebook:interrupt-kernel"], [data-jp-item-name="interrupt"]').first.click()
    error.wait_for()
    assert "nterrupt" in error.inner_text()

    write_cell(page, block)
    run_cell(page)
    card.get_by_text("passed").wait_for()
    text = save(page, file, "n_letters")
    assert text == f"```{{famulus}}\n{block}\n```\n"
    page.reload()
    page.locator(".jp-OutputArea .famulus-card").get_by_text("passed").wait_for()
    assert "famulus-card" not in file.read_text(encoding="utf-8")


QUERIES = """---
id: farben
partiturs:
  - {id: duckdb-read, input: {sql: "SELECT 'a' FROM t", y: 2}, artefact: a}
  - {id: duckdb-read, input: {sql: SELECT 1}}
  - input:
      sql: SELECT a,
        b FROM t
      "sql": 'SELECT ''x'' FROM t'
      sql: |
        SELECT c

          FROM t
      mysql: select none
steps: [{sql:
   "SELECT d"}]
request: |
  sql: select none
---
sql: select none, {{ref:a.b}}"""


def test_sql_is_coloured_in_every_form_that_yaml_has_for_it_and_nowhere_else(lab: Lab, page: Any) -> None:
    page.goto(lab.page("lab/tree/neu/farben.fam?reset"))
    page.locator(".jp-CodeCell .cm-content").wait_for()
    write_cell(page, QUERIES)
    lines = page.locator(".jp-CodeCell .cm-line")
    lines.last.locator("span", has_text="{ref:a.b}").wait_for()
    pieces = lines.locator("span")
    words = pieces.evaluate_all("found => found.map((one) => [one.textContent, getComputedStyle(one).color])")
    (colour,) = {colour for word, colour in words if word == "SELECT"}
    assert [word for word, found in words if found == colour].count("SELECT") == QUERIES.count("SELECT")
    assert [word for word, found in words if found == colour].count("FROM") == QUERIES.count("FROM")
    assert not [word for word, found in words if found == colour and word.lower() not in {"select", "from"}]
    shoot(page, "colours")


def test_a_project_s_notebook_shows_what_its_blocks_answered_and_no_data_acts(lab: Lab, page: Any) -> None:
    file = lab.root / "alt" / "Briefe öffnen.fam"
    before = file.read_bytes()
    page.goto(lab.page("lab/tree/alt/Briefe%20%C3%B6ffnen.fam?reset"))
    table = page.locator(".jp-CodeCell").first.locator(".famulus-table table")
    table.wait_for()
    column = table.locator("tbody td:nth-child(2)")
    assert column.all_inner_texts() == ["Pirckheimer", "Dürer", "Erasmus"]
    table.locator("th", has_text="sender").locator("button").click()
    assert column.all_inner_texts() == ["Dürer", "Erasmus", "Pirckheimer"]
    assert HOSTILE in table.inner_text()
    assert page.locator(".famulus-table img").count() == 0
    assert "taken" not in page.title()
    download = page.locator(".famulus-more a").first.get_attribute("href")
    assert page.request.get(urljoin(lab.url, download)).status == 200
    shoot(page, "table")

    graph = page.locator("svg.famulus-graph-view").first
    graph.scroll_into_view_if_needed()
    assert graph.locator("circle").count() == 3
    shoot(page, "graph")

    is_idle(page)
    assert page.locator(".lm-TabBar-tab.jp-mod-dirty").count() == 0, "to open it changes nothing"

    # The panel knows the blocks and their states, and goes to their cells and runs them.
    page.locator('[data-id="famulus-blocks"]').click()
    rows = page.locator(".jp-FamulusBlocks li")
    rows.nth(2).wait_for()
    assert [row.get_attribute("data-state") for row in rows.all()] == ["fresh"] * 3
    shoot(page, "panel")
    other = "SELECT i AS letter_id, 'A' AS sender, 'B' AS recipient, 1520 AS year FROM range(3) t(i)"
    ProjectFolder(lab.root / "alt").database(sql=f"CREATE TABLE letters AS {other}")
    page.get_by_role("button", name="Look again").click()
    page.locator('.jp-FamulusBlocks li[data-state="stale"]').nth(2).wait_for()
    page.get_by_role("button", name="Run zahl").click()
    page.locator('.jp-FamulusBlocks li[data-state="fresh"]').wait_for()
    assert page.locator(".jp-CodeCell.jp-mod-active").inner_text().count("zahl") >= 1

    # Everything is run, the kernel restarted, and the file is what it was.
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
    page.locator('.jp-FamulusBlocks li[data-state="fresh"]').nth(2).wait_for()
    page.locator('[data-command="notebook:restart-kernel"], [data-jp-item-name="restart"]').first.click()
    page.locator(".jp-Dialog button.jp-mod-accept").click()
    is_idle(page)
    page.keyboard.press("Control+s")
    page.wait_for_timeout(500)
    assert file.read_bytes() == before


FORGED = {
    "format": 1,
    "lang": "en",
    "folder": "../..",
    "marks": [],
    "card": {
        "block": HOSTILE,
        "question": HOSTILE,
        "answer": "",
        "answer_html": f"<p onclick='x'>{HOSTILE}<script>document.title='taken'</script>"
        "<a href='javascript:document.title=1'>link</a> <b style='position:fixed'>words</b></p>",
        "marks": [{"status": HOSTILE, "glyph": HOSTILE, "text": HOSTILE}],
        "oracle": [{"key": HOSTILE, "expected": HOSTILE, "observed": HOSTILE, "ok": HOSTILE}],
        "problem": {"code": HOSTILE, "message": f"**{HOSTILE}**", "hint": HOSTILE, "where": HOSTILE},
        "note": HOSTILE,
        "guard": [HOSTILE],
        "meta": [HOSTILE],
    },
    "artefacts": [
        {
            "famulus": {},
            "view": {
                "title": {"text": HOSTILE},
                "caption": HOSTILE,
                "parts": [
                    {"type": "facts", "items": [{"label": {"text": HOSTILE}, "value": HOSTILE, "badge": None}]},
                    {"type": "prose", "markdown": HOSTILE, "html": HOSTILE},
                    {"type": "script", "html": HOSTILE},
                    {
                        "type": "table",
                        "columns": [
                            {"key": "a", "label": {"text": "a"}, "type": "VARCHAR", "align": "left", "link": "b"},
                            {"key": "b", "label": {"text": "b"}, "type": "VARCHAR", "align": "left", "link": None},
                            {"key": "c", "label": {"text": "c"}, "align": "right", "words": "value.time"},
                            {"key": "d", "label": {"text": "d"}, "align": "center", "link": None},
                            {"key": "e", "label": {"text": "e"}, "align": "left", "hidden": True},
                        ],
                        "rows": [
                            [HOSTILE, "javascript:document.title='taken'", "undated", HOSTILE, "e"],
                            ["x", "https://example.org/", "word", "d", "e"],
                        ],
                        "total": 2,
                        "full": None,
                        "csv": None,
                    },
                ],
            },
        }
    ],
}


def test_a_forged_output_acts_as_little_as_any_data(lab: Lab, window: Any) -> None:
    page = window.new_page()
    outputs = [new_output("display_data", {MIME: found, "text/plain": "in words"}) for found in (FORGED, {"format": 9})]
    cells = [new_code_cell("roster", outputs=outputs)]
    (lab.root / "neu" / "fremd.ipynb").write_text(nbformat.writes(new_notebook(cells=cells)), encoding="utf-8")
    page.goto(lab.page("lab/tree/neu/fremd.ipynb?reset"))
    drawn = page.locator(".jp-RenderedFamulus")
    page.locator(".famulus-view").wait_for()
    assert drawn.locator("img, script:not([type='application/json']), b, [onclick], [style]").count() == 0
    assert drawn.locator(".famulus-table a").all_inner_texts() == ["x"]
    assert [link.get_attribute("href") for link in drawn.locator("a").all()] == ["https://example.org/"]
    assert "taken" not in page.title()
    assert drawn.locator(".famulus-kwic td:nth-child(2)").all_inner_texts() == ["undated", "word"]
    assert drawn.locator(".famulus-keyword").all_inner_texts() == [HOSTILE, "d"]
    assert drawn.locator(".famulus-table th").all_inner_texts() == ["a", "c", "d"]
    assert "famulus-long" in drawn.locator(".famulus-table th").first.get_attribute("class")
    assert drawn.nth(1).inner_text() == "in words", "what is of no known form is shown as text"
    page.close()


@pytest.fixture
def saves_often(lab: Lab, window: Any) -> Iterator[None]:
    """Have JupyterLab save by itself after two seconds instead of two minutes."""

    def ask(settings: dict[str, Any]) -> None:
        url = f"{lab.url}/lab/api/settings/@jupyterlab/docmanager-extension:plugin"
        said = window.request.put(
            url, data={"raw": json.dumps(settings)}, headers={"Authorization": f"token {lab.token}"}
        )
        assert said.ok

    ask({"autosaveInterval": 2})
    yield
    ask({})


@pytest.mark.usefixtures("saves_often")
def test_a_notebook_that_is_renamed_copied_saved_by_itself_reverted_and_run_anew_loses_nothing(
    lab: Lab, page: Any
) -> None:
    folder = lab.root / "umzug"
    versions = folder / "_famulus" / "store"
    before = (folder / "Briefe öffnen.fam").read_bytes()
    page.goto(lab.page("lab/tree/umzug/Briefe%20%C3%B6ffnen.fam?reset"))
    cards = page.locator(".jp-OutputArea .famulus-card")
    cards.first.wait_for()
    is_idle(page)

    page.locator(".jp-DirListing-item", has_text="Briefe öffnen.fam").click()
    page.keyboard.press("F2")
    page.locator(".jp-DirListing-editor").fill("Größe.fam")
    page.keyboard.press("Enter")
    item = page.locator(".jp-DirListing-item", has_text="Größe.fam")
    item.click(button="right")
    page.get_by_role("menuitem", name="Duplicate").click()
    page.locator(".jp-DirListing-item", has_text="Größe-Copy1.fam").wait_for()
    file, copy = folder / "Größe.fam", folder / "Größe-Copy1.fam"
    assert [one.read_bytes() for one in (file, copy)] == [before, before]
    assert not (folder / "Briefe öffnen.fam").exists()
    shoot(page, "renamed")
    copy.unlink()  # its blocks would be those of the other

    # The kernel was started under the old name: what is run now is filed under the new one, saved or not.
    page.locator(".jp-CodeCell .cm-content").last.click()
    page.keyboard.press("Escape")
    page.keyboard.press("b")
    page.locator(".jp-CodeCell .cm-content").nth(3).wait_for()
    write_cell(page, read_block("neu", "SELECT 5 AS n").strip(), 3)
    run_cell(page)
    page.locator(".jp-CodeCell").nth(3).locator(".famulus-card").wait_for()
    assert (versions / "Größe" / "neu" / "v0001").is_dir()

    # It is saved without being asked to, with a checkpoint when it is asked to; the checkpoint comes back.
    wait_for_text(page, file, "id: neu")
    assert file.read_bytes().startswith(before)
    page.keyboard.press("Escape")
    kept = save(page, file, "id: neu")
    page.wait_for_function("!document.querySelector('.lm-TabBar-tab.jp-mod-dirty')")
    write_cell(page, "---\nid: anders\n---\nNicht so.", 3)
    wait_for_text(page, file, "Nicht so.")
    page.get_by_role("menuitem", name="File", exact=True).click()
    page.get_by_role("menuitem", name="Revert Famulus Notebook to Checkpoint…").click()
    shoot(page, "checkpoint")
    page.locator(".jp-Dialog button.jp-mod-accept").click()
    page.locator(".jp-CodeCell").nth(3).locator(".cm-line", has_text="id: neu").wait_for()
    assert file.read_text(encoding="utf-8") == kept

    page.locator('[data-command="notebook:restart-run-all"], [data-jp-item-name="restart-and-run"]').first.click()
    page.locator(".jp-Dialog button.jp-mod-accept").click()
    for block in ("liste", "zahl", "netz"):
        wait_until(page, (versions / "Größe" / block / "v0001").is_dir)
    page.reload()
    page.locator(".jp-CodeCell").nth(3).locator(".famulus-card").wait_for()
    assert cards.count() == 4
    shoot(page, "renamed-and-reopened")
    assert file.read_text(encoding="utf-8") == kept


def test_an_edit_from_elsewhere_is_asked_about_and_not_written_over(lab: Lab, page: Any) -> None:
    file = lab.root / "sieben" / "zwei.fam"
    file.write_text("Ein Text.\n", encoding="utf-8")
    page.goto(lab.page("lab/tree/sieben/zwei.fam?reset"))
    page.locator(".jp-MarkdownCell").wait_for()
    file.write_text("Ein anderer Text.\n", encoding="utf-8")
    later = file.stat().st_mtime + 2  # times of files tell seconds here
    os.utime(file, (later, later))
    page.locator(".jp-MarkdownCell").dblclick()
    page.keyboard.insert_text("Neues. ")
    page.keyboard.press("Control+s")
    dialog = page.locator(".jp-Dialog")
    dialog.wait_for()
    assert "changed on disk" in dialog.inner_text()
    shoot(page, "conflict")
    dialog.get_by_role("button", name="Revert").click()
    page.locator(".jp-MarkdownCell", has_text="Ein anderer Text.").wait_for()
    assert file.read_text(encoding="utf-8") == "Ein anderer Text.\n"


def test_notebook_7_opens_it_as_a_notebook_too(lab: Lab, page: Any) -> None:
    page.goto(lab.page("notebooks/sieben/Briefe%20%C3%B6ffnen.fam"))
    page.locator(".jp-OutputArea .famulus-card").first.wait_for()
    is_idle(page)
    write_cell(page, read_block("zahl", "SELECT 4 AS n_letters", extra="oracle: {n_letters: 3}"), 1)
    page.locator(".jp-CodeCell .cm-line", has_text="SELECT 4").wait_for()
    run_cell(page)
    page.locator(".jp-OutputArea .famulus-badge", has_text="failed").wait_for()
    shoot(page, "notebook7")


def test_the_tree_of_notebook_7_opens_fam_files_by_a_double_click(lab: Lab, page: Any) -> None:
    page.goto(lab.page("tree/sieben"))
    with page.context.expect_page() as opened:
        page.locator(".jp-DirListing-item", has_text="Briefe öffnen.fam").dblclick()
    assert re.search(r"/notebooks/sieben/Briefe", opened.value.url)
    opened.value.close()


def test_the_browser_is_served_the_sources_to_the_byte_and_asks_again_each_time(lab: Lab) -> None:
    sources = {f"modules/{file.name}": file for file in (REPOSITORY / "labextension" / "modules").iterdir()}
    sources |= {f"modules/page/{name}": REPOSITORY / "_extensions" / "famulus" / name for name in PAGE}
    sources["modules/page/d3.js"] = REPOSITORY / "_extensions" / "famulus" / "vendor" / "d3.js"
    for name, file in sources.items():
        with urlopen(lab.page(f"lab/extensions/famulus/{name}"), timeout=30) as answer:
            assert answer.read() == file.read_bytes(), name
            assert answer.headers["Cache-Control"] == "no-cache", "or a browser would keep it after an update"


@pytest.mark.parametrize("path", ["weg", "../..", "%2Fetc", "alt/.versteckt", "a%00b", "x" * 300])
def test_the_panel_asks_about_what_the_server_shows_only(lab: Lab, path: str) -> None:
    assert status_of(lab.page(f"famulus/blocks?path={path}")) == 404


def test_the_panel_s_answer_needs_the_token(lab: Lab) -> None:
    assert status_of(f"{lab.url}/famulus/blocks?path=alt") == 403
    with urlopen(lab.page("famulus/blocks?path=alt"), timeout=30) as answer:
        assert [block["id"] for block in json.load(answer)["blocks"]] == ["liste", "zahl", "netz"]


def status_of(url: str) -> int:
    """Ask with no browser's cookies."""
    try:
        with urlopen(url, timeout=30) as answer:
            return answer.status
    except HTTPError as refused:
        with refused:
            return refused.code
