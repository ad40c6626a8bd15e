"""What the commands about a team can do, the pages can: settings, assignments, planted checks."""

from __future__ import annotations

import shutil
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from audit_app.domain.team import Mode, TeamSettings
from audit_app.services.context import open_services
from audit_app.services.demo import ensure_demo
from audit_app.services.team import TeamChange
from audit_app.settings import Settings
from audit_app.ui.components.team_form import names_in, summary
from tests.browser.team_cases import judge

APP = Path(__file__).resolve().parents[2] / "audit_app" / "app.py"


@pytest.fixture(scope="module")
def demo_db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    db = tmp_path_factory.mktemp("team") / "assay.db"
    ensure_demo(Settings(db=db, reviewer="cy", cache=db.parent))
    return db


@pytest.fixture
def settings(tmp_path: Path, demo_db: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    db = tmp_path / "assay.db"
    shutil.copy(demo_db, db)
    monkeypatch.setenv("ASSAY_DB", str(db))
    monkeypatch.setenv("ASSAY_REVIEWER", "cy")
    return Settings(db=db, reviewer="cy", cache=tmp_path)


def _sample_page() -> AppTest:
    at = AppTest.from_file(str(APP), default_timeout=60).run()
    return at.switch_page("ui/pages/sample.py").run()


def _field(at: AppTest, kind: str, name: str) -> Any:
    (found,) = [field for field in at.get(kind) if str(getattr(field, "key", "")).startswith(name)]
    return found


def _press(at: AppTest, label: str) -> None:
    next(button for button in at.button if button.label == label).click().run()
    assert not at.exception


def _notices(at: AppTest, kind: str) -> str:
    blocks = [str(block.proto.body) for block in at.get("html")]
    return " ".join(unescape(b) for b in blocks if f'class="notice {kind}"' in b)


def _two_and_adjudicator(at: AppTest) -> None:
    _field(at, "selectbox", "team_mode").select(Mode.ADJUDICATED)
    _field(at, "number_input", "team_each").set_value(2)
    _field(at, "text_area", "team_reviewers").set_value("ada\n ben \nada\n")
    _field(at, "text_area", "team_adjudicators").set_value("cy")


def test_the_team_is_saved_and_its_consequences_are_said(settings: Settings) -> None:
    at = _sample_page()
    _two_and_adjudicator(at)
    _press(at, "Save the team")
    assert "Team saved." in _notices(at, "done")
    assert "What counts is settled anew" in _notices(at, "done")
    with open_services(settings) as services:
        team = services.team("toolshop").settings()
    assert (team.mode, team.reviews_per_task) == (Mode.ADJUDICATED, 2)
    assert (team.reviewers, team.adjudicators) == (("ada", "ben"), ("cy",))


def test_a_team_that_does_not_hold_together_is_one_sentence(settings: Settings) -> None:
    at = _sample_page()
    _field(at, "selectbox", "team_mode").select(Mode.WORST)
    _press(at, "Save the team")
    assert "needs at least two reviews per task" in _notices(at, "error")
    with open_services(settings) as services:
        assert services.team("toolshop").settings() == TeamSettings()


def test_tasks_are_assigned_and_taken_back(settings: Settings) -> None:
    at = _sample_page()
    _two_and_adjudicator(at)
    _press(at, "Save the team")
    _press(at, "Assign")
    assert "100 assignments made." in _notices(at, "done")
    _press(at, "Take back")
    assert "100 assignments taken back." in _notices(at, "done")
    _field(at, "text_area", "assign_tasks").set_value("no such task")
    _field(at, "text_area", "assign_people").set_value("ada")
    _press(at, "Assign")
    assert "'no such task' is not in this sample" in _notices(at, "error")


def test_checks_are_planted_from_the_page_once(settings: Settings) -> None:
    at = _sample_page()
    _two_and_adjudicator(at)
    _field(at, "number_input", "team_planted").set_value(20)
    _press(at, "Save the team")
    _field(at, "text_input", "plant_seed").set_value("a seed")
    _press(at, "Plant the checks")
    assert "checks are mixed into the queues, unmarked." in _notices(at, "done")
    assert not [button for button in at.button if button.label == "Plant the checks"]
    with open_services(settings) as services:
        assert services.planted("toolshop").are_planted()


def test_r17_the_cases_tell_no_sampled_task_while_checks_are_in_the_queue(
    settings: Settings,
) -> None:
    with open_services(settings) as services:
        services.team("toolshop").change(TeamChange(reviews_per_task=2, planted_share=0.2))
        services.planted("toolshop").plant("a seed")
        sampled = services.audits.view("toolshop").sample.task_ids
    for person in ("ada", "cy"):
        judge(settings, person, {task: [] for task in sampled[:3]})
    at = AppTest.from_file(str(APP), default_timeout=60).run()
    at.switch_page("ui/pages/adjudicate.py").run()
    assert not at.exception
    (desk,) = at.get("bidi_component")
    assert "Checks are mixed into your queue" in str(desk.proto)
    assert not [task for task in sampled if f'"{task}"' in str(desk.proto).replace("\\", "")]


@pytest.mark.parametrize(
    ("settings_", "words"),
    [
        pytest.param(TeamSettings(), "single, 1 review per task", id="alone"),
        pytest.param(
            TeamSettings(mode=Mode.ADJUDICATED, reviews_per_task=2, planted_share=0.1),
            "two and adjudicator, 2 reviews per task, 10% planted checks",
            id="team",
        ),
    ],
)
def test_the_settings_in_a_few_words(settings_: TeamSettings, words: str) -> None:
    assert summary(settings_) == words


def test_names_are_the_lines_that_say_something() -> None:
    assert names_in(" ada\n\nben lee \r\nada") == ("ada", "ben lee")
