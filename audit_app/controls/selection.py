"""Which tasks are planted: how many, from which strata, which of them damaged."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from audit_app.controls.chance import shuffled
from audit_app.controls.damaged import DamagedKey
from audit_app.controls.known_clean import KnownClean
from audit_app.domain.sampling import Frame, Stratum
from audit_app.errors import InputError
from audit_app.sampling.allocation import allocate

FEWEST = 2
"""One damaged check and one clean one: with fewer, a rate of one kind would have no check."""

Damage: TypeAlias = Callable[[str], DamagedKey | None]
"""The damaged key of a task, None where no damage of it can be found."""


class Check(NamedTuple):
    """A task that is to be planted.

    Attributes:
        task_id: The task.
        stratum: Where it stands in the queue.
        basis: Why its published key is taken to be right.
        damaged: Its damaged key, None where it stays as it is.
    """

    task_id: str
    stratum: str
    basis: str
    damaged: DamagedKey | None


@dataclass
class _Place:
    """The checks of one stratum while they are chosen."""

    stratum: str
    wanted: int
    waiting: Iterator[KnownClean]
    damaged: list[Check]
    clean: list[KnownClean]

    @property
    def room(self) -> int:
        return self.wanted - len(self.damaged)

    def damage_one(self, damage: Damage) -> bool:
        """Damage the next task that can be damaged; those that cannot stay for clean checks."""
        for task in self.waiting:
            damaged = damage(task.task_id)
            if damaged is not None:
                self.damaged.append(Check(task.task_id, self.stratum, task.basis, damaged))
                return True
            self.clean.append(task)
        return False


def number_of_checks(sampled: int, share: float) -> int:
    """Checks that make up ``share`` of a queue with ``sampled`` other tasks, at least two."""
    return max(FEWEST, round(share * sampled / (1 - share)))


def choose_checks(
    candidates: Mapping[str, Sequence[KnownClean]],
    allocation: Mapping[str, int],
    damage: Damage,
    *,
    share: float,
    seed: str,
) -> list[Check]:
    """The checks of a queue, strata in proportion to it, half of them damaged (more by one if odd).

    Args:
        candidates: Stratum id → its tasks outside the sample whose key is taken to be right.
        allocation: Stratum id → tasks of the sample.
        damage: Makes the damaged keys.
        share: Share of checks in the queue.
        seed: Text; same seed, same checks, whatever the order of the candidates.

    Raises:
        InputError: There are too few candidates, or too few that can be damaged.
    """
    wanted = number_of_checks(sum(allocation.values()), share)
    known = sum(len(candidates.get(stratum, ())) for stratum in allocation)
    if known < wanted:
        raise InputError(
            f"nothing is planted: {wanted} checks are wanted, and only {known} tasks outside the "
            "sample have a key that is taken to be right; name more with --clean FILE"
        )
    places = [
        _Place(stratum, count, iter(_in_order(candidates[stratum], seed)), [], [])
        for stratum, count in _allocated(candidates, allocation, wanted).items()
        if count
    ]
    _damage_half(places, damage, (wanted + 1) // 2)
    return [check for place in places for check in _filled(place)]


def _in_order(tasks: Sequence[KnownClean], seed: str) -> list[KnownClean]:
    drawn = shuffled(tasks, seed, "plant", name=lambda task: task.task_id)
    return sorted(drawn, key=lambda task: task.rank)


def _allocated(
    candidates: Mapping[str, Sequence[KnownClean]], allocation: Mapping[str, int], wanted: int
) -> dict[str, int]:
    """Checks of each stratum, in proportion to the sample as far as there are candidates."""
    usable = [s for s, n in allocation.items() if n and candidates.get(s)]
    total = sum(allocation[s] for s in usable)
    strata = tuple(
        Stratum(
            id=s,
            outer=s,
            population=len(candidates[s]),
            weight=allocation[s] / total,
            outer_weight=allocation[s] / total,
        )
        for s in usable
    )
    return allocate(Frame(strata=strata, members={}), wanted)


def _damage_half(places: Sequence[_Place], damage: Damage, half: int) -> None:
    """Damage ``half`` tasks in all, one a stratum in turns; the largest strata come first.

    Where the keys of too many strata cannot be damaged, the others take over a part of their share.
    """
    largest_first = sorted(places, key=lambda place: -place.wanted)
    left = _in_turns(largest_first, half, lambda p: p.room > 0 and p.damage_one(damage))
    left = _in_turns(largest_first, left, lambda p: _take_over(p, places, damage))
    if left > 1 or left == half:
        raise InputError(
            f"nothing is planted: {half} damaged keys are wanted, and only {half - left} of the "
            "keys taken to be right can be damaged so that a grade changes; name more tasks with "
            "--clean FILE, or import outputs"
        )


def _in_turns(places: Iterable[_Place], left: int, damage_one: Callable[[_Place], bool]) -> int:
    """How many are still to be damaged once ``damage_one`` has failed in every stratum."""
    waiting = list(places)
    while left and waiting:
        for place in list(waiting):
            if left and damage_one(place):
                left -= 1
            else:
                waiting.remove(place)
    return left


def _take_over(place: _Place, places: Iterable[_Place], damage: Damage) -> bool:
    """Damage one task more than the stratum has room for, at the cost of the one with most room."""
    giver = max(places, key=lambda other: other.room)
    if not giver.room or not place.damage_one(damage):
        return False
    if place.room < 0:
        giver.wanted, place.wanted = giver.wanted - 1, place.wanted + 1
    return True


def _filled(place: _Place) -> Iterator[Check]:
    yield from place.damaged
    waiting = [*place.clean, *place.waiting]
    for task in sorted(waiting, key=lambda task: task.rank)[: place.room]:
        yield Check(task.task_id, place.stratum, task.basis, None)
