"""Who offers models: where each is reached, which variables say so, and the client that speaks to it.

All but the table is the client library's (pydantic-ai). A server that speaks OpenAI's interface needs no provider of
its own: `openai` with another address is one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from famulus_kernel.errors import MissingExtra

if TYPE_CHECKING:
    from collections.abc import Mapping
    from contextlib import AsyncExitStack

    from pydantic_ai.models import Model

    from famulus_kernel.harness.models.tags import Target


@dataclass(frozen=True, slots=True)
class Provider:
    """One provider.

    Attributes
    ----------
    address
        Base URL where nothing else is said.
    address_variable
        The environment variable that says else.
    key_variables
        Those that hold the key; the first one that is set counts.
    needs_key
        Whether nothing goes at the provider's own address without one.
    path
        What is added to an address that is only a host, for people write it so.
    """

    address: str
    address_variable: str
    key_variables: tuple[str, ...]
    needs_key: bool = True
    path: str = ""


PROVIDERS: Final[Mapping[str, Provider]] = {
    "ollama": Provider(
        "http://127.0.0.1:11434/v1", "OLLAMA_BASE_URL", ("OLLAMA_API_KEY",), needs_key=False, path="/v1"
    ),
    "openai": Provider("https://api.openai.com/v1", "OPENAI_BASE_URL", ("OPENAI_API_KEY",), path="/v1"),
    "google": Provider(
        "https://generativelanguage.googleapis.com", "GOOGLE_BASE_URL", ("GOOGLE_API_KEY", "GEMINI_API_KEY")
    ),
    "anthropic": Provider("https://api.anthropic.com", "ANTHROPIC_BASE_URL", ("ANTHROPIC_API_KEY",)),
}

NO_KEY: Final = "none"
"""What goes to a server that asks for no key: the libraries want a word there."""


async def client_model(target: Target, key: str | None, stack: AsyncExitStack) -> Model[Any]:
    """Return the client library's model for a target; its connections are closed with `stack`.

    Nothing is sent twice by the library itself: what fails is told, not hidden.

    Raises
    ------
    MissingExtra
        The provider's package is not installed.
    """
    try:
        if target.provider == "google":
            return await _google(target, key, stack)
        if target.provider == "anthropic":
            return await _anthropic(target, key, stack)
        return await _openai(target, key, stack)
    except ImportError:
        extra = target.provider if target.provider in {"google", "anthropic"} else "models"
        raise MissingExtra.of(f"the client for {target.provider} models", extra) from None


async def _openai(target: Target, key: str | None, stack: AsyncExitStack) -> Model[Any]:
    from openai import AsyncOpenAI  # noqa: PLC0415 - an extra, and takes a second
    from pydantic_ai.models.openai import OpenAIChatModel  # noqa: PLC0415
    from pydantic_ai.profiles.openai import OpenAIModelProfile  # noqa: PLC0415

    from famulus_kernel.harness.models.bounded import bounded_client  # noqa: PLC0415 - built on the extra

    client = await stack.enter_async_context(
        AsyncOpenAI(base_url=target.endpoint, api_key=key or NO_KEY, max_retries=0, http_client=bounded_client())
    )
    if target.provider == "ollama":
        from pydantic_ai.models.ollama import OllamaModel  # noqa: PLC0415
        from pydantic_ai.providers.ollama import OllamaProvider  # noqa: PLC0415

        # servers that only resemble OpenAI's know the older word for the most tokens
        older = OpenAIModelProfile(openai_chat_supports_max_completion_tokens=False)
        return OllamaModel(target.model, provider=OllamaProvider(openai_client=client), profile=older)
    from pydantic_ai.providers.openai import OpenAIProvider  # noqa: PLC0415

    own = target.endpoint == PROVIDERS["openai"].address
    profile = OpenAIModelProfile(openai_chat_supports_max_completion_tokens=own)
    return OpenAIChatModel(target.model, provider=OpenAIProvider(openai_client=client), profile=profile)


async def _google(target: Target, key: str | None, stack: AsyncExitStack) -> Model[Any]:
    from google import genai  # noqa: PLC0415 - an extra
    from pydantic_ai.models.google import GoogleModel  # noqa: PLC0415
    from pydantic_ai.providers.google import GoogleProvider  # noqa: PLC0415

    options = genai.types.HttpOptions(base_url=target.endpoint)
    client = genai.Client(api_key=key or NO_KEY, http_options=options)
    stack.push_async_callback(client.aio.aclose)
    return GoogleModel(target.model, provider=GoogleProvider(client=client))


async def _anthropic(target: Target, key: str | None, stack: AsyncExitStack) -> Model[Any]:
    from anthropic import AsyncAnthropic  # noqa: PLC0415 - an extra
    from pydantic_ai.models.anthropic import AnthropicModel  # noqa: PLC0415
    from pydantic_ai.providers.anthropic import AnthropicProvider  # noqa: PLC0415

    client = await stack.enter_async_context(
        AsyncAnthropic(base_url=target.endpoint, api_key=key or NO_KEY, max_retries=0)
    )
    return AnthropicModel(target.model, provider=AnthropicProvider(anthropic_client=client))
