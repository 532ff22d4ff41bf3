"""Numbers as readers of a language write them: 1.234,5 in German, 1,234.5 in English (spec 5.4).

The rules, which `modules/format.lua` follows to the letter:

- German groups with a point and parts decimals with a comma; every other language the other way round. Groups
  of three begin at 1,000. The minus sign is a hyphen.
- Without a pattern an integer is grouped; a float that is whole and below 1e15 is written like an integer;
  another from 0.001 to below 1e15 as C's `%.4f` without the zeros at its end, grouped; any other as C's
  `%.3e` without the zeros at the end of its mantissa and without plus sign and leading zeros in its exponent:
  1,5e-7.
- A pattern is a part of Python's format mini-language, `[,][.N](d|f|%)` or `,` alone, N from 0 to 99: `,`
  groups; without it nothing is grouped. `d` rounds to an integer (C's `%.0f`: half to even). `f` writes N
  decimals (6 without `.N`), zeros kept. `%` multiplies by 100, writes N decimals (6 without `.N`) and adds
  `%`, in German after a no-break space (U+00A0). `d` takes no `.N`. `,` alone is the rule without pattern.
- A number that comes as text (JSON cannot carry it) is never rounded: its digits are grouped, or, where a
  pattern has no `,`, left as they are. The rest of the pattern does not apply to it. Text that is no number
  (`NaN`) stays as it is.
"""

from __future__ import annotations

import math
import re
from typing import Final

from famulus_kernel.artefacts.labels import language_of
from famulus_kernel.artefacts.values import not_finite
from famulus_kernel.artefacts.view import PATTERN

_PLAIN_NUMBER: Final = re.compile(r"(-?)([0-9]+)(?:\.([0-9]+))?")
_SMALLEST: Final = 1e-3
_LARGEST: Final = 1e15
_GROUP: Final = 3


def format_number(value: float | str, lang: str, fmt: str | None = None) -> str:
    """Return a number as text in a language.

    Parameters
    ----------
    value : int, float or str
        The number; a str is a number whose digits must all be kept.
    lang : str
        A BCP 47 tag.
    fmt : str, optional
        A pattern as the module describes it.

    Returns
    -------
    str

    Raises
    ------
    ValueError
        `fmt` is not one of the patterns.
    """
    if fmt is not None and not is_pattern(fmt):
        raise ValueError(f"{fmt!r} is not a number format; write one such as ,.2f or ,d or .1%")
    grouped = fmt is None or fmt.startswith(",")
    if isinstance(value, str):
        return _localised(value, lang, grouped=grouped)
    if not math.isfinite(value):
        return not_finite(value)
    kind = fmt[-1] if fmt else ","
    if kind == ",":
        return _localised(_plain(value), lang, grouped=True)
    if kind == "d":
        digits = str(value) if isinstance(value, int) else f"{value:.0f}"
        return _localised(_no_minus_zero(digits), lang, grouped=grouped)
    decimals = int(re.sub(r"[^0-9]", "", fmt or "") or 6)
    sign = "" if kind == "f" else "\u00a0%" if language_of(lang) == "de" else "%"
    number = f"{value * (1 if kind == 'f' else 100):.{decimals}f}"
    return _localised(_no_minus_zero(number), lang, grouped=grouped) + sign


def is_pattern(fmt: str) -> bool:
    """Return whether `fmt` is a pattern of this module."""
    return re.fullmatch(PATTERN, fmt) is not None


def is_number_text(text: str) -> bool:
    """Return whether `text` is a number that JSON could not carry: digits, perhaps minus and decimals."""
    return _PLAIN_NUMBER.fullmatch(text) is not None


def _plain(value: float) -> str:
    if isinstance(value, int):
        return str(value)
    if value.is_integer() and abs(value) < _LARGEST:
        return str(int(value))
    if _SMALLEST <= abs(value) < _LARGEST:
        return f"{value:.4f}".rstrip("0").rstrip(".")
    mantissa, _, exponent = f"{value:.3e}".partition("e")
    return f"{mantissa.rstrip('0').rstrip('.')}e{int(exponent)}"


def _no_minus_zero(number: str) -> str:
    return number.lstrip("-") if not number.strip("-0.") else number


def _localised(number: str, lang: str, *, grouped: bool) -> str:
    group, point = (".", ",") if language_of(lang) == "de" else (",", ".")
    mantissa, e, exponent = number.partition("e")
    found = _PLAIN_NUMBER.fullmatch(mantissa)
    if not found:
        return number
    minus, whole, decimals = found.groups()
    if grouped:
        first = len(whole) % _GROUP
        groups = [whole[:first]] if first else []
        groups += [whole[at : at + _GROUP] for at in range(first, len(whole), _GROUP)]
        whole = group.join(groups)
    return minus + whole + (point + decimals if decimals else "") + e + exponent
