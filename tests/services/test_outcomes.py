from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path

import pytest

from audit_app.domain.planted import PlantedTask, PlantKind
from audit_app.services.context import Services
from audit_app.services.outcomes import Facets, ModelOutcomes, Outcome
from audit_app.storage.planted import PlantedRepository

R, W, M = Outcome.RIGHT, Outcome.WRONG, Outcome.MIXED


def write(path: Path, rows: list[Mapping[str, object]]) -> Path:
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return path


Answer = Callable[[str, str, int, bool | None], Mapping[str, object]]


def answer(task: str, model: str, trial: int, passed: bool | None) -> dict[str, object]:
    row: dict[str, object] = {"id": task, "model": model, "output": task[-1], "trial": trial}
    return row if passed is None else {**row, "passed": passed}


@pytest.fixture
def outputs(tmp_path: Path) -> list[Mapping[str, object]]:
    return [
        answer("ferry_0", "ash", 1, True),
        answer("ferry_1", "ash", 1, False),
        answer("ferry_2", "ash", 1, True),
        answer("ferry_2", "ash", 2, False),
        answer("ferry_0", "oak", 1, None),
        answer("ferry_1", "oak", 1, None),
    ]


@pytest.fixture
def judged(
    services: Services, audit: str, outputs: list[Mapping[str, object]], tmp_path: Path
) -> str:
    path = write(tmp_path / "outputs.jsonl", outputs)
    services.benchmarks.import_outputs("table", path, benchmark="harbour")
    return audit


def by_model(facets: Facets) -> dict[str, dict[str, Outcome]]:
    return {row.model: dict(row.by_task) for row in facets.models}


def test_r44_outcomes_are_the_published_grades(services: Services, judged: str) -> None:
    facets = services.outcomes(judged).facets(["ferry_2", "ferry_1", "ferry_0"])
    assert by_model(facets) == {"ash": {"ferry_0": R, "ferry_1": W, "ferry_2": M}}
    assert facets.models[0].source == "published grades"
    data = facets.as_data()
    assert data["models"] == [{"name": "ash", "source": "published grades", "did": "mwr"}]
    assert data["tasks"] == 3


def test_a_model_without_published_grades_has_those_of_the_score_run(
    services: Services, judged: str
) -> None:
    services.scoring.score("harbour")
    facets = services.outcomes(judged).facets(["ferry_0", "ferry_1"])
    assert by_model(facets)["oak"] == {"ferry_0": R, "ferry_1": R}
    sources = {row.model: row.source for row in facets.models}
    assert sources["ash"] == "published grades"
    assert sources["oak"].startswith("score run of 2026-11-29")


def test_r17_a_planted_task_has_the_grades_that_fit_its_key(
    services: Services, judged: str
) -> None:
    audit = services.audits.view(judged).audit
    planted = PlantedTask(
        id="00000000-0000-4000-8000-000000000001",
        task_id="ferry_0",
        stratum="ferry",
        kind=PlantKind.WRONG_VALUE,
        key="9",
        basis="b",
        planted_at=datetime(2026, 11, 29, tzinfo=UTC),
        planted_by="op",
    )
    PlantedRepository(services.workspace, audit.id).add_all([planted])
    facets = services.outcomes(judged).facets(["ferry_0", "ferry_1"])
    assert by_model(facets) == {"ash": {"ferry_0": W, "ferry_1": W}}


def test_fields_travel_as_numbered_values() -> None:
    facets = Facets(["b", "a"], [ModelOutcomes("m", "s", {"a": R})], {"year": {"a": "2024"}})
    data = facets.as_data()
    assert data["models"][0]["did"] == "-r"
    assert data["fields"] == [{"name": "year", "values": ["2024"], "rows": [-1, 0]}]
