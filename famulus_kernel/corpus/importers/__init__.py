"""Making a collection out of what others publish: CMIF, tables of letters and manuscripts, CoNLL-U (spec 4.2).

Each importer streams its files into a collection built beside the old one, which takes its place when it is whole.
Nothing is dropped silently: what was read is what was kept, and what is listed with file and line.
"""

from __future__ import annotations

from famulus_kernel.corpus.importers.letters import import_cmif, import_table
from famulus_kernel.corpus.importers.manuscripts import import_manuscripts
from famulus_kernel.corpus.importers.reading import Reading
from famulus_kernel.corpus.importers.report import Note, Report
from famulus_kernel.corpus.importers.texts import import_conllu, import_stanza

__all__ = [
    "Note",
    "Reading",
    "Report",
    "import_cmif",
    "import_conllu",
    "import_manuscripts",
    "import_stanza",
    "import_table",
]
