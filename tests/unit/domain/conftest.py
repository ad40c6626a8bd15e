from __future__ import annotations

from pathlib import Path

import pytest

from audit_app.domain.rubric import Rubric
from audit_app.domain.rubric_file import rubric_from_toml

RUBRIC_FOLDER = Path(__file__).resolve().parents[3] / "rubric"


@pytest.fixture(scope="session")
def rubric() -> Rubric:
    text = (RUBRIC_FOLDER / "epoch.toml").read_text(encoding="utf-8")
    return rubric_from_toml(text, source="epoch.toml")
