"""Subtask `register-inventory`: what a register holds (spec 4.4)."""

# ruff: noqa: S608 - identifiers and texts in this SQL are quoted, all else is ours

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from famulus_kernel.corpus.collection import quoted
from famulus_kernel.corpus.subtasks.answer import Answer, Question
from famulus_kernel.corpus.subtasks.counting import by_evidence
from famulus_kernel.corpus.subtasks.partners import document_ids
from famulus_kernel.corpus.subtasks.payloads import listing
from famulus_kernel.corpus.subtasks.wording import amount, names, rule, say
from famulus_kernel.corpus.texts import page_url
from famulus_kernel.errors import CollectionError, UnboundInput

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from famulus_kernel.corpus.collection import File
    from famulus_kernel.corpus.holdings import Holdings, Member
    from famulus_kernel.corpus.subtasks.wording import Words

SENTENCE: Final[Words] = {
    "de": "Das Register {register} hat {entries}.",
    "en": "The register {register} has {entries}.",
}
RULE: Final[Words] = {
    "de": "Ein Eintrag ist, was im Register {register} dieselbe Bezeichnung und Kennung hat; seine Anzahl "
    "ist die der Zeilen, oder ihre Summe, wo das Register eine Anzahl nennt.",
    "en": "An entry is what has the same heading and the same id in the register {register}; its count is that of its "
    "rows, or their sum where the register gives a count.",
}
COLUMNS: Final[Mapping[str, Sequence[str]]] = {
    "name": ("name", "headword", "title", "canonical", "label", "term", "lemma", "entry", "titel", "stichwort"),
    "id": ("id", "ent_id", "entry_id", "signature", "key", "gnd"),
    "kind": ("kind", "type", "art"),
    "number": ("count", "n_pages", "pages", "n", "anzahl"),
    "doc_id": ("doc_id", "document", "doc"),
    "pidx": ("pidx",),
    "date": ("date", "date_when", "datum"),
}
"""What a column of a register may be called, the first that it has is taken; a name it must have."""

_TYPES: Final = {"number": "BIGINT", "pidx": "INTEGER"}


class RegisterInventory:
    """Lists the entries of a register, which is any table that status.json calls one."""

    name = "register-inventory"
    files: tuple[File, ...] = ("letters", "texts")
    arguments = frozenset({"register"})
    counts_lemmata = False

    def answer(self, question: Question) -> Answer:
        """Answer a question; see `answer.Subtask`."""
        holdings, lang = question.holdings, question.lang
        register = _register(question)
        findings = holdings.run(_findings(question, register), "findings")
        if not findings.n_rows and question.scope.documents is None:
            raise CollectionError.empty(holdings.members[0].collection.name, register)
        entries = holdings.run(_entries(holdings), "entries")
        rows = holdings.ask(f"SELECT evidence, count(*) FROM {holdings.result('entries')} GROUP BY evidence")
        counts = by_evidence({str(evidence): (number,) for evidence, number in rows}, ("n_entries",), holdings)
        labels = (
            "SELECT DISTINCT label FROM (SELECT unnest([name, canonical]) AS label"
            f" FROM {holdings.result('entries')}) WHERE label IS NOT NULL ORDER BY label"
        )
        read = names((member.collection.name for member in holdings.members), lang)
        return Answer(
            counts=counts,
            sentence=say(SENTENCE, lang, register=register, entries=amount(counts["n_entries"], "entry", lang)),
            method=(rule("collections", lang, names=read), say(RULE, lang, register=register)),
            findings=findings,
            entries=entries,
            labels=holdings.run(labels, "labels"),
            payloads={"roster-table": {"entries": listing(entries), "headings": {"canonical": "id"}}},
            notes={"register": register},
            is_empty=findings.n_rows == 0,
        )


def _register(question: Question) -> str:
    """Return the register that is asked for: that of `input`, else the only one of the collections."""
    known = list(dict.fromkeys(name for status in question.holdings.statuses.values() for name in status.registers))
    given = question.arguments.get("register")
    if given is None:
        if len(known) != 1:
            raise UnboundInput.of("register", "register-inventory")
        return known[0]
    if given not in known:
        raise UnboundInput.bad_value("register", "register-inventory", f"one of {names(known, 'en') or 'none'}")
    return str(given)


def _findings(question: Question, register: str) -> str:
    holdings = question.holdings
    having = [member for member in holdings.members if register in holdings.statuses[member.number].registers]
    rows = " UNION ALL ".join(_select(holdings, member, register) for member in having)
    return f"""
WITH {holdings.place()}, rows AS ({rows})
SELECT 'entry' AS kind, collection, evidence, doc_id, pidx, NULL::INTEGER AS sent_idx, pidx + 1 AS page, name AS text,
  {page_url()} AS url, id, rows.kind AS entry_kind, number, date, m
FROM rows JOIN place USING (m) WHERE {question.scope.documents_condition()}
ORDER BY {holdings.order}text, id, doc_id, pidx
"""


def _select(holdings: Holdings, member: Member, register: str) -> str:
    files: tuple[File, ...] = ("letters", "texts")
    file = next((one for one in files if holdings.columns_of(member, one, register)), None)
    if file is None:
        path = member.collection.letters_path
        raise CollectionError.missing_table(register, member.collection.name, path)
    has = {column.casefold(): column for column in holdings.columns_of(member, file, register)}
    own = holdings.column_names(register)
    taken: set[str] = set()
    parts = []
    for field, others in COLUMNS.items():
        candidates = (own.get(field, "").casefold(), *others)
        found = next((has[one] for one in candidates if one in has and has[one] not in taken), None)
        if found is None and field == "name":
            raise CollectionError.missing_column(register, "name", has.values(), "name", member.collection.name)
        taken |= {found} if found else set()
        parts.append(f"CAST({quoted(found) if found else 'NULL'} AS {_TYPES.get(field, 'VARCHAR')}) AS {field}")
    relation = f"{quoted(member.alias(file))}.{quoted(register)}"
    return f"SELECT {member.number}::UTINYINT AS m, {', '.join(parts)} FROM {relation}"


def _entries(holdings: Holdings) -> str:
    return f"""
SELECT text AS name, id AS canonical, []::VARCHAR[] AS variants, min(entry_kind) AS kind, min(date) AS date,
  coalesce(sum(number), count(*))::BIGINT AS count, count(DISTINCT doc_id) AS n_docs,
  {document_ids()} AS doc_ids,
  min_by(url, (doc_id, pidx)) AS url, collection, evidence
FROM {holdings.result("findings")} GROUP BY evidence, collection, text, id
ORDER BY {holdings.order}name, canonical
"""


SUBTASK = RegisterInventory()
