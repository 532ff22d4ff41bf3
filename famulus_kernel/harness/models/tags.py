"""What a model tag means: `provider:model`, or a bare name of the allowlist (spec 3.5).

The allowlist is ours (allowlist.yaml) and what famulus.yml says under `models:`. Addresses come from famulus.yml, then
the environment, then the provider; keys from the environment only.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit, urlunsplit

from famulus_kernel.errors import ModelKey, UnknownModel
from famulus_kernel.harness.models.providers import PROVIDERS

if TYPE_CHECKING:
    from collections.abc import Mapping

DEFAULT_MODEL: Final = "ollama:glm-5.3:cloud"
DEFAULT_VARIABLE: Final = "ORCH_PROVIDER"
TRUSTED_VARIABLE: Final = "FAMULUS_MODEL_HOSTS"
"""Hosts, separated by commas, that keys may go to although only famulus.yml names them."""

_LOOPBACK: Final = frozenset({"127.0.0.1", "::1", "localhost"})


@dataclass(frozen=True, slots=True)
class Target:
    """Where a tag leads.

    Attributes
    ----------
    tag
        As it was written.
    provider, model
        Who offers it, and what it is called there.
    endpoint
        Base URL.
    is_own_address
        The host is the provider's or the environment's, not one that only famulus.yml names.
    key_variables
        The environment variables that may hold the key; the first one that is set counts.
    """

    tag: str
    provider: str
    model: str
    endpoint: str
    is_own_address: bool
    key_variables: tuple[str, ...]

    @property
    def shown_endpoint(self) -> str:
        """The endpoint without what may be secret in it: user, password, query."""
        try:
            parts = urlsplit(self.endpoint)
        except ValueError:
            return "(an address that cannot be read)"
        return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))

    def key(self) -> str | None:
        """Return the key from the environment; None for none.

        Raises
        ------
        ModelKey
            The provider wants one and none is set, or it would go to a server that only famulus.yml names.
        """
        found = next((name for name in self.key_variables if os.environ.get(name)), None)
        if found is None:
            if PROVIDERS[self.provider].needs_key and self.endpoint == PROVIDERS[self.provider].address:
                raise ModelKey.missing(self.tag, self.shown_endpoint, self.key_variables[0])
            return None
        if not self.is_own_address:
            host = _host(self.endpoint)
            trusted = {one.strip() for one in os.environ.get(TRUSTED_VARIABLE, "").split(",")}
            if host not in trusted | _LOOPBACK:
                raise ModelKey.stays(self.tag, self.shown_endpoint, found, host, TRUSTED_VARIABLE)
        return os.environ[found]


def default_model() -> str:
    """Return the tag that stands where a block names none: of the environment, else of the language.

    Raises
    ------
    UnknownModel
        The environment holds something else than a full tag.
    """
    tag = os.environ.get(DEFAULT_VARIABLE)
    if tag and ":" not in tag:
        raise UnknownModel.bad_default(DEFAULT_VARIABLE, tag)
    return tag or DEFAULT_MODEL


def resolve(tag: str, models: Mapping[str, Mapping[str, Any]] | None = None) -> Target:
    """Return where a tag leads.

    Parameters
    ----------
    models
        `models:` of famulus.yml: tag to {endpoint, provider, model, api_key_env}, each of which may be missing.

    Raises
    ------
    UnknownModel
        It is neither on the allowlist nor provider:model with a provider that is known; the nearest is offered.
    """
    allowed = {**shipped(), **(models or {})}
    entry = {key: value for key, value in allowed.get(tag, {}).items() if value is not None}
    written, _, rest = tag.partition(":")
    provider = entry.get("provider") or (written if rest else None)
    if provider is None and tag in allowed:
        raise UnknownModel.without_provider(tag, sorted(PROVIDERS))
    if provider is None:
        raise UnknownModel.of(tag, allowed)
    if provider not in PROVIDERS:
        raise UnknownModel.no_provider(tag, provider, sorted(PROVIDERS), allowed)
    known = PROVIDERS[provider]
    by_environment = os.environ.get(known.address_variable) or known.address
    endpoint = entry.get("endpoint") or by_environment
    name = rest if written == provider and rest else tag
    return Target(
        tag=tag,
        provider=provider,
        model=entry.get("model") or name,
        endpoint=_with_path(endpoint, known.path),
        is_own_address=_host(endpoint) in {_host(by_environment), _host(known.address)},
        key_variables=(entry["api_key_env"],) if "api_key_env" in entry else known.key_variables,
    )


@lru_cache(maxsize=1)
def shipped() -> Mapping[str, Mapping[str, Any]]:
    """Return the allowlist of this release."""
    from famulus_kernel.language.yaml import load_strict  # noqa: PLC0415 - a block that names no model needs none

    file = Path(__file__).with_name("allowlist.yaml")
    found: Mapping[str, Mapping[str, Any]] = load_strict(file.read_text(encoding="utf-8"), file=file.name).value
    return found


def _host(endpoint: str) -> str:
    try:
        return urlsplit(endpoint).hostname or ""
    except ValueError:
        return ""


def _with_path(endpoint: str, path: str) -> str:
    """Return an address with the path of the interface where it has none."""
    endpoint = endpoint.rstrip("/")
    try:
        bare = not urlsplit(endpoint).path
    except ValueError:
        return endpoint
    return endpoint + path if bare else endpoint
