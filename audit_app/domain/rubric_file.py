"""Rubrics and taxonomies from TOML files, refused with one sentence where they do not hold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from audit_app.domain.record import Json
from audit_app.domain.review import Effect, FindingState
from audit_app.domain.rubric import (
    NOT_REVIEWED,
    Item,
    Outcome,
    Rubric,
    Section,
    SectionKind,
    Taxonomy,
    ValueType,
)
from audit_app.domain.toml_file import parse_toml, validated
from audit_app.errors import InputError

DEFECT_RATE = "defect_rate"
"""The metric of a threshold for which the sample proposes the answer."""

_STOPS = (Outcome.FLAWED, Outcome.NEI)
"""What an answer may stop with: Verified comes only from passing everything."""

_MAX_SEVERITY = 3


def rubric_from_toml(text: str, *, source: str) -> Rubric:
    """The rubric of a TOML text.

    A section may list ``statuses``; items of it that list none take those.

    Raises:
        InputError: The text is not TOML, does not have the form of a rubric, or its sections,
            statuses and thresholds contradict each other.
    """
    data = parse_toml(text, source=source)
    _hand_down_statuses(data)
    rubric = validated(Rubric, data, source=source)
    _refuse_first(_rubric_faults(rubric), source)
    return rubric


def taxonomy_from_toml(text: str, *, source: str) -> Taxonomy:
    """The defect taxonomy of a TOML text.

    Raises:
        InputError: The text is not TOML or not a taxonomy; a code or key stands twice; or its
            effects, severities and states are not those that reviews can have.
    """
    taxonomy = validated(Taxonomy, parse_toml(text, source=source), source=source)
    _refuse_first(_taxonomy_faults(taxonomy), source)
    return taxonomy


def _refuse_first(faults: Iterator[str], source: str) -> None:
    fault = next(faults, None)
    if fault is not None:
        raise InputError(f"{source}: {fault}")


def _hand_down_statuses(data: dict[str, Json]) -> None:
    sections = data.get("sections")
    for section in sections if isinstance(sections, list) else []:
        shared = section.pop("statuses", None) if isinstance(section, dict) else None
        items = section.get("items") if shared is not None else None
        for item in items if isinstance(items, list) else []:
            if isinstance(item, dict):
                item.setdefault("statuses", shared)


def _double(names: Iterable[str]) -> str | None:
    return next((name for name, count in Counter(names).items() if count > 1), None)


def _rubric_faults(rubric: Rubric) -> Iterator[str]:
    double = _double(section.id for section in rubric.sections)
    if double is not None:
        yield f"section {double!r} stands twice"
    for section in rubric.sections:
        if not section.items:
            yield f"section {section.id!r} has no items"
        for item in section.items:
            yield from _value_faults(item)
            yield from _status_faults(section, item)
            yield from _go_faults(rubric, section, item)
    yield from _threshold_faults(rubric)


def _value_faults(item: Item) -> Iterator[str]:
    takes_value = item.value is not ValueType.NONE
    if takes_value and item.value_status in ("", NOT_REVIEWED):
        yield f"item {item.id!r} takes a value but names no value_status that it implies"
    if not takes_value and item.value_status:
        yield f"item {item.id!r} names a value_status but takes no value"


def _status_faults(section: Section, item: Item) -> Iterator[str]:
    for status in item.statuses:
        where = f"status {status.id!r} of item {item.id!r}"
        bears = status.passes or status.verdict is not None
        if status.verdict not in (None, *_STOPS):
            yield f"{where}: an answer can stop with flawed or nei only, not {status.verdict}"
        if status.passes and status.verdict is not None:
            yield f"{where}: an answer cannot both pass and stop"
        if status.id == NOT_REVIEWED and bears:
            yield f"{where}: what is not reviewed can neither pass nor stop"
        if section.kind is SectionKind.ADVISORY and bears:
            yield f"{where}: an advisory section never changes the verdict"
    if section.kind is SectionKind.ALL_MUST_PASS:
        if not any(status.passes for status in item.statuses):
            yield f"item {item.id!r} must pass but no status of it passes"
        if not any(status.verdict for status in item.statuses):
            yield f"item {item.id!r} must pass but no status of it stops with a verdict"


def _go_faults(rubric: Rubric, section: Section, item: Item) -> Iterator[str]:
    """Answers that lead nowhere, or round in a circle."""
    order = {known.id: place for place, known in enumerate(rubric.sections)}
    for status in item.statuses:
        where = f"status {status.id!r} of item {item.id!r}"
        if not status.go:
            continue
        if status.go not in order:
            yield f"{where}: go names no section {status.go!r}; there are: {', '.join(order)}"
        elif section.kind is not SectionKind.GATE:
            yield f"{where}: only an answer of a gate can go to a section"
        elif status.verdict is not None or status.id == NOT_REVIEWED:
            yield f"{where}: what stops, or is not reviewed, cannot go to a section"
        elif order[status.go] <= order[section.id]:
            yield (
                f"{where}: go leads from section {section.id!r} back to {status.go!r}, a cycle: "
                "the review would never end"
            )


def _threshold_faults(rubric: Rubric) -> Iterator[str]:
    measured = [i for i in rubric.items.values() if i.threshold and i.threshold.metric]
    for item in measured:
        if item.threshold and item.threshold.metric != DEFECT_RATE:
            yield f"item {item.id!r}: metric {item.threshold.metric!r} is not {DEFECT_RATE!r}"
    if len(measured) != 1:
        yield f"one item must have the metric {DEFECT_RATE!r}, not {len(measured)}"
    value = measured[0].threshold.value if measured and measured[0].threshold else None
    lower, upper = rubric.sampling.widen_band
    if value is None:
        yield f"the threshold with the metric {DEFECT_RATE!r} has no value"
    elif not lower <= value <= upper:
        yield f"the threshold {value} lies outside the widen_band {lower} to {upper}"


def _taxonomy_faults(taxonomy: Taxonomy) -> Iterator[str]:
    causes = [(family, cause) for family in taxonomy.families for cause in family.causes]
    for what, names in (
        ("cause", [cause.code for _, cause in causes]),
        ("family", [family.letter for family in taxonomy.families]),
        ("key", [family.key for family in taxonomy.families]),
    ):
        double = _double(names)
        if double is not None:
            yield f"{what} {double!r} stands twice"
    for family, cause in causes:
        if not cause.code.startswith(family.letter):
            yield f"cause {cause.code!r} does not begin with its family's letter {family.letter!r}"
    severities = [str(level) for level in range(_MAX_SEVERITY + 1)]
    for what, described, known in (
        ("effects", taxonomy.effects, [effect.value for effect in Effect]),
        ("severities", taxonomy.severities, severities),
        ("states", taxonomy.states, [state.value for state in FindingState]),
    ):
        if [entry.id for entry in described] != known:
            yield f"the {what} must be {', '.join(known)}, in this order"
