"""The attempt rate: of graded attempts, those whose result changes under corrected keys.

It is another figure than the task rate: a defective task misgrades some attempts and not others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from audit_app.reporting.records import AttemptRate
from audit_app.services.audits import AuditView
from audit_app.services.corrections import Correction
from audit_app.services.impact_part import ImpactInputs, not_graded


def attempt_rate(
    view: AuditView, impact: ImpactInputs | None, found: Mapping[str, Correction]
) -> AttemptRate | None:
    """Counts over the attempts at the reviewed tasks; None where none has a result.

    Args:
        view: The audit.
        impact: Results before and after, None without outputs.
        found: Task id → what its counted findings ask for.
    """
    if impact is None:
        return None
    reviewed = [task for task in view.sample.task_ids if task in view.settled]
    stale = set(not_graded(impact, found))
    attempts = changed = regraded = void = 0
    for task_id in reviewed:
        results = list(_results(impact, task_id))
        attempts += len(results)
        correction = found.get(task_id)
        if correction is None:
            continue
        if correction.corrected is None or task_id in stale:
            void += len(results)
            continue
        again = [(before, after) for before, after in results if after is not None]
        regraded += len(again)
        void += len(results) - len(again)
        changed += sum(before != after for before, after in again)
    if not attempts:
        return None
    return AttemptRate(
        attempts=attempts,
        tasks=len(reviewed),
        defective=len(found),
        changed=changed,
        regraded=regraded,
        void=void,
    )


def _results(impact: ImpactInputs, task_id: str) -> Iterator[tuple[float, float | None]]:
    """Share of its trials passed before and after, for every model and entry with a result."""
    for entry in impact.entries.get(task_id, ()):
        for model, grades in impact.before.items():
            before = grades.get(entry.id)
            if before is not None:
                yield before, impact.after.get(model, {}).get(entry.id)
