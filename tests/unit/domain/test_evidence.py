from __future__ import annotations

import pytest

from audit_app.domain.evidence import (
    AnswerGrades,
    AnswerMark,
    AnswerVerdict,
    TrialGrades,
    carried_to,
    shows_defect,
)
from audit_app.domain.evidence_reason import independent_reason
from audit_app.domain.review import Effect, Finding
from audit_app.domain.trials import TrialStatus
from audit_app.errors import InputError

VALID, INVALID = AnswerVerdict.VALID, AnswerVerdict.INVALID
RAISES, NOT_GRADED = AnswerVerdict.RAISES, AnswerVerdict.NOT_GRADED


def grades(*marks: tuple[AnswerVerdict, AnswerVerdict | None, int]) -> TrialGrades:
    """Trials whose answers have these verdicts, each given so many times; trial 99 timed out."""
    answers, start = [], 1
    for number, (published, proposed, times) in enumerate(marks, start=1):
        answers.append(
            AnswerGrades(
                answer=number,
                digest=str(number),
                trials=tuple(range(start, start + times)),
                published=AnswerMark(verdict=published, code="c"),
                proposed=None if proposed is None else AnswerMark(verdict=proposed, code="c"),
            )
        )
        start += times
    has_key = any(proposed is not None for _, proposed, _ in marks)
    return TrialGrades(
        assay="1",
        rules="v4",
        runs=tuple(str(n) for n in range(1, start + 1)),
        answers=tuple(answers),
        errors={TrialStatus.TIMEOUT: (99,)},
        published_key="p",
        proposed_key="q" if has_key else None,
        triage="hard",
    )


def test_outcomes_add_up_to_the_trials_and_errors_stand_apart() -> None:
    found = grades((INVALID, VALID, 3), (RAISES, NOT_GRADED, 2))
    proposed = found.proposed
    assert proposed is not None
    assert found.published.trials == proposed.trials == len(found.runs) == 6
    assert tuple(found.published) == (0, 3, {"timeout": 1, "raises": 2})
    assert tuple(proposed) == (3, 0, {"timeout": 1, "not_graded": 2})
    assert grades((VALID, None, 1)).proposed is None


@pytest.mark.parametrize(
    ("effect", "published", "proposed", "shows"),
    [
        pytest.param(Effect.FN, INVALID, VALID, True, id="refused, and right"),
        pytest.param(Effect.FN, INVALID, INVALID, False, id="refused by both"),
        pytest.param(Effect.FN, INVALID, None, True, id="refused, no key proposed"),
        pytest.param(Effect.FN, VALID, INVALID, False, id="passes"),
        pytest.param(Effect.FP, VALID, INVALID, True, id="passes, and wrong"),
        pytest.param(Effect.FP, INVALID, VALID, False, id="the other way round"),
        pytest.param(Effect.UNSURE, INVALID, VALID, False, id="no effect is claimed"),
        pytest.param(Effect.FN, NOT_GRADED, VALID, False, id="not graded"),
    ],
)
def test_trials_show_what_the_finding_says(
    effect: Effect, published: AnswerVerdict, proposed: AnswerVerdict | None, shows: bool
) -> None:
    assert shows_defect([effect], grades((published, proposed, 1))) is shows


@pytest.mark.parametrize(
    "reason",
    [
        "The ferry table in the prompt says 09:40.",
        "All models agree, and RFC 5322 allows the quoted local part.",
        "提示中写明了单位是摄氏度，而答案键使用了华氏度，因此答案键错误。",
    ],
)
def test_reasons_that_say_something_are_taken(reason: str) -> None:
    assert independent_reason(f"\n {reason}\t") == reason


@pytest.mark.parametrize(
    "reason",
    [
        "",
        "wrong unit",
        "models agree, models agree, models agree",
        "ALL MODELS GIVE THE SAME ANSWER EVERY TIME",
        "......................................",
    ],
)
def test_reasons_that_say_nothing_are_refused(reason: str) -> None:
    with pytest.raises(InputError, match="say what supports the finding"):
        independent_reason(reason)


def finding(effect: Effect, cause: str | None) -> Finding:
    return Finding(effects=(effect,), cause=cause)


@pytest.mark.parametrize(
    ("position", "now", "place"),
    [
        pytest.param(0, [finding(Effect.FN, "K1")], 0, id="same place"),
        pytest.param(0, [finding(Effect.FP, "K1"), finding(Effect.FN, "K1")], 1, id="moved"),
        pytest.param(1, [finding(Effect.FN, "K1")] * 2, 1, id="of two alike the one in its place"),
        pytest.param(2, [finding(Effect.FN, "K1")] * 2, None, id="of two alike neither"),
        pytest.param(0, [finding(Effect.FN, "K2")], None, id="another cause"),
        pytest.param(0, [], None, id="clean now"),
    ],
)
def test_evidence_follows_a_finding_that_claims_the_same(
    position: int, now: list[Finding], place: int | None
) -> None:
    assert carried_to(finding(Effect.FN, "K1"), position, now) == place
