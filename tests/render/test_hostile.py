"""Data is never markup: what a page, a document or a slide shows of it are its characters (spec 5.2).

Each format is written and read back by pandoc: the text must be the same, and nothing in it may have become anything.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import xml.etree.ElementTree as ET
import zipfile
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

import pytest

from famulus_kernel.artefacts.build import BuildContext, builders
from famulus_kernel.artefacts.view import Column, Fact, Facts, Figure, Prose, Table, View, literal
from famulus_kernel.render.pandoc import pandoc_command
from famulus_kernel.render.renderer import render_project
from famulus_kernel.store.manifest import Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

HOSTILE = (
    "<script>alert(1)</script>",
    '<img src=x onerror="alert(1)">',
    "{{< env HOME >}}",
    "{{< famulus b t >}}",
    "<<< famulus b t >>>",
    "$x$ and $$y$$ and \\(z\\)",
    "a | b || c",
    "@fig-1 [@key; @other]",
    "[^1] ^[note]",
    "[text](javascript:alert(1))",
    "![alt](http://evil.example/x.png)",
    "`code`{=html} \\input{/etc/passwd}",
    '#set page(fill: red) #read("/etc/passwd")',
    "# Heading",
    "- item",
    "1. item",
    "> quote",
    "::: {.callout-note}",
    "caption {.table-dark #tbl-x onclick=x}",
    "\"double\" 'single' -- dash ... dots",
    "&amp; &#60; &copy;",
    "~sub~ ^sup^ ~~del~~ ==mark== *em* _em_ **st**",
    ":smile: #42 <https://a.example>",
    "\\begin{document} %comment",
    "--- title: x ---",
    "</script><!-- ]]> </style> <![CDATA[",
    "\\write18{id} \\immediate\\directlua{os.exit()} ^^41 \\verb|x|",
    '#eval("1") #include "/etc/passwd" #import "@preview/x:1.0.0"',
    "x]: javascript:alert(1) [x]",
    "#let a = 1; \\u{41} `raw` $ x $ // comment /* more */",
    "[](){onclick=alert(1)} {{ x }} {% y %}",
    "&#x6a;avascript:alert(1) javascript&colon;alert(1)",
    "{{{< famulus b t >}}} {{< include /etc/passwd >}} \ue0fa famulus b t \ue0fb",
    "\\catcode`\\%=12 % \\end{document} ^^5cinput{/etc/passwd}",
    ')] #panic("x") [( */ #label("x") <x>',
    '</w:t></w:r></w:p><w:p> ]]> <!DOCTYPE x [<!ENTITY y SYSTEM "file:///etc/passwd">]>&y;',
    '=HYPERLINK("http://evil.example","x") +cmd|\' /C calc\'!A0',
    "</p></td><details open ontoggle=alert(1)><svg onload=alert(1)> </title></textarea>",
)
ADDRESSES = (
    "javascript:alert(1)", "JaVaScRiPt:alert(1)", "java\tscript:alert(1)", " \njavascript:alert(1)", "\x01javascript:x",
    "&#106;avascript:alert(1)", "javascript&colon;alert(1)", "java&Tab;script:x", "data:text/html,x",
    "DATA:text/html,x", "vbscript:x", "file:///etc/passwd", "//evil.example/x", "\\\\evil\\x", "/\\evil.example",
    "blob:x", "view-source:x", "javascript\u200b:alert(1)", "./a'b\"c", "https://a.example/x y", "https:evil.example",
)  # fmt: skip
FORMATS = ("html", "revealjs", "docx", "typst", "gfm", "latex", "epub")


def nodes(value: Any) -> Iterator[dict[str, Any]]:
    """Yield every element of pandoc's JSON."""
    if isinstance(value, dict):
        if "t" in value:
            yield value
        for below in value.values():
            yield from nodes(below)
    elif isinstance(value, list):
        for below in value:
            yield from nodes(below)


def text_of(value: Any) -> str:
    """Return the text of pandoc's JSON with single blanks."""
    parts = []
    for node in nodes(value):
        if node["t"] in ("Str", "RawBlock", "RawInline", "Code", "CodeBlock", "Math"):
            parts.append(node["c"] if node["t"] == "Str" else node["c"][1])
        elif node["t"] in ("Space", "SoftBreak", "LineBreak"):
            parts.append(" ")
        elif node["t"] in ("Para", "Plain", "Header"):
            parts.append("\n")
        elif node["t"] == "Quoted":
            parts.append('"' if node["c"][0]["t"] == "DoubleQuote" else "'")
    return "".join(parts)


