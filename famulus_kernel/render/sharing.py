"""What pages of a site share and only all of them together know: the styles of elements, the index of the search."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from famulus_kernel.render.composing import ASSETS
from famulus_kernel.render.navigation import quoted
from famulus_kernel.render.search import INDEX, entry, write_index
from famulus_kernel.render.styles import SHEET, without_styles, write_styles

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Share:
    """What one page gives to it: rules by class, and its entry in the index."""

    styles: dict[str, str] = field(default_factory=dict)
    searched: tuple[list[Any], ...] = ()


def shared(html: str, *, address: str, title: str, body: str) -> tuple[str, Share]:
    """Return a page without the styles of its elements, and what it shares.

    Parameters
    ----------
    html
        The whole page.
    address
        The page's file, from the site's root.
    title, body
        What readers find it by: plain text, and the HTML of its text.
    """
    html, rules = without_styles(html)
    return html, Share(rules, (entry(quoted(address), title, body),))


def write_shared(output: Path, shares: Sequence[Share], *, others: Iterable[str] = ()) -> None:
    """Write it beside the pages.

    Parameters
    ----------
    output
        The folder of the site.
    shares
        Of the pages that were made.
    others
        Addresses of pages that were not made now: what is there of them stays.
    """
    kept = tuple(others)
    rules = {name: style for share in shares for name, style in share.styles.items()}
    write_styles(output / ASSETS / SHEET, rules, keep=bool(kept))
    addresses = [quoted(one) for one in kept]
    write_index(output / ASSETS / INDEX, [one for share in shares for one in share.searched], keep=addresses)
