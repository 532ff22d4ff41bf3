"""The contract of a partitur (spec 3.3): a JSON Schema that the result must fit, or the run did not reach its goal."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from famulus_kernel.errors import PartiturError

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator

MOST: Final = 50
"""So many violated clauses are told."""
_TYPES: Final[Mapping[str, type | tuple[type, ...]]] = {"object": dict, "array": list, "string": str}


def violations(contract: Mapping[str, Any], result: object) -> tuple[str, ...]:
    """Return every clause of a contract that a result violates, as `place: what is wrong`; none: it is reached.

    Parameters
    ----------
    contract
        JSON Schema, draft 2020-12; {} holds always.
    result
        JSON values.

    Raises
    ------
    PartiturError
        The contract is no JSON Schema, or refers to another document.
    """
    value = _as_json(result)
    if _plainly_holds(contract, value):
        return ()
    from jsonschema.exceptions import SchemaError  # noqa: PLC0415 - takes longer to load than most queries
    from referencing.exceptions import Unresolvable  # noqa: PLC0415 - the same

    try:
        validator = _validator(contract)
        found = sorted(validator.iter_errors(value), key=lambda error: [str(part) for part in error.absolute_path])
    except SchemaError as error:
        raise PartiturError.bad_contract(error.message) from None
    except (Unresolvable, RecursionError) as error:
        raise PartiturError.bad_contract(str(error) or "it refers to itself") from None
    return tuple(f"{error.json_path}: {_short(error.message)}" for error in found[:MOST])


def check_contract(contract: Mapping[str, Any]) -> None:
    """Raise PartiturError where a contract is no JSON Schema."""
    from jsonschema.exceptions import SchemaError  # noqa: PLC0415 - see violations

    try:
        _validator(contract)
    except SchemaError as error:
        raise PartiturError.bad_contract(error.message) from None


def _validator(contract: Mapping[str, Any]) -> Draft202012Validator:
    from jsonschema import Draft202012Validator  # noqa: PLC0415 - see violations
    from referencing import Registry  # noqa: PLC0415 - the same

    Draft202012Validator.check_schema(contract)
    # An empty registry: without one the library would fetch what `$ref` names from the network.
    return Draft202012Validator(contract, registry=Registry())


def _plainly_holds(contract: Mapping[str, Any], value: object) -> bool:
    """Say whether a contract of the plainest clauses (type, required, properties) surely holds.

    It answers for the reached runs of most partituren, so that jsonschema, which takes longer to load than most
    queries to play, is asked only about the others.
    """
    for clause, wanted in contract.items():
        if clause == "type":
            if not isinstance(wanted, str) or wanted not in _TYPES or not isinstance(value, _TYPES[wanted]):
                return False
        elif clause == "required":
            if not (isinstance(wanted, list) and isinstance(value, dict) and all(name in value for name in wanted)):
                return False
        elif clause == "properties":
            if not (isinstance(wanted, Mapping) and isinstance(value, dict)):
                return False
            for name, below in wanted.items():
                if not isinstance(below, Mapping) or (name in value and not _plainly_holds(below, value[name])):
                    return False
        else:
            return False
    return True


def _as_json(value: Any) -> Any:
    """Return a value as JSON would hold it."""
    if isinstance(value, Mapping):
        return {str(key): _as_json(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_as_json(inner) for inner in value]
    if value is None or isinstance(value, str | bool | int) or (isinstance(value, float) and math.isfinite(value)):
        return value
    return str(value)


def _short(text: str, most: int = 300) -> str:
    return text if len(text) <= most else f"{text[:most]}…"