@pytest.fixture(scope="module")
def hostile_view() -> View:
    """A view with every hostile text in every place that a view has for text."""
    everything = "\n\n".join(HOSTILE[:12])
    return View(
        title=literal(HOSTILE[0]),
        caption=HOSTILE[18],
        parts=(
            Prose(title=literal(HOSTILE[2]), markdown=everything),
            Facts(items=tuple(Fact(label=literal(text), value=text) for text in HOSTILE)),
            Table(
                columns=(
                    Column(key="a", label=literal(HOSTILE[6])),
                    Column(key="b", label=literal("b"), link="u"),
                    Column(key="u", label=literal("u")),
                ),
                rows=tuple((text, text, f"https://a.example/{text}") for text in HOSTILE),
                total=len(HOSTILE),
            ),
            Facts(items=(Fact(label=literal("control"), value="a\x00b\x08c\ufffed\u202ee"),)),
            Figure(file="artefacts/bild.png", alt=HOSTILE[1], caption=HOSTILE[18]),
        ),
    )


@pytest.fixture
def hostile(project: Any, png: bytes, hostile_view: View) -> Any:
    """A project whose block holds that view, and says such things in its card and credits too."""
    oracle = {"a_contains": HOSTILE[0], "b": HOSTILE[2]}
    observed = {"a_contains": {"value": HOSTILE[1], "ok": True}, "b": {"value": HOSTILE[5], "ok": False}, "score": 0.5}
    project.block(
        "b",
        {"t": ({"v": HOSTILE[2]}, hostile_view)},
        files={"bild.png": png},
        verdict=Verdict(id="b", golden=None, status="fail", oracle=oracle, observed=observed),
        report={
            "question": HOSTILE[3],
            "answer": HOSTILE[4],
            "provenance": {"credits": [{"source": HOSTILE[0], "cite": HOSTILE[7], "url": "javascript:alert(1)"}]},
        },
    )
    return project


def as_latex(texts: tuple[str, ...]) -> list[str]:
    """Return what pandoc writes for texts in LaTeX."""
    blocks = [{"t": "Para", "c": [{"t": "Str", "c": text}]} for text in texts]
    doc = json.dumps({"pandoc-api-version": [1, 23], "meta": {}, "blocks": blocks})
    command = [str(pandoc_command()), "--from", "json", "--to", "latex", "--wrap", "none"]
    return subprocess.run(command, input=doc, capture_output=True, check=True, text=True).stdout.strip().split("\n\n")


def read_back(page: Path, written: Path, form: str) -> Any:
    """Return pandoc's JSON of a file that pandoc wrote."""
    reader = {"revealjs": "html"}.get(form, form)
    if form == "typst":
        # Pandoc's reader does not end a definition with its block.
        source = written.read_text(encoding="utf-8")
        written.write_text(source.replace("#let align(_, body) = body", ""), encoding="utf-8")
    elif form == "latex":
        # What asks TeX for room is raw to pandoc's reader.
        source = written.read_text(encoding="utf-8")
        asking = re.compile(r"\\par\\makeatletter\\if@nobreak.*?\\makeatother$", re.DOTALL | re.MULTILINE)
        written.write_text(asking.sub("", source), encoding="utf-8")
    done = subprocess.run(
        [str(pandoc_command()), str(written), "--from", reader, "--to", "json"],
        cwd=page.parent,
        capture_output=True,
        check=True,
    )
    return json.loads(done.stdout)


@pytest.mark.parametrize("form", FORMATS)
def test_hostile_data_is_shown_as_itself(hostile: Any, draw: Callable[..., Any], form: str) -> None:
    page = hostile.page("{{< famulus b t >}}\n\n{{< famulus b card >}}\n\nWert {{< famulus b t value=v >}} im Satz.\n")
    written = page.parent / f"out.{form}"
    drawn = draw(page, form, options=("--output", str(written)))
    assert drawn.problems == []
    back = read_back(page, written, form)
    # Pandoc cannot read all the LaTeX it writes for letters: there the texts are what it writes for these letters.
    latex = form == "latex"
    text = written.read_text(encoding="utf-8") if latex else " ".join(text_of(back).split())
    for data, wanted in zip(HOSTILE, as_latex(HOSTILE) if latex else HOSTILE, strict=True):
        # Once as a fact's label, once as its value, twice in the table.
        assert text.count(wanted) >= 4, f"{form}: {data!r}"
    kinds = [node["t"] for node in nodes(back)]
    # The raw elements are our own lines, `<p class="famulus-…">`; an e-book begins each file with a heading.
    allowed = {"html": {"RawInline", "RawBlock"}, "epub": {"RawInline", "RawBlock", "Header"}}
    allowed["revealjs"] = allowed["html"]
    assert not {"Math", "Cite", "Note", "Header", "RawInline", "RawBlock"} - allowed.get(form, set()) & set(kinds), form
    links = [node["c"][-1][0] for node in nodes(back) if node["t"] == "Link"]
    assert all(url.startswith(("https://a.example/", "#famulus-")) for url in links), links
    images = {node["c"][-1][0].rpartition("/")[2] for node in nodes(back) if node["t"] == "Image"}
    assert images <= {"bild.png", "rId11.png", "file0.png"}, images


