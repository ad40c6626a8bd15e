"""Draws by permanent random numbers: nested, order-free and reproducible from plan and frame."""

from __future__ import annotations

import csv
import re
from collections.abc import Collection, Container, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256

from audit_app.domain.sampling import Draw, DrawKind, Frame, Sample, SamplingPlan
from audit_app.errors import InputError
from audit_app.sampling.allocation import allocate


def draw_stratum(task_ids: Collection[str], n: int, *, seed: str) -> tuple[str, ...]:
    """Draw ``n`` tasks without replacement.

    Every task has the fixed number SHA-256(seed, 0x1f, id); the ``n`` smallest are the draw, in
    ascending order. So the order of the input is irrelevant, and a larger ``n`` under the same
    seed extends a smaller one.

    Raises:
        InputError: ``n`` is out of range or an id repeats.
    """
    if len(set(task_ids)) != len(task_ids):
        raise InputError("a task id stands twice in a stratum")
    if not 0 <= n <= len(task_ids):
        raise InputError(f"cannot draw {n} of {len(task_ids)} tasks")
    prefix = _bytes(seed) + b"\x1f"
    ordered = sorted(task_ids, key=lambda task: sha256(prefix + _bytes(task)).digest())
    return tuple(ordered[:n])


def _bytes(text: str) -> bytes:
    # Lone surrogates are no characters, but ids are kept as written and must still be drawn.
    return text.encode("utf-8", "surrogatepass")


def draw_sample(plan: SamplingPlan, frame: Frame) -> Sample:
    """The first draw: the plan's size, or the whole frame where it is small."""
    if frame.size <= max(plan.census_at_or_below, plan.size):
        return _sample(plan, frame, frame.size, kind=DrawKind.CENSUS)
    return _sample(plan, frame, plan.size, kind=DrawKind.RANDOM)


def widen_sample(plan: SamplingPlan, frame: Frame, first: Sample, *, reason: str) -> Sample:
    """The second draw, which begins with the first one's tasks in every stratum.

    Args:
        plan: The plan of the first draw.
        frame: The frame of the first draw.
        first: The first draw.
        reason: Why it is widened; empty where the rule asks for it.

    Raises:
        InputError: The first draw was supplied, is a census or is widened already; or the plan
            has no wider sample; or the first draw does not come from this plan and frame.
    """
    _require_widenable(plan, first)
    size = min(plan.widen_to, frame.size)
    kind = DrawKind.CENSUS if size == frame.size else DrawKind.RANDOM
    wide = _sample(plan, frame, size, kind=kind, floor=dict(first.allocation))
    drawn = {draw.stratum: draw.task_ids for draw in wide.draws}
    for draw in first.draws:
        if drawn[draw.stratum][: len(draw.task_ids)] != draw.task_ids:
            raise InputError(
                f"the first draw of stratum {draw.stratum!r} does not come from this plan, "
                "seed and frame, so it cannot be widened"
            )
    return wide.model_copy(update={"stage": 2, "reason": reason})


def _require_widenable(plan: SamplingPlan, first: Sample) -> None:
    if first.kind is DrawKind.SUPPLIED:
        raise InputError("a draw made outside Assay cannot be widened; supply a wider list of ids")
    if first.stage > 1:
        raise InputError("the sample has been widened already; the rule has no third stage")
    if first.kind is DrawKind.CENSUS:
        raise InputError("every task of the frame is in the sample already; nothing can be added")
    if plan.widen_to <= len(first.task_ids):
        raise InputError(f"the plan widens to {plan.widen_to} tasks, which are drawn already")


def _sample(
    plan: SamplingPlan,
    frame: Frame,
    size: int,
    *,
    kind: DrawKind,
    floor: dict[str, int] | None = None,
) -> Sample:
    draws = [
        Draw(stratum=stratum, task_ids=draw_stratum(frame.members[stratum], n, seed=plan.seed))
        for stratum, n in allocate(frame, size, floor=floor).items()
    ]
    return Sample(stage=1, kind=kind, draws=tuple(draws))


@dataclass(frozen=True)
class ListedIds:
    """Task ids from a file.

    Attributes:
        source: The file's name.
        lines: (1-based line, task id), in the order of the file, each id once.
    """

    source: str
    lines: tuple[tuple[int, str], ...]

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids alone."""
        return tuple(task for _, task in self.lines)


def ids_from_text(text: str, *, source: str) -> ListedIds:
    """The task ids of a text with one a line, as written; blank lines are passed over.

    A CSV table with a column ``id`` among others does too.

    Raises:
        InputError: An id stands twice, or there is none.
    """
    first_line: dict[str, int] = {}
    lines = re.split(r"\r\n|\r|\n", text.removeprefix("\ufeff"))
    for number, task in _stated(lines, source):
        if not task.strip():
            continue
        if task in first_line:
            raise InputError(
                f"{source}:{number}: task {task!r} stands in line {first_line[task]} already"
            )
        first_line[task] = number
    if not first_line:
        raise InputError(f"{source}: there is no task id in the file")
    return ListedIds(source, tuple((number, task) for task, number in first_line.items()))


def _stated(lines: Sequence[str], source: str) -> Iterator[tuple[int, str]]:
    """(1-based line, what stands for an id there)."""
    columns = lines[0].split(",")
    if len(columns) == 1 or "id" not in columns:
        yield from enumerate(lines, start=1)
        return
    table = csv.DictReader(f"{line}\n" for line in lines)
    try:
        for row in table:
            yield table.line_num, row["id"] or ""
    except csv.Error as error:
        raise InputError(f"{source}:{table.line_num}: {error}") from error


def supplied_sample(
    frame: Frame, listed: ListedIds, *, benchmark_ids: Container[str] = frozenset()
) -> Sample:
    """A draw made elsewhere: strata in the order of the frame, tasks in the order of the file.

    Args:
        frame: Where the tasks are looked up.
        listed: The ids, as read by ``ids_from_text``.
        benchmark_ids: All ids of the benchmark, so that a message can tell a task outside the
            frame from an unknown one.

    Raises:
        InputError: An id is not in the frame.
    """
    home = frame.stratum_of()
    drawn: dict[str, list[str]] = {stratum.id: [] for stratum in frame.strata}
    for number, task in listed.lines:
        if task not in home:
            known = task in benchmark_ids
            reason = (
                "is outside the frame: its stratum has weight 0" if known else "is not in the frame"
            )
            raise InputError(f"{listed.source}:{number}: task {task!r} {reason}")
        drawn[home[task]].append(task)
    draws = tuple(Draw(stratum=stratum, task_ids=tuple(ids)) for stratum, ids in drawn.items())
    return Sample(stage=1, kind=DrawKind.SUPPLIED, draws=draws)
