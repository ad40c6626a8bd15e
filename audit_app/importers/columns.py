"""Which column of a table holds which field: the user's map, the field's own name, an alias."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from audit_app.errors import InputError

TASK_FIELDS: Mapping[str, tuple[str, ...]] = {
    "id": ("task_id",),
    "prompt": ("question", "input"),
    "key": ("gold", "answer", "target"),
    "category": (),
    "group": (),
    "choices": (),
    "tools": (),
    "key_kind": (),
    "scorer": (),
}
"""Field of a task → other names that are understood when no column bears its own."""

OUTPUT_FIELDS: Mapping[str, tuple[str, ...]] = {
    "id": ("task_id", "task", "entry_id"),
    "model": (),
    "output": ("response",),
    "passed": ("score", "correct"),
    "trial": (),
    "status": (),
    "reason_code": ("error_type",),
    "reason": (),
}
"""The same for outputs."""


def resolve_columns(
    fields: Mapping[str, tuple[str, ...]],
    header: Sequence[str],
    columns: Mapping[str, str] | None,
    *,
    source: str,
) -> dict[str, str]:
    """Field → column, for the fields that the table has.

    Args:
        fields: The fields there are, with their aliases.
        header: The table's columns.
        columns: The user's map, field → column; an alias may stand for its field.
        source: Name of the table in messages.

    Raises:
        InputError: The map names an unknown field or column, or an alias is ambiguous.
    """
    resolved: dict[str, str] = {}
    for name, column in (columns or {}).items():
        field = name if name in fields else _field_of_alias(fields, name)
        if field in resolved:
            raise InputError(f"the column of {field!r} is given twice")
        resolved[field] = _existing(column, header, field, source)
    for field, aliases in fields.items():
        if field in resolved:
            continue
        if field in header:
            resolved[field] = field
            continue
        taken = resolved.values()
        found = [alias for alias in aliases if alias in header and alias not in taken]
        if len(found) > 1:
            raise InputError(
                f"{source}: {field} may be {' or '.join(map(repr, found))}; "
                f"say which with --map {field}=COLUMN"
            )
        if found:
            resolved[field] = found[0]
    return resolved


def require(resolved: Mapping[str, str], field: str, header: Sequence[str], source: str) -> str:
    """The column of a field that a table must have.

    Raises:
        InputError: It has none.
    """
    if field not in resolved:
        raise InputError(
            f"{source} has no column for {field!r}; name it with --map {field}=COLUMN "
            f"(columns: {_listed(header)})"
        )
    return resolved[field]


def _field_of_alias(fields: Mapping[str, tuple[str, ...]], name: str) -> str:
    for field, aliases in fields.items():
        if name in aliases:
            return field
    raise InputError(f"there is no field {name!r}; fields are {', '.join(fields)}")


def _existing(column: str, header: Sequence[str], field: str, source: str) -> str:
    if column not in header:
        raise InputError(
            f"{source} has no column {column!r} for {field!r} (columns: {_listed(header)})"
        )
    return column


def _listed(header: Sequence[str]) -> str:
    more = f" and {len(header) - 12} more" if len(header) > 12 else ""
    return (", ".join(header[:12]) or "none") + more
