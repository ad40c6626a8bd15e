"""Filing what the adjudicator's desk sends: single decisions, and all identical cases in one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from audit_app.errors import AuditError
from audit_app.services.adjudication import AdjudicationService
from audit_app.services.judging import Ack

ACCEPT_IDENTICAL = "accept_identical"
"""Kind of the one action that names no task."""


def decide(service: AdjudicationService, actions: Iterable[Mapping[str, Any]]) -> list[Ack]:
    """File the actions in order; each is answered for itself."""
    return [_decide(service, action) for action in actions]


def _decide(service: AdjudicationService, action: Mapping[str, Any]) -> Ack:
    if action.get("kind") != ACCEPT_IDENTICAL:
        return service.apply([action])[0]
    id_ = str(action.get("id", ""))
    try:
        service.accept_identical()  # a repeated one finds nothing left to accept
    except AuditError as error:
        return Ack(id_, str(error))
    return Ack(id_)
