"""What can be known before the draw on the page Sample, and the estimates on the page Rubric."""

from __future__ import annotations

from html import unescape
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from audit_app.services.context import open_services
from audit_app.settings import Settings

APP = Path(__file__).resolve().parents[2] / "audit_app" / "app.py"


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """An audit of 50 of 400 tasks in two strata, nothing judged."""
    monkeypatch.setenv("ASSAY_DB", str(tmp_path / "assay.db"))
    monkeypatch.setenv("ASSAY_REVIEWER", "ada")
    settings = Settings(db=tmp_path / "assay.db", reviewer="ada", cache=tmp_path)
    rows = [
        f'{{"id": "{name}_{i}", "category": "{name}", "input": "say {i}", "target": "{i}"}}'
        for name, n in (("easy", 300), ("hard", 100))
        for i in range(n)
    ]
    file = tmp_path / "tasks.jsonl"
    file.write_text("\n".join(rows), encoding="utf-8")
    with open_services(settings) as services:
        services.benchmarks.import_tasks("table", file, name="toy")
        plan = services.audits.default_plan("toy")
        services.audits.create("toy audit", "toy", services.audits.preview("toy", plan))
    return settings


def _page(name: str) -> AppTest:
    at = AppTest.from_file(str(APP), default_timeout=60).run()
    return at.switch_page(f"ui/pages/{name}.py").run()


def _html(at: AppTest) -> str:
    assert not at.exception
    return unescape(" ".join(str(block.proto.body) for block in at.get("html")))


def test_r09_the_rule_is_drawn_before_the_draw_and_sizes_are_planned(toy: Settings) -> None:
    at = _page("sample")
    html = _html(at)
    assert "At a true rate of 20 % the rule calls an issue in" in html
    assert 'alt="True rate, the same in every stratum. 0 %: an issue in 0 %' in html
    at.number_input(key="plan_half_width").set_value(20.0).run()
    assert "a 95 % Wilson interval of ± 20 % at a rate of 20 %" in _html(at)


def test_a_census_leaves_nothing_to_chance(toy: Settings) -> None:
    at = _page("sample")
    at.number_input(key="plan_size").set_value(400).run()
    assert "nothing is left to chance" in _html(at)


def test_estimates_of_nothing_are_not_defined(toy: Settings) -> None:
    html = _html(_page("rubric"))
    for words in ("Tasks read: decides", "Score- and task-weighted", "Severity 2 and up"):
        assert words in html
    assert "P(≥ 20 %)" in html
    assert "not defined" in html
