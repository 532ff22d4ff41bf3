"""The templates of a partitur: `{{ inputs.x }}` and `{{ stages.<id>.<path> }}`, with native values (spec 3.3).

jinja2 parses and plays them, in its sandbox; what may stand in one is a list here, and all else is refused before it
plays: no statement, no call, no loop, no arithmetic, no attribute of a Python object. A name after a point is a key of
a mapping and nothing else, so there is no way from a value to its class. A template that is one expression gives the
value itself; a text with expressions in it gives text.

A mere path, which is what most templates are, is walked without jinja2: loading it takes longer than many a query.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache, reduce
from typing import TYPE_CHECKING, Any, Final

from famulus_kernel.errors import TemplateError

if TYPE_CHECKING:
    from collections.abc import Callable

    from jinja2 import nodes
    from jinja2.sandbox import SandboxedEnvironment

ROOTS: Final = ("inputs", "stages")
MAX_TEMPLATE: Final = 20_000
"""Characters of one template."""
MAX_OUTPUT: Final = 1_000_000
"""Characters of the text that one template gives."""
MAX_DEPTH: Final = 30
"""Levels of nesting of one expression."""

_PATH = re.compile(r"\s*\{\{\s*(inputs|stages)((?:\.[A-Za-z][A-Za-z0-9_]*)+)\s*\}\}\s*\Z")
_SHOWN = 80
_ALLOWED: Final = frozenset(
    {"Template", "Output", "TemplateData", "Name", "Const", "Getattr", "Getitem", "Filter", "Compare", "Operand",
     "And", "Or", "Not", "CondExpr", "List", "Neg"}
)  # fmt: skip
"""The nodes of jinja2's syntax tree that a template may have."""

Values = Mapping[str, Mapping[str, Any]]
"""`{"inputs": …, "stages": …}`."""


def is_template(value: object) -> bool:
    """Return whether a value is a text with an expression in it."""
    return isinstance(value, str) and "{{" in value


