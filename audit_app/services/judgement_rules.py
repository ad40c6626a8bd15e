"""What a judgement must hold to before it is filed, whoever makes it."""

from __future__ import annotations

from collections.abc import Iterable

from pydantic import ValidationError

from audit_app.domain.benchmark import KeyKind, Task
from audit_app.domain.review import Finding
from audit_app.domain.rubric import Taxonomy
from audit_app.errors import InputError


def require_evidence(task: Task) -> None:
    """Refuse to call a key right that is not there, or that answers no prompt.

    Raises:
        InputError: The source of the task has no key, or no prompt.
    """
    missing = "key" if task.key_kind is KeyKind.MISSING else "" if task.turns else "prompt"
    if missing:
        raise InputError(
            f"not saved: the source gives no {missing} for this task, so its key cannot be "
            "called right; record a defect or skip it"
        )


def require_known_causes(findings: Iterable[Finding], taxonomy: Taxonomy) -> None:
    """Refuse causes that the taxonomy does not have.

    Raises:
        InputError: There is one.
    """
    known = taxonomy.causes
    for finding in findings:
        for code in (finding.cause, *finding.causes):
            if code is not None and code not in known:
                raise InputError(f"not saved: there is no cause {code!r} in the taxonomy")


def first_problem(error: ValidationError) -> str:
    """What is wrong first with something the browser sent, in one sentence."""
    problem = error.errors(include_url=False, include_context=False)[0]
    where = ".".join(str(part) for part in problem["loc"])
    text = problem["msg"].removeprefix("Value error, ")
    return f"{where}: {text}" if where else text
