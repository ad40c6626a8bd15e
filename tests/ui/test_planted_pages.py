"""Pages that name the sampled tasks wait for those in whose queue checks are mixed."""

from __future__ import annotations

from html import unescape
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from audit_app.domain.team import TeamSettings
from audit_app.services.context import open_services
from audit_app.settings import Settings
from tests.services.planted_audits import NAME, SEED, judge, toolshop_audit

APP = Path(__file__).resolve().parents[2] / "audit_app" / "app.py"
TIMEOUT_S = 60


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    monkeypatch.setenv("ASSAY_DB", str(tmp_path / "assay.db"))
    monkeypatch.setenv("ASSAY_REVIEWER", "ada")
    settings = Settings(db=tmp_path / "assay.db", reviewer="ada", cache=tmp_path)
    with open_services(settings) as services:
        toolshop_audit(services, TeamSettings(planted_share=0.15))
        services.planted(NAME).plant(SEED)
    return settings


def _page(name: str) -> AppTest:
    at = AppTest.from_file(str(APP), default_timeout=TIMEOUT_S).run()
    return at.switch_page(f"ui/pages/{name}.py").run()


def _text(at: AppTest) -> str:
    return " ".join(unescape(str(block.proto.body)) for block in at.get("html"))


def test_the_sample_page_lists_no_ids_and_counts_no_reviews_before_the_queue_is_done(
    settings: Settings,
) -> None:
    at = _page("sample")
    assert not at.exception
    assert "Checks are mixed into your queue" in _text(at)
    assert "59 tasks still wait" in _text(at)
    assert not at.get("code")
    assert "Reviewed" not in _text(at)
    with open_services(settings) as services:
        judge(services, "ada", [i.task_id for i in services.reviewing(NAME).desk().queue])
    at = _page("sample")
    assert "Checks are mixed into your queue" not in _text(at)
    assert "Reviewed" in _text(at)
    assert len(at.get("code")) == 5


def test_the_rubric_page_counts_no_reviews_before_the_queue_is_done(settings: Settings) -> None:
    with open_services(settings) as services:
        queue = [item.task_id for item in services.reviewing(NAME).desk().queue]
        judge(services, "ada", queue[:-1], queue[:5])
    at = _page("rubric")
    assert not at.exception
    assert "Checks are mixed into your queue" in _text(at)
    assert "1 task still waits" in _text(at)
    assert "Defect rate" not in _text(at)
    with open_services(settings) as services:
        judge(services, "ada", queue[-1:])
    assert "of 50" in _text(_page("rubric"))


def test_the_report_page_says_why_there_is_none_yet(settings: Settings) -> None:
    at = _page("report")
    assert not at.exception
    assert "Checks are mixed into your queue" in _text(at)
    assert 'class="notice error' not in _text(at)