@pytest.fixture
def hostile_pictures(hostile: Any, png: bytes, tmp_path: Path) -> Any:
    """The same project, with the texts as alternative texts, captions and labels, and a file name like them."""
    folder = tmp_path / "built"
    artefacts: dict[str, Any] = {}
    files: dict[str, bytes] = {}
    nodes_of = [{"id": text, "group": text, "url": "javascript:alert(1)"} for text in HOSTILE]
    edges = [{"source": HOSTILE[0], "target": text, "label": text} for text in HOSTILE[1:]]
    events = [{"label": text, "from": 1500, "to": 1501} for text in HOSTILE[:6]]
    payloads = {"d3-graph": {"nodes": nodes_of, "edges": edges}, "proof-structure": {"nodes": nodes_of, "edges": edges}}
    payloads["timeline"] = {"events": [*events, {"label": HOSTILE[0], "year": 1500}]}
    for kind, payload in payloads.items():
        context = BuildContext(name=kind, kind=kind, file=f"{kind}.json", lang="en", folder=folder)
        built = builders()[kind].build(payload, context)
        artefacts[kind] = (built.data, built.view)
        files |= {name.removeprefix("artefacts/"): (folder / name).read_bytes() for name in built.companions}
    name = "a b$%#&_{}[]~^'\"<i>.png"
    shown = [Figure(file=f"artefacts/{name}", alt=text, caption=text) for text in HOSTILE]
    artefacts["figures"] = ({}, View(parts=tuple(shown)))
    hostile.block("p", artefacts, files={**files, name: png})
    return hostile


NAMES = ("figures", "d3-graph", "proof-structure", "timeline")
PICTURES = "\n\n".join(f"{{{{< famulus p {name} >}}}}" for name in NAMES)


@pytest.mark.parametrize("engine", ["typst", "lualatex"])
def test_hostile_data_is_printed_as_itself(hostile_pictures: Any, engine: str) -> None:
    for program in ("pdftotext", *(["lualatex"] if engine == "lualatex" else [])):
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed")
    hostile_pictures.page("---\nlang: en\n---\n\n{{< famulus b t >}}\n\n{{< famulus b card >}}\n\n" + PICTURES + "\n")
    result = render_project(hostile_pictures.root, to="pdf", pdf_engine=engine)
    # The letters of Unicode's private area are in no font.
    assert [str(problem) for problem in result.problems if "(U+E0F" not in str(problem)] == []
    done = subprocess.run(["pdftotext", str(result.pages[0]), "-"], capture_output=True, check=True)
    text = "".join(done.stdout.decode().split()).replace("\u2019", "'").replace("\xad", "")
    missing = [one for one in HOSTILE if "".join(one.split()) not in text]
    assert missing == []
    assert ("a[?]b[?]c[?]d[?]e" if engine == "lualatex" else "a\ufffdb\ufffdc\ufffdd\ufffde") in text
    assert "root:x:0" not in text


@pytest.mark.parametrize("form", ["docx", "gfm", "revealjs", "epub", "latex", "typst", "odt"])
def test_pages_of_hostile_pictures_are_written_whole(hostile_pictures: Any, form: str) -> None:
    hostile_pictures.page(PICTURES + "\n")
    result = render_project(hostile_pictures.root, to=form)
    assert [str(problem) for problem in result.problems] == []
    page = result.pages[0]
    if form in ("docx", "odt", "epub"):
        with zipfile.ZipFile(page) as parts:
            inside = [name for name in parts.namelist() if name.endswith((".xml", ".xhtml"))]
            assert all(ET.fromstring(parts.read(name)) is not None for name in inside)
            assert len([name for name in parts.namelist() if name.endswith((".png", ".svg"))]) >= 4
    elif form in ("gfm", "revealjs"):
        images = re.findall(r'<img [^>]*?data-src="([^"]*)"', page.read_text(encoding="utf-8"))
        if form == "gfm":
            images = [node["c"][-1][0] for node in nodes(read_back(page, page, form)) if node["t"] == "Image"]
        assert len(images) == len(HOSTILE) + 3
        assert all((page.parent / unquote(image)).is_file() for image in images), images
    assert "javascript:alert(1)" not in re.findall(rb'(?:href|src)="([^"]*)"', page.read_bytes())


