"""Who is at the screen: local profiles, the gate before every page, and where it is saved."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from audit_app.services.context import open_services
from audit_app.services.demo import ensure_demo
from audit_app.settings import Settings
from audit_app.ui.context import file_actions

APP = Path(__file__).resolve().parents[2] / "audit_app" / "app.py"
PAGES = sorted(path.stem for path in (APP.parent / "ui" / "pages").glob("[a-z]*.py"))
TIMEOUT_S = 60
HOSTILE = "<img src=x onerror=alert(1)> **b** [l](javascript:0)"
ADA = {"is_logged_in": True, "email": "ada@example.org", "sub": "1"}


@pytest.fixture(scope="module")
def demo_db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    db = tmp_path_factory.mktemp("demo") / "assay.db"
    ensure_demo(Settings(db=db, reviewer="ada", cache=db.parent))
    return db


@pytest.fixture
def demo(tmp_path: Path, demo_db: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    monkeypatch.setenv("ASSAY_DB", str(tmp_path / "assay.db"))
    monkeypatch.setenv("ASSAY_REVIEWER", "ada")
    shutil.copy(demo_db, tmp_path / "assay.db")
    return Settings(db=tmp_path / "assay.db", reviewer="ada", cache=tmp_path)


@pytest.fixture
def signed(demo: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[Settings]:
    """The app as it runs where a sign-in is configured."""
    monkeypatch.setenv("ASSAY_SECRETS", "/nowhere/secrets.toml")
    yield demo
    st.cache_resource.clear()  # sign-ins that were ended


def _app(page: str, user: dict[str, Any] | None = None, *, auth: bool = True) -> AppTest:
    at = AppTest.from_file(str(APP), default_timeout=TIMEOUT_S)
    if user is not None:
        at.user = user
        if auth:
            at.secrets["auth"] = {"redirect_uri": "http://localhost/oauth2callback"}
    at.switch_page(f"ui/pages/{page}.py")
    return at


def _blocks(at: AppTest) -> str:
    return " ".join(str(block.proto.body) for block in at.get("html"))


def _said(at: AppTest) -> str:
    return " ".join(str(b.proto.body) for b in at.get("html") if 'class="gate' in str(b.proto.body))


def _shown(at: AppTest) -> str:
    return f"{at.main} {at.sidebar}"


def _links(at: AppTest) -> list[str]:
    return [str(link.proto.query_string) for link in at.get("page_link")]


@pytest.mark.parametrize("page", PAGES)
def test_the_address_bar_names_the_profile_and_every_link_carries_it(
    demo: Settings, page: str
) -> None:
    at = _app(page)
    at.query_params["as"] = "grace"
    at.run()
    assert not at.exception
    assert at.selectbox(key="profile_choice").value == "grace"
    assert all("as=grace" in link for link in _links(at))


def test_without_a_name_it_is_the_one_of_the_settings(demo: Settings) -> None:
    at = _app("sample").run()
    assert at.selectbox(key="profile_choice").value == "ada"
    assert not any("as=" in link for link in _links(at))


def test_another_profile_is_chosen_in_the_rail(demo: Settings) -> None:
    _skip_as("grace", demo)
    at = _app("sample")
    at.query_params["task"] = "choose_003"
    at.run()
    at.selectbox(key="profile_choice").set_value("grace").run()
    assert not at.exception
    assert "grace" in at.query_params["as"]
    assert "task" not in at.query_params
    at.selectbox(key="profile_choice").set_value("ada").run()
    assert "as" not in at.query_params


@pytest.mark.parametrize("page", ["review", "sample"])
def test_a_name_in_the_address_that_names_nobody_is_one_sentence(demo: Settings, page: str) -> None:
    at = _app(page)
    at.query_params["as"] = "\x07"
    at.run()
    assert not at.exception
    assert "cannot name a person" in _blocks(at)


def test_a_hostile_name_is_text(demo: Settings) -> None:
    at = _app("sample")
    at.query_params["as"] = HOSTILE
    at.run()
    assert not at.exception
    assert at.selectbox(key="profile_choice").value == HOSTILE
    assert "<img src=x" not in _blocks(at)
    assert not [block for block in at.markdown if "onerror" in block.value]


def test_names_that_the_workspace_knows_are_offered(demo: Settings) -> None:
    _skip_as("grace", demo)
    at = _app("sample").run()
    assert at.selectbox(key="profile_choice").options[:2] == ["ada", "grace"]


def _skip_as(person: str, settings: Settings) -> None:
    with open_services(replace(settings, reviewer=person)) as services:
        services.reviewing("toolshop").apply([_skip()])


def _skip() -> dict[str, Any]:
    return {
        "id": "2f1c1b2e-5d3a-4c7e-9a51-0d9f4f1f2a3b",
        "kind": "skip",
        "task_id": "choose_003",
        "supersedes": None,
        "findings": [],
        "note": "",
        "draft": None,
        "seconds": 1.0,
    }


def test_what_a_desk_sends_is_filed_for_the_person_it_was_drawn_for(demo: Settings) -> None:
    (answer,) = file_actions("toolshop", "grace")([_skip()])
    assert not answer.error
    with open_services(demo) as services:
        assert services.people() == ["grace"]


def test_what_a_desk_sends_without_a_sign_in_is_answered_and_not_filed(signed: Settings) -> None:
    (answer,) = file_actions("toolshop", "grace")([_skip()])
    assert "sign-in" in answer.error
    with open_services(signed) as services:
        assert services.people() == []


@pytest.mark.parametrize("page", PAGES)
def test_nothing_is_shown_to_who_is_not_signed_in(signed: Settings, page: str) -> None:
    at = _app(page, {"is_logged_in": False})
    at.query_params["as"] = "ada"
    at.run()
    assert not at.exception
    assert "Sign in to see this workspace" in _said(at)
    assert "toolshop" not in _shown(at)
    assert [button.label for button in at.button] == ["Sign in"]
    assert not at.get("page_link")


def test_the_signed_in_person_is_recorded_and_the_address_bar_is_not_asked(
    signed: Settings,
) -> None:
    at = _app("sample", {**ADA, "iat": time.time()})
    at.query_params["as"] = "grace"
    at.run()
    at.text_input(key="create_name").input("hers")
    next(b for b in at.button if b.label == "Draw the sample").click().run()
    assert not at.exception
    assert [box.key for box in at.selectbox if box.key == "profile_choice"] == []
    with open_services(signed) as services:
        assert services.audits.view("hers").audit.created_by == "ada@example.org"


@pytest.mark.parametrize(
    ("change", "allowed", "says"),
    [
        pytest.param({}, "example.net", "not among those admitted", id="not admitted"),
        pytest.param({"email_verified": False}, "", "not verified", id="unverified address"),
        pytest.param({"iat": 0}, "", "Sign in again", id="too long ago"),
    ],
)
def test_who_may_not_see_the_workspace_gets_a_sentence(
    signed: Settings,
    monkeypatch: pytest.MonkeyPatch,
    change: dict[str, Any],
    allowed: str,
    says: str,
) -> None:
    monkeypatch.setenv("ASSAY_ALLOWED", allowed)
    at = _app("sample", {**ADA, "iat": time.time(), **change}).run()
    assert not at.exception
    assert says in _said(at)
    assert "toolshop" not in _shown(at)


def test_a_sign_out_ends_every_tab_of_the_sign_in(signed: Settings) -> None:
    user = {**ADA, "iat": time.time(), "nonce": "n1"}
    first, second = _app("sample", user).run(), _app("sample", user).run()
    first.button(key="sign_out").click().run()
    assert "You signed out" in _said(second.run())
    assert "toolshop" not in _shown(second)
    again = _app("sample", {**user, "nonce": "n2"}).run()
    assert not _said(again)


def test_where_the_secrets_go_away_nobody_gets_in(signed: Settings) -> None:
    at = _app("sample", {**ADA, "iat": time.time()}, auth=False).run()
    assert "gone or broken" in _said(at)
    assert "toolshop" not in _shown(at)


def test_an_app_that_others_can_reach_shows_nothing_without_a_sign_in(
    demo: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(st, "get_option", lambda name: "0.0.0.0")
    at = _app("sample").run()
    assert not at.exception
    assert "others can reach it" in _said(at)
    assert "toolshop" not in _shown(at)


def test_r08_the_page_says_where_the_data_lie_and_warns_in_a_temporary_place(
    demo: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    def blocks() -> str:
        return _blocks(_app("benchmarks").run())

    warned = blocks()  # tests lie in a temporary folder
    assert str(demo.db.resolve()) in warned
    assert "which the system may empty" in warned
    assert "Temporary place" in warned
    monkeypatch.setattr("audit_app.ui.components.place.why_temporary", lambda _: "")
    calm = blocks()
    assert str(demo.db.resolve()) in calm
    assert "Temporary" not in calm
