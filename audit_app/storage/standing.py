"""What stands in an audit for one reviewer, read without a whole review: for every key press."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

import msgspec

from audit_app.domain.benchmark import encode
from audit_app.domain.review import Judgement
from audit_app.storage.reviews import STANDS
from audit_app.storage.workspace import Workspace

TARGETED = "targeted (outside the sample)"
"""What stands for a stratum where a task is read on purpose, outside the sample."""


class FindingTags(NamedTuple):
    """Of a finding, what is shown in a queue."""

    effects: Sequence[str]
    cause: str | None
    causes: Sequence[str]
    severity: int | None


class StandingJudgement(NamedTuple):
    """A standing judgement without its texts."""

    review_id: str
    task_id: str
    judgement: Judgement
    reviewed_at: datetime
    seconds: float | None
    findings: tuple[FindingTags, ...]


class Place(NamedTuple):
    """Where a task of the sample stands."""

    task_id: str
    stratum: str
    category: str


class StandingRepository:
    """Reads the queue of one audit.

    Args:
        workspace: The open workspace.
        audit_id: UUID of the audit.
    """

    def __init__(self, workspace: Workspace, audit_id: str) -> None:
        self._workspace, self._audit = workspace, audit_id

    def version(self) -> tuple[int, int, int]:
        """Number of stages of the sample, of planted and of targeted tasks: all only ever grow."""
        row = self._workspace.row(
            "select (select count(*) from samples where audit = ?), "
            "(select count(*) from planted_tasks where audit = ?), "
            "(select count(*) from targeted_tasks where audit = ?)",
            (self._audit, self._audit, self._audit),
        )
        return (row[0], row[1], row[2]) if row else (0, 0, 0)

    def sampled(self) -> list[Place]:
        """The tasks of the sample: stage by stage, stratum by stratum, in the order of the draw."""
        rows = self._workspace.rows(
            "select t.task_id, t.stratum, coalesce(k.category, '') from samples s "
            "join sample_tasks t on t.sample = s.id join audits a on a.id = s.audit "
            "left join tasks k on k.benchmark = a.benchmark and k.id = t.task_id "
            "where s.audit = ? order by s.stage, t.position",
            (self._audit,),
        )
        places: dict[str, Place] = {}
        for row in rows:
            places.setdefault(row[0], Place(*row))
        return list(places.values())

    def planted(self) -> list[Place]:
        """The planted tasks, by id."""
        rows = self._workspace.rows(
            "select p.task_id, p.stratum, coalesce(k.category, '') from planted_tasks p "
            "join audits a on a.id = p.audit "
            "left join tasks k on k.benchmark = a.benchmark and k.id = p.task_id "
            "where p.audit = ? order by p.task_id",
            (self._audit,),
        )
        return [Place(*row) for row in rows]

    def targeted(self) -> list[Place]:
        """The tasks that are read on purpose, in the order in which they were named."""
        rows = self._workspace.rows(
            "select g.task_id, coalesce(k.category, '') from targeted_tasks g "
            "join audits a on a.id = g.audit "
            "left join tasks k on k.benchmark = a.benchmark and k.id = g.task_id "
            "where g.audit = ? group by g.task_id order by min(g.rowid)",
            (self._audit,),
        )
        return [Place(task_id, TARGETED, category) for task_id, category in rows]

    def standing_ids(self, reviewer: str) -> list[str]:
        """Ids of the reviewer's standing judgements in the order of saving, whatever the clock."""
        rows = self._workspace.rows(
            f"select r.id from reviews r where r.audit = ? and r.reviewer = ? and {STANDS} "
            "order by r.rowid",
            (self._audit, reviewer),
        )
        return [row[0] for row in rows]

    def judgements(self, review_ids: Iterable[str]) -> Iterator[StandingJudgement]:
        """Reviews by id, without their texts."""
        ids = encode(list(review_ids)).decode()
        findings: dict[str, list[FindingTags]] = {}
        for review, effects, cause, causes, severity in self._workspace.rows(
            "select review, effects, cause, causes, severity from findings "
            "where review in (select value from json_each(?)) order by review, position",
            (ids,),
        ):
            tags = FindingTags(effects.split(), cause, msgspec.json.decode(causes), severity)
            findings.setdefault(review, []).append(tags)
        with self._workspace.decoding():
            for id_, task_id, judgement, at, seconds in self._workspace.rows(
                "select id, task_id, judgement, reviewed_at, seconds from reviews "
                "where id in (select value from json_each(?))",
                (ids,),
            ):
                yield StandingJudgement(
                    id_,
                    task_id,
                    Judgement(judgement),
                    datetime.fromisoformat(at),
                    seconds,
                    tuple(findings.get(id_, ())),
                )

    def others(self, reviewer: str) -> Mapping[str, int]:
        """Task id → how many standing reviews it has by other people."""
        rows = self._workspace.rows(
            "select r.task_id, count(*) from reviews r where r.audit = ? and r.reviewer <> ? "
            f"and {STANDS} group by r.task_id",
            (self._audit, reviewer),
        )
        return dict(rows)

    def pairs(self) -> list[tuple[str, str]]:
        """(task id, reviewer) of every standing review."""
        rows = self._workspace.rows(
            f"select r.task_id, r.reviewer from reviews r where r.audit = ? and {STANDS}",
            (self._audit,),
        )
        return [(row[0], row[1]) for row in rows]

    def marks(self, reviewer: str) -> tuple[dict[str, datetime], frozenset[str]]:
        """Tasks that stand skipped, with the time, and those marked for a second look."""
        rows = self._workspace.rows(
            "select task_id, kind, marked_at, max(rowid) from marks "
            "where audit = ? and reviewer = ? "
            "group by task_id, kind in ('second_look', 'no_second_look')",
            (self._audit, reviewer),
        )
        with self._workspace.decoding():
            skipped = {r[0]: datetime.fromisoformat(r[2]) for r in rows if r[1] == "skipped"}
        return skipped, frozenset(r[0] for r in rows if r[1] == "second_look")
