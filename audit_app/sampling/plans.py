"""Sampling plans from a TOML file or from flags."""

from __future__ import annotations

from audit_app.domain.record import Json
from audit_app.domain.rubric import SamplingRule
from audit_app.domain.sampling import SamplingPlan
from audit_app.domain.toml_file import parse_toml, validated
from audit_app.errors import InputError

DEFAULT_FIELD = "group"
"""What an audit is stratified by unless told otherwise."""

_KEYS = ("size", "widen_to", "census_at_or_below", "seed", "stratify_by", "strata", "name")


def plan_from_toml(text: str, *, source: str, rule: SamplingRule) -> SamplingPlan:
    """The plan that a TOML text states; what it leaves out comes from the rubric's rule.

    Args:
        text: Keys ``size``, ``widen_to``, ``census_at_or_below``, ``seed``, ``stratify_by`` (a
            text or a list of at most two) and ``[[strata]]`` with ``id``, ``weight`` and
            ``[[strata.within]]``; a ``name`` is for the reader and is not kept.
        source: The file's name, for messages.
        rule: Gives the sizes that the text does not state.

    Raises:
        InputError: The text is not TOML, or a key is unknown, of the wrong type or out of range.
    """
    data = parse_toml(text, source=source)
    unknown = sorted(set(data) - set(_KEYS))
    if unknown:
        raise InputError(
            f"{source}: {unknown[0]}: is not a known key; known are {', '.join(_KEYS)}"
        )
    data.pop("name", None)
    if isinstance(data.get("stratify_by"), str):
        data["stratify_by"] = [data["stratify_by"]]
    return validated(SamplingPlan, _with_defaults(data, rule), source=source)


def plan_from_flags(
    size: int | None,
    seed: str,
    stratify_by: str | None,
    weights: str | None,
    rule: SamplingRule,
) -> SamplingPlan:
    """The plan that the command line's flags state.

    Args:
        size: Tasks to draw at first; None takes the rule's.
        seed: Text; same seed, same draw.
        stratify_by: A field, or two joined by a comma; None takes ``group``, an empty text makes
            one stratum.
        weights: ``a=1,b=2``, or None to weigh every stratum by its number of tasks.
        rule: Gives the sizes that the flags do not state.

    Raises:
        InputError: A weight is not a number, or the plan does not hold together.
    """
    data: dict[str, Json] = {"seed": seed, "strata": _strata_from_flag(weights or "")}
    if size is not None:
        data["size"] = size
    if stratify_by is not None:
        data["stratify_by"] = [f.strip() for f in stratify_by.split(",") if f.strip()]
    return validated(SamplingPlan, _with_defaults(data, rule), source="sampling flags")


def _with_defaults(data: dict[str, Json], rule: SamplingRule) -> dict[str, Json]:
    size = data.get("size", rule.base)
    widened = max(rule.widen_to, size) if isinstance(size, int) else rule.widen_to
    return {
        "size": size,
        "widen_to": widened,
        "census_at_or_below": rule.census_at_or_below,
        "stratify_by": [DEFAULT_FIELD],
        **data,
    }


def _strata_from_flag(text: str) -> list[Json]:
    """``a=1,b=2`` as strata; an id may hold ``=`` but no comma."""
    strata: list[Json] = []
    for part in filter(str.strip, text.split(",")):
        stratum, equals, number = part.rpartition("=")
        try:
            weight = float(number)
        except ValueError:
            equals = ""
            weight = 0.0
        if not equals or not stratum.strip():
            raise InputError(f"--weights: {part.strip()!r} is not of the form STRATUM=NUMBER")
        strata.append({"id": stratum.strip(), "weight": weight})
    return strata
