"""View models of the review screen: one task with its key, and its outputs grouped by answer."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from audit_app.domain.benchmark import Entry, Output, OutputStatus, Task
from audit_app.domain.record import Json


@dataclass(frozen=True)
class RawOutput:
    """One output as it came.

    Attributes:
        model: Who said it.
        entry_id: For which entry.
        trial: In which trial.
        text: The raw output; indented JSON where the source gave a structure.
    """

    model: str
    entry_id: str
    trial: int
    text: str


@dataclass(frozen=True)
class OutputGroup:
    """Outputs that give the same answer and were graded alike.

    Attributes:
        answer: The answer they share, as compact text.
        status: Whether it is an answer at all.
        passed: The published grade, None where none was published.
        reason_code: Its published reason code.
        reason: Its published explanation.
        raw: Every output of the group, by model.
    """

    answer: str
    status: OutputStatus
    passed: bool | None
    reason_code: str
    reason: str
    raw: tuple[RawOutput, ...]

    @property
    def models(self) -> tuple[str, ...]:
        """Distinct models of the group, sorted."""
        return tuple(sorted({raw.model for raw in self.raw}))


@dataclass(frozen=True)
class TaskView:
    """All that a reviewer sees of one task.

    Attributes:
        task: The task with its key.
        entries: The scored entries its key feeds.
        documents: Shared documents it rests on: document id → body.
        groups: Its outputs by answer, most models first.
        stratum: The stratum it was drawn from, empty outside the sample.
        simulated: Whether the outputs are said to be simulated.
    """

    task: Task
    entries: tuple[Entry, ...]
    documents: Mapping[str, Json]
    groups: tuple[OutputGroup, ...]
    stratum: str = ""
    simulated: bool = False

    @property
    def models(self) -> int:
        """Number of distinct models with an output."""
        return len({raw.model for group in self.groups for raw in group.raw})

    @property
    def key_text(self) -> str:
        """The key as indented JSON, in the order of the source: what a proposed key starts from."""
        return json.dumps(self.task.key, ensure_ascii=False, indent=1)


def _answer_text(body: Json) -> str:
    """Text that equal answers share: neither outer white space nor JSON layout tells them apart."""
    if isinstance(body, str):
        return body.strip()
    return json.dumps(body, ensure_ascii=False)


def _raw_text(body: Json) -> str:
    return body if isinstance(body, str) else json.dumps(body, ensure_ascii=False, indent=1)


def group_outputs(outputs: Iterable[Output]) -> tuple[OutputGroup, ...]:
    """Fold equal answers with equal grades into groups, most models first, then by answer."""
    groups: dict[tuple[str, OutputStatus, bool | None, str, str], list[RawOutput]] = {}
    for o in outputs:
        key = (_answer_text(o.body), o.status, o.passed, o.reason_code, o.reason)
        raw = RawOutput(model=o.model, entry_id=o.entry_id, trial=o.trial, text=_raw_text(o.body))
        groups.setdefault(key, []).append(raw)
    folded = [
        OutputGroup(
            answer=answer,
            status=status,
            passed=passed,
            reason_code=code,
            reason=reason,
            raw=tuple(sorted(raw, key=lambda r: (r.model, r.entry_id, r.trial))),
        )
        for (answer, status, passed, code, reason), raw in groups.items()
    ]
    return tuple(sorted(folded, key=lambda g: (-len(g.models), g.answer)))
