"""Parameters of a document: in a preamble, `{param: from}` stands for what the front matter's `params` says of `from`.

They are put in before a preamble is validated, so that the effective preamble, its fingerprint and everything else know
the values alone. Whoever renders or runs may give other values for parameters that a document has (`-P`).
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from famulus_kernel.errors import PreambleError, Where

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from famulus_kernel.language.block import BlockSource
    from famulus_kernel.language.document import FrontMatter
    from famulus_kernel.language.validation import Location

PARAM = "param"
PARAMS = "params"
GIVEN = "FAMULUS_PARAMETERS"
"""Set where values are given, as JSON, so that they hold in every process that takes part."""


@dataclass(frozen=True, slots=True)
class Parameters:
    """The parameters of one document.

    Attributes
    ----------
    values
        By name.
    sources
        Dotted name to the source text of a number that Python would write otherwise; see `StrictYaml`.
    """

    values: Mapping[str, Any] = field(default_factory=dict)
    sources: Mapping[str, str] = field(default_factory=dict)


def given_parameters() -> dict[str, Any]:
    """Return the values that were given to this process, by name.

    Raises
    ------
    PreambleError
        The variable holds something else.
    """
    written = os.environ.get(GIVEN) or "{}"
    try:
        found = json.loads(written)
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise PreambleError.bad_value(GIVEN, written, "a mapping of names to values, as JSON")
    return found


def parameters_of(front_matter: FrontMatter, given: Mapping[str, Any]) -> Parameters:
    """Return a document's parameters: the defaults in its front matter, with those values that were given for them."""
    declared = front_matter.data.get(PARAMS)
    if not isinstance(declared, dict):
        return Parameters()
    values = {name: given.get(name, value) for name, value in declared.items()}
    begin = f"{PARAMS}."
    sources = {
        key.removeprefix(begin): text
        for key, text in front_matter.sources.items()
        if key.startswith(begin) and key.split(".")[1] not in given
    }
    return Parameters(values, sources)


def with_parameters(source: BlockSource, parameters: Parameters) -> BlockSource:
    """Return a block with the values of its document's parameters in their places.

    An id is no place for one: it names the folder of the block's versions.

    Raises
    ------
    PreambleError
        The document has no such parameter; with file, line, block and key.
    """
    from famulus_kernel.language.validation import at, dotted, replaced  # noqa: PLC0415 - not where all is remembered

    data, sources = source.data, dict(source.yaml.sources)
    for path in list(_places(data, ())):
        name, key = at(source.data, path)[PARAM], dotted("", path)
        if name not in parameters.values:
            where = Where(source.file, source.yaml.line_of(key), None, key)
            raise PreambleError.unknown_parameter(name, parameters.values, where)
        data = replaced(data, path, parameters.values[name])
        for known, text in parameters.sources.items():
            if known == name or known.startswith(f"{name}."):
                sources[key + known.removeprefix(name)] = text
    if data is source.data:
        return source
    return replace(source, yaml=replace(source.yaml, value=data, sources=sources))


def _places(value: Any, path: Location) -> Iterator[Location]:
    """Yield the path of every `{param: name}` below a value, and of nothing inside it."""
    if isinstance(value, dict):
        if path and path != ("id",) and value.keys() == {PARAM} and isinstance(value[PARAM], str):
            yield path
            return
        for key, inner in value.items():
            yield from _places(inner, (*path, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _places(inner, (*path, index))
