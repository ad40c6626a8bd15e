"""A key as JSON that a person can edit: short members on one line, values as they are."""

from __future__ import annotations

from audit_app.domain.json_layout import json_layout
from audit_app.domain.record import Json

_LINE = 38
"""Characters that a line may have: as wide as the field it is edited in."""


def key_layout(key: Json) -> str:
    """JSON text of a key: what fits on a line stands on one, else one member a line."""
    return json_layout(key, width=_LINE)
