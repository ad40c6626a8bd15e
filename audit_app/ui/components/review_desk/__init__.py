"""The review screen as one component: see ``desk`` for the calls and ``state`` for the values."""

from audit_app.ui.components.review_desk.desk import review_desk, take_actions
from audit_app.ui.components.review_desk.state import (
    Apply,
    DeskRequest,
    DeskState,
    finding_words,
    first_open,
    judgement_words,
    read_ahead,
)

__all__ = [
    "Apply",
    "DeskRequest",
    "DeskState",
    "finding_words",
    "first_open",
    "judgement_words",
    "read_ahead",
    "review_desk",
    "take_actions",
]
