from __future__ import annotations

from pathlib import Path

import pytest

from audit_app.domain.rubric import Rubric
from audit_app.domain.rubric_file import rubric_from_toml
from audit_app.domain.sampling import SamplingPlan
from audit_app.sampling.plans import plan_from_toml

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="session")
def rubric() -> Rubric:
    text = (ROOT / "rubric" / "epoch.toml").read_text(encoding="utf-8")
    return rubric_from_toml(text, source="epoch.toml")


@pytest.fixture(scope="session")
def published_plan(rubric: Rubric) -> SamplingPlan:
    text = (ROOT / "samples" / "bfcl_v4_review" / "plan.toml").read_text(encoding="utf-8")
    return plan_from_toml(text, source="plan.toml", rule=rubric.sampling)
