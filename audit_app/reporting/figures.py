"""The figures of a report: what the status says, with denominators and merged strata."""

from __future__ import annotations

from audit_app.domain.estimates import Interval, StratumEstimate
from audit_app.domain.sampling import DrawKind, Stratum
from audit_app.reporting.model import AuditRecord
from audit_app.reporting.report import Figures, Share, StratumRow

REVIEWED = "tasks reviewed"


def share(count: int, of: int, of_what: str = REVIEWED) -> Share:
    """``count`` of ``of``; the share is not defined where the denominator is 0."""
    if of:
        return Share(count=count, of=of, of_what=of_what, share=count / of)
    reason = f"no {of_what.removeprefix('tasks ')} tasks: nothing to divide by"
    return Share(count=count, of=of, of_what=of_what, share=None, undefined={"share": reason})


def build_figures(record: AuditRecord) -> Figures:
    """Counts and rates of the sample that counts."""
    status = record.status
    strata = _strata(record)
    rated = [row for row in strata if not row.merged and row.defective.share is not None]
    rated.sort(key=lambda row: row.defective.share or 0.0)
    comparable = len(rated) > 1
    # Sorting is stable: among equal rates the first stratum of the plan is named.
    top = max(rated, key=lambda row: row.defective.share or 0.0) if comparable else None
    census = record.sample.kind is DrawKind.CENSUS
    strict = None
    if status.strict is not None and status.strict_rate is not None:
        strict = share(status.strict, status.reviewed)
    return Figures(
        sampled=status.sampled,
        reviewed=status.reviewed,
        defective=share(status.defective, status.reviewed),
        floor=share(status.defective, record.frame.size, "tasks in the frame") if census else None,
        possible=share(status.possible, status.reviewed),
        strict=strict,
        weighted_rate=status.weighted_rate,
        intervals=status.intervals,
        strata=strata,
        lowest=rated[0] if comparable else None,
        highest=top,
        effects=status.effects,
        stale=status.stale,
        next=status.next,
        next_text=status.next_text,
        undefined=_undefined(record, strict, comparable=comparable),
        threshold=status.threshold,
        estimates=status.estimates,
        weights_coincide=status.weights_coincide,
        warnings=status.warnings,
    )


def _undefined(record: AuditRecord, strict: Share | None, *, comparable: bool) -> dict[str, str]:
    """Figure of the report → why it is not defined."""
    given = record.status.undefined
    missing = {
        "strict": strict is None,
        "weighted_rate": record.status.weighted_rate is None,
        "intervals": not record.status.intervals,
        "lowest": not comparable,
        "highest": not comparable,
        "floor": record.sample.kind is not DrawKind.CENSUS,
    }
    reasons = {
        "strict": given.get("strict_rate", ""),
        "lowest": "fewer than two strata have a reviewed task",
        "highest": "fewer than two strata have a reviewed task",
        "floor": "the sample is not a census",
    } | given
    return {name: reasons.get(name) or "not computed" for name, is_so in missing.items() if is_so}


def _strata(record: AuditRecord) -> tuple[StratumRow, ...]:
    frame = {stratum.id: stratum for stratum in record.frame.strata}
    whole = {row.stratum: row.interval for row in record.status.by_outer}
    nested: dict[str, list[StratumRow]] = {}
    for estimate in record.status.by_stratum:
        row = _row(estimate, frame.get(estimate.stratum))
        nested.setdefault(row.outer, []).append(row)
    rows: list[StratumRow] = []
    for outer, inner in nested.items():
        rows.extend(inner)
        if len(inner) > 1:
            rows.append(_merged(inner, outer, whole.get(outer)))
    plain = [row for row in rows if not row.merged]
    wilson = next((i for i in record.status.intervals if i.name == "wilson"), None)
    return (*rows, _merged(plain, "", wilson))


def _row(estimate: StratumEstimate, stratum: Stratum | None) -> StratumRow:
    return StratumRow(
        stratum=estimate.stratum,
        outer=stratum.outer if stratum else estimate.stratum,
        merged=False,
        population=estimate.population,
        weight=estimate.weight,
        sampled=estimate.sampled,
        reviewed=estimate.reviewed,
        defective=share(estimate.defective, estimate.reviewed),
        interval=estimate.interval,
    )


def _merged(rows: list[StratumRow], name: str, interval: Interval | None) -> StratumRow:
    """The sum of ``rows``; the empty name is the line for all."""
    reviewed = sum(row.reviewed for row in rows)
    return StratumRow(
        stratum=name,
        outer=name,
        merged=True,
        population=sum(row.population for row in rows),
        weight=round(sum(row.weight for row in rows), 12),
        sampled=sum(row.sampled for row in rows),
        reviewed=reviewed,
        defective=share(sum(row.defective.count for row in rows), reviewed),
        interval=interval,
    )
