"""Files as badly made as files are: whatever they hold, each letter and sentence is kept or named."""

from __future__ import annotations

from typing import Any

import pytest
from importing import A, B, Place, cmif, letter, person

from famulus_kernel.errors import ImportRefused

DAY = '<date when="1522-05-03"/>'
ROWS = "1\tPax\tpax\tNOUN\t_\t_\t_\t_\t_\t_\n2\test\tsum\tAUX\t_\t_\t_\t_\t_\t_\n\n"
GLUED = ROWS.rstrip("\n") + "\n"


def actions(sent: str, received: str) -> str:
    """Return a letter whose actions are of these types."""
    return (
        f'<correspDesc key="1"><correspAction{sent}>{A}{DAY}</correspAction>'
        f"<correspAction{received}>{B}</correspAction></correspDesc>"
    )


CMIF = {
    "types in another case, with blanks": (
        cmif(actions(' type=" Sent "', ' type="RECEIVED"')), 1, 0, {},
        [("gnd:118541013", "gnd:118616099", "1522-05-03")],
    ),
    "actions without a type, or of another": (
        cmif(actions("", ' type="forwarded"')), 1, 0,
        {"other-action": 2, "no-sender": 1, "no-recipient": 1, "undated": 1}, [(None, None, None)],
    ),
    "a number inside the name": (
        cmif(letter("1", '<persName>Anna <idno type="GND">118541013</idno></persName>', B)), 1, 0, {},
        [("gnd:118541013", "gnd:118616099", "1522-05-03")],
    ),
    "a link inside the name": (
        cmif(letter("1", '<persName><ref target="https://d-nb.info/gnd/118541013">Anna</ref></persName>', B)), 1, 0, {},
        [("gnd:118541013", "gnd:118616099", "1522-05-03")],
    ),
    "dates for ISO and of other calendars": (
        cmif(letter("1", A, B, '<date when-iso="1522-05-03"/>'), letter("2", A, B, '<date when-custom="1522-05"/>')),
        2, 0, {}, [("gnd:118541013", "gnd:118616099", "1522-05-03"), ("gnd:118541013", "gnd:118616099", "1522-05")],
    ),
    "an entity that nobody declared": (
        cmif(letter("1", person("Anna&nbsp;M."), B), letter("2", A, B)), 1, 1, {"malformed": 1},
        [("gnd:118541013", "gnd:118616099", "1522-05-03")],
    ),
    "a sign that XML does not know": (
        cmif(letter("1", person("An\0na"), B), letter("2", A, B)), 1, 1, {"malformed": 1},
        [("gnd:118541013", "gnd:118616099", "1522-05-03")],
    ),
    "a letter inside a letter": (
        cmif(f'<correspDesc key="1">{letter("2", A, B)}</correspDesc>'), 1, 1, {},
        [("gnd:118541013", "gnd:118616099", "1522-05-03")],
    ),
    "years beyond all calendars": (
        cmif(letter("1", A, B, '<date when="Y-170000002"/>'), letter("2", A, B, '<date when="99999-01-01"/>')), 2, 0,
        {"date": 2},
        [("gnd:118541013", "gnd:118616099", "Y-170000002"), ("gnd:118541013", "gnd:118616099", "99999-01-01")],
    ),
    "letters that say nothing": (
        cmif('<correspDesc key="1"/>', "<correspDesc/>"), 2, 0, {"undated": 2, "no-sender": 2, "no-recipient": 2},
        [(None, None, None), (None, None, None)],
    ),
    "lines of an old Macintosh": (
        cmif(letter("1", A, B)).replace("\n", "\r"), 1, 0, {}, [("gnd:118541013", "gnd:118616099", "1522-05-03")],
    ),
    "a file that is cut off": (
        cmif(letter("1", A, B), letter("2", A, B))[:-200], 1, 1, {"malformed": 1},
        [("gnd:118541013", "gnd:118616099", "1522-05-03")],
    ),
}  # fmt: skip

