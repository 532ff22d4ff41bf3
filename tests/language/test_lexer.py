"""Colours for blocks and `.fam` files, as nbconvert and documentation take them from Pygments."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name, get_lexer_for_filename, get_lexer_for_mimetype
from pygments.token import Comment, Generic, Keyword, Name, String, Text

from famulus_kernel.language.lexer import FamulusDocumentLexer, FamulusLexer

BLOCK = """#| label: x
---
id: zahl
partiturs:
  - id: duckdb-read
    input:
      sql: |
        SELECT count(*) AS n
        FROM letters
    artefact: t
---
Wie viele Briefe zählt {{ref:liste.tabelle}}?
"""


def tokens(text: str, lexer: type[FamulusLexer | FamulusDocumentLexer] = FamulusLexer) -> list[tuple[object, str]]:
    return [(token, piece) for _, token, piece in lexer().get_tokens_unprocessed(text)]


def test_each_part_of_a_block_has_its_own_colours() -> None:
    found = tokens(BLOCK)
    assert (Comment.Special, "#| label: x\n") in found
    assert found.count((Keyword.Declaration, "---\n")) == 2
    assert (Name.Tag, "id") in found
    assert (Keyword, "SELECT") in found
    assert (Name.Tag, "artefact") in found
    assert (String.Interpol, "{{ref:liste.tabelle}}") in found
    assert (Text, "Wie viele Briefe zählt ") in found


QUERIES = """---
partiturs:
  - {id: a, input: {sql: "SELECT 'a' FROM t", y: 2}, artefact: t}
  - {id: a, input: {sql: SELECT 1}}
  - input:
      sql: SELECT a
        FROM t # so
      "sql": 'SELECT ''x'' FROM t'
  - sql: >-

      SELECT c
        FROM t
    mysql: select 0
steps: [{sql:
   "SELECT d"}]
request: |
  sql: select 0
---
sql: select 0
"""


def test_sql_is_found_in_every_form_that_yaml_has_for_it_and_nowhere_else() -> None:
    found = tokens(QUERIES)
    words = [piece for token, piece in found if token is Keyword]
    assert words.count("SELECT") == QUERIES.count("SELECT")
    assert words.count("FROM") == QUERIES.count("FROM")
    assert "select" not in words
    assert (Name.Tag, " artefact") in found, "what follows a query is YAML again"


def test_a_preamble_that_is_not_right_yet_has_the_colours_of_what_is() -> None:
    found = tokens("---\nsql: SELECT 1\nid: [\n---\n")
    assert (Keyword, "SELECT") in found
    assert (Name.Tag, "id") in found


def test_a_file_is_markdown_with_blocks() -> None:
    found = tokens(
        f"# Titel\n\n```{{famulus}}\n{BLOCK}```\n\nText.\n\n- ```{{famulus}}\n  ---\n  id: y\n  ---\n  ```\n",
        FamulusDocumentLexer,
    )
    assert (Generic.Heading, "# Titel") in found
    assert (Generic.Subheading, "```{famulus}\n") in found
    assert (Keyword, "SELECT") in found


def test_pygments_finds_the_lexers_by_name_file_and_type() -> None:
    assert isinstance(get_lexer_by_name("famulus"), FamulusLexer)
    assert isinstance(get_lexer_for_mimetype("text/x-famulus"), FamulusLexer)
    assert isinstance(get_lexer_for_filename("a.fam"), FamulusDocumentLexer)
    assert "SELECT" in highlight(BLOCK, FamulusLexer(), HtmlFormatter())


PIECES = st.lists(
    st.sampled_from(
        [
            "---\n",
            "#| a: b\n",
            "id: x\n",
            "  sql: |\n",
            "    SELECT 1\n",
            "sql: 'SELECT",
            '{sql: "',
            "}",
            "'",
            "```{famulus}\n",
            "```\n",
            "{{ref:a.b}}",
            "\n",
            "text ",
            "\ufeff",
            "- ",
            "> ",
            "\r\n",
            "\x00",
        ]
    ),
    max_size=14,
)


@given(PIECES)
def test_no_character_is_lost_or_moved(pieces: list[str]) -> None:
    text = "".join(pieces)
    for lexer in (FamulusLexer(), FamulusDocumentLexer()):
        at = 0
        for offset, _, piece in lexer.get_tokens_unprocessed(text):
            assert offset == at
            at += len(piece)
            assert text[offset:at] == piece
        assert at == len(text)
