"""The adjudicator's screen as one component: ``desk`` has the calls, ``state`` the values."""

from audit_app.ui.components.adjudicate_desk.desk import adjudicate_desk, take_decisions
from audit_app.ui.components.adjudicate_desk.state import (
    AdjudicateRequest,
    AdjudicateState,
    cases_ahead,
    first_differing,
    settled_by,
    why_nothing,
)

__all__ = [
    "AdjudicateRequest",
    "AdjudicateState",
    "adjudicate_desk",
    "cases_ahead",
    "first_differing",
    "settled_by",
    "take_decisions",
    "why_nothing",
]