CONLLU = {
    "pages of folios": (
        f"# page = 12r\n{ROWS}# page = 12r\n{ROWS}# page = 12v\n{ROWS}", 3, 0, {"page": 2},
        [("a", 0, 0, "Pax est"), ("a", 0, 1, "Pax est"), ("a", 1, 0, "Pax est")],
    ),
    "a page beyond all numbers": (f"# page = 99999999999\n{ROWS}", 1, 0, {"page": 1}, [("a", 0, 0, "Pax est")]),
    "a page 0, and a comment block before its sentence": (
        f"# page = 0\n\n{ROWS}", 1, 0, {"page": 1}, [("a", 0, 0, "Pax est")],
    ),
    "no blank line between": (
        f"{GLUED}# sent_id = 2\n{ROWS}", 2, 0, {"glued": 1}, [("a", 0, 0, "Pax est"), ("a", 0, 1, "Pax est")],
    ),
    "a surface form that spans to nowhere": (
        f"1-9999999999999999999\tdas\t_\t_\t_\t_\t_\t_\t_\t_\n{ROWS}", 1, 0, {"range": 1}, [("a", 0, 0, "Pax est")],
    ),
    "a surface form that runs backwards": (
        f"3-2\tdas\t_\t_\t_\t_\t_\t_\t_\t_\n{ROWS}", 1, 0, {"range": 1}, [("a", 0, 0, "Pax est")],
    ),
    "blanks for tabs": (ROWS.replace("\t", "  ") + ROWS, 1, 1, {}, [("a", 0, 0, "Pax est")]),
    "a column too many": (ROWS.replace("_\n", "_\t\n", 1) + ROWS, 1, 1, {}, [("a", 0, 0, "Pax est")]),
    "another encoding in one sentence": (
        ROWS.replace("Pax", "Päx").encode("latin-1") + ROWS.encode(), 1, 1, {}, [("a", 0, 0, "Pax est")],
    ),
    "separators of lines that are none here": (
        ROWS.replace("Pax", "P\u2028\x85x"), 1, 0, {}, [("a", 0, 0, "P x est")],
    ),
    "a sign of nothing": (ROWS.replace("Pax", "P\0x"), 1, 0, {}, [("a", 0, 0, "P\0x est")]),
    "a document named to do harm": (
        f"# newdoc id = ../../x'; DROP TABLE stz_tokens; --\n{ROWS}", 1, 0, {},
        [("../../x'; DROP TABLE stz_tokens; --", 0, 0, "Pax est")],
    ),
    "a text without words": (f"# text = nichts\n\n{ROWS}", 1, 1, {}, [("a", 0, 0, "Pax est")]),
    "a language that is none": (f"# newdoc id = d\n# lang =\n{ROWS}", 1, 0, {}, [("d", 0, 0, "Pax est")]),
}  # fmt: skip


@pytest.mark.parametrize("name", CMIF)
def test_no_letter_is_lost_silently(place: Place, name: str) -> None:
    content, kept, rejected, odd, rows = CMIF[name]
    report = place.cmif(content)
    assert (report.read, report.kept, len(report.rejects)) == (kept + rejected, kept, rejected)
    assert all(note.line > 0 for note in report.rejects)
    assert report.counts == odd
    assert place.letters("SELECT sender_id, recipient_id, date_when FROM letters_resolved") == rows


@pytest.mark.parametrize("name", CONLLU)
def test_no_sentence_is_lost_silently(place: Place, name: str) -> None:
    content, kept, rejected, odd, rows = CONLLU[name]
    report = place.conllu(content, lang="la")
    assert (report.read, report.kept, len(report.rejects)) == (kept + rejected, kept, rejected)
    assert all(note.line > 0 for note in report.rejects)
    assert report.counts == odd
    assert place.texts("SELECT doc_id, pidx, sent_idx, text FROM stz_sentences") == rows
    assert place.texts("SELECT DISTINCT lang FROM stz_sentences") == [("la",)]


OTHER = cmif(letter("1", A, B)).replace("correspDesc", "CorrespDesc")


@pytest.mark.parametrize("content", [OTHER, "<html/>", b"\x1f\x8b\0"])
def test_what_is_no_list_of_letters_is_refused_whole(place: Place, content: Any) -> None:
    with pytest.raises(ImportRefused, match=r"no letter|packed"):
        place.cmif(content)


@pytest.mark.parametrize("content", [ROWS.encode("utf-16"), ROWS.replace("\n", "\r"), "{}"])
def test_what_is_no_treebank_is_refused_whole(place: Place, content: Any) -> None:
    with pytest.raises(ImportRefused, match="no sentence"):
        place.conllu(content)
