"""Frames for tests."""

from __future__ import annotations

from collections.abc import Mapping

from audit_app.domain.sampling import Frame, InnerStratum, PlannedStratum, SamplingPlan
from audit_app.sampling.frame import build_frame

PUBLISHED_GROUPS = {
    "non_live_ast": 1150,
    "live_ast": 1351,
    "irrelevance": 1124,
    "multi_turn": 800,
    "memory": 155,
    "web_search": 100,
    "live_relevance": 16,
}
"""Tasks by group in BFCL v4."""


def tasks_of(sizes: Mapping[str, int]) -> list[tuple[str, dict[str, str]]]:
    return [
        (f"{group}_{number}", {"group": group})
        for group, size in sizes.items()
        for number in range(size)
    ]


def weighted_plan(
    weights: Mapping[str, float | None],
    *,
    within: Mapping[str, Mapping[str, float | None]] | None = None,
    size: int = 10,
    widen_to: int = 20,
    census_at_or_below: int = 0,
    seed: str = "s",
) -> SamplingPlan:
    inner = within or {}
    return SamplingPlan(
        size=size,
        widen_to=widen_to,
        census_at_or_below=census_at_or_below,
        seed=seed,
        strata=tuple(
            PlannedStratum(
                id=outer,
                weight=weight,
                within=tuple(
                    InnerStratum(id=leaf, weight=share)
                    for leaf, share in inner.get(outer, {}).items()
                ),
            )
            for outer, weight in weights.items()
        ),
    )


def frame_of(sizes: Mapping[str, int], weights: Mapping[str, float] | None = None) -> Frame:
    """A frame of one level; without weights, strata weigh by their number of tasks."""
    plan = weighted_plan(weights or {})
    return build_frame(plan, tasks_of(sizes))
