"""Tasks whose key is taken to be right, and why."""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from audit_app.sampling.draw import ids_from_text

FEWEST_MODELS = 3
"""Models that must all pass a task before their agreement is taken for a sign of a right key."""


class KnownClean(NamedTuple):
    """One task that is taken to be clean.

    Attributes:
        task_id: The task.
        basis: Why, for the results.
        rank: 0 where the operator names it, 1 where a reviewer judged it, 2 where models agree;
            of a stratum's tasks the lower ranks are used first.
    """

    task_id: str
    basis: str
    rank: int


def listed_clean(text: str, *, source: str, reason: str = "") -> list[KnownClean]:
    """The tasks of an operator's file: one id a line, or a table with columns id and reason.

    Args:
        text: The file's text.
        source: Its name.
        reason: Stands where a row gives none.

    Raises:
        InputError: An id stands twice, or there is none.
    """
    reasons = _reasons(text)
    clean = []
    for task_id in ids_from_text(text, source=source).ids:
        why = reasons.get(task_id, "") or reason
        basis = f"listed in {source}: {why}" if why else f"listed in {source}"
        clean.append(KnownClean(task_id, basis, 0))
    return clean


def agreed_clean(shares: Iterable[tuple[str, str, float | None]]) -> list[KnownClean]:
    """The tasks that at least three models answer, and all of them pass.

    Args:
        shares: (task id, model, share of its verdicts there that pass; None where it has none).
    """
    by_task: dict[str, dict[str, bool]] = defaultdict(dict)
    for task_id, model, share in shares:
        if share is not None:
            by_task[task_id][model] = by_task[task_id].get(model, True) and share == 1
    return [
        KnownClean(task_id, f"all {len(models)} models' outputs pass", 2)
        for task_id, models in by_task.items()
        if len(models) >= FEWEST_MODELS and all(models.values())
    ]


def first_basis(*sources: Iterable[KnownClean]) -> dict[str, KnownClean]:
    """Task id → the first basis there is for it, in the order of the sources."""
    found: dict[str, KnownClean] = {}
    for clean in (task for source in sources for task in source):
        found.setdefault(clean.task_id, clean)
    return found


def _reasons(text: str) -> Mapping[str, str]:
    rows = csv.DictReader(text.removeprefix("\ufeff").splitlines())
    names = rows.fieldnames or ()
    if "id" not in names or "reason" not in names:
        return {}
    return {row["id"] or "": (row["reason"] or "").strip() for row in rows}
