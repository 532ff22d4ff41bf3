"""One model, asked one thing at a time: bounded in tokens and time, every exchange told, every failure named."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from famulus_kernel.harness.models.asking import Asking, Exchange
from famulus_kernel.harness.models.tags import Target, default_model, resolve

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

TIMEOUT_S: Final = 120.0


@dataclass(frozen=True, slots=True)
class Completion:
    """An answer that can be used.

    Attributes
    ----------
    text
        The answer.
    data
        Of an answer by schema the JSON value.
    tokens_in, tokens_out
        Of all exchanges together; None where the server does not say.
    model, endpoint
        What the server says has answered, and where that is.
    seconds
        All in all.
    is_cut
        It ends at `max_tokens`.
    exchanges
        What was said; more than one where an answer had to be asked for again.
    """

    text: str
    data: Any
    tokens_in: int | None
    tokens_out: int | None
    model: str
    endpoint: str
    seconds: float
    is_cut: bool
    exchanges: tuple[Exchange, ...]

    def with_text(self, text: str) -> Completion:
        """Return the answer with another text, such as one that was cut."""
        return replace(self, text=text)


@dataclass(frozen=True, slots=True)
class Model:
    """A model that a tag names. To have one costs nothing; to ask it does."""

    target: Target

    @property
    def tag(self) -> str:
        """Its tag."""
        return self.target.tag

    @property
    def endpoint(self) -> str:
        """Where it is asked, without what may be secret."""
        return self.target.shown_endpoint

    def answer(
        self,
        prompt: str,
        *,
        schema: Mapping[str, Any] | None = None,
        max_tokens: int | None = None,
        timeout: float = TIMEOUT_S,
        on_exchange: Callable[[Exchange], None] | None = None,
    ) -> Completion:
        """Ask one thing and wait for the answer.

        The conversation runs in a thread of its own that ends with the call, so it may be made from anywhere, also
        below a running event loop, and Ctrl-C ends it.

        Parameters
        ----------
        schema
            JSON Schema of the answer. What does not fit is asked for again, twice at most.
        max_tokens
            Tokens that all that it writes may have. A text that reaches them is cut; JSON that does is no answer.
        timeout
            Seconds that all of it may take, however slowly the server drips.
        on_exchange
            Told every exchange when it ends, those too of which nothing comes.

        Raises
        ------
        ModelError
            ModelUnreachable, ModelTimeout, ModelRejected (an HTTP status), ModelRefused, EmptyAnswer, TruncatedAnswer,
            AnswerNotJson, AnswerMisfit or MalformedReply; each names tag and endpoint.
        ModelKey
            A key is missing, or would go where it must not.
        PartiturError
            The schema is no JSON Schema.
        MissingExtra
            The client is not installed.
        """
        asking = Asking(self.target, max_tokens, timeout, on_exchange)
        data = None if schema is None else asking.json(prompt, schema)
        text = asking.text(prompt) if schema is None else asking.exchanges[-1].text
        exchanges = asking.exchanges
        last = exchanges[-1]
        return Completion(
            text=text,
            data=data,
            tokens_in=_sum([one.tokens_in for one in exchanges]),
            tokens_out=_sum([one.tokens_out for one in exchanges]),
            model=last.model,
            endpoint=self.endpoint,
            seconds=sum(one.seconds for one in exchanges),
            is_cut=last.is_cut,
            exchanges=tuple(exchanges),
        )


def _sum(tokens: list[int | None]) -> int | None:
    """Return how many tokens there are in all; None where one is not known."""
    known = [one for one in tokens if one is not None]
    return sum(known) if len(known) == len(tokens) else None


def open_model(tag: str | None, models: Mapping[str, Mapping[str, Any]] | None = None) -> Model:
    """Return the model that a tag names; nothing is asked yet.

    Parameters
    ----------
    tag
        `provider:model` or a bare name of the allowlist; None: :func:`default_model`.
    models
        What famulus.yml adds to the allowlist: tag to {endpoint, provider, model, api_key_env}.

    Raises
    ------
    UnknownModel
        It is no tag.
    """
    return Model(resolve(tag if tag is not None else default_model(), models))
