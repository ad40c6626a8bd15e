"""JSON as people read it: short members on one line, long ones opened."""

from __future__ import annotations

import json

from audit_app.domain.record import Json

_DEEPEST = 40


def json_layout(value: Json, *, width: int) -> str:
    """JSON text: what fits on a line stands on one, else one member a line.

    What holds nothing but one object opens no line of its own, so that a call reads as
    ``[{"f": {`` with its arguments below.

    Args:
        value: Any JSON value; members keep their order.
        width: Characters that a line may have.
    """
    return _laid_out(value, 0, width)


def _laid_out(value: Json, depth: int, width: int) -> str:
    flat = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, list | dict) or depth > _DEEPEST:
        return flat
    if len(flat) + depth <= width or not value:
        return flat
    only = next(iter(value.values() if isinstance(value, dict) else value))
    is_single = len(value) == 1 and isinstance(only, dict)
    inner = depth if is_single else depth + 1
    if isinstance(value, dict):
        start, end = "{", "}"
        parts = [
            f"{json.dumps(name, ensure_ascii=False)}: {_laid_out(member, inner, width)}"
            for name, member in value.items()
        ]
    else:
        start, end = "[", "]"
        parts = [_laid_out(item, inner, width) for item in value]
    if is_single:
        return start + parts[0] + end
    line = "\n" + " " * inner
    return start + line + f",{line}".join(parts) + end
