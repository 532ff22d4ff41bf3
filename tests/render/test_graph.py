"""Graphs on pages: a picture for every writer, and on HTML a view in motion that data cannot break (spec 5.1, 5.2)."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest

from famulus_kernel.artefacts.build import BuildContext, builders
from famulus_kernel.render.renderer import render_project
from famulus_kernel.resources import extension_dir

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

HOSTILE = [
    "</script><script>document.title='taken'</script>", "<!-- <script>", "{{< env HOME >}}", "<<< famulus x y >>>",
    '"onload="x', "\u2028line\u2029", "a\x00b\u202ec", "<img src=x onerror=\"document.title='taken'\">",
]  # fmt: skip
STRICT = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'"


def letters(names: list[str]) -> dict[str, Any]:
    """Return a star of letters, whose nodes have groups and links."""
    nodes = [{"id": name, "group": name, "url": f"https://example.org/{at}"} for at, name in enumerate(names)]
    edges = [{"source": names[0], "target": name, "weight": at} for at, name in enumerate(names[1:], 1)]
    return {"nodes": nodes, "edges": edges}


def add(project: Any, block: str, kind: str, payload: object) -> None:
    """Put an artefact `netz` of a kind into the project."""
    folder = project.root.parent / f"built-{block}"
    folder.mkdir()
    built = builders()[kind].build(payload, BuildContext("netz", kind, "netz.json", "de", folder))
    files = {name.removeprefix("artefacts/"): (folder / name).read_bytes() for name in built.companions}
    project.block(block, {"netz": (built.data, built.view)}, files=files)


def data_of(page: str) -> list[dict[str, Any]]:
    """Return what the page gives the script."""
    return [json.loads(text) for text in re.findall(r'class="famulus-graph-data">(.*?)</script>', page, re.DOTALL)]


def test_a_page_brings_the_data_of_its_graphs_and_the_scripts_once(project: Any, draw: Callable[..., Any]) -> None:
    add(project, "eins", "d3-graph", letters(["Pirckheimer", "Erasmus", "Celtis"]))
    add(project, "zwei", "d3-graph", [{"source": "a", "target": "b"}])
    drawn = draw(project.page("---\nlang: de\n---\n\n{{< famulus eins netz >}}\n\n{{< famulus zwei netz >}}\n"))
    assert drawn.problems == []
    first, second = data_of(drawn.text)
    assert first["nodes"][0][:1] + first["nodes"][0][2:] == ["Pirckheimer", 3, "https://example.org/0"]
    assert first["edges"] == [[0, 1, 2], [0, 2, 1]]
    assert first["words"]["search"] == "Knoten suchen"
    assert len(second["nodes"]) == 2
    sources = re.findall(r'<script src="([^"]+)" defer>', drawn.text)
    brought = [source.rpartition("/famulus/")[2] for source in sources]
    assert brought == ["vendor/d3.js", "famulus-graph.js", "famulus-table.js"]
    assert drawn.text.count('alt="Graph mit') == 2


@pytest.mark.parametrize("to", ["latex", "gfm", "typst", "epub3", "docx", "plain"])
def test_other_writers_have_the_picture_and_no_script(project: Any, draw: Callable[..., Any], to: str) -> None:
    add(project, "eins", "d3-graph", letters(["Pirckheimer", "Erasmus"]))
    drawn = draw(project.page("{{< famulus eins netz >}}\n"), to, options=("--output", "-"))
    assert drawn.problems == []
    assert "famulus-graph-data" not in drawn.text
    assert "<script" not in drawn.text
    assert to in ("epub3", "docx", "plain") or "netz.svg" in drawn.text


def test_a_graph_in_layers_stays_a_picture(project: Any, draw: Callable[..., Any]) -> None:
    add(project, "eins", "proof-structure", {"edges": [{"source": "a", "target": "b"}], "verdict": "valid"})
    drawn = draw(project.page("{{< famulus eins netz >}}\n"))
    assert 'data-layout="layered" tabindex="0" role="region" aria-label="Graph of 2 nodes' in drawn.text
    assert "<script" not in drawn.text


def test_hostile_names_stay_inside_their_script(project: Any, draw: Callable[..., Any]) -> None:
    add(project, "eins", "d3-graph", letters(HOSTILE))
    drawn = draw(project.page("{{< famulus eins netz >}}\n"))
    assert drawn.problems == []
    assert re.findall(r'<script [^>]*?(?:class|src)="(?:[^"]*/)?([^"/]+)"', drawn.text) == [
        "famulus-graph-data", "d3.js", "famulus-graph.js", "famulus-table-words", "famulus-table.js"
    ]  # fmt: skip
    assert drawn.text.count("<script") == 5
    (data,) = data_of(drawn.text)
    assert {row[0] for row in data["nodes"]} >= {HOSTILE[0], HOSTILE[2], "a\ufffdb\ufffdc"}
    inside = re.search(r'class="famulus-graph-data">(.*?)</script>', drawn.text, re.DOTALL).group(1)
    assert not set(inside) & set("<>&\u2028\u2029")


@pytest.fixture
def live(project: Any, draw: Callable[..., Any], browser: Any) -> Iterator[Callable[..., Any]]:
    """Serve a page with one graph under a policy that allows nothing inline, and open it."""
    complaints: list[str] = []
    contexts = []

    def open_graph(payload: object, *, width: int = 800, script: bool = True) -> Any:
        add(project, "eins", "d3-graph", payload)
        page_file = project.page("{{< famulus eins netz >}}\n")
        body = draw(page_file).text
        body = re.sub(r'src="[^"]*?/famulus/(vendor/d3|famulus-\w+)\.js"', r'src="/famulus/\1.js"', body)
        head = '<!doctype html><meta charset="utf-8"><link rel="stylesheet" href="/famulus/famulus.css">'
        context = browser.new_context(viewport={"width": width, "height": 800}, java_script_enabled=script)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda said: complaints.append(said.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))

        def serve(route: Any) -> None:
            path = route.request.url.removeprefix("http://famulus.test/")
            folder, _, name = path.partition("/")
            place: Path = extension_dir() / name if folder == "famulus" else project.root / path
            if not path:
                policy = {"Content-Security-Policy": STRICT, "Content-Type": "text/html"}
                route.fulfill(body=head + body, headers=policy)
            elif place.is_file():
                route.fulfill(path=place)
            else:
                route.fulfill(status=404)

        page.route("**/*", serve)
        page.goto("http://famulus.test/")
        return page

    yield open_graph
    for context in contexts:
        context.close()
    assert [said for said in complaints if "favicon" not in said] == []


@pytest.mark.browser
def test_the_graph_comes_alive_where_nothing_inline_is_allowed(live: Callable[..., Any]) -> None:
    page = live(letters(["Pirckheimer", "Erasmus", "Celtis", "Reuchlin"]))
    assert page.locator(".famulus-graph-live svg .famulus-node").count() == 4
    assert page.locator(".famulus-graph-live svg line").count() == 3
    assert not page.locator(".famulus-graph img").is_visible()
    places = page.locator(".famulus-node").evaluate_all("all => all.map((one) => one.getAttribute('transform'))")
    assert len(set(places)) == 4
    assert not any("NaN" in place for place in places)
    inside = page.evaluate(
        """() => { const box = document.querySelector('.famulus-graph-view').getBoundingClientRect();
        return [...document.querySelectorAll('.famulus-node')].every((one) => { const b = one.getBoundingClientRect();
        return b.left >= box.left && b.right <= box.right && b.top >= box.top && b.bottom <= box.bottom; }); }"""
    )
    assert inside


@pytest.mark.browser
def test_a_node_is_found_by_its_name_and_opened_by_its_key(live: Callable[..., Any]) -> None:
    page = live(letters(["Pirckheimer", "Erasmus", "Celtis", "Reuchlin"]))
    page.get_by_role("searchbox").fill("RAS")
    assert page.locator(".famulus-graph-status").inner_text() == "1 found"
    assert page.locator(".famulus-faint.famulus-node").count() == 3
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.classList.contains('famulus-graph-view')")
    link = page.locator(".famulus-graph-status a")
    assert (link.inner_text(), link.get_attribute("href")) == ("Erasmus: one neighbour", "https://example.org/1")

@pytest.mark.browser
def test_keys_walk_from_node_to_node_and_zoom(live: Callable[..., Any]) -> None:
    page = live(letters(["Pirckheimer", "Erasmus", "Celtis", "Reuchlin"]))
    page.locator(".famulus-graph-view").focus()
    page.keyboard.press("ArrowRight")
    assert page.locator(".famulus-chosen title").text_content() == "Pirckheimer"
    page.keyboard.press("ArrowLeft")
    assert page.locator(".famulus-chosen title").text_content() == "Erasmus"
    before = page.locator(".famulus-graph-view > g").get_attribute("transform")
    page.keyboard.press("+")
    assert page.locator(".famulus-graph-view > g").get_attribute("transform") != before
    page.keyboard.press("0")
    assert page.locator(".famulus-graph-view > g").get_attribute("transform") == before


@pytest.mark.browser
def test_a_node_that_a_key_chooses_comes_into_view_and_marks_do_not_matter(live: Callable[..., Any]) -> None:
    page = live(letters(["Pirckheimer", "Dürer", "Celtis", "Reuchlin"]))
    page.locator(".famulus-graph-view").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Shift+Tab")
    assert page.locator(".famulus-graph-status").inner_text().startswith("Arrow keys")
    for _ in range(8):
        page.keyboard.press("+")
    page.get_by_role("searchbox", name="Find a node").fill("durer")
    page.keyboard.press("Enter")
    for key in ("", "ArrowRight", "End", "Home"):
        if key:
            page.keyboard.press(key)
        view = page.locator(".famulus-graph-view").bounding_box()
        node = page.locator(".famulus-chosen circle").bounding_box()
        assert view["x"] <= node["x"] + node["width"] / 2 <= view["x"] + view["width"], key
        assert view["y"] <= node["y"] + node["height"] / 2 <= view["y"] + view["height"], key


@pytest.mark.browser
def test_hostile_names_are_words_in_the_browser_too(live: Callable[..., Any]) -> None:
    page = live(letters(HOSTILE))
    assert page.locator(".famulus-node").count() == len(HOSTILE)
    assert page.title() != "taken"
    assert page.locator(".famulus-node title").first.text_content() == HOSTILE[0]
    assert page.locator(".famulus-graph :is(script:not(.famulus-graph-data):not([src]), img[src=x])").count() == 0


@pytest.mark.browser
def test_without_javascript_the_picture_stands(live: Callable[..., Any]) -> None:
    page = live(letters(["Pirckheimer", "Erasmus"]), script=False)
    assert page.locator(".famulus-graph img").is_visible()
    assert page.locator(".famulus-graph-bar").count() == 0


@pytest.mark.browser
def test_a_phone_shows_a_large_graph_within_its_width(live: Callable[..., Any]) -> None:
    edges = [{"source": f"Person {at}", "target": f"Person {at * 7 % 90}"} for at in range(90)]
    page = live(edges, width=360)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert page.locator(".famulus-graph-view").bounding_box()["width"] > 300


def test_the_embedded_renderer_lays_the_scripts_beside_the_pages(project: Any) -> None:
    add(project, "eins", "d3-graph", letters(["Pirckheimer", "Erasmus"]))
    project.page("---\ntitle: Netz\n---\n\n{{< famulus eins netz >}}\n", "netz.fam")
    output = render_project(project.root).output_dir
    page = (output / "netz.html").read_text(encoding="utf-8")
    sources = re.findall(r'<script src="([^"]*(?:d3|famulus-graph)\.js)" defer', page)
    assert [(output / source).is_file() for source in sources] == [True, True]


@pytest.mark.parametrize("to", ["typst", "latex"])
def test_a_picture_without_words_is_no_numbered_figure(project: Any, draw: Callable[..., Any], to: str) -> None:
    add(project, "eins", "d3-graph", letters(["Pirckheimer", "Erasmus"]))
    drawn = draw(project.page("{{< famulus eins netz >}}\n"), to).text
    picture = drawn.partition("Edges")[0]
    assert "netz.svg" in picture
    assert "#figure(image" not in picture
    assert "begin{figure}" not in picture


def test_a_printed_table_goes_on_over_pages_and_keeps_words_whole(project: Any, draw: Callable[..., Any]) -> None:
    rows = [{"name": "Melanchthon", "kind": "person", "text": "word " * 60, "count": 1368}]
    add(project, "eins", "roster-table", rows)
    drawn = draw(project.page("{{< famulus eins netz >}}\n"), "typst").text
    assert drawn.index("breakable: true") < drawn.index("#table(")
    shares = [float(share) for share in re.findall(r"([\d.]+)%", drawn.partition("columns: (")[2].partition(")")[0])]
    assert len(shares) == 4
    words = ("Melanchthon", "person", "1,368", "word")
    assert all(80 * share / 100 >= len(word) for share, word in zip(shares, words, strict=True))


def test_the_number_of_a_graph_stands_before_its_caption(project: Any, draw: Callable[..., Any]) -> None:
    add(project, "eins", "d3-graph", letters(["Pirckheimer", "Erasmus"]))
    page = '---\nlang: de\n---\n\n{{< famulus eins netz label=fig-netz caption="Ein Netz" >}}\n\nSiehe @fig-netz.\n'
    drawn = draw(project.page(page))
    caption = r'<figure id="fig-netz">\s*<img[^>]*>\s*<figcaption>.{0,60}Abbildung(\s|&nbsp;|\u00a0)1: .{0,40}Ein Netz'
    found = re.search(caption, drawn.text, re.DOTALL)
    assert found
    assert found.end() < drawn.text.index("<table")
    assert not re.search(r"<p>Abbildung", drawn.text)
