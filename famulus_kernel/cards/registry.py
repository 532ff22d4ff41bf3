"""A folder of cards: reading all of them with all that is wrong, and finding the one of a plan."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from famulus_kernel.cards.card import SUFFIX, parse_card
from famulus_kernel.cards.wording import Lexicon
from famulus_kernel.errors import CardError, FamulusError, Where
from famulus_kernel.language.identifiers import same_id_key
from famulus_kernel.language.yaml import load_strict
from famulus_kernel.resources import registry_dir

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from pathlib import Path

    from famulus_kernel.cards.card import Card, CardBudget

LEXICON: Final = "words.yaml"
"""The file of a registry that says which words of its field mean the same; may be missing."""
ARTIFACT: Final = "artifact"
"""The plan of the card that stands for every step `artifact:<kind>`."""
MAX_BYTES: Final = 256 * 1024
"""A card is read by people; what is larger is none, or was written by a loop."""


@dataclass(frozen=True, slots=True)
class ReadCard:
    """A file of a registry: its card, or what is wrong with it."""

    file: str
    card: Card | None
    problems: tuple[CardError, ...] = ()


@dataclass(frozen=True, slots=True)
class Registry:
    """The cards that there are, by id, and the words that mean the same to those who ask for them."""

    cards: tuple[Card, ...]
    lexicon: Lexicon = field(default_factory=Lexicon)

    def card(self, id_: str) -> Card:
        """Return a card.

        Raises
        ------
        CardError
            There is none of that id.
        """
        found = next((card for card in self.cards if card.id == id_), None)
        if found is None:
            raise CardError.unknown(id_, [card.id for card in self.cards])
        return found

    def for_plan(self, plan: str) -> Card | None:
        """Return the card of a plan: a subtask, a partitur with or without version, or a step's id."""
        plain = plan.partition("@")[0]
        names = (plan, plain, ARTIFACT) if plain.startswith(f"{ARTIFACT}:") else (plan, plain)
        return next((card for name in names for card in self.cards if card.plan == name), None)


def read_folder(folder: Path, plans: Collection[str] | None = None) -> list[ReadCard]:
    """Read every card of a folder with all that is wrong with any of them, in the order of their files.

    Raises
    ------
    CardError
        There is no such folder, or no card in it.
    """
    if not folder.is_dir():
        raise CardError.no_folder(folder)
    files = sorted(file for file in folder.iterdir() if file.name.endswith((SUFFIX, ".card.yml")))
    if not files:
        raise CardError.no_card(folder)
    found: list[ReadCard] = []
    first: dict[str, str] = {}
    for file in files:
        card, problems = _read(file, plans)
        id_ = card.id if card else file.name.removesuffix(SUFFIX)
        other = first.setdefault(same_id_key(id_), file.name)
        if other != file.name:
            problems = [*problems, CardError.same_id(id_, other, Where(file=file.name, key="id"))]
        found.append(ReadCard(file.name, None if problems else card, tuple(problems)))
    return found


def _read(file: Path, plans: Collection[str] | None) -> tuple[Card | None, list[CardError]]:
    try:
        text = _text(file)
    except CardError as error:
        return None, [error.at(Where(file=file.name))]
    return parse_card(text, file=file.name, plans=plans)


def _text(file: Path) -> str:
    """Return the text of a file of a registry.

    Raises
    ------
    CardError
        It is no text, too large, or cannot be read.
    """
    if not file.name.endswith(".yaml"):
        raise CardError.unreadable(f"**{file.name}** would not be found", f"call it {file.stem}.yaml")
    try:
        if not file.is_file():
            raise CardError.unreadable("it is **no file**, or a link that leads nowhere")
        with file.open("rb") as stream:
            content = stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise CardError.unreadable(f"it **cannot be read**: {error.strerror or error}") from None
    if len(content) > MAX_BYTES:
        size = file.stat().st_size
        raise CardError.unreadable(
            f"it has **{size} bytes**, at most {MAX_BYTES} are read", "a card fits on a page or two"
        )
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise CardError.unreadable(f"it is **not UTF-8** text (byte {error.start})", "save it as UTF-8") from None


