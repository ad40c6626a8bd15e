"""What every provider does, whatever stands behind it."""

from __future__ import annotations

import threading
from typing import Protocol

from audit_app.domain.conditions import Condition, Endpoint
from audit_app.domain.trials import Completion, Request


class Provider(Protocol):
    """Puts requests to one endpoint; safe to use from threads.

    Attributes:
        endpoint: The endpoint.
    """

    endpoint: Endpoint

    def check(self, condition: Condition) -> None:
        """Refuse a condition that the endpoint cannot meet, before anything is sent.

        Raises:
            InputError: It cannot; the reason names the setting.
        """
        ...

    def complete(
        self,
        request: Request,
        condition: Condition,
        *,
        cancel: threading.Event | None = None,
        tries: int | None = None,
    ) -> Completion:
        """How the request ended; whatever goes wrong is a status of the completion.

        Args:
            request: What is asked.
            condition: How.
            cancel: Ends it, waits included, when set.
            tries: Most tries, where fewer are allowed than usual.
        """
        ...

    def close(self) -> None:
        """Let go of connections."""
        ...
