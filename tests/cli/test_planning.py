"""What ``assay plan`` says before the draw, and where an audit stands after it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Assay


@pytest.fixture
def with_tasks(assay: Assay, tmp_path: Path) -> Assay:
    """Two strata of 300 and 100 tasks, without weights."""
    rows = [
        f'{{"id": "{name}_{i}", "category": "{name}", "input": "say {i}", "target": "{i}"}}'
        for name, n in (("easy", 300), ("hard", 100))
        for i in range(n)
    ]
    file = tmp_path / "tasks.jsonl"
    file.write_text("\n".join(rows), encoding="utf-8")
    done = assay("import", "table", file, "--benchmark", "toy")
    assert done.status == 0, done.err
    return assay


def test_characteristics_are_exact_for_the_plan(with_tasks: Assay) -> None:
    data = with_tasks("plan", "--benchmark", "toy", "--characteristics", "--json").json
    found = data["characteristics"]
    assert (found["first"], found["wider"], found["frame_size"]) == (50, 100, 400)
    plain = {round(c["rate"], 2): c for c in found["plain"]}
    assert round(plain[0.2]["issue"], 4) == 0.5261
    for courses in ("plain", "even", "uneven"):
        for course in found[courses]:
            first = course["issue_first"] + course["widen"] + course["pass_first"]
            assert first == pytest.approx(1)
    assert found["reading"].startswith("At a true rate of 20 % the rule calls an issue in ")
    printed = with_tasks("plan", "--benchmark", "toy", "--characteristics").out
    assert found["reading"] in printed


def test_how_many_tasks_to_read(with_tasks: Assay) -> None:
    data = with_tasks(
        *("plan", "--benchmark", "toy", "--half-width", "0.1", "--expected-rate", "0.2"),
        *("--margin", "0.1", "--error", "0.05", "--json"),
    ).json
    # 60 of a frame without end; of 400, n count as n · 399 / (400 − n): 52 as 59.6, 53 as 60.9.
    assert data["for_half_width"]["tasks"] == 53
    assert data["for_decision"]["tasks"] == 57
    text = with_tasks("plan", "--benchmark", "toy", "--half-width", "0.2").out
    assert "a 95 % Wilson interval of ± 20 % at a rate of 50 %" in text


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        pytest.param(("--expected-rate", "0.2"), "belongs to --half-width", id="rate alone"),
        pytest.param(("--error", "0.2"), "belongs to --margin", id="error alone"),
        pytest.param(("--half-width", "7"), "half-width of 7", id="no share"),
        pytest.param(("--margin", "0.3"), "at most 0.2", id="margin leaves 0 to 1"),
        pytest.param(
            ("--size", "400", "--seed", "s", "--characteristics"), "nothing is left to chance",
            id="census",
        ),
    ],
)  # fmt: skip
def test_bad_input_is_one_sentence(with_tasks: Assay, flags: tuple[str, ...], words: str) -> None:
    draw = () if "--size" in flags else ("--size", "50", "--seed", "s")
    refused = with_tasks("plan", "--benchmark", "toy", *draw, *flags)
    assert (refused.status, refused.err.count("\n")) == (2, 1)
    assert words in refused.err


def test_status_has_every_estimate_with_its_reasons(with_tasks: Assay) -> None:
    with_tasks("audit", "new", "a", "--benchmark", "toy", "--size", "50", "--seed", "s")
    status = with_tasks("audit", "status", "a", "--json").json
    assert status["weights_coincide"] is True
    assert status["threshold"] == 0.2
    assert status["warnings"] == []
    assert len(status["estimates"]) == 9
    for estimate in status["estimates"]:
        assert estimate["rate"] is None
        assert estimate["undefined"]["rate"] == "no task is reviewed yet"
