"""What goes wrong with a language model (spec 3.5): every message names its tag, and its endpoint once there is one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Self

from famulus_kernel.errors.base import FamulusError, bold, listed, nearest, offer

if TYPE_CHECKING:
    from collections.abc import Iterable


class UnknownModel(FamulusError):
    """A tag is neither provider:model nor a bare name of the allowlist."""

    code = "model-unknown"

    @classmethod
    def of(cls, tag: str, known: Iterable[str]) -> Self:
        """`known` are the tags of the allowlist."""
        return cls(
            f"{bold(tag)} is no tag of a model",
            hint=f"{offer(tag, known)} Others are written provider:model, or added to models: in famulus.yml",
        )

    @classmethod
    def without_provider(cls, tag: str, known: Iterable[str]) -> Self:
        """The allowlist has `tag`, a bare name, and does not say which of the `known` providers offers it."""
        return cls(
            f"models: has {bold(tag)} without a provider",
            hint=f"write {tag}: {{provider: …}} in famulus.yml; providers are: {listed(known)}",
        )

    @classmethod
    def no_provider(cls, tag: str, provider: str, known: Iterable[str], tags: Iterable[str]) -> Self:
        """`tag` names a `provider` that is none of the `known`; `tags` are those of the allowlist."""
        close = nearest(provider, known) or nearest(tag, tags)
        meant = f"did you mean {' or '.join(close)}? " if close else ""
        return cls(
            f"the tag {bold(tag)} names the provider {bold(provider)}, which is not known",
            hint=f"{meant}providers are: {listed(known)}",
        )

    @classmethod
    def bad_default(cls, variable: str, value: str) -> Self:
        """The environment's `variable` holds `value`, which is no full tag."""
        return cls(f"{bold(variable)} holds {bold(value)}, which is no full tag", hint="write provider:model")


class ModelKey(FamulusError):
    """A key is missing, or must not go where it would go."""

    code = "model-key"

    @classmethod
    def missing(cls, tag: str, endpoint: str, variable: str) -> Self:
        """The environment has no `variable`, which `endpoint` needs."""
        return cls(f"{bold(tag)} at {bold(endpoint)} needs a key, and {variable} is not set", hint=f"set {variable}")

    @classmethod
    def stays(cls, tag: str, endpoint: str, variable: str, host: str, allow: str) -> Self:
        """famulus.yml, which may be a stranger's, names an `endpoint` that the environment does not."""
        return cls(
            f"the key in {variable} is not sent to {bold(endpoint)}, which only famulus.yml names for {bold(tag)}",
            hint=f"if you trust that server, set {allow}={host}",
        )


class ModelError(FamulusError):
    """A model gave no answer that can be used."""

    code = "model"
    _remedy: str = "see whether the server is what the tag means"

    @classmethod
    def of(cls, tag: str, endpoint: str, why: str, hint: str = "") -> Self:
        """`tag` at `endpoint` gave none because of `why`."""
        return cls(f"the model {bold(tag)} at {bold(endpoint)} {why}", hint=hint or cls._remedy)


class ModelUnreachable(ModelError):
    """Nobody answers at the endpoint, or the connection broke off."""

    code = "model-unreachable"
    _remedy = "start the server, or mend its address (docs/models.md names the variables)"


class ModelTimeout(ModelError):
    """The answer did not come in time."""

    code = "model-timeout"
    _remedy = "see whether the server is busy, or raise max_wall_seconds in limits:"


class ModelRejected(ModelError):
    """The server answered with an HTTP status that says no."""

    code = "model-http"
    _HINTS: Final = {
        400: "the server cannot do what was asked, or does not know the model",
        401: "see whether the key in the environment is the right one",
        403: "see whether the key in the environment may use this model",
        404: "see whether the server has the model under that name, and whether the address ends as it should (/v1)",
        429: "wait, or see whether the quota is used up",
    }

    @classmethod
    def with_status(cls, tag: str, endpoint: str, status: int, says: str) -> Self:
        """The server answered with `status`; it `says` so in a few words, "" for none."""
        words = f" ({says})" if says else ""
        hint = cls._HINTS.get(status, "the server has a problem of its own; try again later")
        return cls.of(tag, endpoint, f"answered with HTTP status {status}{words}", hint)


class ModelRefused(ModelError):
    """The model will not answer."""

    code = "model-refused"
    _remedy = "put the question in other words, or take another model"


class EmptyAnswer(ModelError):
    """An answer came, without a word in it."""

    code = "model-empty"
    _remedy = "try again, or take another model"


class TruncatedAnswer(ModelError):
    """The answer ends in the middle."""

    code = "model-truncated"
    _remedy = "raise max_output_tokens in limits:, or ask for less"


class AnswerNotJson(ModelError):
    """What should be JSON is none, also when asked again."""

    code = "model-not-json"
    _remedy = "take a model that can answer in JSON"


class AnswerMisfit(ModelError):
    """The answer does not fit the schema, also when asked again."""

    code = "model-schema"
    _remedy = "the trace holds the answers; make the schema plainer, or take another model"


class MalformedReply(ModelError):
    """What the server sent is no reply of such a server."""

    code = "model-malformed"
    _remedy = "see whether the address is that of an OpenAI-compatible interface (it often ends in /v1)"
