from __future__ import annotations

import pytest
from markdown_it import MarkdownIt

from famulus_kernel.artefacts.build import TablePayload
from famulus_kernel.errors import ArtefactError


def test_the_result_stays_as_it_is(build) -> None:
    result = {"n": 2**70, "rows": [{"a": None}], "ok": True, "text": "{{< env HOME >}}"}
    assert build("json", result).data == result


def test_short_fields_are_facts_and_the_rest_is_json(build) -> None:
    facts, code = build("json", {"n": 2**70, "ok": True, "none": None, "rows": [1]}).view.parts
    assert [(fact.label.text, fact.value) for fact in facts.items] == [("n", str(2**70)), ("ok", True), ("none", None)]
    assert code.markdown == '```json\n{\n  "rows": [\n    1\n  ]\n}\n```\n'


@pytest.mark.parametrize(
    ("result", "parts"), [({"a": 1}, ["facts"]), ([1], ["prose"]), ("a", ["prose"]), ({}, ["prose"]), ([], ["prose"])]
)
def test_every_value_of_json_has_a_view(build, result: object, parts: list[str]) -> None:
    assert [part.type for part in build("json", result).view.parts] == parts


def test_no_value_ends_the_code_it_is_shown_in(build) -> None:
    (part,) = build("json", ["````\n```\n# out"] * 3).view.parts
    assert [token.type for token in MarkdownIt().parse(part.markdown)] == ["fence"]


def test_a_large_result_is_shown_in_part(build) -> None:
    (part,) = build("json", list(range(100_000))).view.parts
    assert len(part.markdown) < 17_000
    assert "…" in part.markdown


def test_a_result_without_end_is_refused(build) -> None:
    endless: dict[str, object] = {}
    endless["self"] = endless
    with pytest.raises(ArtefactError, match="nested more than 100 deep"):
        build("json", endless)


def test_rows_of_a_query_are_mappings(build) -> None:
    table = TablePayload((("place", "VARCHAR"), ("n", "BIGINT")), (("Basel", 3), (None, 1)), 2)
    assert build("json", table).data == [{"place": "Basel", "n": 3}, {"place": None, "n": 1}]
