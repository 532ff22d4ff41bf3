from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from famulus_kernel.artefacts.numbers import format_number, is_number_text, is_pattern
from famulus_kernel.resources import extension_dir

if TYPE_CHECKING:
    from pathlib import Path

LUA = """
dofile(pandoc.path.join({ arg[1], "modules", "load.lua" }))
local format = require("famulus.format")
local written = {}
for at, case in ipairs(pandoc.json.decode(io.open("cases.json"):read("a"), false)) do
  written[at] = format.number(case[1], case[2], type(case[3]) == "string" and case[3] or nil, case[4])
end
io.write(pandoc.json.encode(written))
"""
PATTERNS = [None, ",", "d", ",d", "f", ".0f", ",.2f", ".10f", ".1%", ",.0%", "%"]


@pytest.mark.parametrize(
    ("value", "german", "english"),
    [
        (0, "0", "0"),
        (-0.0, "0", "0"),
        (999, "999", "999"),
        (1234, "1.234", "1,234"),
        (-1234567, "-1.234.567", "-1,234,567"),
        (75.0, "75", "75"),
        (1234567.891, "1.234.567,891", "1,234,567.891"),
        (1 / 3, "0,3333", "0.3333"),
        (0.5, "0,5", "0.5"),
        (0.00012, "1,2e-4", "1.2e-4"),
        (-2.5e20, "-2,5e20", "-2.5e20"),
        (float("nan"), "NaN", "NaN"),
        (float("-inf"), "-Infinity", "-Infinity"),
        ("123456789012345678901234.50", "123.456.789.012.345.678.901.234,50", "123,456,789,012,345,678,901,234.50"),
        ("NaN", "NaN", "NaN"),
    ],
)
def test_a_number_is_written_as_its_language_writes_it(value: float | str, german: str, english: str) -> None:
    assert format_number(value, "de-AT") == german
    assert format_number(value, "en") == english
    assert format_number(value, "la") == english, "a language that is not shipped reads English"


@pytest.mark.parametrize(
    ("fmt", "german", "english"),
    [
        (",.2f", "1.234,50", "1,234.50"),
        (".2f", "1234,50", "1234.50"),
        ("d", "1234", "1234"),
        (",d", "1.234", "1,234"),
        (",", "1.234,5", "1,234.5"),
        ("f", "1234,500000", "1234.500000"),
        (".1%", "123450,0\u00a0%", "123450.0%"),
        (",.1%", "123.450,0\u00a0%", "123,450.0%"),
    ],
)
def test_a_pattern_says_groups_decimals_and_percent(fmt: str, german: str, english: str) -> None:
    assert (format_number(1234.5, "de", fmt), format_number(1234.5, "en", fmt)) == (german, english)


@given(
    st.floats(allow_nan=False, allow_infinity=False, min_value=-1e12, max_value=1e12),
    st.sampled_from([",.2f", ".3f", ".1%"]),
)
def test_patterns_mean_what_they_mean_in_python(value: float, fmt: str) -> None:
    expected = format(value, fmt)
    expected = expected.lstrip("-") if not expected.strip("-0.,%") else expected
    assert format_number(value, "en", fmt) == expected


@pytest.mark.parametrize("fmt", ["", "x", "s", "10d", ".2d", "{}", ",.2f\n", ".2", "e", ".100f", "+d", "_d", ".٢f"])
def test_a_pattern_outside_the_subset_is_refused_by_name(fmt: str) -> None:
    assert not is_pattern(fmt)
    with pytest.raises(ValueError, match="not a number format"):
        format_number(1, "en", fmt)


@given(st.integers())
def test_a_number_that_came_as_text_keeps_every_digit(value: int) -> None:
    text = str(value)
    assert is_number_text(text)
    assert format_number(text, "de").replace(".", "") == text
    assert format_number(text, "de", ".2f") == text


def test_lua_writes_the_same_numbers(pandoc: str, tmp_path: Path) -> None:
    values = [0, 7, 999, 1000, -1234567, 2**53, 0.1, -0.5, 1 / 3, 2 / 3, 0.001, 0.0009999, 12.5, 1e15, 1.5e-7, -2.5e20]
    values += [123456.789, 0.00005, 99.99995, 0.5, 1.5, 2.5, "123456789012345678901234", "-12.50", "12.5.6", "abc"]
    cases = [
        [value, lang, fmt, isinstance(value, int)]
        for value in values
        for lang in ("de", "en", "fr")
        for fmt in PATTERNS
    ]
    (tmp_path / "cases.json").write_text(json.dumps(cases))
    (tmp_path / "numbers.lua").write_text(LUA)
    command = [pandoc, "lua", "numbers.lua", str(extension_dir())]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    for case, found in zip(cases, json.loads(ran.stdout), strict=True):
        assert found == format_number(*case[:3]), case
