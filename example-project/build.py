"""Make the example's data: the collections `pirckheimer` and `laelius`, an expected answer, a register, one figure.

    python build.py [--into FOLDER]

What was made once is left untouched when nothing in it would change, so that no block becomes stale by a
second run.
"""

from __future__ import annotations

import argparse
import csv
import json
import re
import tempfile
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb

from famulus_kernel.corpus.edtf import parse_edtf
from famulus_kernel.corpus.importers import import_conllu
from famulus_kernel.harness.partitur import read_partitur
from famulus_kernel.harness.register_file import RegisterFile

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

HERE = Path(__file__).resolve().parent
COLLECTION = Path("data/pirckheimer")
TEXTS = Path("data/laelius")
GOLDENS = Path("data/agent_memory.duckdb")
REGISTER = Path("data/partitur_register.duckdb")
FIGURE = Path("abbildungen/briefe-nach-jahren.svg")
CENTRE = "pirckheimer-willibald"
DATASET = "GitHub CKudella/corr_data"
DATASET_FILE = "https://github.com/CKudella/corr_data/blob/{commit}/pirckheimer/dataset/csv/{file}"

STATUS = {
    "overall": "complete",
    "artifacts": {"pirckheimer.duckdb": "present", "briefe.parquet": "present"},
    "gaps": [
        "letter_pages: the register holds no text of a letter",
        "pirckheimer_stanza.duckdb, lemma_index.parquet: there is no text to analyse",
        "a selection of 116 letters; the edition numbers more than a thousand",
    ],
    "person": CENTRE,
    "source": "Christoph Kudella: corr_data, offener Datensatz der Briefköpfe zu „Willibald Pirckheimers Briefwechsel“ "
    "(7 Bände, 1940 bis 2009)",
    "licence": "Register: CC0 1.0",
    "credit": "Das Register dieser Arbeit ist eine Auswahl von 116 Briefen, zum größten Teil nach diesem Datensatz",
    "cite": "Christoph Kudella, corr_data, pirckheimer/dataset/csv, github.com/CKudella/corr_data",
    "url": "https://github.com/CKudella/corr_data",
}

TEXTS_STATUS = {
    "source": "Cicero, Laelius de amicitia: einzelne Sätze in geläufiger Lesung, gemeinfrei",
    "licence": "Lemmatisierung: CC0 1.0",
    "credit": "Satzgrenzen, Lemmata und Wortarten des Textes sind eigene",
    "cite": "M. Tullius Cicero, Laelius de amicitia, §§ 20, 22, 23, 26, 28, 47, 83, 100, 104",
}
"""What status.json says of the text before the importer adds what is in it."""

GOLDEN = (
    "golden-pirckheimer-1520-1530",
    "Wie viele Briefpartner hatte Pirckheimer zwischen 1520 und 1530?",
    json.dumps(
        {
            "n_correspondents": 28,
            "n_letters": 40,
            "n_sent": 15,
            "n_received": 25,
            "n_possible": 0,
            "n_undated": 0,
            "n_uncertain": 1,
            "n_unknown_partner": 3,
        }
    ),
    ["pirckheimer"],
    "correspondence-count",
)
"""A row of expected answers: a candidate until a block has proven it and it is promoted."""

GOLDEN_TABLE = """
CREATE TABLE golden_ground (
  golden_id VARCHAR PRIMARY KEY, question VARCHAR, expected_answer JSON, expected_route VARCHAR,
  collections VARCHAR[], subtask VARCHAR, status VARCHAR, created TIMESTAMP);
"""

