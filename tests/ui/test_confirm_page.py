"""The page Confirm in every state that needs no server, run without a browser."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from uuid import UUID

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from audit_app.services.context import open_services
from audit_app.services.demo import ensure_demo
from audit_app.settings import Settings

APP = Path(__file__).resolve().parents[2] / "audit_app" / "app.py"
TASK = "choose_003"
LOCAL = "http://127.0.0.1:9/v1"
KEY = "sk-typed-0123456789abcdef"
TIMEOUT_S = 60


@pytest.fixture(scope="module")
def demo_db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    db = tmp_path_factory.mktemp("demo") / "assay.db"
    ensure_demo(Settings(db=db, reviewer="ada", cache=db.parent))
    return db


@pytest.fixture(autouse=True)
def _no_typed_keys() -> Iterator[None]:
    yield
    st.cache_resource.clear()


@pytest.fixture
def demo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, demo_db: Path) -> Settings:
    db = tmp_path / "assay.db"
    shutil.copy(demo_db, db)
    monkeypatch.setenv("ASSAY_DB", str(db))
    monkeypatch.setenv("ASSAY_REVIEWER", "ada")
    monkeypatch.delenv("ASSAY_ENDPOINTS", raising=False)
    return Settings(db=db, reviewer="ada", cache=tmp_path)


def _confirm(task: str = TASK) -> AppTest:
    at = AppTest.from_file(str(APP), default_timeout=TIMEOUT_S)
    at.query_params["task"] = task
    at.switch_page("ui/pages/confirm.py").run()
    assert not at.exception
    return at


def _asked(at: AppTest, endpoint: str = LOCAL) -> AppTest:
    at.text_input(key="confirm_address").input(endpoint)
    at.text_input(key="confirm_model").input("some-model")
    return at.run()


def _said(at: AppTest) -> str:
    return " ".join(unescape(str(block.proto.body)) for block in at.get("html"))


def _start(at: AppTest) -> bool:
    """Whether Start may be pressed."""
    return not next(b for b in at.button if b.label == "Start").disabled


def test_without_endpoints_it_says_which_setting_allows_them(demo: Settings) -> None:
    at = _confirm()
    assert "ASSAY_ENDPOINTS" in _said(at)
    assert not _start(at)


def test_the_plan_stands_before_the_start(demo: Settings) -> None:
    at = _asked(_confirm())
    assert "about 5 calls" in _said(at)
    assert "cost not known" in _said(at)
    assert "ASSAY_ENDPOINT_KEY_" in _said(at)
    assert _start(at)


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        pytest.param({"confirm_trials": 0}, "0 trials", id="K = 0"),
        pytest.param({"confirm_trials": 10_000}, "10,000 trials", id="K = 10,000"),
        pytest.param({"confirm_tokens": 0}, "max_tokens", id="no tokens"),
        pytest.param({"confirm_top_p": 2.0}, "top_p", id="top-p"),
        pytest.param({"confirm_usd": 1.0}, "budget in money", id="no price for a budget in money"),
    ],
)
def test_what_cannot_be_run_is_one_sentence(
    demo: Settings, fields: dict[str, float], says: str
) -> None:
    at = _asked(_confirm())
    for key, value in fields.items():
        at.number_input(key=key).set_value(value)
    at.run()
    assert not at.exception
    assert says in _said(at)
    assert not _start(at)


@pytest.mark.parametrize(
    ("address", "says"),
    [
        pytest.param("https://models.example.org/v1", "models.example.org", id="not on the list"),
        pytest.param("house", "there is no endpoint", id="no address"),
        pytest.param("http://u:p@127.0.0.1/v1", "Error", id="with a password"),
    ],
)
def test_an_endpoint_that_may_not_be_called_is_refused(
    demo: Settings, address: str, says: str
) -> None:
    at = _asked(_confirm(), address)
    assert says in _said(at)
    assert not _start(at)


def test_a_budget_of_zero_says_that_nothing_can_be_sent(demo: Settings) -> None:
    at = _asked(_confirm())
    at.number_input(key="confirm_calls").set_value(0)
    at.run()
    assert "lets nothing be sent" in _said(at)


def test_listed_endpoints_are_chosen_and_their_key_is_said_not_shown(
    demo: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASSAY_ENDPOINTS", f"{LOCAL} https://models.example.org/v1")
    monkeypatch.setenv("ASSAY_ENDPOINT_KEY_127_0_0_1_9", KEY)
    at = _confirm()
    assert len(at.selectbox(key="confirm_endpoint").options) == 2
    assert "in the environment" in _said(at)
    assert KEY not in _said(at)


def test_a_typed_key_leaves_the_session_at_once(demo: Settings) -> None:
    at = _asked(_confirm())
    at.text_input(key="confirm_key").input(KEY)
    next(b for b in at.button if b.label == "Use this key").click().run()
    assert "Key: typed" in _said(at)
    assert KEY not in _said(at)
    held = at._session_state._state  # all of it: what was set, and what the browser sent
    parts = (
        held._old_state,
        held._new_session_state,
        dict(held._new_widget_state),
        held._current_interaction_widget_states,
    )
    assert KEY not in " ".join(map(repr, parts))
    assert KEY not in repr(held.filtered_state)
    next(b for b in at.button if b.label == "Forget the typed key").click().run()
    assert "Key: none" in _said(at)


def test_a_key_that_can_be_none_is_refused_without_being_repeated(demo: Settings) -> None:
    at = _asked(_confirm())
    at.text_input(key="confirm_key").input("short")
    next(b for b in at.button if b.label == "Use this key").click().run()
    assert "fewer than 8 characters" in _said(at)
    assert "Key: none" in _said(at)


def test_nobody_else_s_proposed_key_is_offered(demo: Settings) -> None:
    """A suspicion of somebody else would steer the one who has yet to judge."""
    finding = {"effects": ["FN"], "severity": 2, "proposed_key": '["of bob"]'}
    action = {"id": str(UUID(int=7)), "kind": "defect", "task_id": TASK, "findings": [finding]}
    as_bob = Settings(db=demo.db, reviewer="bob", cache=demo.cache)
    with open_services(as_bob) as services:
        services.reviewing("toolshop").apply([action])
    assert len(_confirm().selectbox(key=f"confirm_from/{TASK}").options) == 2


def test_the_own_finding_s_key_comes_first(demo: Settings) -> None:
    finding = {"effects": ["FN"], "severity": 2, "proposed_key": '["mine"]'}
    action = {"id": str(UUID(int=8)), "kind": "defect", "task_id": TASK, "findings": [finding]}
    with open_services(demo) as services:
        services.reviewing("toolshop").apply([action])
    at = _confirm()
    chosen = at.selectbox(key=f"confirm_from/{TASK}").value
    assert chosen == "Of your finding: FN, severity 2"
    assert at.text_area(key=f"confirm_proposed/{TASK}/{chosen}").value == '["mine"]'


def test_a_task_outside_the_sample_opens_no_other_silently(demo: Settings) -> None:
    assert "has no task “nowhere”" in _said(_confirm("nowhere"))


def test_repeat_reliability_checks_a_published_row(demo: Settings) -> None:
    at = _confirm()
    at.session_state["confirm_view"] = "Repeat reliability"
    at.run()
    at.text_input(key="published_mean").input("62.8 %")
    for name, number in {"ever": 83, "all": 42, "tasks": 100, "k": 5, "other": 57}.items():
        at.number_input(key=f"published_{name}").set_value(number)
    at.run()
    assert not at.exception
