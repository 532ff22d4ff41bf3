"""Hostile data, a place to build in, and what HTML may hold: shared by the tests of all renderers."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import TYPE_CHECKING

import pytest

from famulus_kernel.artefacts.build import BuildContext, Built, builders

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

HOSTILE = {
    "script": "<script>alert(1)</script>",
    "image": "<img src=x onerror=alert(1)>",
    "shortcode": "{{< env HOME >}}",
    "own shortcode": "<<< env HOME >>>",
    "maths": "$x$ and $$y$$",
    "pipe": "a | b \\| c",
    "citation": "@fig-1 and [@key]",
    "footnote": "[^1] and ^[note]",
    "attribute": '"onmouseover="alert(1)',
    "script link": "[x](javascript:alert(1))",
    "end of style": "</style></script></td></table>--><b>",
    "newline": "one\ntwo\r\nthree\rfour",
    "controls": "a\x00b\x07c\x1b[31mred\x1b]0;title\x07\x9b2J",
    "override": "abc\u202edef\u2066ghi",
    "surrogate": "a\ud800b\udfffc",
    "entity": "&lt;b&gt; &amp;amp; &#60;",
    "template": "`code` ```{=html} <!-- --> \\alert{x} #head ::: {.x}",
    "list": "- a",
    "number": "1. a",
    "emphasis": "*a* _b_ ~~c~~ **d**",
    "smart": "\"a\" -- 'b' ... ---",
}

TAGS = set(
    re.findall(
        r"\w+",
        """div section header p dl dt dd span table caption thead tbody tr th td a br time figure figcaption img
        strong em s code pre blockquote ul ol li hr h4 h5 h6 svg rect mark""",
    )
)
VOID = {"br", "img", "hr"}


def leads_to_the_web_or_stays(url: str) -> bool:
    """Return whether a browser, which drops blanks inside an address, takes it for http, https, mailto or relative."""
    seen = re.sub(r"[\x00-\x20]", "", url).replace("\\", "/").lower()
    return seen.startswith(("http://", "https://", "mailto:")) or not re.match(r"[^/?#]*:|//", seen)


ATTRIBUTES: dict[str, Callable[[str], bool]] = {
    "class": lambda value: all(word.startswith("famulus-") for word in value.split()),
    "data-status": lambda value: value in {"pass", "fail", "gap", "error", "unchecked", "stale", "unverified"},
    "data-ok": lambda value: value in {"true", "false"},
    "data-layout": lambda value: value in {"force", "layered"},
    "data-code": lambda _: True,
    "aria-hidden": lambda value: value == "true",
    "aria-label": lambda _: True,
    "role": lambda value: value in {"region", "note", "img"},
    "viewbox": lambda value: value == "0 0 1000 10",
    "preserveaspectratio": lambda value: value == "none",
    **dict.fromkeys(("x", "y", "width", "height"), str.isdecimal),
    "tabindex": lambda value: value == "0",
    "scope": lambda value: value in {"col", "row"},
    "datetime": lambda _: True,
    "href": leads_to_the_web_or_stays,
    "rel": lambda value: value == "noopener noreferrer",
    "download": lambda value: value == "",
    "src": lambda value: value.startswith(("artefacts/", "data:image/")),
    "alt": lambda _: True,
    "title": lambda _: True,
    "start": str.isdecimal,
    "style": lambda value: value.startswith("width:") and ";" not in value,
}


class Contract(HTMLParser):
    """Read HTML as the contract of famulus.css allows it; anything else fails the test. Collects the text of cells."""

    def __init__(self, source: str) -> None:
        super().__init__(convert_charrefs=True)
        self._open: list[str] = []
        self.text: list[str] = []
        self.cells: list[str] = []
        self.links: list[str] = []
        self.classes: set[str] = set()
        self.feed(source)
        self.close()
        assert not self._open, f"left open: {self._open}"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in TAGS, f"<{tag}> is not in the contract"
        for name, value in attrs:
            assert name in ATTRIBUTES, f"{name}= is not in the contract"
            assert ATTRIBUTES[name](value or ""), f"{name}={value!r} is not in the contract"
            self.classes |= set((value or "").split()) if name == "class" else set()
            self.links += [value or ""] if name == "href" else []
        if tag == "br":
            self._add("\n")
        if tag in {"td", "th"}:
            self.cells.append("")
        if tag not in VOID:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open, f"</{tag}> closes nothing"
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        self._add(data)

    def handle_comment(self, data: str) -> None:
        pytest.fail(f"a comment: {data}")

    def handle_decl(self, decl: str) -> None:
        pytest.fail(f"a declaration: {decl}")

    def _add(self, data: str) -> None:
        self.text.append(data)
        if {"td", "th"} & set(self._open):
            self.cells[-1] += data


@pytest.fixture(scope="session")
def hostile() -> dict[str, str]:
    """Give texts that would act somewhere, each under the name of what it tries."""
    return HOSTILE


@pytest.fixture(scope="session")
def contract() -> type[Contract]:
    """Give the reader that fails at anything outside the contract."""
    return Contract


@pytest.fixture(scope="session")
def pandoc() -> str:
    """Give the path of pandoc; skip where it is not installed."""
    path: str = pytest.importorskip("pypandoc").get_pandoc_path()
    return path


@pytest.fixture
def build_context(tmp_path: Path) -> Callable[..., BuildContext]:
    """Give contexts whose artefacts lie in `tmp_path`."""

    def make(kind: str, name: str = "probe", **facts: object) -> BuildContext:
        return BuildContext(
            **{"name": name, "kind": kind, "file": f"{name}.json", "lang": "en", "folder": tmp_path, **facts}
        )

    return make


@pytest.fixture
def build(build_context: Callable[..., BuildContext]) -> Callable[..., Built]:
    """Build an artefact of a kind."""

    def make(kind: str, payload: object, name: str = "probe", **facts: object) -> Built:
        return builders()[kind].build(payload, build_context(kind, name, **facts))

    return make
