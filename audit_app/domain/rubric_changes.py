"""How one state of a rubric differs from another, in sentences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from audit_app.domain.rubric import Item, Rubric


def rubric_differences(before: Rubric, after: Rubric) -> tuple[str, ...]:
    """What changed, thresholds and figures first; empty where the two are equal."""
    if before == after:
        return ()
    found = [
        *_figures(before, after),
        *_named("section", [s.id for s in before.sections], [s.id for s in after.sections]),
        *_named("item", before.items, after.items),
    ]
    for item_id, item in before.items.items():
        other = after.items.get(item_id)
        if other is not None:
            found += _item(item, other)
    if before.version != after.version:
        found.append(f"the version is {after.version!r} and was {before.version!r}")
    return tuple(found) or ("texts or the order of the sections differ",)


def _figures(before: Rubric, after: Rubric) -> Iterator[str]:
    yield from _values("the threshold", _threshold(before), _threshold(after))
    for part in ("sampling", "counting"):
        old, new = getattr(before, part).model_dump(), getattr(after, part).model_dump()
        for name in old:
            yield from _values(name, old[name], new[name])


def _threshold(rubric: Rubric) -> float | None:
    item = rubric.scoring_item
    return item.threshold.value if item and item.threshold else None


def _values(name: str, old: object, new: object) -> Iterator[str]:
    if old != new:
        yield f"{name} is {_shown(new)} and was {_shown(old)}"


def _shown(value: object) -> str:
    if isinstance(value, tuple):
        return " to ".join(map(_shown, value))
    return f"{value:g}" if isinstance(value, float) else str(value)


def _named(what: str, before: Iterable[str], after: Iterable[str]) -> Iterator[str]:
    old, new = list(before), list(after)
    for name in new:
        if name not in old:
            yield f"{what} {name!r} is new"
    for name in old:
        if name not in new:
            yield f"{what} {name!r} is gone"


def _item(before: Item, after: Item) -> list[str]:
    where = f"item {before.id!r}"
    found = []
    for kind, name in (("status", "statuses"), ("value", "value")):
        if getattr(before, name) != getattr(after, name):
            found.append(f"the {kind} of {where} differs")
    old, new = before.threshold, after.threshold
    if (old and old.text) != (new and new.text):
        found.append(f"the threshold of {where} is worded otherwise")
    return found
