"""Small leaderboards for the tests of impact."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from audit_app.domain.benchmark import Entry
from audit_app.stats.impact_model import ImpactTask


def tasks(cells: str, *, weights: Sequence[float | None] = ()) -> list[ImpactTask]:
    """Tasks t0, t1, … with one entry each; one letter of ``cells`` a task."""
    points = weights or [1.0] * len(cells)
    return [ImpactTask(f"t{i}", cell, (Entry(f"e{i}", points[i]),)) for i, cell in enumerate(cells)]


def grades(rows: Mapping[str, str], *, first: int = 0) -> dict[str, dict[str, float | None]]:
    """Model → entry → grade; one sign a task: 1 passed, 0 failed, · no verdict."""
    read: dict[str, float | None] = {"1": 1.0, "0": 0.0, "·": None}
    return {
        model: {f"e{i}": read[sign] for i, sign in enumerate(signs, start=first)}
        for model, signs in rows.items()
    }