TABLES = """
CREATE TABLE letters_resolved (
  letter_id VARCHAR, doc_id VARCHAR, sender_id VARCHAR, sender_name VARCHAR, recipient_id VARCHAR,
  recipient_name VARCHAR, date_when VARCHAR, date_from DATE, date_to DATE, calendar VARCHAR,
  date_basis VARCHAR, sender_basis VARCHAR, recipient_basis VARCHAR, place VARCHAR, url VARCHAR);
CREATE TABLE ent_canonical (ent_id VARCHAR, canonical VARCHAR, kind VARCHAR);
CREATE TABLE ent_variants (ent_id VARCHAR, variant VARCHAR);
CREATE TABLE personen (
  ent_id VARCHAR, name VARCHAR, gnd VARCHAR, wikidata VARCHAR, geboren DATE, gestorben DATE);
CREATE TABLE briefe (
  letter_id VARCHAR, richtung VARCHAR, datum VARCHAR, edtf VARCHAR, von DATE, bis DATE, taggenau BOOLEAN,
  datumsangabe VARCHAR, ort VARCHAR, ortsangabe VARCHAR, sprachen VARCHAR[], art VARCHAR,
  ausgabe VARCHAR, nummer INTEGER, aus_datensatz BOOLEAN, zweite_stelle BOOLEAN, eingesehen BOOLEAN,
  url VARCHAR);
CREATE TABLE gegenueber (
  letter_id VARCHAR, ent_id VARCHAR, name VARCHAR, richtung VARCHAR, angabe VARCHAR);
"""
"""The first three tables are those of every collection; the last three say in German what pages show.

`gegenueber` has a row for each letter and each party on the other side of Pirckheimer, unknown ones included
(without ent_id)."""


def build(project: Path, register: Path = HERE / "register", texts: Path = HERE / "texte") -> None:
    """Make data and figure in the folder `project` from the tables in `register` and the sentences in `texts`."""
    build_letters(project, register)
    build_texts(project, texts)
    build_goldens(project)
    build_register(project)


def build_letters(project: Path, register: Path) -> None:
    """Make the collection of letters, its Parquet file and the figure."""
    german = {row["word"]: row["german"] for row in _rows(register / "words.csv")}
    letters, persons = _rows(register / "letters.csv"), _rows(register / "persons.csv")
    folder = project / COLLECTION
    folder.mkdir(parents=True, exist_ok=True)
    tables = {
        "letters_resolved": [row for letter in letters for row in _resolved(letter)],
        "ent_canonical": [(one["person_id"], german.get(one["name"], one["name"]), _kind(one)) for one in persons],
        "ent_variants": [(one["person_id"], name) for one in persons for name in _variants(one, german)],
        "personen": [_person(one, german) for one in persons],
        "briefe": [_letter(letter, german) for letter in letters],
        "gegenueber": [row for letter in letters for row in _opposite(letter, german)],
    }
    _replace(folder / "pirckheimer.duckdb", lambda path: _write_database(path, tables), _content)
    database = folder / "pirckheimer.duckdb"
    _replace(folder / "briefe.parquet", lambda path: _write_parquet(path, database), Path.read_bytes)
    _replace(folder / "status.json", lambda path: _write_json(path, STATUS), Path.read_bytes)
    (project / FIGURE).parent.mkdir(parents=True, exist_ok=True)
    svg = bar_chart(_letters_by_year(letters))
    _replace(project / FIGURE, lambda path: path.write_text(svg, encoding="utf-8"), Path.read_bytes)


def build_texts(project: Path, texts: Path) -> None:
    """Make the collection of the text, as `famulus-notebook collection import conllu` does it."""
    target = project / TEXTS
    target.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent) as folder:
        made = Path(folder) / target.name
        made.mkdir()
        _write_json(made / "status.json", TEXTS_STATUS)
        report = import_conllu(sorted(texts.glob("*.conllu")), made)
        if (said := report.as_dict())["rejected"] or said["odd"]:
            raise SystemExit(f"{texts}: {said}")
        for file in sorted(made.glob("[!.]*")):
            content = _content if file.suffix == ".duckdb" else Path.read_bytes
            _replace(target / file.name, file.replace, content)


def build_goldens(project: Path) -> None:
    """Make the database of expected answers where there is none: what was promoted in it since stays so."""
    if (project / GOLDENS).exists():
        return
    with duckdb.connect(project / GOLDENS) as connection:
        connection.execute(GOLDEN_TABLE)
        row = "INSERT INTO golden_ground VALUES (?, ?, ?, NULL, ?, ?, 'candidate', TIMESTAMP '2026-11-30')"
        connection.execute(row, GOLDEN)


