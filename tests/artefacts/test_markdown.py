from __future__ import annotations

import json
import random
import subprocess

import pytest
from markdown_it import MarkdownIt

from famulus_kernel.artefacts import markdown
from famulus_kernel.artefacts.card import card
from famulus_kernel.artefacts.characters import one_line, storable
from famulus_kernel.artefacts.tables import first_rows, from_lists, table_part
from famulus_kernel.artefacts.view import Fact, Facts, Figure, FullTable, Graph, Prose, View, literal

HARMLESS = {
    "Table",
    "Para",
    "Plain",
    "Str",
    "Space",
    "SoftBreak",
    "Strong",
    "Emph",
    "Link",
    "Code",
    "CodeBlock",
    "BulletList",
    "OrderedList",
    "BlockQuote",
    "LineBreak",
    "HorizontalRule",
    "Strikeout",
}
JOINER = "\u2060"


@pytest.fixture(scope="module", params=["markdown", "gfm", "commonmark_x"])
def read(request, pandoc: str):
    """Read markdown with pandoc in one of the dialects that pages are read in."""

    def reader(source: str) -> list[dict[str, object]]:
        command = [pandoc, "--from", request.param, "--to", "json"]
        ran = subprocess.run(command, input=source, capture_output=True, encoding="utf-8", check=True)
        blocks: list[dict[str, object]] = json.loads(ran.stdout)["blocks"]
        return blocks

    return reader


def elements(node: object) -> set[str]:
    """Return the names of all elements of pandoc's tree."""
    if isinstance(node, dict):
        return ({node["t"]} if "t" in node else set()).union(*map(elements, node.values()))
    return set().union(*map(elements, node)) if isinstance(node, list) else set()


def words(node: object) -> str:
    """Return the text of a piece of pandoc's tree."""
    if isinstance(node, dict):
        if node.get("t") in ("Str", "Math", "RawInline", "Code", "CodeBlock"):
            content = node["c"]
            return content if isinstance(content, str) else content[-1]
        return " " if node.get("t") in ("Space", "SoftBreak", "LineBreak") else words(node.get("c", ""))
    return "".join(map(words, node)) if isinstance(node, list) else ""


def cells(table: dict[str, object]) -> list[str]:
    """Return the text of the body cells of a pandoc table with one column."""
    return [words(row[1][0][4]) for body in table["c"][4] for row in body[3]]


def table_of(texts: list[str]) -> str:
    table = from_lists([[text, "end"] for text in texts], ["a", "b"])
    return markdown.render(View(parts=(table_part(table, first_rows(table.rows)),)), "en", max_rows=1000)


def check_cells(read, texts: list[str]) -> None:
    blocks = read(table_of(texts))
    assert elements(blocks) - {"AlignDefault", "AlignLeft", "AlignRight", "ColWidthDefault", "ColWidth"} <= HARMLESS
    found = [text.replace(JOINER, "") for text in cells(blocks[0])]
    assert found == [one_line(storable(text)) for text in texts]


def test_hostile_cells_read_as_themselves(read, hostile) -> None:
    check_cells(read, list(hostile.values()))


def test_any_mixture_of_markup_reads_as_itself(read) -> None:
    chance = random.Random(1520)
    pieces = [*"\\`*_{}[]()<>#+-.!|$@^~\"'&:;=%/?, aB1é\n", "{{<", ">}}", "<<<", ">>>", "--", "...", "&amp;", "<b>"]
    pieces += ["https://a.b", "www.a.b", "a@b.c", "[^1]"]
    texts = ["".join(chance.choice(pieces) for _ in range(chance.randint(1, 12))) for _ in range(400)]
    check_cells(read, [text for text in texts if one_line(text)])


