"""The review screen as one component: see ``desk`` for the calls and ``state`` for the values."""

from audit_app.ui.components.desk.action_log import Apply
from audit_app.ui.components.review_desk.desk import review_desk, take_actions
from audit_app.ui.components.review_desk.state import (
    AHEAD,
    DeskRequest,
    DeskState,
    first_open,
    neighbourhood,
    read_ahead,
    render_batch,
    wanted_reviews,
)

__all__ = [
    "AHEAD",
    "Apply",
    "DeskRequest",
    "DeskState",
    "first_open",
    "neighbourhood",
    "read_ahead",
    "render_batch",
    "review_desk",
    "take_actions",
    "wanted_reviews",
]