def build_register(project: Path, plans: Path = HERE / "plaene") -> None:
    """Put the plans into the register of the work, as `famulus-notebook register add` does it."""
    documents = [read_partitur(file.read_bytes(), file.name) for file in sorted(plans.glob("*.yaml"))]
    RegisterFile(project / REGISTER).add(documents)


def _rows(file: Path) -> list[dict[str, str]]:
    with file.open(newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def _split(text: str) -> list[str]:
    return [part.strip() for part in text.split(";")] if text else []


def _parties(letter: Mapping[str, str], side: str) -> list[tuple[str | None, str, str]]:
    """Return id (None where it has none), name and basis of each sender or recipient."""
    ids, names = _split(letter[f"{side}_id"]) or [""], _split(letter[side])
    return [(id_ or None, name, letter[f"{side}_basis"]) for id_, name in zip(ids, names, strict=True)]


def _bounds(text: str) -> tuple[str | None, str | None]:
    """Return the earliest and the latest day of an EDTF date as DuckDB writes them."""
    if not text:
        return None, None
    bounds = parse_edtf(text)
    earliest, latest = (day.to_duckdb() if day else None for day in (bounds.earliest, bounds.latest))
    return earliest, latest


def _date_basis(letter: Mapping[str, str]) -> str:
    """Return the register's word as one of the five of a collection: a queried date is uncertain."""
    if parse_edtf(letter["date"]).uncertain:
        return "uncertain"
    return "inferred" if letter["date_basis"] == "year inferred" else letter["date_basis"]


def _url(letter: Mapping[str, str]) -> str:
    """Return the page where a row was read: of the dataset, the file in the state that was read."""
    source = letter["source_checked"]
    if not source.startswith(DATASET):
        return source
    file, commit = source.split(",")[1].split("@")
    return DATASET_FILE.format(commit=commit.strip(), file=file.strip().rpartition("/")[2])


def _resolved(letter: Mapping[str, str]) -> Iterable[tuple[Any, ...]]:
    number, place = letter["letter_no"], letter["place_sent"] or None
    date = (letter["date"], *_bounds(letter["date"]), "julian", _date_basis(letter))
    for sender_id, sender, sender_basis in _parties(letter, "sender"):
        for recipient_id, recipient, recipient_basis in _parties(letter, "recipient"):
            names = (sender_id, sender, recipient_id, recipient)
            yield (number, number, *names, *date, sender_basis, recipient_basis, place, _url(letter))


def _kind(person: Mapping[str, str]) -> str:
    return "org" if person["type"] == "corporate body" else "person"


def _variants(person: Mapping[str, str], german: Mapping[str, str]) -> list[str]:
    given = [variant.strip() for variant in person["variants"].split("|")]
    shown = german.get(person["name"], person["name"])
    return [name for name in dict.fromkeys((person["name"], *given)) if name and name != shown]


def _person(person: Mapping[str, str], german: Mapping[str, str]) -> tuple[Any, ...]:
    """Return a row of `personen`; a day of birth or death is given only where the register has just one."""
    name = german.get(person["name"], person["name"])
    born, died = (_bounds(person[key]) for key in ("born", "died"))
    days = [first if first == last else None for first, last in (born, died)]
    return (person["person_id"], name, person["gnd"] or None, person["wikidata"] or None, *days)


def _letter(letter: Mapping[str, str], german: Mapping[str, str]) -> tuple[Any, ...]:
    number = re.match(r"WPBw (?:[IVX]+ )?(\d+)", letter["edition_ref"])
    return (
        letter["letter_no"],
        _direction(letter),
        german_date(letter["date"]),
        letter["date"],
        *_bounds(letter["date"]),
        parse_edtf(letter["date"]).is_exact,
        german[letter["date_basis"]],
        german[letter["place_sent"]] if letter["place_sent"] else None,
        german[letter["place_basis"]],
        [german[code] for code in _split(letter["language"])],
        german[letter["kind"]],
        letter["edition_ref"] or None,
        int(number[1]) if number else None,
        letter["source_checked"].startswith(DATASET),
        bool(letter["source_checked_2"]),
        letter["certainty"] == "seen",
        _url(letter),
    )


MONTHS = [
    "Januar",
    "Februar",
    "März",
    "April",
    "Mai",
    "Juni",
    "Juli",
    "August",
    "September",
    "Oktober",
    "November",
    "Dezember",
]
SEASONS = {"21": "Frühjahr", "22": "Sommer", "23": "Herbst", "24": "Winter"}


def german_date(edtf: str) -> str:
    """Return an EDTF date of the register in German words: `[1518-10-02,1518-10-09]` is "2. oder 9. Oktober 1518"."""
    if edtf[0] not in "[{":
        return _german_day(edtf)
    inside, is_span = edtf[1:-1], ".." in edtf
    first, last = (_german_day(day) if day else "" for day in inside.split(".." if is_span else ","))
    if not first:
        return f"bis {last}"
    between = "und" if is_span or edtf[0] == "{" else "oder"
    return f"{'zwischen ' if is_span else ''}{_without_shared_end(first, last)} {between} {last}"


def _german_day(edtf: str) -> str:
    year, *rest = edtf.rstrip("?~").split("-")
    words = [year]
    if rest:
        words.insert(0, SEASONS.get(rest[0]) or MONTHS[int(rest[0]) - 1])
    if len(rest) > 1:
        words.insert(0, f"{int(rest[1])}.")
    before, after = "um " if "~" in edtf else "", " (?)" if "?" in edtf else ""
    return before + " ".join(words) + after


def _without_shared_end(first: str, last: str) -> str:
    """Return `3.` for `3. Oktober 1517` before `9. Oktober 1517`."""
    words, others = first.split(), last.split()
    while len(words) > 1 and words[-1] == others[-1]:
        words.pop()
        others.pop()
    return " ".join(words)


def _direction(letter: Mapping[str, str]) -> str:
    return "von Pirckheimer" if CENTRE in _split(letter["sender_id"]) else "an Pirckheimer"


def _opposite(letter: Mapping[str, str], german: Mapping[str, str]) -> Iterable[tuple[Any, ...]]:
    direction = _direction(letter)
    side = "recipient" if direction == "von Pirckheimer" else "sender"
    for id_, name, basis in _parties(letter, side):
        yield letter["letter_no"], id_, german.get(name, name), direction, german[basis]


def _write_database(path: Path, tables: Mapping[str, Sequence[tuple[Any, ...]]]) -> None:
    with duckdb.connect(path) as connection:
        connection.begin()
        connection.execute(TABLES)
        for name, rows in tables.items():
            marks = ", ".join("?" for _ in rows[0])
            connection.executemany(f"INSERT INTO {name} VALUES ({marks})", rows)  # noqa: S608 - names are ours
        connection.commit()


def _write_parquet(path: Path, database: Path) -> None:
    with duckdb.connect(database, read_only=True) as connection:
        connection.table("briefe").order("letter_id").write_parquet(str(path), compression="zstd")


def _write_json(path: Path, data: Mapping[str, Any]) -> None:
    path.write_text(json.dumps(data, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")


def _content(database: Path) -> list[Any]:
    """Return all that a database says; its bytes differ each time, since DuckDB stamps every file anew."""
    with duckdb.connect(database, read_only=True) as connection:
        names = [name for (name,) in connection.execute("SHOW TABLES").fetchall()]
        described = [connection.execute(f"DESCRIBE {name}").fetchall() for name in names]
        return [names, described, [connection.execute(f"FROM {name}").fetchall() for name in names]]


def _replace(target: Path, write: Callable[[Path], object], content: Callable[[Path], object]) -> None:
    """Write a file beside `target` and put it there, unless `target` says the same already."""
    with tempfile.TemporaryDirectory(dir=target.parent) as folder:
        made = Path(folder) / target.name
        write(made)
        if not target.is_file() or content(target) != content(made):
            made.replace(target)


def _letters_by_year(letters: Iterable[Mapping[str, str]]) -> dict[int, tuple[int, int]]:
    """Return for each year the letters from and to Pirckheimer whose date lies wholly in it."""
    counts: Counter[tuple[int, str]] = Counter()
    for letter in letters:
        bounds = parse_edtf(letter["date"])
        if bounds.earliest and bounds.latest and bounds.earliest.year == bounds.latest.year:
            counts[bounds.earliest.year, _direction(letter)] += 1
    years = sorted({year for year, _ in counts})
    return {
        year: (counts[year, "von Pirckheimer"], counts[year, "an Pirckheimer"])
        for year in range(years[0], years[-1] + 1)
    }


WIDTH, HEIGHT = 760, 330
LEFT, RIGHT, TOP, BOTTOM = 44, 16, 52, 40
PAPER, INK, QUIET, RULE = "#fdfcf8", "#222222", "#5a5a5a", "#d9d5c8"
FROM_HIM, TO_HIM = "#1f5a8c", "#d08a2e"
"""The chart brings its own paper, so that it reads the same on a light page, a dark one and in print."""


def bar_chart(by_year: Mapping[int, tuple[int, int]]) -> str:
    """Return an SVG of stacked bars: year → (letters from him, letters to him)."""
    highest = max(sum(pair) for pair in by_year.values())
    step = (WIDTH - LEFT - RIGHT) / len(by_year)
    scale = (HEIGHT - TOP - BOTTOM) / (highest + highest % 2)
    base = HEIGHT - BOTTOM
    size = f'viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}"'
    look = 'role="img" lang="de" font-family="system-ui, sans-serif" font-size="13"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} {look}>',
        "<title>Briefe nach Jahren und Richtung</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" rx="6" fill="{PAPER}"/>',
        *_legend(),
        *_grid(range(0, highest + 2, 2), base, scale),
    ]
    for place, (year, (sent, received)) in enumerate(by_year.items()):
        x, width = LEFT + place * step + step * 0.14, step * 0.72
        parts += _bar(x, base - sent * scale, width, sent * scale, FROM_HIM)
        parts += _bar(x, base - (sent + received) * scale, width, received * scale, TO_HIM)
        if year % 5 == 0:
            parts.append(_text(x + width / 2, base + 18, str(year), "middle", QUIET))
    parts.append(f'<path d="M{LEFT} {base}H{WIDTH - RIGHT}" stroke="{INK}" stroke-width="1"/>')
    return "\n".join([*parts, "</svg>", ""])


def _legend() -> list[str]:
    return [
        _text(LEFT, 28, "Briefe im Jahr", "start", QUIET),
        *_bar(WIDTH - 316, 17, 13, 13, TO_HIM),
        _text(WIDTH - 297, 28, "an Pirckheimer", "start", INK),
        *_bar(WIDTH - 160, 17, 13, 13, FROM_HIM),
        _text(WIDTH - 141, 28, "von Pirckheimer", "start", INK),
    ]


def _grid(values: Iterable[int], base: float, scale: float) -> list[str]:
    parts = []
    for value in values:
        y = base - value * scale
        parts.append(f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="{RULE}" stroke-width="1"/>')
        parts.append(_text(LEFT - 8, y + 4.5, str(value), "end", QUIET))
    return parts


def _bar(x: float, y: float, width: float, height: float, colour: str) -> list[str]:
    """Return a bar, hatched where it counts letters to him, so that colour is not all that parts the two."""
    if not height:
        return []
    parts = [f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" fill="{colour}"/>']
    if colour == TO_HIM:
        lines = range(int(y) + 5, int(y + height), 5)
        strokes = "".join(f"M{x:.1f} {line}h{width:.1f}" for line in lines)
        parts.append(f'<path d="{strokes}" stroke="{PAPER}" stroke-width="0.8"/>' if strokes else "")
    return [part for part in parts if part]


def _text(x: float, y: float, words: str, anchor: str, colour: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}">{words}</text>'


def main() -> None:
    """Build into the example's own folder, or into the one that --into names."""
    parser = argparse.ArgumentParser(description="Make the example's data from its register.")
    parser.add_argument("--into", type=Path, default=HERE, help="folder that gets data/ and abbildungen/")
    build(parser.parse_args().into)


if __name__ == "__main__":
    main()