def read_lexicon(folder: Path) -> tuple[dict[str, list[str]], list[CardError]]:
    """Return what a registry's words.yaml says, and what is wrong with it; nothing where there is none."""
    file = folder / LEXICON
    if not file.is_file() and not file.is_symlink():
        return {}, []
    try:
        yaml = load_strict(_text(file).removeprefix("\ufeff"), file=LEXICON)
    except FamulusError as error:
        return {}, [CardError(error.message, hint=error.hint, where=error.where.filled(Where(file=LEXICON)))]
    data = {} if yaml.value is None else yaml.value
    bad = [""] if not isinstance(data, dict) else [key for key, words in data.items() if not _are_words(words)]
    needed = "needs a list of words for each meaning"
    problems = [
        CardError(
            f"**{key or LEXICON}** {needed}",
            hint="write meaning: [word, beginning*]",
            where=Where(LEXICON, yaml.line_of(key), None, key or None),
        )
        for key in bad
    ]
    return ({} if problems else {str(key): [str(word) for word in words] for key, words in data.items()}), problems


def _are_words(words: object) -> bool:
    return isinstance(words, list) and all(isinstance(word, str | int) and str(word).strip(" *") for word in words)


def load(*folders: Path, plans: Collection[str] | None = None) -> Registry:
    """Return the cards of some folders as one registry; a later folder's card replaces an earlier one's of its id.

    Raises
    ------
    CardError
        The first thing that is wrong with any of them.
    """
    cards: dict[str, Card] = {}
    meanings: dict[str, list[str]] = {}
    for folder in folders:
        words, problems = read_lexicon(folder)
        for one in read_folder(folder, plans):
            problems += one.problems
            if one.card is not None:
                cards[same_id_key(one.card.id)] = one.card
        if problems:
            raise problems[0]
        for meaning, own in words.items():
            meanings[meaning] = [*meanings.get(meaning, ()), *own]
    return Registry(tuple(cards[key] for key in sorted(cards)), Lexicon.of(meanings))


def folders_of(project_folder: Path | None) -> tuple[Path, ...]:
    """Return the registries that hold for a project: ours, then its own folder of cards where it has one."""
    own = [project_folder] if project_folder is not None and project_folder.is_dir() else []
    return (registry_dir(), *own)


def card_of(plan: str, folders: Sequence[Path]) -> Card | None:
    """Return the card of a plan, of the last of some registries that has one; None where none has.

    A file called like the plan is read alone. What is wrong with other cards keeps no block from being played.
    """
    name = ARTIFACT if plan.startswith(f"{ARTIFACT}:") else plan.partition("@")[0]
    for folder in reversed(folders):
        file = folder / f"{name}{SUFFIX}"
        if "/" not in name and file.is_file():
            card = _sound_card(file, file.stat().st_mtime_ns)
            if card is not None and card.plan == name:
                return card
        if folder.is_dir():
            sound = (_sound_card(one, one.lstat().st_mtime_ns) for one in sorted(folder.glob(f"*{SUFFIX}")))
            found = Registry(tuple(card for card in sound if card is not None)).for_plan(plan)
            if found is not None:
                return found
    return None


@lru_cache(maxsize=512)
def _sound_card(file: Path, _mtime_ns: int) -> Card | None:
    return _read(file, None)[0]


def budget_of(plan: str, folders: Sequence[Path] | None = None) -> CardBudget | None:
    """Return what the card of a plan allows it to spend; None where no card is its.

    Parameters
    ----------
    plan
        Subtask, partitur, `duckdb-read` or `artifact:<kind>`.
    folders
        Registries, as of :func:`folders_of`; ours when missing.
    """
    card = card_of(plan, folders_of(None) if folders is None else folders)
    return card.budget if card else None