def render(value: Any, values: Values) -> Any:
    """Return a value with every template in it, however deep, replaced by what it means.

    Raises
    ------
    TemplateError
        One cannot be read, or there is nothing where it points.
    """
    if isinstance(value, str):
        return _played(value, values) if "{{" in value else value
    if isinstance(value, Mapping):
        return {key: render(inner, values) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [render(inner, values) for inner in value]
    return value


def references(value: Any) -> Iterator[tuple[str, str]]:
    """Yield what the templates in a value refer to: ("inputs", name) or ("stages", id).

    Raises
    ------
    TemplateError
        A template cannot be read, or does not say which input or stage it means.
    """
    if isinstance(value, str):
        if "{{" in value:
            yield from _compiled(value)[1]
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from references(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from references(inner)


class _Nothing(Exception):
    """Nothing is under `name`; `known` are the names that are there."""

    def __init__(self, name: object, known: Iterable[object]) -> None:
        super().__init__(name)
        self.name = str(name)
        self.known = [str(one) for one in known]


def _played(text: str, values: Values) -> Any:
    play, _ = _compiled(text)
    try:
        return play(values)
    except _Nothing as missing:
        raise TemplateError.nothing_there(_shown(text), missing.name, missing.known) from None
    except (TypeError, ValueError, ArithmeticError, LookupError, AttributeError) as error:
        raise TemplateError.of(_shown(text), str(error)) from None


@lru_cache(maxsize=512)
def _compiled(text: str) -> tuple[Callable[[Values], Any], tuple[tuple[str, str], ...]]:
    """Return what plays a template, and what it refers to."""
    path = _PATH.match(text)
    if path is None:
        return _by_jinja(text)
    root, *names = (path[1] + path[2]).split(".")
    return lambda values: reduce(_inside, names, values[root]), ((root, names[0]),)


def _inside(here: Any, name: Any) -> Any:
    """Return what a mapping has under a name, a list at a number; attributes of objects are never looked at.

    Nothing has nothing in it: a stage that was left out gives None, and so does every path into it.
    """
    if here is None:
        return None
    if isinstance(here, Mapping):
        if name in here:
            return here[name]
        raise _Nothing(name, here)
    if isinstance(here, list | tuple):
        if type(name) is int and -len(here) <= name < len(here):
            return here[name]
        raise _Nothing(name, [f"numbers up to {len(here) - 1}"] if here else ())
    raise _Nothing(name, ())


def _by_jinja(text: str) -> tuple[Callable[[Values], Any], tuple[tuple[str, str], ...]]:
    from jinja2 import TemplateError as JinjaError  # noqa: PLC0415 - see the module's text

    if len(text) > MAX_TEMPLATE:
        raise TemplateError.of(_shown(text), f"it is longer than {MAX_TEMPLATE} characters")
    try:
        tree: Any = _environment().parse(text)
        found = tuple(dict.fromkeys(_checked(tree, text)))
        pieces = [_piece(node) for output in tree.body for node in output.nodes]
    except JinjaError as error:
        raise TemplateError.of(_shown(text), str(error.message)) from None
    except ValueError as error:  # a number too long to be read
        raise TemplateError.of(_shown(text), str(error)) from None
    except (RecursionError, SyntaxError, MemoryError):
        raise TemplateError.of(_shown(text), "it is nested too deeply") from None
    told = [piece for piece in pieces if not isinstance(piece, str) or piece.strip()]
    if len(told) == 1 and not isinstance(told[0], str):
        return told[0], found  # one expression with blanks round it gives its value
    return lambda values: _joined(pieces, values), found


def _piece(node: Any) -> str | Callable[[Values], Any]:
    """Return a piece of text as it is; of an expression, what gives its value, native and not as text."""
    from jinja2 import nodes  # noqa: PLC0415 - see the module's text
    from jinja2.environment import TemplateExpression  # noqa: PLC0415 - the same

    if isinstance(node, nodes.TemplateData):
        return node.data
    result = nodes.Assign(nodes.Name("result", "store", lineno=1), node, lineno=1)
    template = _environment().from_string(nodes.Template([result], lineno=1))
    return TemplateExpression(template, undefined_to_none=False)


@lru_cache(maxsize=1)
def _environment() -> SandboxedEnvironment:
    """Return jinja2's sandbox, emptied: no globals, our filters, no tests, and keys for attributes."""
    from jinja2.sandbox import SandboxedEnvironment  # noqa: PLC0415 - see the module's text

    class Environment(SandboxedEnvironment):
        """A sandbox without a way to any attribute."""

        def getattr(self, obj: Any, attribute: str) -> Any:
            return _inside(obj, attribute)

        def getitem(self, obj: Any, argument: Any) -> Any:
            return _inside(obj, argument)

        def call(self, *_args: Any, **_kwargs: Any) -> Any:
            raise TypeError("nothing is called in a template")

    # Only {{ … }} is ours: a text may hold {% and {# as they are. YAML lets no NUL through.
    environment = Environment(
        block_start_string="\0{", block_end_string="}\0", comment_start_string="\0#", comment_end_string="#\0",
        keep_trailing_newline=True, optimized=False, cache_size=0,
    )  # fmt: skip
    environment.globals = {}
    environment.filters = dict(_FILTERS)
    environment.tests = {}
    return environment


def _checked(tree: nodes.Template, text: str) -> Iterator[tuple[str, str]]:
    """Yield what a template refers to, and hold it to what a template may be."""
    stack: list[tuple[Any, int]] = [(tree, 0)]
    while stack:
        node, depth = stack.pop()
        kind = type(node).__name__
        if kind not in _ALLOWED:
            raise TemplateError.of(_shown(text), f"{kind} has no place in a template")
        if depth > MAX_DEPTH:
            raise TemplateError.of(_shown(text), "it is nested too deeply")
        if kind == "Name":
            why = "name an input or a stage" if node.name in ROOTS else f"{node.name} is neither inputs nor stages"
            raise TemplateError.of(_shown(text), why)
        if kind == "Filter" and (node.name not in _FILTERS or node.kwargs or node.dyn_args or node.dyn_kwargs):
            raise TemplateError.of(_shown(text), f"the filter {node.name} has no place in a template")
        named = _named(node)
        if named is not None and named.startswith("_"):
            raise TemplateError.of(_shown(text), f"{named} begins with an underscore")
        if named is not None and type(node.node).__name__ == "Name" and node.node.name in ROOTS:
            yield node.node.name, named
            continue
        stack += [(inner, depth + 1) for inner in node.iter_child_nodes()]


def _named(node: Any) -> str | None:
    """Return the name behind the point, or in the brackets, of a node that has one written out."""
    kind = type(node).__name__
    if kind == "Getattr":
        return str(node.attr)
    if kind == "Getitem" and type(node.arg).__name__ == "Const" and isinstance(node.arg.value, str):
        return str(node.arg.value)
    return None


def _joined(pieces: Iterable[str | Callable[[Values], Any]], values: Values) -> str:
    """Return all pieces as one text; nothing is the empty text."""
    found: list[str] = []
    size = 0
    for piece in pieces:
        value = piece if isinstance(piece, str) else piece(values)
        found.append("" if value is None else str(value))
        size += len(found[-1])
        if size > MAX_OUTPUT:
            break
    return _bounded("".join(found))


def _bounded(text: str) -> str:
    if len(text) > MAX_OUTPUT:
        raise ValueError(f"it gives more than {MAX_OUTPUT} characters")
    return text


def _listed(value: Any) -> list[Any]:
    if not isinstance(value, list | tuple):
        raise TypeError("join needs a list")
    return list(value)


_FILTERS: Final[Mapping[str, Callable[..., Any]]] = {
    "default": lambda value, other: other if value is None else value,
    "first": lambda value: value[0] if value else None,
    "join": lambda value, between="": _bounded(str(between)[:_SHOWN].join(map(str, _listed(value)))),
    "last": lambda value: value[-1] if value else None,
    "length": lambda value: 0 if value is None else len(value),
    "lower": lambda value: _bounded(str(value).lower()),
    "round": lambda value, places=0: round(value, places) if places else round(value),
    "tojson": lambda value: _bounded(json.dumps(value, ensure_ascii=False)),
    "trim": lambda value: str(value).strip(),
    "upper": lambda value: _bounded(str(value).upper()),
}
"""The filters there are. None of them takes the name of an attribute or of another filter."""


def _shown(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN else f"{line[:_SHOWN]}…"
