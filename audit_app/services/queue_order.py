"""The order of a reviewer's queue, which never changes but by widening the sample or planting."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256

from audit_app.services.judging import QueueItem, TaskState
from audit_app.storage.standing import Place, StandingRepository
from audit_app.storage.workspace import Workspace

_MOST_KEPT = 64
_HASH_BITS = 256


@dataclass(frozen=True, eq=False)
class QueueOrder:
    """A queue without anybody's work.

    Attributes:
        places: Its tasks in order.
        position: Task id → place in the order.
        ids: Task ids in order.
        plain: Items without a trace of the reviewer, by state, by whether they are held, and by
            task; made once, because there are thousands of them and they are asked for at every
            key press.
        judged: Items by id of the judgement that stands, as last made.
    """

    places: tuple[Place, ...]
    position: Mapping[str, int]
    ids: tuple[str, ...]
    plain: dict[tuple[TaskState, bool], dict[str, QueueItem]] = field(default_factory=dict)
    judged: dict[str, QueueItem] = field(default_factory=dict)


_kept: dict[tuple[object, ...], QueueOrder] = {}


def queue_order(
    workspace: Workspace, audit_id: str, reviewer: str, *, with_planted: bool
) -> QueueOrder:
    """The tasks that one reviewer is shown: the sample, the planted checks between, targeted last.

    The order is that of the draw, stage by stage and stratum by stratum. Planted checks stand
    inside their stratum, where differs from reviewer to reviewer. Tasks that are read on purpose
    come last, under a stratum that says so; once the sample holds one, it is no more than that.

    Args:
        workspace: The open workspace.
        audit_id: UUID of the audit.
        reviewer: Whose queue.
        with_planted: Whether planted checks belong to it.
    """
    rows = StandingRepository(workspace, audit_id)
    stages, planted, targeted = rows.version()
    is_mixed = with_planted and planted > 0
    mix = (planted, reviewer) if is_mixed else ()
    key = (workspace.path.absolute(), audit_id, stages, targeted, *mix)
    order = _kept.get(key)
    if order is None:
        places: Sequence[Place] = rows.sampled()
        if is_mixed:
            places = mixed(places, rows.planted(), seed=f"{audit_id}\x1f{reviewer}")
        known = {place.task_id for place in places}
        places = [*places, *(p for p in rows.targeted() if p.task_id not in known)]
        ids = tuple(place.task_id for place in places)
        order = QueueOrder(tuple(places), {task: i for i, task in enumerate(ids)}, ids)
        while len(_kept) >= _MOST_KEPT:
            _kept.pop(next(iter(_kept)), None)
        _kept[key] = order
    return order


def mixed(sampled: Sequence[Place], planted: Sequence[Place], *, seed: str) -> list[Place]:
    """The sample with planted checks at pseudo-random places inside their strata.

    Args:
        sampled: The sample in its order.
        planted: The checks; one that is in the sample by now is no check any more.
        seed: Of the places.
    """
    members: dict[str, list[int]] = {}
    for position, place in enumerate(sampled):
        members.setdefault(place.stratum, []).append(position)
    known = {place.task_id for place in sampled}
    before: dict[int, list[tuple[int, bytes, Place]]] = {}
    for place in planted:
        if place.task_id in known:
            continue
        digest = sha256(f"{seed}\x1f{place.task_id}".encode()).digest()
        stratum = members.get(place.stratum, [])
        gap = int.from_bytes(digest) * (len(stratum) + 1) >> _HASH_BITS
        after_last = stratum[-1] + 1 if stratum else len(sampled)
        position = stratum[gap] if gap < len(stratum) else after_last
        # What ends one stratum stands before what begins the next.
        rank = stratum[0] if stratum else len(sampled)
        before.setdefault(position, []).append((rank, digest, place))
    queue: list[Place] = []
    for position in range(len(sampled) + 1):
        queue += [place for _, _, place in sorted(before.get(position, ()))]
        queue += sampled[position : position + 1]
    return queue
