"""Findings as rows: the columns that a review's and an adjudication's findings share."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from audit_app.domain.benchmark import encode
from audit_app.domain.review import Effect, Finding, FindingState

FINDING = "effects, cause, causes, severity, state, note, evidence, proposed_key"
"""The columns of a finding, in the order of `finding_row` and `finding_of`."""


def finding_row(finding: Finding) -> tuple[object, ...]:
    """The values of the columns `FINDING`."""
    return (
        " ".join(finding.effects),
        finding.cause,
        encode(list(finding.causes)).decode(),
        finding.severity,
        finding.state.value,
        finding.note,
        encode(list(finding.evidence)).decode(),
        finding.proposed_key,
    )


def finding_of(row: Sequence[object]) -> Finding:
    """The finding that the columns `FINDING` hold.

    Raises:
        ValueError: A value is none of its kind; read inside `Workspace.decoding`.
    """
    effects, cause, causes, severity, state, note, evidence, proposed_key = row
    return Finding.model_validate(
        {
            "effects": tuple(Effect(effect) for effect in str(effects).split()),
            "cause": cause,
            "causes": tuple(msgspec.json.decode(str(causes))),
            "severity": severity,
            "state": FindingState(str(state)),
            "note": note,
            "evidence": tuple(msgspec.json.decode(str(evidence))),
            "proposed_key": proposed_key,
        }
    )