@pytest.mark.parametrize("form", ["html", "gfm", "docx"])
def test_an_address_that_acts_is_no_link_in_any_disguise(project: Any, draw: Callable[..., Any], form: str) -> None:
    columns = (Column(key="a", label=literal("a"), link="u"), Column(key="u", label=literal("u")))
    rows = tuple((f"to {at}", address) for at, address in enumerate(ADDRESSES))
    prose = "\n\n".join(f"[to {at}](<{address}>) [{at}]({address})" for at, address in enumerate(ADDRESSES))
    parts = (Table(columns=columns, rows=rows, total=len(rows)), Prose(markdown=prose))
    findings = [{"doc_id": f"to {at}", "url": address} for at, address in enumerate(ADDRESSES)]
    project.block("b", {"t": ({}, View(parts=parts))}, report={"findings": findings})
    page = project.page("{{< famulus b t >}}\n\n{{< famulus b card >}}\n")
    written = page.parent / f"out.{form}"
    assert draw(page, form, options=("--output", str(written))).problems == []
    links = {node["c"][-1][0] for node in nodes(read_back(page, written, form)) if node["t"] == "Link"}
    # What is left names a file beside the page, by letters that mean nothing in an address.
    assert links <= {"&#106;avascript:alert(1)", "javascript&colon;alert(1)"}, links


class Elements(HTMLParser):
    """Collects elements and attributes of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def test_hostile_data_makes_no_element_and_no_handler(hostile: Any, draw: Callable[..., Any]) -> None:
    drawn = draw(hostile.page("{{< famulus b t >}}\n\n{{< famulus b card >}}\n\n{{< famulus b report >}}\n"))
    elements = Elements()
    elements.feed(drawn.text)
    assert not [tag for tag, _ in elements.found if tag in ("iframe", "object", "style", "form")]
    scripts = [attributes for tag, attributes in elements.found if tag == "script"]
    assert [one.get("class") or one["src"].rpartition("/")[2] for one in scripts] == [
        "famulus-table-words",
        "famulus-table.js",
    ]
    assert not [name for _, attributes in elements.found for name in attributes if name.startswith("on")]
    assert {attributes.get("src") for tag, attributes in elements.found if tag == "img"} == {
        "_famulus/store/index/b/v0001/artefacts/bild.png"
    }
    assert 'class="table-dark' not in drawn.text


def test_nothing_that_a_parser_of_shortcodes_could_take_is_in_the_tree(hostile: Any, draw: Callable[..., Any]) -> None:
    drawn = draw(hostile.page("{{< famulus b t >}}\n\n{{< famulus b card >}}\n"), "json")
    for node in nodes(json.loads(drawn.text)["blocks"]):
        if node["t"] == "Str":
            assert not node["c"].endswith(("{{<", "<<<")), node
        elif node["t"] in ("Code", "CodeBlock", "RawInline", "RawBlock"):
            assert "{{<" not in node["c"][1], node
        elif node["t"] in ("Div", "Span", "Link", "Image", "Header"):
            assert "{{<" not in json.dumps(
                [part for part in node["c"] if not isinstance(part, list) or "t" not in str(part)]
            )


def test_a_cell_of_100_kb_and_one_of_many_lines_are_shown_whole(project: Any, draw: Callable[..., Any]) -> None:
    long = "Wort " * 20_000
    rows = (("x" * 100_000, "a\nb\r\nc"), (long.strip(), "\u202eabc\x00\x1b[31m"))
    columns = (Column(key="a", label=literal("a")), Column(key="b", label=literal("b")))
    project.block("b", {"t": ({}, View(parts=(Table(columns=columns, rows=rows, total=2),)))})
    page = project.page("{{< famulus b t >}}\n")
    html = draw(page).text
    assert "x" * 100_000 in html
    assert long.strip() in html
    assert "a<br />\nb<br />\nc" in html
    assert "\ufffdabc\ufffd\ufffd[31m" in html
    for form in ("docx", "latex", "typst", "gfm"):
        assert draw(page, form, options=("--output", str(page.parent / f"o.{form}"))).problems == []
