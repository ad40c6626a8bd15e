from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import UUID

import pytest

from audit_app.services.clock import Clock
from audit_app.services.context import Services, open_services
from audit_app.settings import Settings


@dataclass(frozen=True)
class SteppingClock(Clock):
    """A clock that goes on by a second at each look, and counts its ids."""

    steps: list[int] = field(default_factory=lambda: [0, 0])

    def now(self) -> datetime:
        self.steps[0] += 1
        return datetime(2026, 11, 29, 12, tzinfo=UTC) + timedelta(seconds=self.steps[0])

    def new_id(self) -> str:
        self.steps[1] += 1
        return str(UUID(int=self.steps[1]))


def write_tasks(folder: Path, groups: dict[str, int]) -> Path:
    """A table of invented tasks: ``groups`` gives how many of each."""
    path = folder / "tasks.jsonl"
    rows = [
        {
            "id": f"{group}_{i}",
            "group": group,
            "category": group,
            "prompt": f"Do {i}.",
            "key": str(i),
        }
        for group, count in groups.items()
        for i in range(count)
    ]
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    return path


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(db=tmp_path / "assay.db", reviewer="ada", cache=tmp_path / "cache")


@pytest.fixture
def services(settings: Settings) -> Iterator[Services]:
    with open_services(settings, clock=SteppingClock(source_date_epoch=1_790_000_000)) as opened:
        yield opened


@pytest.fixture
def audit(services: Services, tmp_path: Path) -> str:
    """An audit of 60 tasks in two groups, 10 of them drawn."""
    path = write_tasks(tmp_path, {"ferry": 40, "kiln": 20})
    services.benchmarks.import_tasks("table", path, name="harbour")
    plan = services.audits.default_plan("harbour").model_copy(
        update={"size": 10, "widen_to": 20, "census_at_or_below": 5}
    )
    services.audits.create("first", "harbour", services.audits.preview("harbour", plan))
    return "first"
