"""How a model's outputs are to be read, found from what is stored of it."""

from __future__ import annotations

from audit_app.scoring.detection import GradedOutput, Reading, readings, usual_reading
from audit_app.scoring.grade import ScoringSettings
from audit_app.scoring.multi_turn import MultiTurnScorer
from audit_app.storage.grades import GradeRepository


def found_reading(grades: GradeRepository, model: str, rules: str, *, most: int) -> Reading:
    """The reading that reproduces a model's published grades, else the usual one for its outputs.

    Args:
        grades: Gives the outputs.
        model: The model.
        rules: Rule version to grade by.
        most: Outputs that are looked at.
    """
    # Multi-turn outputs are lists of turns in either mode, so that they tell nothing.
    probed = [
        (task, output)
        for task, output in grades.published(model, most=most)
        if task.scorer != MultiTurnScorer.name
    ]
    graded = [
        GradedOutput(task, output.body, output.passed, output.reason_code)
        for task, output in probed
        if output.passed is not None
    ]
    if graded:
        return readings(graded, ScoringSettings(rules=rules))[0]
    return usual_reading(output.body for _, output in probed)
