from __future__ import annotations

import pytest

from famulus_kernel.artefacts.kinds.markdown import VIEW_CHARACTERS
from famulus_kernel.errors import ArtefactError


@pytest.mark.parametrize("payload", ["# A *text*", {"content": "# A *text*"}])
def test_a_text_is_kept_and_shown_as_prose(build, payload: object) -> None:
    built = build("markdown", payload)
    assert built.data == {"content": "# A *text*"}
    assert built.view.parts[0].markdown == "# A *text*"
    assert built.companions == ()


@pytest.mark.parametrize("payload", [None, 3, {}, {"content": 3}, ["a"]])
def test_what_is_no_text_is_refused(build, payload: object) -> None:
    with pytest.raises(ArtefactError, match="needs a text"):
        build("markdown", payload)


def test_a_long_text_is_shown_up_to_a_paragraph_and_kept_whole(build) -> None:
    content = "\n\n".join(["word " * 200] * 200)
    built = build("markdown", content)
    shown = built.view.parts[0].markdown
    assert built.data["content"] == content
    assert len(shown) <= VIEW_CHARACTERS
    assert shown.endswith("word\n\n…\n")


def test_a_lone_surrogate_cannot_break_the_file(build) -> None:
    assert build("markdown", "a\ud800b").data == {"content": "a\ufffdb"}
