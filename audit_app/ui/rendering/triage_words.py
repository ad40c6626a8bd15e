"""Where to look first, in a sentence that also says what it does not prove."""

from __future__ import annotations

from audit_app.services.live_groups import AnswerGroup, GradedTask
from audit_app.services.task_views import Verdict
from audit_app.stats.triage import TaskTriage, Triage
from audit_app.ui.rendering.text import bounded, counted, literal

_SAYS = {
    Triage.SOLVED: "Every graded trial passes under the {key} key.",
    Triage.KEY_OR_SCORER: (
        "Never solved under the {key} key, and every failure is the same one: look at key and "
        "scorer first."
    ),
    Triage.HARD: "Never solved under the {key} key, and {failures}: rather a hard task.",
    Triage.MIXED: (
        "Solved sometimes under the {key} key: look at the scorer’s steadiness and at errors "
        "before the model."
    ),
    Triage.ENVIRONMENT: (
        "Most trials ended without a grade: look at endpoint and harness before anything else."
    ),
    Triage.NOT_RUN: "No trial has ended yet.",
}
_PROVES_NOT = {
    Triage.SOLVED: "It does not show that the key refuses no other right answer.",
    Triage.KEY_OR_SCORER: (
        "Models can share one mistake: their agreement proves nothing. The reason must come from "
        "elsewhere."
    ),
    Triage.HARD: "It does not clear the key.",
    Triage.MIXED: "It proves neither a wrong key nor an unreliable model.",
    Triage.ENVIRONMENT: "It says nothing about key or model.",
    Triage.NOT_RUN: "",
}


def triage_sentence(found: TaskTriage, key: str) -> str:
    """Where to look first, under a key of that name."""
    failures = (
        f"the failures differ ({counted(len(found.signatures), 'signature')})"
        if found.is_noted
        else "not every failure has a signature"
    )
    return _SAYS[found.triage].format(key=key, failures=failures)


def _answered(graded: GradedTask) -> list[AnswerGroup]:
    return [group for group in graded.groups if group.published is not None]


def _is_unread(group: AnswerGroup) -> bool:
    return group.output_group.verdict is Verdict.NOT_PARSED


def triage_block(graded: GradedTask) -> str:
    """The hint under both keys."""
    found = graded.triage
    said = f"<b>{literal(triage_sentence(found, 'published'))}</b>"
    if found.models:
        names = ", ".join(f"<bdi>{bounded(model, 80)}</bdi>" for model in found.models)
        said += f" Models: {names}."
    other = ""
    if graded.triage_proposed is not None and not graded.key_error:
        other = f"<p>{literal(triage_sentence(graded.triage_proposed, 'proposed'))}</p>"
    answered = _answered(graded)
    if answered and all(map(_is_unread, answered)):
        said += " None of the answers could be read: look at how tools are offered before that."
    proves_not = literal(_PROVES_NOT[found.triage])
    return f'<div class="triage"><p>{said}</p>{other}<p class="not">{proves_not}</p></div>'
