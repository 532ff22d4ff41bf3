"""Answers and rules in words, German or English by the document's language; every other language reads English."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from famulus_kernel.artefacts.labels import language_of
from famulus_kernel.artefacts.numbers import format_number

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from famulus_kernel.corpus.scope import Scope

    Words = Mapping[str, str]
    """A sentence in each language, with the names of what is put in between braces."""

_NOUNS: Final[Mapping[str, Mapping[str, tuple[str, str]]]] = {
    "letter": {"de": ("Brief", "Briefe"), "en": ("letter", "letters")},
    "letter-dative": {"de": ("Brief", "Briefen"), "en": ("letter", "letters")},
    "partner": {"de": ("Briefpartner", "Briefpartner"), "en": ("correspondent", "correspondents")},
    "partner-dative": {"de": ("Briefpartner", "Briefpartnern"), "en": ("correspondent", "correspondents")},
    "writer-dative": {"de": ("Schreibenden", "Schreibenden"), "en": ("writer", "writers")},
    "sentence": {"de": ("Satz", "Sätze"), "en": ("sentence", "sentences")},
    "sentence-dative": {"de": ("Satz", "Sätzen"), "en": ("sentence", "sentences")},
    "document-dative": {"de": ("Dokument", "Dokumenten"), "en": ("document", "documents")},
    "attestation": {"de": ("Beleg", "Belege"), "en": ("attestation", "attestations")},
    "mention-dative": {"de": ("Nennung", "Nennungen"), "en": ("mention", "mentions")},
    "mention": {"de": ("Nennung", "Nennungen"), "en": ("mention", "mentions")},
    "manuscript": {"de": ("Handschrift", "Handschriften"), "en": ("manuscript", "manuscripts")},
    "page-dative": {"de": ("Seite", "Seiten"), "en": ("page", "pages")},
    "entry": {"de": ("Eintrag", "Einträge"), "en": ("entry", "entries")},
}

_RULES: Final[Mapping[str, Words]] = {
    "collections": {"de": "Gelesen: {names}.", "en": "Read: {names}."},
    "evidence": {
        "de": "Primärquellen und Sekundärliteratur sind getrennt gezählt: Zahlen mit dem Zusatz _secondary gelten der "
        "Sekundärliteratur, die übrigen den Primärquellen.",
        "en": "Primary sources and secondary literature are counted apart: numbers that end in _secondary are those of "
        "the secondary literature, all others those of the primary sources.",
    },
    "letter": {
        "de": "Ein Brief ist eine letter_id, gleich wie viele Absender und Empfänger er hat. Einer, dem auf der "
        "Gegenseite jede Angabe fehlt, ist nicht mitgezählt, nur in n_unknown_partner.",
        "en": "A letter is one letter_id, however many senders and addressees it has. One that says nothing at all of "
        "the other side is left out, and counted as n_unknown_partner only.",
    },
    "partner": {
        "de": "Briefpartner ist jede Person (ent_id), die {centre} als Absender oder Empfänger gegenübersteht. "
        "{centre} selbst, Unbenannte und fehlende Angaben sind keine Partner; Briefe mit ihnen zählt "
        "n_unknown_partner.",
        "en": "A correspondent is every person (ent_id) opposite {centre} as sender or addressee. {centre} in person, "
        "the unnamed and missing parties are none; letters with them are counted as n_unknown_partner.",
    },
    "others": {"de": "Gezählt sind nur Briefe mit {names}.", "en": "Only letters with {names} are counted."},
    "sent": {
        "de": "Gezählt sind nur Briefe, die {centre} sandte.",
        "en": "Only letters that {centre} sent are counted.",
    },
    "received": {
        "de": "Gezählt sind nur Briefe, die {centre} empfing.",
        "en": "Only letters that {centre} received are counted.",
    },
    "years": {
        "de": "Gezählt ist, was sicher {period} datiert ist, beide Jahre eingeschlossen. Was nur möglicherweise in "
        "diese Zeit fällt (n_possible) und was kein Datum hat (n_undated), ist gesondert gezählt und steht "
        "unter den Belegen.",
        "en": "What is dated with certainty {period}, both years included, is counted. What only may fall into that "
        "time (n_possible) and what has no date (n_undated) is counted apart and stands among the findings.",
    },
    "no-years": {
        "de": "Alle Zeiten sind gezählt, auch Undatiertes (davon n_undated).",
        "en": "All times are counted, undated ones too (n_undated of them).",
    },
    "uncertain": {
        "de": "Was die Quelle selbst als unsicher bezeichnet, ist mitgezählt; n_uncertain sagt, wie viel davon.",
        "en": "What the source itself calls uncertain is counted too; n_uncertain says how much of it there is.",
    },
    "stated": {
        "de": "Was die Quelle selbst als unsicher bezeichnet, ist nicht mitgezählt, nur in n_uncertain.",
        "en": "What the source itself calls uncertain is left out, and counted as n_uncertain only.",
    },
    "sentence": {
        "de": "Ein Satz ist (doc_id, pidx, sent_idx); die Seite ist pidx + 1.",
        "en": "A sentence is (doc_id, pidx, sent_idx); the page is pidx + 1.",
    },
    "text-date": {
        "de": "Das Datum eines Textes ist das seines Briefes oder seiner Handschrift.",
        "en": "A text has the date of its letter or manuscript.",
    },
    "documents": {"de": "Nur die Dokumente {names}.", "en": "Only the documents {names}."},
    "language": {"de": "Nur Sätze der Sprachen {names}.", "en": "Only sentences in {names}."},
    "party": {
        "de": "Nur Texte aus Briefen von oder an {names}.",
        "en": "Only texts of letters from or to {names}.",
    },
}


def amount(number: int, noun: str, lang: str) -> str:
    """Return a number with its noun: `1 Brief`, `1.234 Briefe`."""
    one, many = _NOUNS[noun]["de" if language_of(lang) == "de" else "en"]
    return f"{format_number(number, lang)} {one if number == 1 else many}"


def say(words: Words, lang: str, **values: str) -> str:
    """Return a sentence in a language with its values put in."""
    return words["de" if language_of(lang) == "de" else "en"].format_map(values)


def rule(key: str, lang: str, **values: str) -> str:
    """Return a rule that several subtasks share."""
    return say(_RULES[key], lang, **values)


def sentences(*parts: str) -> str:
    """Return sentences as one text, empty ones left out."""
    return " ".join(part for part in parts if part)


def names(values: Iterable[str], lang: str) -> str:
    """Return `a, b und c`."""
    listed = list(values)
    if len(listed) < 2:  # noqa: PLR2004 - nothing to join
        return "".join(listed)
    return f"{', '.join(listed[:-1])} {say({'de': 'und', 'en': 'and'}, lang)} {listed[-1]}"


def period(scope: Scope, lang: str) -> str:
    """Return the years as they stand in a sentence: `von 1520 bis 1530`, `bis 44 v. Chr.`; "" where all are open."""
    first = _year(scope.first, lang) if scope.first is not None else ""
    last = _year(scope.last, lang) if scope.last is not None else ""
    if first and first == last:
        return say({"de": "im Jahr {first}", "en": "in the year {first}"}, lang, first=first)
    if first and last:
        return say({"de": "von {first} bis {last}", "en": "from {first} to {last}"}, lang, first=first, last=last)
    if first:
        return say({"de": "ab {first}", "en": "from {first} on"}, lang, first=first)
    return say({"de": "bis {last}", "en": "up to {last}"}, lang, last=last) if last else ""


def apart(counts: Mapping[str, int], lang: str) -> str:
    """Return the sentence on what may belong to the years and what has no date; "" where there is none of it."""
    possible, undated = counts.get("n_possible", 0), counts.get("n_undated", 0)
    parts = []
    if possible:
        parts.append(say({"de": "{n} möglicherweise in dieser Zeit", "en": "{n} possibly in that time"}, lang,
                         n=format_number(possible, lang)))  # fmt: skip
    if undated:
        parts.append(say({"de": "{n} ohne Datum", "en": "{n} without a date"}, lang, n=format_number(undated, lang)))
    both = names(parts, lang)
    return say({"de": "Gesondert gezählt: {both}.", "en": "Counted apart: {both}."}, lang, both=both) if both else ""


def unnamed(counts: Mapping[str, int], lang: str) -> str:
    """Return the sentence on letters whose other side nobody names, so that no reader takes the numbers for all."""
    number = counts.get("n_unknown_partner", 0)
    words = {
        "de": "Bei {letters} ist die Gegenseite unbenannt; wo jede Angabe fehlt, ist der Brief nicht mitgezählt.",
        "en": "{letters} do not name the other side; where nothing at all is said of it, the letter is left out.",
    }
    if number == 1:
        words["en"] = words["en"].replace("do not", "does not")
    return say(words, lang, letters=amount(number, "letter-dative", lang)) if number else ""


def _year(year: int, lang: str) -> str:
    if year > 0:
        return str(year)
    return say({"de": "{year} v. Chr.", "en": "{year} BC"}, lang, year=str(1 - year))


def scope_rules(scope: Scope, lang: str) -> tuple[str, ...]:
    """Return the rules on documents, languages and years that the scope sets."""
    found = []
    if scope.documents is not None:
        found.append(rule("documents", lang, names=names(scope.documents, lang)))
    if scope.has_years:
        found.append(rule("years", lang, period=period(scope, lang)))
    return tuple(found)
