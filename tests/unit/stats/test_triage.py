"""Where to look first, by the table of the specification."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from audit_app.stats.triage import Triage, Trials, triage

_ALIKE = Trials(0, ("a", "a", "a"))


@pytest.mark.parametrize(
    ("trials", "expected", "models"),
    [
        pytest.param({"m": _ALIKE, "n": _ALIKE}, Triage.KEY_OR_SCORER, ("m", "n"), id="two alike"),
        pytest.param({"m": _ALIKE}, Triage.KEY_OR_SCORER, ("m",), id="one model alike"),
        pytest.param(
            {"m": _ALIKE, "n": Trials(0, ("b", "b"))}, Triage.HARD, (), id="each in its own way"
        ),
        pytest.param({"m": Trials(0, ("a", "b"))}, Triage.HARD, (), id="differing failures"),
        pytest.param({"m": Trials(0, ("", ""))}, Triage.HARD, (), id="no signatures noted"),
        pytest.param({"m": Trials(2, ("a",))}, Triage.MIXED, (), id="solved sometimes"),
        pytest.param(
            {"m": _ALIKE, "n": Trials(3)}, Triage.MIXED, (), id="one model solves it, one never"
        ),
        pytest.param({"m": Trials(3)}, Triage.SOLVED, (), id="always"),
        pytest.param({"m": Trials(0, ("a",), 2)}, Triage.ENVIRONMENT, (), id="mostly errors"),
        pytest.param(
            {"m": Trials(0, ("a", "a"), 2)}, Triage.KEY_OR_SCORER, ("m",), id="half errors"
        ),
        pytest.param({"m": Trials(0)}, Triage.NOT_RUN, (), id="no trial"),
        pytest.param({}, Triage.NOT_RUN, (), id="no model"),
    ],
)
def test_triage(trials: Mapping[str, Trials], expected: Triage, models: tuple[str, ...]) -> None:
    hint = triage(trials)
    assert (hint.triage, hint.models) == (expected, models)


def test_weak_models_do_not_speak() -> None:
    trials = {"strong": _ALIKE, "weak": Trials(0, ("b",))}
    assert triage(trials).triage is Triage.HARD
    assert triage(trials, strong=["strong"]) == (
        Triage.KEY_OR_SCORER,
        ("strong",),
        ("a", "b"),
        True,
    )
    assert triage(trials, strong=[]).triage is Triage.HARD
