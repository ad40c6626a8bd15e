"""Turning a plan file, flags or a list of ids into a preview of the draw."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from audit_app.domain.sampling import SamplingPlan
from audit_app.errors import InputError
from audit_app.sampling.plans import plan_from_flags, plan_from_toml
from audit_app.services.audits import AuditService, Preview
from audit_app.services.files import decoded_text, read_text
from audit_app.services.resources import bundled_rubric
from audit_app.services.rubric_files import chosen_rubric


@dataclass(frozen=True)
class PlanFlags:
    """What a person said about the draw; each may be missing.

    Attributes:
        plan_file: A plan as TOML.
        size: Tasks to draw at first.
        seed: Text.
        stratify_by: One field, or two with a comma between.
        weights: ``a=1,b=2``.
        ids_file: A draw made elsewhere.
        rubric: A rubric that travels with Assay, or a file; it gives what the others leave open.
    """

    plan_file: Path | None = None
    size: int | None = None
    seed: str | None = None
    stratify_by: str | None = None
    weights: str | None = None
    ids_file: Path | None = None
    rubric: str | None = None

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> Self:
        """From the options of a command."""
        return cls(**{name: options.get(name) for name in cls.__dataclass_fields__})


def preview_of(audits: AuditService, benchmark: str, flags: PlanFlags) -> Preview:
    """What the flags would draw.

    Raises:
        InputError: They do not say enough, or contradict each other.
    """
    if flags.plan_file and (flags.stratify_by or flags.weights):
        raise InputError("give a plan file or --stratify-by and --weights, not both")
    if flags.ids_file:
        if flags.size is not None or flags.seed is not None:
            raise InputError("a draw made elsewhere (--ids) takes no size and no seed")
        return audits.preview_supplied(
            benchmark,
            read_text(flags.ids_file),
            source=flags.ids_file.name,
            plan=_stated_plan(flags),
        )
    plan = _stated_plan(flags)
    if plan is None:
        raise InputError("say how to draw: --plan FILE, or --size N with --seed S, or --ids FILE")
    return audits.preview(benchmark, plan)


def _stated_plan(flags: PlanFlags) -> SamplingPlan | None:
    rule = chosen_rubric(flags.rubric).rubric.sampling
    if flags.plan_file:
        plan = plan_from_toml(read_text(flags.plan_file), source=flags.plan_file.name, rule=rule)
        return _with_size_and_seed(plan, flags)
    if flags.size is None and not flags.stratify_by and not flags.weights:
        if flags.seed is not None:
            raise InputError("--seed alone does not say how many tasks to draw: add --size N")
        return None
    if not flags.ids_file and flags.size is None:
        raise InputError("--stratify-by and --weights need --size N")
    if not flags.ids_file and not flags.seed:
        raise InputError("--size needs --seed TEXT, so that the draw can be made again")
    return plan_from_flags(
        size=flags.size,
        seed=flags.seed or "",
        stratify_by=flags.stratify_by,
        weights=flags.weights,
        rule=rule,
    )


def _with_size_and_seed(plan: SamplingPlan, flags: PlanFlags) -> SamplingPlan:
    """The plan, with a size or a seed given beside it taking the place of its own."""
    given: dict[str, Any] = {}
    if flags.size is not None:
        if flags.size < 1:
            raise InputError(f"--size {flags.size} is below 1")
        given = {"size": flags.size, "widen_to": max(flags.size, plan.widen_to)}
    if flags.seed is not None:
        given["seed"] = flags.seed
    plan = plan.model_copy(update=given)
    if not plan.seed and not flags.ids_file:
        raise InputError("the plan names no seed: add one to the file, or --seed TEXT")
    return plan


def plan_from_page(
    audits: AuditService,
    benchmark: str,
    *,
    default: SamplingPlan,
    size: int,
    seed: str,
    stratify_by: str,
    weights: str,
    ids: tuple[str, bytes] | None,
) -> Preview:
    """What the fields of the Sample page would draw.

    The benchmark's own strata and weights stand as long as neither the field to stratify by nor
    the weights are changed.

    Args:
        audits: Gives the frame.
        benchmark: The benchmark to draw from.
        default: The plan the fields were filled from.
        size: Tasks to draw at first.
        seed: Text, not empty unless ``ids`` is given.
        stratify_by: One field, or two with a comma between.
        weights: ``a=1,b=2`` or empty.
        ids: Name and content of a file with a draw made elsewhere.
    """
    fields = tuple(part.strip() for part in stratify_by.split(",") if part.strip())
    plan = default
    if weights.strip() or fields != default.stratify_by:
        plan = plan_from_flags(
            size=size,
            seed=seed,
            stratify_by=stratify_by.strip() or None,
            weights=weights.strip() or None,
            rule=bundled_rubric().sampling,
        )
    if ids is not None:
        text = decoded_text(ids[1], ids[0])
        return audits.preview_supplied(benchmark, text, source=ids[0], plan=plan)
    if not seed.strip():
        raise InputError("give a seed, so that the draw can be made again")
    given = {"size": size, "widen_to": max(size, plan.widen_to), "seed": seed}
    return audits.preview(benchmark, plan.model_copy(update=given))
