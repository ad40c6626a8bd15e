"""The invented audit whose report is kept byte for byte in ``report/``."""

from __future__ import annotations

from dataclasses import replace

from audit_app.domain.estimates import Interval
from audit_app.reporting.model import AuditRecord
from tests.unit.reporting.audits import audit


def golden_audit() -> AuditRecord:
    """The small audit with intervals as constants, so that no library's last digit shows."""
    record = audit()
    ends = {"wilson": (0.121, 0.646), "clopper_pearson": (0.075, 0.701), "jeffreys": (0.1, 0.65)}
    intervals = tuple(
        Interval(name=name, lower=lower, upper=upper, level=0.95)
        for name, (lower, upper) in ends.items()
    )
    return replace(record, status=record.status.model_copy(update={"intervals": intervals}))
