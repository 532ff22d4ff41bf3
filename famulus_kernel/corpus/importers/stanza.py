"""Running Stanza over plain texts, where it is installed (spec 4.2).

A file is a document with the file's name; a form feed begins a page. Models are those on this machine, in Stanza's own
folder or the one that `STANZA_RESOURCES_DIR` names: nothing is fetched.
"""

from __future__ import annotations

import importlib
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Final

from famulus_kernel.corpus.importers.csv_rows import first_line_not_utf8
from famulus_kernel.corpus.importers.names import spaced
from famulus_kernel.corpus.importers.sentence import Mention, SourceSentence, Word
from famulus_kernel.errors import ImportRefused, MissingExtra, Where

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from famulus_kernel.corpus.importers.letter import Unreadable

    Annotate = Callable[[str], Any]
    """Text to a Stanza document: `sentences` with `text`, `words` and `ents`."""

_PROCESSORS: Final = (
    "tokenize,mwt,pos,lemma,ner", "tokenize,pos,lemma,ner", "tokenize,mwt,pos,lemma", "tokenize,pos,lemma",
)  # fmt: skip
"""What is tried: not every language has surface words of several words, and not every one has models of names."""
_PAGE: Final = "\f"


def annotator(lang: str) -> tuple[Annotate, bool]:
    """Return Stanza's pipeline for a language, and whether it finds names.

    Raises
    ------
    MissingExtra
        Stanza is not installed.
    ImportRefused
        It has no models of that language on this machine.
    """
    try:
        library = importlib.import_module("stanza")
    except ImportError:
        raise MissingExtra.of("Stanza", "stanza") from None
    for processors in _PROCESSORS:
        try:
            # What it logs of a step that the language lacks would pass for an error of the import.
            pipeline: Annotate = library.Pipeline(
                lang, processors=processors, download_method=None, logging_level="CRITICAL"
            )
        except Exception as error:  # Stanza raises what its parts raise
            problem = error
        else:
            return pipeline, "ner" in processors
    raise ImportRefused.no_models(lang, " ".join(str(problem).split())) from None


def read_sentences(path: Path, lang: str, annotate: Annotate) -> Iterator[SourceSentence | Unreadable]:
    """Yield every sentence that Stanza finds in a text, page by page.

    Raises
    ------
    ImportRefused
        The file is not UTF-8.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise ImportRefused.encoding(error.reason).at(Where(str(path), first_line_not_utf8(path))) from None
    begins = True
    line = 1
    for pidx, page in enumerate(text.split(_PAGE)):
        for sentence in annotate(page).sentences if page.strip() else ():
            words = tuple(
                Word(tid, spaced(word.text), word.lemma or None, word.upos or None)
                for tid, word in enumerate(sentence.words, 1)
            )
            mentions = tuple(Mention(spaced(found.text), found.type) for found in getattr(sentence, "ents", ()))
            whole = spaced(sentence.text)
            yield SourceSentence(path.name, line, PurePath(path.name).stem, pidx, lang, whole, words, mentions, begins)
            begins = False
        line += page.count("\n")
