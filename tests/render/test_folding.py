"""The source of a block on its page: shown when it is asked for, folded as Quarto folds code."""

from __future__ import annotations

import re
from typing import Any

from famulus_kernel.render.renderer import render_project

SHUT, OPEN, PLAIN = '<details class="code-fold">', '<details class="code-fold" open>', None


ECHO = "execute: {echo: true}"
ASKED = [
    (ECHO, "", SHUT),
    (ECHO, "#| code-fold: false\n", PLAIN),
    (ECHO, "#| code-fold: show\n", OPEN),
    (f"{ECHO}\ncode-fold: false", "", PLAIN),
    (f"{ECHO}\ncode-fold: false", "#| code-fold: true\n", SHUT),
    ("format: {html: {code-fold: show}}", "#| echo: true\n", OPEN),
]


def test_the_source_is_folded_as_block_page_and_site_say(roster: Any) -> None:
    for at, (head, block, _) in enumerate(ASKED):
        roster.block(f"zahl-{at}")
        body = f"```{{famulus}}\n{block}---\nid: zahl-{at}\n---\nWie <viele>?\n```\n"
        roster.page(f"---\ntitle: Seite\n{head}\n---\n\n{body}", f"seite{at}.fam")
    folder = render_project(roster.root).output_dir
    for at, (head, block, expected) in enumerate(ASKED):
        page = (folder / f"seite{at}.html").read_text(encoding="utf-8")
        found = re.findall(r'<details class="code-fold"[^>]*>', page)
        assert (head, block, found) == (head, block, [expected] if expected else [])
        assert "Wie &lt;viele&gt;?" in page


def test_the_words_above_a_folded_source_are_its_authors(roster: Any) -> None:
    summary = 'Was gefragt war: "alle" \\ <b>'
    block = f"#| echo: true\n#| code-summary: '{summary}'\n---\nid: partner\n---\nWie viele?"
    roster.page(f"---\ntitle: Eins\n---\n\n```{{famulus}}\n{block}\n```\n")
    page = (render_project(roster.root).output_dir / "index.html").read_text(encoding="utf-8")
    assert re.search(r"<summary>\s*(.*?)\s*</summary>", page).group(1).startswith("Was gefragt war: ")
    assert "<b>" not in page
    assert "\u201calle\u201d" in page or "&quot;alle&quot;" in page


def test_without_echo_there_is_no_source(roster: Any) -> None:
    roster.page("---\ntitle: Eins\n---\n\n```{famulus}\n---\nid: partner\n---\nWie viele <sind> es?\n```\n")
    page = (render_project(roster.root).output_dir / "index.html").read_text(encoding="utf-8")
    assert "code-fold" not in page
    assert "&lt;sind&gt;" not in page
