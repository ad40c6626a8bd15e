"""What stands beside the sample, as ``audit status`` prints it."""

from __future__ import annotations

from typing import Any

from audit_app.services.audits import AuditView


def beside_data(view: AuditView) -> dict[str, Any]:
    """As JSON has it."""
    dossier = view.dossier
    return {
        "evidence_mode": view.sample.kind.value,
        "stopped": view.grounds.stop,
        "rubric_note": view.rubric_note,
        "scale_issues": list(view.grounds.scale),
        "outside": [
            {**e.body.model_dump(mode="json", exclude={"kind"}), "floor": e.body.floor}
            for e in dossier.outside
        ],
        "targeted": [
            {
                "task_id": read.task.task_id,
                "judgement": read.judgement.judgement.value if read.judgement else None,
                "in_sample": read.is_sampled,
            }
            for read in view.targeted
        ],
        "carried_from": dossier.carry.body.audit if dossier.carry else None,
    }


def beside_text(view: AuditView) -> list[str]:
    """The same for a person; nothing where nothing is recorded."""
    lines = [text for text in (view.grounds.stop, view.rubric_note) if text]
    lines += view.grounds.scale_sentences
    lines += view.grounds.outside
    outside = [read for read in view.targeted if not read.is_sampled]
    if outside:
        judged = sum(read.judgement is not None for read in outside)
        lines.append(
            f"{judged} of {len(outside)} targeted tasks judged, outside the sample and in no rate"
        )
    if view.dossier.carry:
        carry = view.dossier.carry.body
        lines.append(
            f"continues {carry.audit} of version {carry.version}: {len(carry.tasks)} tasks carried "
            f"over, {len(carry.changed)} changed"
        )
    return lines
