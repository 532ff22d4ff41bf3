"""Ask a model and wait: one deadline over all, one thread, every failure in our own words."""

from __future__ import annotations

import time
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from famulus_kernel.errors import (
    AnswerMisfit,
    AnswerNotJson,
    MissingExtra,
    ModelError,
    ModelTimeout,
    TruncatedAnswer,
    plain,
)
from famulus_kernel.harness.contract import check_contract
from famulus_kernel.harness.models import failures
from famulus_kernel.harness.models.providers import client_model
from famulus_kernel.harness.models.redaction import redacted, redacted_json
from famulus_kernel.harness.models.structured import RETRIES, asked_again, asked_for, read

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pydantic_ai.messages import ModelResponse

    from famulus_kernel.harness.models.tags import Target


@dataclass(frozen=True, slots=True)
class Exchange:
    """One prompt and what came back.

    Attributes
    ----------
    prompt, text
        As they went and came; a key in the text is replaced by a mark.
    tokens_in, tokens_out
        As the server counts; None where it does not say.
    seconds
        From sending to the last byte.
    model
        What the server says has answered.
    is_cut
        The text ends where it had as many tokens as it may have.
    problem
        What keeps it from being used; "" for nothing.
    """

    prompt: str
    text: str
    tokens_in: int | None
    tokens_out: int | None
    seconds: float
    model: str
    is_cut: bool = False
    problem: str = ""

    @property
    def spent(self) -> int:
        """Tokens out, guessed from the length (four characters each) where the server does not count."""
        return self.tokens_out if self.tokens_out is not None else -(-len(self.text) // 4)


class Asking:
    """One answer in the making: what was exchanged for it so far, and until when it may take.

    Parameters
    ----------
    max_tokens
        Tokens that all replies together may have; None: as many as the server likes.
    timeout
        Seconds for all exchanges together.
    """

    def __init__(
        self,
        target: Target,
        max_tokens: int | None,
        timeout: float,
        on_exchange: Callable[[Exchange], None] | None = None,
    ) -> None:
        _load_client()  # a second or more, which is not the server's
        self.exchanges: list[Exchange] = []
        self._target = target
        self._key = target.key()
        self._max_tokens = max_tokens
        self._timeout = timeout
        self._deadline = time.monotonic() + timeout
        self._on_exchange = on_exchange or (lambda _exchange: None)

    def text(self, prompt: str) -> str:
        """Return the answer to a prompt as it came."""
        exchange = self._exchanged(prompt)
        self._keep(exchange)
        if exchange.is_cut and self._max_tokens is None:
            raise TruncatedAnswer.of(*self._named, "cut its own answer short")
        return exchange.text

    def json(self, prompt: str, schema: Mapping[str, Any]) -> Any:
        """Return the answer to a prompt as a JSON value that fits a schema."""
        check_contract(schema)
        first = wanted = asked_for(prompt, schema)
        for _ in range(1 + RETRIES):
            exchange = self._exchanged(wanted)
            if exchange.is_cut:
                self._keep(replace(exchange, problem="it was cut"))
                raise TruncatedAnswer.of(*self._named, f"had no room for its answer ({exchange.tokens_out} tokens)")
            reading = read(exchange.text, schema)
            self._keep(replace(exchange, problem=reading.problem))
            if not reading.problem:
                return redacted_json(reading.data, self._key)  # a key may be written in JSON's escapes
            if self._max_tokens is not None and self._spent >= self._max_tokens:
                raise TruncatedAnswer.of(*self._named, "used up its tokens with answers that cannot be used")
            wanted = asked_again(first, exchange.text, reading.problem)
        kind = AnswerMisfit if reading.is_json else AnswerNotJson
        raise kind.of(*self._named, f"gave no answer that can be used, asked {1 + RETRIES} times: {reading.problem}")

    @property
    def _named(self) -> tuple[str, str]:
        return self._target.tag, self._target.shown_endpoint

    @property
    def _spent(self) -> int:
        return sum(one.spent for one in self.exchanges)

    def _keep(self, exchange: Exchange) -> None:
        self.exchanges.append(exchange)
        self._on_exchange(exchange)

    def _exchanged(self, prompt: str) -> Exchange:
        """Send a prompt and return the reply, or raise the ModelError that came of it."""
        from anyio.from_thread import start_blocking_portal  # noqa: PLC0415 - see _load_client

        began = time.monotonic()
        try:
            with start_blocking_portal(name="famulus-model") as portal:
                response = portal.call(self._bounded, prompt)
        except ModelError as error:
            seconds = round(time.monotonic() - began, 3)
            self._keep(Exchange(prompt, "", None, None, seconds, self._target.model, problem=plain(error.message)))
            raise
        return self._read(prompt, response, time.monotonic() - began)

    async def _bounded(self, prompt: str) -> ModelResponse:
        """Ask until the deadline."""
        import anyio  # noqa: PLC0415 - see _load_client

        try:
            with anyio.fail_after(max(0.0, self._deadline - time.monotonic())):
                return await self._asked(prompt)
        except TimeoutError:
            raise ModelTimeout.of(*self._named, f"gave no answer within {self._timeout:g} s") from None
        except Exception as error:
            ours = failures.translated(error, self._target, self._key)
            if ours is None:
                raise
            raise ours from None  # what the library says may hold the key

    async def _asked(self, prompt: str) -> ModelResponse:
        from pydantic_ai.direct import model_request  # noqa: PLC0415 - see _load_client
        from pydantic_ai.messages import ModelRequest  # noqa: PLC0415
        from pydantic_ai.settings import ModelSettings  # noqa: PLC0415

        settings = ModelSettings(timeout=self._timeout)
        if self._max_tokens is not None:
            settings["max_tokens"] = self._max_tokens - self._spent
        async with AsyncExitStack() as stack:
            model = await client_model(self._target, self._key, stack)
            return await model_request(model, [ModelRequest.user_text_prompt(prompt)], model_settings=settings)

    def _read(self, prompt: str, response: ModelResponse, seconds: float) -> Exchange:
        """Return a reply as an exchange.

        Raises
        ------
        ModelRefused, EmptyAnswer
        """
        text = redacted(response.text or "", self._key)
        exchange = Exchange(
            prompt=prompt,
            text=text,
            tokens_in=response.usage.input_tokens or None,
            tokens_out=response.usage.output_tokens or None,
            seconds=round(seconds, 3),
            model=redacted(response.model_name or self._target.model, self._key),
            is_cut=response.finish_reason == "length",
        )
        if response.finish_reason == "content_filter":
            self._keep(replace(exchange, problem="refused"))
            raise failures.refused(self._target, (response.provider_details or {}).get("refusal"), self._key)
        if not text.strip():
            self._keep(replace(exchange, problem="empty"))
            if exchange.is_cut:
                raise TruncatedAnswer.of(*self._named, "used up its tokens before it began to answer")
            raise failures.empty(self._target)
        return exchange


def _load_client() -> None:
    try:
        import anyio.from_thread  # noqa: F401, PLC0415 - an extra, and takes long to load
        import pydantic_ai.direct  # noqa: F401, PLC0415 - the same
    except ImportError:
        raise MissingExtra.of("the client for language models", "models") from None
