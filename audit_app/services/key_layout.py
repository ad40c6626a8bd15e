"""A key as JSON that a person can edit: short members on one line, values as they are."""

from __future__ import annotations

import json

from audit_app.domain.record import Json

_LINE = 38
"""Characters that a line may have: as wide as the field it is edited in."""
_DEEPEST = 40


def key_layout(key: Json) -> str:
    """JSON text of a key: what fits on a line stands on one, else one member a line.

    What holds nothing but one object opens no line of its own, so that a call reads as
    ``[{"f": {`` with its arguments below.
    """
    return _laid_out(key, 0)


def _laid_out(value: Json, depth: int) -> str:
    flat = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, list | dict) or depth > _DEEPEST:
        return flat
    if len(flat) + depth <= _LINE or not value:
        return flat
    only = next(iter(value.values() if isinstance(value, dict) else value))
    is_single = len(value) == 1 and isinstance(only, dict)
    inner = depth if is_single else depth + 1
    if isinstance(value, dict):
        start, end = "{", "}"
        parts = [
            f"{json.dumps(name, ensure_ascii=False)}: {_laid_out(member, inner)}"
            for name, member in value.items()
        ]
    else:
        start, end = "[", "]"
        parts = [_laid_out(item, inner) for item in value]
    if is_single:
        return start + parts[0] + end
    line = "\n" + " " * inner
    return start + line + f",{line}".join(parts) + end