def test_every_place_of_a_view_and_a_card_holds_data_as_text(read, hostile) -> None:
    for hostile_text in hostile.values():
        text = storable(hostile_text)
        view = View(
            title=literal(text),
            caption=text,
            parts=(
                Facts(title=literal(text), items=(Fact(label=literal(text), value=text),)),
                Figure(file="artefacts/a.png", alt=text, caption=text),
                Figure(file="artefacts/a.pdf", alt=text),
                Graph(nodes=(), edges=(), svg="artefacts/a.svg"),
            ),
        )
        verdict = {
            "status": "error",
            "oracle": {"k": text},
            "observed": {"k": {"value": text, "ok": True}, "error": {"message": text, "hint": text}},
        }
        shown = card({"question": text, "answer": "", "verdict": verdict}, block=text, version="v0001", created=text)
        blocks = read(markdown.render(view, "en", files=lambda name: name) + "\n" + markdown.render_card(shown, "en"))
        assert elements(blocks) - {"AlignDefault", "ColWidthDefault", "ColWidth"} <= HARMLESS | {"Image", "Figure"}


def test_no_shortcode_opens_anywhere(hostile) -> None:
    prose = (
        "{{< env HOME >}} `{{< env HOME >}}` <<< env HOME >>>\n\n```\n{{< env HOME >}}\n```\n\n    {{< env HOME >}}\n"
    )
    source = table_of(list(hostile.values())) + markdown.render(View(parts=(Prose(markdown=prose),)), "en")
    assert "{{<" not in source.replace("\\", "")
    assert "<<<" not in source.replace("\\", "")


PROSE = [
    'One *two* **three** `four | five` ~~six~~ [seven](https://example.org "t").\nEight.',
    "# Head\n\nText\n\n## Head two",
    "- a\n- b\n  - c\n\n    d\n- e",
    "9. a\n10. b\n\n    ```python\n    x = 1\n    ```",
    "> quoted\n> > twice\n>\n> - list",
    "| a | b |\n|---|---|\n| 1 `x` | *2* |",
    "a  \nb\\\nc",
    "---\ntitle: x\n---\n\n***\n",
    "````\n```\ncode\n```\n````",
    "`` a`b `` and ` `` `",
    "1\\. not a list\n\n\\- nor this\n\n\\# nor a head",
    "![alt](https://example.org/x.png)",
    "***both*** and *a **b** c*",
]


@pytest.mark.parametrize("source", PROSE)
def test_prose_written_anew_says_the_same(read, source: str) -> None:
    original = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"]).render(source)
    anew = markdown.render(View(parts=(Prose(markdown=source),)), "en")
    blocks = read(anew)
    assert (
        elements(blocks)
        - {"AlignDefault", "ColWidthDefault", "ColWidth", "Decimal", "Period", "DefaultStyle", "DefaultDelim"}
        <= HARMLESS
    )
    assert "".join(words(blocks).split()) == "".join(plain_text(original).split())


def plain_text(drawn: str) -> str:
    """Return the text of HTML; an image is its alternative text."""
    from html.parser import HTMLParser  # noqa: PLC0415 - here only

    found: list[str] = []

    class Reader(HTMLParser):
        def handle_data(self, data: str) -> None:
            found.append(data)

        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            found.append(dict(attrs).get("alt") or "")

    Reader().feed(drawn)
    return "".join(found)


def test_prose_of_other_dialects_is_text(read, hostile) -> None:
    source = (
        "\n\n".join(storable(text) for text in hostile.values())
        + "\n\n::: {.x}\ny\n:::\n\n: def\n\n```{=html}\n<b>\n```\n\n\\newcommand{\\x}{y}\n"
    )
    blocks = read(markdown.render(View(parts=(Prose(markdown=source),)), "en"))
    assert (
        elements(blocks)
        - {"AlignDefault", "ColWidthDefault", "ColWidth", "Decimal", "Period", "DefaultStyle", "DefaultDelim"}
        <= HARMLESS
    )
    assert '"{=html}"' not in json.dumps(blocks)


def test_links_and_files_keep_their_addresses(read) -> None:
    table = from_lists([["a|b", "https://example.org/x?a=1&b=2"]], ["doc", "doc_url"])
    part = table_part(table, first_rows(table.rows)).model_copy(
        update={"full": FullTable(file="artefacts/a b.parquet", bytes=9)}
    )
    tree = json.dumps(read(markdown.render(View(parts=(part,)), "en", files=lambda name: name)))
    assert '["https://example.org/x?a=1&b=2", ""]' in tree
    assert '["artefacts/a%20b.parquet", ""]' in tree
