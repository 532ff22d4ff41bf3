"""Cards, route, can, new: what can be done, in the words in which people ask for it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from famulus_kernel.cli.printing import AsJson, ProjectPath, console, print_json, printable, shown_path

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from famulus_kernel.cards.evaluation import Evaluation
    from famulus_kernel.cards.registry import ReadCard, Registry
    from famulus_kernel.cards.routing import Route, Router
    from famulus_kernel.errors import CardError

Question = Annotated[str | None, typer.Argument(metavar="QUESTION", help="What somebody asks, in plain words.")]
RegistryFolder = Annotated[
    Path | None,
    typer.Option("--registry", metavar="FOLDER", help="These cards alone; default: ours and the project's."),
]
EmbeddingTag = Annotated[
    str | None,
    typer.Option("--embedding", metavar="TAG", help="An embedding model, provider:model; default: local, offline."),
]


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.command()(cards)
    app.command()(route)
    app.command()(can)
    app.command()(new)


def cards(
    folder: Annotated[
        Path | None, typer.Argument(metavar="FOLDER", help="A folder of cards; default: the project's, else ours.")
    ] = None,
    evaluate: Annotated[
        bool, typer.Option("--eval", help="Route every example as if it were not there, and say how well that goes.")
    ] = False,
    embedding: EmbeddingTag = None,
    as_json: AsJson = False,
) -> None:
    """Check capability cards: a line a card, and all that is wrong with any of them. Exit status 1 where anything is.

    With --eval it is 1 too where accuracy is below 0.90, that of a card below 0.75, or false vetoes above 2 %.
    """
    from famulus_kernel.adapter.drafting.registries import known_plans, own_cards
    from famulus_kernel.cards.registry import read_folder, read_lexicon
    from famulus_kernel.resources import registry_dir

    place = folder or own_cards(Path.cwd()) or registry_dir()
    found = read_folder(place, known_plans(Path.cwd()))
    problems = [*(problem for one in found for problem in one.problems), *read_lexicon(place)[1]]
    if evaluate and not problems:
        _evaluate(place, embedding, as_json)
        return
    if as_json:
        listed = [_card_json(one) for one in found if one.card is not None]
        print_json({"folder": str(place), "cards": listed, "problems": [problem.as_dict() for problem in problems]})
    else:
        for line in card_lines(found, problems):
            typer.echo(printable(line))
    if problems:
        raise typer.Exit(1)


def card_lines(found: Sequence[ReadCard], problems: Iterable[CardError]) -> list[str]:
    """Return a line for each sound card, and one for each problem (spec 9)."""
    from famulus_kernel.errors import plain

    width = max((len(one.card.id) for one in found if one.card), default=0)
    lines = []
    for one in found:
        card = one.card
        if card is not None:
            lines.append(
                f"OK  {card.id:<{width}}  v{card.version:<7}  {len(card.examples):>2} examples"
                f"  {len(card.counter_examples):>2} counter  {len(card.tools)} tools  side_effects={card.side_effects}"
            )
    for problem in problems:
        where = problem.where
        line = f" (line {where.line})" if where.line else ""
        field = f"**{where.key}**"
        if where.key and problem.message.startswith(field):
            text = f"'{where.key}'{line}{plain(problem.message[len(field) :])}"
        else:
            text = f"{plain(problem.message)}{line}"
        lines.append(f"ERROR  {where.file}: {text}" + (f"; {problem.hint}" if problem.hint else ""))
    return lines


def _card_json(one: ReadCard) -> dict[str, Any]:
    card = one.card
    assert card is not None  # noqa: S101 - the caller chose those that are
    data = card.model_dump(mode="json")
    return {"file": one.file} | data


def _evaluate(place: Path, tag: str | None, as_json: bool) -> None:
    from famulus_kernel.cards.evaluation import evaluate
    from famulus_kernel.cards.registry import load

    found = evaluate(_router(load(place), tag))
    if as_json:
        print_json(found.as_dict())
    else:
        _print_evaluation(found)
    if found.shortfalls():
        raise typer.Exit(1)


def _print_evaluation(found: Evaluation) -> None:
    width = max(map(len, found.per_card))
    lines = [
        f"accuracy {found.accuracy:.3f} ({found.n_right} of {found.n_examples} examples)",
        f"with counter-examples {found.accuracy_of_all:.3f}, false vetoes {found.false_veto_rate:.3f}",
        *(f"  {card:<{width}}  {share:.3f}" for card, share in found.per_card.items()),
    ]
    if found.confusion:
        lines.append("confused:")
        lines += [f"  {count:>2}  {meant} -> {got}" for meant, got, count in found.confusion]
    lines += [f"too low: {words}" for words in found.shortfalls()]
    typer.echo("\n".join(map(printable, lines)))


def route(
    project: ProjectPath = ".",
    question: Question = None,
    registry: RegistryFolder = None,
    embedding: EmbeddingTag = None,
    as_json: AsJson = False,
) -> None:
    """Say which card a question is for. Exit status 1 where it is none, or may be two."""
    router, question = _asked(project, question, registry, embedding)
    found = router.route(question)
    if as_json:
        print_json(found.as_dict())
    else:
        typer.echo("\n".join(map(printable, _route_lines(found))))
    if found.card is None:
        raise typer.Exit(1)


def _route_lines(found: Route) -> list[str]:
    first, *others = found.candidates
    if found.outcome == "none":
        return [f"none: no card is near; the nearest is {first.card} ({first.score:.2f})"]
    if found.outcome == "ambiguous":
        pair = found.candidates[:2]
        return ["unclear: two cards are as near"] + [f"  {one.card}  {one.score:.2f}  {one.example}" for one in pair]
    lines = [f"{first.card}  {first.score:.2f}  {first.example}"]
    lines += [f"  then {one.card}  {one.score:.2f}" for one in others[:1] if one.veto is None]
    return lines


def can(
    project: ProjectPath = ".",
    question: Question = None,
    registry: RegistryFolder = None,
    embedding: EmbeddingTag = None,
    as_json: AsJson = False,
) -> None:
    """Answer "can you do that?": what the card that is meant does, what it does not do, and what is near to it."""
    from famulus_kernel.cards.answering import ability

    found = ability(*_asked(project, question, registry, embedding))
    if as_json:
        print_json(found.as_dict())
        return
    words = {"yes": "Yes.", "perhaps": "Perhaps; two cards may be meant.", "no": "No card does that. The nearest are:"}
    lines = [words[found.verdict]]
    for card in found.cards:
        lines += ["", f"{card.id}: {' '.join(card.summary.split())}", *(f"  - {line}" for line in card.does_not)]
    if found.neighbours:
        lines += ["", *(f"near: {card.id}: {' '.join(card.summary.split())}" for card in found.neighbours)]
    typer.echo("\n".join(map(printable, lines)))


def new(
    project: ProjectPath = ".",
    question: Question = None,
    into: Annotated[
        Path | None,
        typer.Option("--into", metavar="FILE.fam", help="The notebook that gets the block; made if missing."),
    ] = None,
    card: Annotated[
        str | None, typer.Option("--card", metavar="ID", help="The card, where it is not to be found.")
    ] = None,
    expect: Annotated[
        list[str] | None,
        typer.Option(
            "--expect",
            metavar="[KEY=]VALUE",
            help="An expected answer, for the oracle: of the number asked for, or of KEY; may be repeated.",
        ),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Print the block, and write nothing.")] = False,
    registry: RegistryFolder = None,
    embedding: EmbeddingTag = None,
    as_json: AsJson = False,
) -> None:
    """Draft a block from a question: the plan by its card, the scope from its words, a comment at each guess."""
    from famulus_kernel.adapter.appending import notebook_name
    from famulus_kernel.adapter.drafting.counts import asked_count
    from famulus_kernel.adapter.drafting.draft import draft
    from famulus_kernel.project.project import Project

    place, question = _question(project, question)
    if into is None:
        raise typer.BadParameter("name the notebook that gets the block", param_hint="--into")
    opened = Project.open(place)
    file = Path(os.path.abspath(into))  # noqa: PTH100 - links stay
    notebook_name(opened, file)  # what is wrong with it is told before anything is looked for
    cards_known = _registry(place, registry)
    chosen = cards_known.card(card or _router(cards_known, embedding).route(question).demand())
    oracle = _oracle(expect or (), asked_count(chosen, question))
    made = draft(opened, question, chosen, file, oracle)
    if not dry_run:
        made.write()
    if as_json:
        print_json({**made.as_dict(), "written": not dry_run})
        return
    if dry_run:
        typer.echo(printable(made.body))
        return
    out = console()
    out.print(f"{shown_path(made.file)}: block {made.block}, by the card {made.card}", markup=False)
    for key, why in made.guesses.items():
        out.print(printable(f"  {key} is guessed: {why}"), markup=False)
    out.print(f"next: famulus-notebook run {shown_path(opened.root)} {made.block}", markup=False)


def _oracle(pairs: Iterable[str], asked: str | None) -> dict[str, Any]:
    """Return `KEY=VALUE` pairs as an oracle; a value is YAML, and one without a key is that of the number asked for."""
    from famulus_kernel.language.yaml import load_strict

    found = {}
    for pair in pairs:
        key, sign, value = pair.partition("=") if "=" in pair else ("", "", pair)
        key = key.strip() if sign else asked or ""
        if not key or not value.strip():
            raise typer.BadParameter(f"{pair or 'nothing'} is not KEY=VALUE", param_hint="--expect")
        found[key] = load_strict(value, file="--expect").value
    return found


def _asked(project: str, question: str | None, registry: Path | None, embedding: str | None) -> tuple[Router, str]:
    """Return what routes, and the question, of a command that has just these two and their options."""
    project, question = _question(project, question)
    return _router(_registry(project, registry), embedding), question


def _question(project: str, question: str | None) -> tuple[str, str]:
    """Read `route QUESTION` as `route . QUESTION`: the project may be left out, the question may not."""
    if not (project if question is None else question).strip(" ."):
        raise typer.BadParameter("ask something", param_hint="QUESTION")
    return (".", project) if question is None else (project, question)


def _registry(project: str, folder: Path | None) -> Registry:
    from famulus_kernel.adapter.drafting.registries import own_cards
    from famulus_kernel.cards.registry import folders_of, load

    return load(*((folder,) if folder is not None else folders_of(own_cards(Path(project)))))


def _router(registry: Registry, tag: str | None) -> Router:
    from famulus_kernel.cards.keeping import cache_folder
    from famulus_kernel.cards.model_embedding import ModelEmbedding
    from famulus_kernel.cards.routing import Router

    return Router(registry, ModelEmbedding(tag) if tag else None, cache_folder())
