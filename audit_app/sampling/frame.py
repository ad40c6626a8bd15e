"""The frame: tasks sorted into strata of one or two levels, with the weight of each.

A planned stratum in which the benchmark has no task stays in the frame with population 0 and
weight 0, so that it can be seen; its weight is shared by its siblings in proportion to theirs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple, TypeVar

from audit_app.domain.sampling import Frame, SamplingPlan, Stratum
from audit_app.errors import InputError

K = TypeVar("K", bound=tuple[str, str | None, str] | str)

UNDIVIDED = "all"
"""Id of the only stratum where a plan names no field."""

_LISTED = 5
"""Values that a message lists before it says how many more there are."""


class _Cell(NamedTuple):
    """A place for tasks: an outer stratum, or one of its inner ones."""

    outer: str
    inner: str | None
    id: str


def build_frame(plan: SamplingPlan, tasks: Iterable[tuple[str, Mapping[str, str]]]) -> Frame:
    """Sort tasks into the plan's strata; the order of the tasks is irrelevant.

    Args:
        plan: Fields, strata and weights; without strata each value is one, weighing by tasks.
        tasks: (task id, field → value), with ``category`` and ``group`` among the fields.

    Raises:
        InputError: A task lacks a field, an id repeats, the plan names strata but not one that
            the tasks have, two strata share an id, or no task is left in the frame.
    """
    cells = _sort_into_cells(plan, tasks)
    ordered = _order_cells(plan, cells)
    _refuse_shared_ids(ordered)
    outside = _outside(plan, ordered)
    inside = [cell for cell in ordered if cell not in outside]
    population = {cell: len(cells.get(cell, ())) for cell in inside}
    if not any(population.values()):
        raise InputError("no task is in the frame: every stratum of the plan is empty or weighs 0")
    return Frame(
        strata=_weigh(plan, population),
        members={cell.id: tuple(sorted(cells.get(cell, ()))) for cell in inside},
        outside={cell.id: len(cells.get(cell, ())) for cell in ordered if cell in outside},
    )


def _sort_into_cells(
    plan: SamplingPlan, tasks: Iterable[tuple[str, Mapping[str, str]]]
) -> dict[_Cell, list[str]]:
    locate = _locator(plan)
    cells: dict[_Cell, list[str]] = {}
    strays: dict[str, int] = {}
    seen: set[str] = set()
    for task_id, fields in tasks:
        if task_id in seen:
            raise InputError(f"task {task_id!r} stands twice among the tasks of the frame")
        seen.add(task_id)
        values = tuple(_value(task_id, fields, field) for field in plan.stratify_by)
        _require_unicode(task_id, *values)
        cell = locate(values)
        if cell is None:
            stray = "/".join(values)
            strays[stray] = strays.get(stray, 0) + 1
        else:
            cells.setdefault(cell, []).append(task_id)
    if strays:
        raise InputError(_stray_text(plan, strays))
    return cells


def _value(task_id: str, fields: Mapping[str, str], field: str) -> str:
    if field not in fields:
        raise InputError(f"task {task_id!r} has no field {field!r} to stratify by")
    return fields[field]


def _require_unicode(task_id: str, *values: str) -> None:
    try:
        "".join((task_id, *values)).encode()
    except UnicodeEncodeError as error:
        raise InputError(
            f"task {task_id!r} has half a character (a lone surrogate) in its id or stratum"
        ) from error


def _stray_text(plan: SamplingPlan, strays: Mapping[str, int]) -> str:
    shown = [f"{value!r} ({count})" for value, count in sorted(strays.items())]
    more = f" and {len(shown) - _LISTED} more" if len(shown) > _LISTED else ""
    return (
        f"the plan names strata of {' and '.join(plan.stratify_by)}, but not "
        f"{', '.join(shown[:_LISTED])}{more}: add them, with weight 0 to leave them out"
    )


def _locator(plan: SamplingPlan) -> Callable[[tuple[str, ...]], _Cell | None]:
    """Field values → the cell of a task, None where the plan has no place for it."""
    if len(plan.stratify_by) < 2:
        homes = _planned_values(plan)

        def by_value(values: tuple[str, ...]) -> _Cell | None:
            value = values[0] if values else UNDIVIDED
            return homes.get(value) if plan.strata else _Cell(value, None, value)

        return by_value
    named = {stratum.id: {inner.id for inner in stratum.within} for stratum in plan.strata}

    def by_pair(values: tuple[str, ...]) -> _Cell | None:
        outer, inner = values
        known = named.get(outer)
        if plan.strata and (known is None or (known and inner not in known)):
            return None
        return _Cell(outer, inner, f"{outer}/{inner}")

    return by_pair


def _planned_values(plan: SamplingPlan) -> dict[str, _Cell]:
    """Value of the only field → its planned cell."""
    homes: dict[str, _Cell] = {}
    for stratum in plan.strata:
        for value in [inner.id for inner in stratum.within] or [stratum.id]:
            if value in homes:
                raise InputError(f"the value {value!r} stands in two strata of the plan")
            homes[value] = _Cell(stratum.id, value if stratum.within else None, value)
    return homes


def _order_cells(plan: SamplingPlan, found: Iterable[_Cell]) -> list[_Cell]:
    """Cells in the order of the plan; what the plan leaves open in the order of the values."""
    in_order = sorted(found)
    if not plan.strata:
        return in_order
    if len(plan.stratify_by) < 2:
        return list(_planned_values(plan).values())
    cells: list[_Cell] = []
    for stratum in plan.strata:
        planned = [_Cell(stratum.id, i.id, f"{stratum.id}/{i.id}") for i in stratum.within]
        open_cells = [cell for cell in in_order if cell.outer == stratum.id]
        cells += planned or open_cells or [_Cell(stratum.id, None, stratum.id)]
    return cells


def _refuse_shared_ids(cells: Sequence[_Cell]) -> None:
    homes: dict[str, _Cell] = {}
    for cell in cells:
        other = homes.setdefault(cell.id, cell)
        if other != cell:
            raise InputError(f"two strata would be called {cell.id!r}: a value holds a slash")


def _outside(plan: SamplingPlan, cells: Iterable[_Cell]) -> set[_Cell]:
    """Cells of weight 0, of their own or by their outer stratum."""
    unweighted = {place for place, weight in _stated_weights(plan).items() if weight == 0}
    return {c for c in cells if {(c.outer, None), (c.outer, c.inner)} & unweighted}


def _stated_weights(plan: SamplingPlan) -> dict[tuple[str, str | None], float | None]:
    """(outer, inner or None) → the weight that the plan states."""
    weights: dict[tuple[str, str | None], float | None] = {}
    for stratum in plan.strata:
        weights[stratum.id, None] = stratum.weight
        weights |= {(stratum.id, inner.id): inner.weight for inner in stratum.within}
    return weights


def _weigh(plan: SamplingPlan, population: Mapping[_Cell, int]) -> tuple[Stratum, ...]:
    """Strata with their shares: exact until the last step, so that 0.4 x 1/2 is 0.2."""
    stated = _stated_weights(plan)
    tasks: dict[str, int] = {}
    for cell, count in population.items():
        tasks[cell.outer] = tasks.get(cell.outer, 0) + count
    outer_shares = _shares({o: _weight(stated.get((o, None)), n) for o, n in tasks.items()})
    strata: list[Stratum] = []
    for outer, outer_share in outer_shares.items():
        cells = [cell for cell in population if cell.outer == outer]
        shares = _shares(
            {
                c: _weight(None if c.inner is None else stated.get((outer, c.inner)), population[c])
                for c in cells
            }
        )
        strata += [
            Stratum(
                id=cell.id,
                outer=outer,
                population=population[cell],
                weight=float(outer_share * shares[cell]),
                outer_weight=float(outer_share),
            )
            for cell in cells
        ]
    return tuple(strata)


def _weight(stated: float | None, tasks: int) -> Fraction:
    """The weight before normalising: 0 without tasks, their number where none is stated."""
    if tasks == 0 or stated is None:
        return Fraction(tasks)
    return Fraction(str(stated))


def _shares(weights: Mapping[K, Fraction]) -> dict[K, Fraction]:
    total = sum(weights.values(), Fraction())
    return {key: weight / total if total else Fraction() for key, weight in weights.items()}
