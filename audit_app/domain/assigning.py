"""Spreading tasks over reviewers so that everybody gets as many."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from hashlib import sha256


def spread_evenly(
    task_ids: Iterable[str],
    reviewers: Sequence[str],
    *,
    each: int,
    kept: Mapping[str, Collection[str]],
    seed: str,
) -> list[tuple[str, str]]:
    """(task, reviewer) pairs that give each task to ``each`` different reviewers.

    Tasks are taken in the order of sha256(seed, task), and each goes to those who have the fewest
    so far; of as many, to those first by sha256(seed, task, reviewer). Where nothing is given
    before, no two reviewers differ by more than one task.

    Args:
        task_ids: The tasks.
        reviewers: The people; at least ``each``.
        each: How many people each task goes to.
        kept: Task id → people who have it already; they count, and stay.
        seed: Text; same seed, same pairs, whatever the order of the arguments.
    """
    tasks = sorted(task_ids, key=lambda task: _digest(seed, task))
    load = Counter({person: 0 for person in reviewers})
    load.update(p for task in tasks for p in kept.get(task, ()) if p in load)
    pairs = []
    for task in tasks:
        has = kept.get(task, ())
        free = [person for person in load if person not in has]
        free.sort(key=lambda person: (load[person], _digest(seed, task, person)))
        for person in free[: max(0, each - len(has))]:
            load[person] += 1
            pairs.append((task, person))
    return pairs


def _digest(*parts: str) -> bytes:
    return sha256("\x1f".join(parts).encode()).digest()
