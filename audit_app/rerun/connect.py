"""Opening an endpoint: its address is checked, its key found, its way of speaking taken."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from pydantic import SecretStr

from audit_app.domain.conditions import Endpoint, EndpointKind
from audit_app.rerun.addresses import check_allowed
from audit_app.rerun.anthropic import AnthropicDialect
from audit_app.rerun.dialect import Dialect
from audit_app.rerun.http_provider import HttpProvider
from audit_app.rerun.keys import checked_key, find_key
from audit_app.rerun.openai import OpenAIDialect
from audit_app.rerun.provider import Provider
from audit_app.rerun.recorded import RecordedProvider
from audit_app.rerun.retries import RetryPolicy
from audit_app.rerun.transport import CallLimits

_DIALECTS: dict[EndpointKind, type[Dialect]] = {
    EndpointKind.OPENAI: OpenAIDialect,
    EndpointKind.ANTHROPIC: AnthropicDialect,
}


def open_provider(
    endpoint: Endpoint,
    *,
    allowed: Collection[str] = (),
    key: SecretStr | None = None,
    environment: Mapping[str, str] | None = None,
    limits: CallLimits | None = None,
    policy: RetryPolicy | None = None,
) -> Provider:
    """A provider for an endpoint, to be closed after use; nothing is sent yet.

    Args:
        endpoint: What is to be called.
        allowed: Base addresses that may be; where there are none, any on this machine.
        key: A key given by hand, which wins over the environment.
        environment: Where keys are looked up; the process's own where None.
        limits: What one request may take.
        policy: How often it is tried.

    Raises:
        InputError: The address is not allowed, the key cannot be one, or the file of recorded
            answers cannot be used.
    """
    if endpoint.kind is EndpointKind.RECORDED:
        return RecordedProvider(endpoint)
    address = check_allowed(endpoint.url, allowed)
    given = find_key(endpoint, address, environment) if key is None else checked_key(key, "memory")
    return HttpProvider(
        endpoint,
        address,
        _DIALECTS[endpoint.kind](),
        given,
        limits=limits or CallLimits(),
        policy=policy or RetryPolicy(),
    )
