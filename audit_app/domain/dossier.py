"""The dossier of an audit: everything recorded beside reviews and answers, and what stands of it.

Entries are only ever appended. What stands is what was not withdrawn; of root causes with one key
and of responses to one task the latest stands.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Generic, TypeVar

from audit_app.domain.dossier_entries import (
    AdoptedRubric,
    AnyEntry,
    Carry,
    EarlyStop,
    Entry,
    OutsideEvidence,
    Response,
    RootCause,
    RootCauseLink,
    ScaleIssue,
    VerdictNumbers,
    Withdrawal,
)

E = TypeVar("E", bound=Entry, covariant=True)
F = TypeVar("F", bound=Entry)


@dataclass(frozen=True)
class Recorded:
    """One entry of whatever kind, as it is kept.

    Attributes:
        id: UUID.
        body: What was recorded.
        at: When (aware).
        by: Who.
    """

    id: str
    body: AnyEntry
    at: datetime
    by: str


@dataclass(frozen=True)
class Noted(Generic[E]):
    """One entry of a known kind; attributes as of `Recorded`."""

    id: str
    body: E
    at: datetime
    by: str


@dataclass(frozen=True)
class TargetedTask:
    """A task outside the sample that is read on purpose; it counts in no rate.

    Attributes:
        id: UUID.
        task_id: The task.
        reason: Why it is read.
        at: When it was named (aware).
        by: By whom.
    """

    id: str
    task_id: str
    reason: str
    at: datetime
    by: str


@dataclass(frozen=True)
class Dossier:
    """What is recorded about one audit.

    Attributes:
        entries: Every entry, the first one first.
        targeted: Tasks read on purpose, in the order in which they were named.
    """

    entries: tuple[Recorded, ...] = ()
    targeted: tuple[TargetedTask, ...] = ()

    @cached_property
    def _standing(self) -> tuple[Recorded, ...]:
        gone = {e.body.entry for e in self.entries if isinstance(e.body, Withdrawal)}
        return tuple(e for e in self.entries if e.id not in gone)

    def of(self, kind: type[F]) -> tuple[Noted[F], ...]:
        """The entries of a kind that stand, the first one first."""
        return tuple(
            Noted(e.id, e.body, e.at, e.by) for e in self._standing if isinstance(e.body, kind)
        )

    def latest(self, kind: type[F]) -> Noted[F] | None:
        """The last entry of a kind that stands."""
        found = self.of(kind)
        return found[-1] if found else None

    def standing(self, id_: str) -> Recorded | None:
        """The entry of that id, if it stands."""
        return next((e for e in self._standing if e.id == id_), None)

    @property
    def outside(self) -> tuple[Noted[OutsideEvidence], ...]:
        """Audits by others."""
        return self.of(OutsideEvidence)

    @property
    def scale_issues(self) -> tuple[Noted[ScaleIssue], ...]:
        """Issues at scale."""
        return self.of(ScaleIssue)

    @property
    def stop(self) -> Noted[EarlyStop] | None:
        """The early stop that stands."""
        return self.latest(EarlyStop)

    @property
    def adopted(self) -> tuple[Noted[AdoptedRubric], ...]:
        """States of the rubric that were adopted, the last one stands."""
        return self.of(AdoptedRubric)

    @property
    def carry(self) -> Noted[Carry] | None:
        """Which earlier audit this one continues."""
        return self.latest(Carry)

    @cached_property
    def root_causes(self) -> Mapping[str, Noted[RootCause]]:
        """Key → root cause, in the order in which they were first named."""
        return {e.body.key: e for e in self.of(RootCause)}

    @cached_property
    def linked(self) -> Mapping[str, tuple[str, ...]]:
        """Key of a root cause → linked tasks, in the order of linking."""
        tasks: dict[str, dict[str, None]] = {key: {} for key in self.root_causes}
        for entry in self.of(RootCauseLink):
            members = tasks.get(entry.body.root_cause)
            if members is None:
                continue
            if entry.body.is_linked:
                members[entry.body.task_id] = None
            else:
                members.pop(entry.body.task_id, None)
        return {key: tuple(members) for key, members in tasks.items()}

    @cached_property
    def responses(self) -> Mapping[str, Noted[Response]]:
        """Task id → the developers' latest response."""
        return {e.body.task_id: e for e in self.of(Response)}

    @cached_property
    def verdict_numbers(self) -> Mapping[str, VerdictNumbers]:
        """Id of what changed the verdict → where the audit stood then."""
        return {e.body.event: e.body for e in self.of(VerdictNumbers)}
