"""Endpoints as a job uses them: found, allowed, with their key, opened."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import SecretStr

from audit_app.domain.conditions import Endpoint, EndpointKind
from audit_app.errors import InputError
from audit_app.rerun.addresses import check_allowed, read_address
from audit_app.rerun.connect import open_provider
from audit_app.rerun.endpoints import allowed_addresses
from audit_app.rerun.keys import find_key, needs_key
from audit_app.rerun.provider import Provider
from audit_app.rerun.retries import RetryPolicy


@dataclass(frozen=True)
class EndpointChoice:
    """An endpoint that may be used.

    Attributes:
        endpoint: The endpoint.
        has_key: Whether the environment holds a key for it; the key itself is nowhere in here.
    """

    endpoint: Endpoint
    has_key: bool


def has_key(endpoint: Endpoint, listed: Sequence[Endpoint]) -> bool:
    """Whether the environment holds a key for an endpoint.

    Raises:
        InputError: The endpoint may not be called, or what it holds cannot be a key.
    """
    if endpoint.kind is EndpointKind.RECORDED:
        return False
    address = check_allowed(endpoint.url, allowed_addresses(listed))
    return find_key(endpoint, address) is not None


def key_hint(endpoint: Endpoint, *, has_key: bool) -> str:
    """What to say of a missing key; empty where none is expected."""
    if has_key or endpoint.kind is EndpointKind.RECORDED or read_address(endpoint.url).is_loopback:
        return ""
    return f"No key is set for {endpoint.name}; if it asks for one, set {endpoint.key_variable}."


def require_key(endpoint: Endpoint, listed: Sequence[Endpoint], key: SecretStr | None) -> None:
    """Refuse an endpoint that answers nobody without a key, where there is none.

    Raises:
        InputError: There is none, or the endpoint may not be called.
    """
    if endpoint.kind is EndpointKind.RECORDED:
        return
    address = check_allowed(endpoint.url, allowed_addresses(listed))
    if key is None and needs_key(address) and find_key(endpoint, address) is None:
        raise InputError(
            f"{endpoint.name} answers nobody without a key, and there is none; set "
            f"{endpoint.key_variable} in the environment"
        )


def opened(
    endpoint: Endpoint, listed: Sequence[Endpoint], key: SecretStr | None, policy: RetryPolicy
) -> Provider:
    """A provider for an endpoint, to be closed after use; nothing is sent yet.

    Raises:
        InputError: It may not be called, a key is missing or can be none, or its file of recorded
            answers cannot be used.
    """
    require_key(endpoint, listed, key)
    return open_provider(endpoint, allowed=allowed_addresses(listed), key=key, policy=policy)
