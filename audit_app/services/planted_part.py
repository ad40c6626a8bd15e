"""Results of planted checks in the form in which reports and commands give them."""

from __future__ import annotations

from audit_app.domain.planted import PlantKind
from audit_app.reporting.planted import (
    CheckJudgement,
    CheckLine,
    CheckShare,
    CorrectedPart,
    KindRow,
    PlantedFigures,
    PlantedPart,
    ReviewerRow,
)
from audit_app.services.planted_results import CheckFigures, CheckRow, PlantedResults, bases
from audit_app.stats.reviewer_checks import CheckRates, CorrectedRate, Share

_DAMAGED, _CLEAN = "judgements of damaged keys", "judgements of keys left as they are"
_FOUND = "found defects"


def planted_part(results: PlantedResults) -> PlantedPart:
    """The results as data of a report."""
    return PlantedPart(
        planted=results.planted,
        sampled=results.sampled,
        scope=results.scope.value,
        hidden=results.hidden,
        figures=None if results.figures is None else _figures(results.figures),
    )


def _figures(figures: CheckFigures) -> PlantedFigures:
    return PlantedFigures(
        **_rates(figures.rates),
        kinds=tuple(_kind(figures, kind, rates) for kind, rates in figures.by_kind.items()),
        reviewers=tuple(
            ReviewerRow(reviewer=reviewer, **_rates(rates))
            for reviewer, rates in figures.by_reviewer.items()
        ),
        corrected=None if figures.corrected is None else _corrected(figures.corrected),
        bases=bases(figures.rows),
        checks=tuple(map(_line, figures.rows)),
    )


def _rates(rates: CheckRates) -> dict[str, CheckShare]:
    return {
        "recall": _share(rates.recall, _DAMAGED),
        "false_alarms": _share(rates.false_alarms, _CLEAN),
        "cause_right": _share(rates.cause_right, _FOUND),
    }


def _share(share: Share, of_what: str) -> CheckShare:
    undefined = {} if share.of else {"share": f"there are no {of_what}"}
    return CheckShare(
        count=share.count,
        of=share.of,
        of_what=of_what,
        share=share.rate,
        interval=share.interval,
        undefined=undefined,
    )


def _kind(figures: CheckFigures, kind: PlantKind, rates: CheckRates) -> KindRow:
    is_damaged = kind is not PlantKind.CLEAN
    found = rates.recall if is_damaged else rates.false_alarms
    return KindRow(
        kind=kind.value,
        is_damaged=is_damaged,
        checks=sum(row.planted.kind is kind for row in figures.rows),
        defective=_share(found, _DAMAGED if is_damaged else _CLEAN),
        cause_right=_share(rates.cause_right, _FOUND),
    )


def _corrected(corrected: CorrectedRate) -> CorrectedPart:
    return CorrectedPart(
        observed=corrected.observed,
        recall=corrected.recall,
        false_alarm_rate=corrected.false_alarm_rate,
        rate=corrected.rate,
        interval=corrected.interval,
        clipped=corrected.clipped,
        undefined=dict(corrected.undefined),
    )


def _line(row: CheckRow) -> CheckLine:
    planted = row.planted
    return CheckLine(
        task_id=planted.task_id,
        stratum=planted.stratum,
        kind=planted.kind.value,
        cause=planted.cause,
        effects=tuple(effect.value for effect in planted.effects),
        basis=planted.basis,
        judgements=tuple(
            CheckJudgement(
                reviewer=judged.reviewer,
                defective=judged.is_defective,
                cause_right=judged.is_cause_right,
            )
            for judged in row.judged
        ),
    )
