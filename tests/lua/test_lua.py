"""The Lua modules: their own tests, and that they say the same as Python wherever both draw."""

from __future__ import annotations

import json
import random
import subprocess
from pathlib import Path
from typing import Any

import pypandoc
import pytest

from famulus_kernel.artefacts.cells import byte_size, cell_text, is_numeric
from famulus_kernel.artefacts.characters import visible
from famulus_kernel.artefacts.labels import format_date
from famulus_kernel.artefacts.numbers import format_number, is_pattern
from famulus_kernel.artefacts.urls import safe_url

ROOT = Path(__file__).resolve().parents[2]
LANGUAGES = ("de", "en", "de-AT", "fr")
PATTERNS = (None, ",", "d", ",d", ".2f", ",.0f", "f", ".1%", ",.3%", "%")
TYPES = ("BIGINT", "DOUBLE", "DECIMAL(18,3)", "HUGEINT", "VARCHAR", "BOOLEAN", "DATE", "UTINYINT")


def pandoc_lua(script: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a Lua script in pandoc."""
    return subprocess.run(
        [pypandoc.get_pandoc_path(), "lua", str(script), *arguments], capture_output=True, text=True, check=False
    )


def in_lua(tmp_path: Path, expression: str, inputs: list[Any]) -> list[Any]:
    """Return what a Lua expression over `v` gives for each input; the modules are at hand under their names."""
    (tmp_path / "in.json").write_text(json.dumps(inputs), encoding="utf-8")
    script = tmp_path / "each.lua"
    script.write_text(
        f"dofile([[{ROOT / '_extensions/famulus/modules/load.lua'}]])\n"
        'local format, labels, text = require("famulus.format"), require("famulus.labels"), require("famulus.text")\n'
        f'local file = io.open([[{tmp_path / "in.json"}]], "rb")\n'
        'local inputs = pandoc.json.decode(file:read("a"), false)\n'
        "local out = {}\n"
        f"for at, v in ipairs(inputs) do out[at] = {{ {expression} }} end\n"
        "io.stdout:write(pandoc.json.encode(out))\n",
        encoding="utf-8",
    )
    done = pandoc_lua(script)
    assert done.returncode == 0, done.stderr
    return [value[0] if value else None for value in json.loads(done.stdout)]


def test_the_lua_tests_pass() -> None:
    done = pandoc_lua(ROOT / "tests" / "lua" / "run.lua")
    assert done.returncode == 0, done.stdout + done.stderr
    assert int(done.stdout.split(" cases")[0].rpartition("\n")[2]) > 50


def some_numbers() -> list[float | int | str]:
    rng = random.Random(5)
    numbers: list[float | int | str] = [0, -0.0, 1, 999, 1000, -1000, 0.001, 0.00099, 0.5, 1.5, 2.5, 1e15, 123456.78905]
    numbers += [rng.randrange(-(10**14), 10**14) for _ in range(40)]
    numbers += [rng.uniform(-1, 1) * 10 ** rng.randrange(-12, 20) for _ in range(120)]
    numbers += ["12345678901234567890", "-0.50", "NaN", "Infinity", "1.2.3", "007", ""]
    return numbers


def test_numbers_read_the_same_in_both_languages(tmp_path: Path) -> None:
    cases = [[n, lang, fmt] for n in some_numbers() for lang in LANGUAGES for fmt in PATTERNS]
    # JSON has one kind of number: what Lua reads as a float is an integer to Python, and above 1e15 the two differ.
    cases = [case for case in cases if not (isinstance(case[0], float) and abs(case[0]) >= 1e15)]
    told = [[n, lang, fmt or "none"] for n, lang, fmt in cases]
    found = in_lua(tmp_path, 'format.number(v[1], v[2], v[3] ~= "none" and v[3] or nil)', told)
    assert found == [format_number(n, lang, fmt) for n, lang, fmt in cases]


def test_patterns_are_the_same_ones(tmp_path: Path) -> None:
    pieces = ["", ",", ".", "2", "12", "123", "d", "f", "%", "x", ".2"]
    rng = random.Random(9)
    patterns = ["".join(rng.choice(pieces) for _ in range(rng.randrange(1, 5))) for _ in range(400)]
    assert in_lua(tmp_path, "format.is_pattern(v)", patterns) == [is_pattern(pattern) for pattern in patterns]


def test_cells_read_the_same_in_both_languages(tmp_path: Path) -> None:
    values = [True, False, 0, 1520, -3.5, "", "1520", "12345678901234567890", "x|y", "1,5", "ja"]
    cases = [[value, lang, kind] for value in values for lang in LANGUAGES for kind in TYPES]
    expected = [cell_text(value, lang, numeric=is_numeric(kind)) for value, lang, kind in cases]
    assert in_lua(tmp_path, "format.cell(v[1], v[2], v[3])", cases) == expected


def test_sizes_and_dates_read_the_same_in_both_languages(tmp_path: Path) -> None:
    sizes = [0, 1, 999, 1000, 1049, 12345, 999_949, 1_234_567, 10**10, 10**14, 10**17]
    assert in_lua(tmp_path, 'format.bytes(v, "de")', sizes) == [byte_size(size, "de") for size in sizes]
    dates = ["2026-09-22T10:00:00Z", "2026-01-01", "1520-13-01", "heute", "", "-044-03-15"]
    assert in_lua(tmp_path, 'labels.date(v, "en")', dates) == [format_date(date, "en") for date in dates]


def test_text_and_addresses_are_judged_the_same(tmp_path: Path) -> None:
    alphabet = [
        "a",
        "é",
        "/",
        ":",
        "\\",
        "?",
        "#",
        "http",
        "s://",
        "javascript:",
        "mailto:",
        "{",
        "<",
        " ",
        "\n",
        "\t",
        "\r",
        "\x00",
        "\x1b",
        "\x7f",
        "\x85",
        "\x9b",
        "\xa0",
        "\u2028",
        "\u202e",
        "\u2066",
        "\u200e",
        "\ufffe",
        "€",
        "//",
        "//host",
        "%20",
        "@",
        "'",
        '"',
        "|",
        "^",
        "`",
    ]
    rng = random.Random(3)
    texts = ["".join(rng.choice(alphabet) for _ in range(rng.randrange(1, 6))) for _ in range(1500)]
    assert in_lua(tmp_path, "text.visible(v)", texts) == [visible(one) for one in texts]
    assert in_lua(tmp_path, "text.url(v) or false", texts) == [safe_url(one) or False for one in texts]


@pytest.mark.parametrize("name", ["famulus-filter.lua", "famulus-shortcode.lua"])
def test_an_entry_file_finds_its_modules_from_any_folder(name: str, tmp_path: Path) -> None:
    script = tmp_path / "load.lua"
    entry = ROOT / "_extensions" / "famulus" / name
    script.write_text(
        f"PANDOC_SCRIPT_FILE = [[{entry}]]\nassert(type(dofile(PANDOC_SCRIPT_FILE)) == 'table')\n", encoding="utf-8"
    )
    assert pandoc_lua(script).returncode == 0
