"""How a model's outputs are to be read: the way that reproduces its published grades.

Two things are no part of an output: what the model's handler did to its text, and whether the
model writes dots in function names as underscores. Both are tried.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from audit_app.domain.benchmark import Task
from audit_app.domain.record import Json
from audit_app.scoring.forms import TEXT_FORMS_2024, OutputForm
from audit_app.scoring.grade import GradeStatus, ScoringSettings
from audit_app.scoring.registry import ScorerRegistry
from audit_app.scoring.rules import V4

_CALLING = (OutputForm.FC, OutputForm.FC_OBJECTS)


class GradedOutput(msgspec.Struct, frozen=True):
    """An output with its published grade.

    Attributes:
        task: Its task; the task's own key is used.
        body: The raw output.
        passed: The published grade.
        reason_code: The published reason code, empty where none is known.
    """

    task: Task
    body: Json
    passed: bool
    reason_code: str = ""


class Reading(msgspec.Struct, frozen=True):
    """One way of reading a model's outputs, and how well it does.

    Attributes:
        form: An `OutputForm`.
        dots_to_underscores: Whether dots in function names are expected as underscores.
        agree: Outputs whose published verdict it reproduces.
        agree_in_code: Of those, outputs whose published reason code it reproduces too.
        graded: Outputs that could be graded.
    """

    form: str
    dots_to_underscores: bool
    agree: int = 0
    agree_in_code: int = 0
    graded: int = 0

    def settings(self, settings: ScoringSettings) -> ScoringSettings:
        """The settings with this reading."""
        return msgspec.structs.replace(
            settings,
            dots_to_underscores=self.dots_to_underscores,
            options={**settings.options, "form": self.form},
        )


def readings(
    outputs: Iterable[GradedOutput],
    settings: ScoringSettings,
    *,
    registry: ScorerRegistry | None = None,
    forms: Sequence[str] | None = None,
    exhaustive: bool = False,
) -> list[Reading]:
    """Ways of reading one model's outputs, the best first.

    Args:
        outputs: Outputs of one model with published grades.
        settings: Rules and options; form and dots are overridden.
        registry: Scorers; without it, none that needs a simulator.
        forms: Forms to try; those that fit the outputs' shapes by default.
        exhaustive: Go on after a reading that reproduces every grade and code.

    Returns:
        Sorted by verdicts, then by codes reproduced; of equal ones the first that was tried.
    """
    outputs = list(outputs)
    registry = registry or ScorerRegistry()
    if forms is None:
        forms = _forms([output.body for output in outputs], settings.rules)
    tried: list[Reading] = []
    for form in forms:
        for dots in (True, False) if form in _CALLING else (False, True):
            tried.append(_tried(outputs, Reading(form, dots), settings, registry))
            if not exhaustive and tried[-1].agree_in_code == tried[-1].graded:
                return [tried.pop(), *tried]
    return sorted(tried, key=lambda r: (-r.agree, -r.agree_in_code))


def usual_reading(bodies: Iterable[Json]) -> Reading:
    """How outputs without published grades are most likely meant to be read.

    A model with any structured call is in function-calling mode, where most write dots as
    underscores; in prompting mode none does. Turns and their steps are lists in both modes.
    """
    if any(isinstance(body, list) and _holds_object(body) for body in bodies):
        return Reading(OutputForm.FC, dots_to_underscores=True)
    return Reading(OutputForm.AUTO, dots_to_underscores=False)


def _holds_object(body: Json) -> bool:
    """Whether an object stands somewhere in lists of lists."""
    return isinstance(body, dict) or (isinstance(body, list) and any(map(_holds_object, body)))


def _forms(bodies: Sequence[Json], rules: str) -> Sequence[str]:
    if any(isinstance(body, list) for body in bodies):
        return (OutputForm.FC, OutputForm.AUTO, OutputForm.FC_OBJECTS)
    if rules and rules != V4.version:
        return (*TEXT_FORMS_2024, OutputForm.PROMPT)
    return (OutputForm.AUTO, OutputForm.FC, OutputForm.CALLS_OBJECT)


def _tried(
    outputs: Sequence[GradedOutput],
    reading: Reading,
    settings: ScoringSettings,
    registry: ScorerRegistry,
) -> Reading:
    settings = reading.settings(settings)
    agree = in_code = graded = 0
    for output in outputs:
        grade = registry.prepare(output.task, output.task.key, settings).grade(output.body)
        if grade.status is not GradeStatus.GRADED:
            continue
        graded += 1
        if grade.passed == output.passed:
            agree += 1
            in_code += output.passed or grade.reason_code == output.reason_code
    return msgspec.structs.replace(reading, agree=agree, agree_in_code=in_code, graded=graded)
