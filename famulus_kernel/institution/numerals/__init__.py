"""Numbers in texts: digits, roman numerals, and the number words of German, English, French and Latin (spec 3.9)."""

from famulus_kernel.institution.numerals.finding import LANGUAGES, find_numerals
from famulus_kernel.institution.numerals.numeral import Numeral, Reading, Spoken

__all__ = ["LANGUAGES", "Numeral", "Reading", "Spoken", "find_numerals"]
