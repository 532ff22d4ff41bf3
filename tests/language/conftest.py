"""What several tests of the language draw from: documents made of the pieces that matter to a markdown parser."""

from __future__ import annotations

import pytest
from hypothesis import strategies as st

_PREFIXES = ("", "", "", "> ", ">", "- ", "* ", "1. ", "2) ", "  ", "   ", "    ", "\t", "- - ", "> - ", "10. ")
_CONTENTS = (
    "", "", "words", "a `code` b", "```", "```{famulus}", "````{famulus .k v=1}", "~~~{famulus}", "~~~~", "~~~",
    "``` {famulus}", "```{famulus} no", "```python", "---", "===", "# heading", "***", "id: a", "``", "`` x", "-",
    "<pre>", "</pre>", "<?x", "?>", "\\", "caf\u00e9 \u2028 \x0b", "\ufeff",
)  # fmt: skip
_COMMENTS = ("<!-- c -->", "<!--", "-->", "x <!-- y", "x --> y", "`<!--`")


@pytest.fixture(scope="session")
def lines() -> st.SearchStrategy[str]:
    """Lines with containers and leaves, but without comments."""
    return st.builds("{}{}".format, st.sampled_from(_PREFIXES), st.sampled_from(_CONTENTS))


@pytest.fixture(scope="session")
def documents(lines: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Texts with fences, lists, quotes, comments, a front matter now and then, and any line breaks."""
    comments = st.builds("{}{}".format, st.sampled_from(_PREFIXES), st.sampled_from(_COMMENTS))
    breaks = st.sampled_from(["\n", "\n", "\n", "\r\n", "\r"])
    mixed = st.lists(st.tuples(lines | comments | st.text(max_size=6), breaks), max_size=14).map(
        lambda pairs: "".join(line + end for line, end in pairs)
    )
    uniform = st.tuples(st.lists(lines | comments, max_size=14), st.sampled_from(["\n", "\r\n"])).map(
        lambda drawn: drawn[1].join(drawn[0])
    )
    start = st.sampled_from(["", "", "\ufeff", "---\ntitle: x\n---\n", "\ufeff---\nfamulus: {id: n}\n...\n", "\n\n"])
    return st.builds(str.__add__, start, mixed | uniform)
