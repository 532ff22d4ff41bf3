"""The client library's exceptions as ours; nothing of a request, and no key, gets into a message."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from famulus_kernel.errors import (
    EmptyAnswer,
    MalformedReply,
    ModelError,
    ModelRefused,
    ModelRejected,
    ModelTimeout,
    ModelUnreachable,
)
from famulus_kernel.harness.models.redaction import redacted

if TYPE_CHECKING:
    from pydantic_ai.exceptions import ModelAPIError

    from famulus_kernel.harness.models.tags import Target

_SHOWN: Final = 200
"""So many characters of what a server says are told."""
_ABOUT_KEYS: Final = frozenset({401, 403})
"""What is said with these may hold half a key, which no search for the whole one finds: it is left out."""


class UnusableReply(ValueError):
    """A reply that is not taken into memory, and why."""


def translated(error: Exception, target: Target, key: str | None) -> ModelError | None:
    """Return an exception of the client library as ours; None where it is not about the server or its answer."""
    from pydantic_ai import exceptions as theirs  # noqa: PLC0415 - see providers

    if isinstance(error, theirs.ModelAPIError):
        return _of_the_server(error, target, key)
    where = (target.tag, target.shown_endpoint)
    if isinstance(error, UnusableReply):
        return MalformedReply.of(*where, f"sent a reply that is none: {error}")
    if isinstance(error, theirs.ContentFilterError):
        return ModelRefused.of(*where, "refused to answer")
    if isinstance(error, theirs.UnexpectedModelBehavior):
        why = redacted(str(error).partition("\n")[0], key)[:_SHOWN]
        return MalformedReply.of(*where, f"sent a reply that is none: {why}")
    return None


def _of_the_server(error: ModelAPIError, target: Target, key: str | None) -> ModelError:
    from pydantic_ai import exceptions as theirs  # noqa: PLC0415 - see providers

    where = (target.tag, target.shown_endpoint)
    if isinstance(error, theirs.ModelHTTPError):
        says = "" if error.status_code in _ABOUT_KEYS else redacted(_message(error.body), key)[:_SHOWN]
        return ModelRejected.with_status(*where, error.status_code, says)
    if isinstance(error, theirs.ModelTimeoutError):
        return ModelTimeout.of(*where, "gave no answer in time")
    reason = _innermost(error)
    why = redacted(str(reason) or type(reason).__name__, key)[:_SHOWN]
    if isinstance(error, theirs.ModelConnectionError) and not isinstance(reason, ValueError):
        return ModelUnreachable.of(*where, f"cannot be reached: {why}")
    return MalformedReply.of(*where, f"sent a reply that is none: {why}")


def refused(target: Target, says: object, key: str | None) -> ModelRefused:
    """Return the error of a model that will not answer; `says` is its word on that, if it has one."""
    words = f": {redacted(says, key)[:_SHOWN]}" if isinstance(says, str) and says else ""
    return ModelRefused.of(target.tag, target.shown_endpoint, f"refused to answer{words}")


def empty(target: Target) -> EmptyAnswer:
    """Return the error of an answer without a word."""
    return EmptyAnswer.of(target.tag, target.shown_endpoint, "gave an empty answer")


def _message(body: object) -> str:
    """Return what a server says of an error: of OpenAI's form its message, else the body itself."""
    found: Any = body
    while isinstance(found, dict) and ("error" in found or "message" in found):
        found = found.get("error", found.get("message"))
    return " ".join((found if isinstance(found, str) else json.dumps(found, default=str) if found else "").split())


def _innermost(error: Exception) -> BaseException:
    """Return the innermost reason, which says most: "Connection refused" and not "Connection error."."""
    reason: BaseException = error
    while (below := reason.__cause__ or reason.__context__) is not None:
        reason = below
    return reason
