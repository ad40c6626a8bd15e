"""A choice of audit or person outlives a message that left the browser before it."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from audit_app.services.context import open_services
from audit_app.services.demo import ensure_demo
from audit_app.services.team import TeamChange
from audit_app.settings import Settings
from audit_app.ui import address, state

APP = Path(__file__).resolve().parents[2] / "audit_app" / "app.py"


@pytest.fixture
def sample_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AppTest:
    """The page Sample of a workspace with the audits ``toolshop`` and ``other``."""
    monkeypatch.setenv("ASSAY_DB", str(tmp_path / "assay.db"))
    monkeypatch.setenv("ASSAY_REVIEWER", "ada")
    settings = Settings(db=tmp_path / "assay.db", reviewer="ada", cache=tmp_path)
    ensure_demo(settings)
    with open_services(settings) as services:
        plan = services.audits.default_plan("toolshop")
        services.audits.create("other", "toolshop", services.audits.preview("toolshop", plan))
        services.team("other").change(TeamChange(reviewers=("ben", "cleo")))
    at = AppTest.from_file(str(APP), default_timeout=60)
    at.query_params[state.AUDIT_PARAM] = "toolshop"
    at.switch_page("ui/pages/sample.py")
    return at.run()


def _comes_late(at: AppTest, **query: str) -> AppTest:
    """A message that carries the address from before the choice."""
    at.query_params.clear()
    at.query_params.update(query)
    return at.run()


def test_an_audit_stays_chosen(sample_page: AppTest) -> None:
    at = sample_page
    at.selectbox(key=state.AUDIT_CHOICE).set_value("other").run()
    _comes_late(at, audit="toolshop", task="choose_001")
    assert at.selectbox(key=state.AUDIT_CHOICE).value == "other"
    assert dict(at.query_params) == {"audit": "other"}


def test_a_person_stays_chosen(sample_page: AppTest) -> None:
    at = sample_page
    at.selectbox(key=state.PROFILE_CHOICE).set_value("ben").run()
    _comes_late(at, audit="toolshop")
    assert at.selectbox(key=state.PROFILE_CHOICE).value == "ben"


def test_one_may_go_back_a_moment_later(
    sample_page: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = sample_page
    at.selectbox(key=state.AUDIT_CHOICE).set_value("other").run()
    monkeypatch.setattr(address, "_UNDER_WAY_S", 0.0)
    _comes_late(at, audit="toolshop")
    assert at.selectbox(key=state.AUDIT_CHOICE).value == "toolshop"


def test_another_link_is_followed_at_once(sample_page: AppTest) -> None:
    at = sample_page
    at.selectbox(key=state.PROFILE_CHOICE).set_value("ben").run()
    _comes_late(at, **{"audit": "other", "as": "cleo"})
    assert at.selectbox(key=state.AUDIT_CHOICE).value == "other"
    assert at.selectbox(key=state.PROFILE_CHOICE).value == "cleo"
