"""What a card of the page says of the oracle: its order, which JSON in Lua loses, and its note (spec 6.2)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from famulus_kernel.store.manifest import Verdict

if TYPE_CHECKING:
    from collections.abc import Callable


def keys_shown(page: str) -> list[str]:
    """Return the first cells of the oracle's rows."""
    table = page.partition("famulus-oracle")[2].partition("</table>")[0]
    return re.findall(r"<tr[^>]*>\s*<t[dh][^>]*>(.*?)</t[dh]>", table.partition("<tbody>")[2], re.DOTALL)


def of(oracle: dict[str, Any]) -> Verdict:
    """Return a verdict of which every key holds."""
    observed = {key: {"value": value, "ok": True} for key, value in oracle.items() if key != "note"}
    return Verdict(id="z", golden=None, status="pass", oracle=oracle, observed={**observed, "score": 1.0})


def test_the_rows_of_the_oracle_stand_in_the_order_of_the_block(project: Any, draw: Callable[..., Any]) -> None:
    oracle = {"z": 1, "a": {"min": 1, "max": 2}, "m": ["b", "a"], 'k": "': "x", "q\\": "y", "0": 3, "ä": '": ', "b": 4}
    project.block("z", verdict=of(oracle))
    drawn = draw(project.page("{{< famulus z card >}}\n"))
    assert drawn.problems == []
    assert [key.replace("&quot;", '"') for key in keys_shown(drawn.text)] == list(oracle)


def test_the_note_stands_below_the_rows_and_alone_where_there_are_none(project: Any, draw: Callable[..., Any]) -> None:
    project.block("z", verdict=of({"n": 1, "note": "counted by hand {{< env HOME >}}"}))
    project.block("y", verdict=of({"note": "to be counted"}))
    drawn = draw(project.page("---\nlang: de\n---\n\n{{< famulus z card >}}\n\n{{< famulus y card >}}\n"))
    assert keys_shown(drawn.text) == ["n"]
    assert "Anmerkung: counted by hand {{&lt; env HOME &gt;}}" in drawn.text
    assert "Anmerkung: to be counted" in drawn.text
    assert drawn.text.count('<p class="famulus-note">') == 2


def test_an_oracle_without_a_note_has_no_line_for_it(project: Any, draw: Callable[..., Any]) -> None:
    project.block("z", verdict=of({"n": 1}))
    assert "famulus-note" not in draw(project.page("{{< famulus z card >}}\n")).text
