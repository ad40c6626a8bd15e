from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit_app.services.context import Services, open_services
from audit_app.services.demo import ensure_demo
from audit_app.services.key_layout import key_layout
from audit_app.services.key_trial import KeyRequest, KeyTrial, read_request
from audit_app.settings import Settings

TASK = "choose_045"
"""Three of six simulated models write St. Odran, which the key takes only spelled out."""


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    folder: Path = tmp_path_factory.mktemp("demo")
    settings = Settings(db=folder / "assay.db", reviewer="ada", cache=folder)
    ensure_demo(settings)
    return settings


def tried(settings: Settings, text: str, edit: str = "", task: str = TASK) -> KeyTrial:
    with open_services(settings) as services:
        return services.reviewing("toolshop").try_key(KeyRequest(7, task, text, edit))


def a_key(*towns: str) -> str:
    return json.dumps([{"parcel.locker_hours": {"town": list(towns)}}])


@pytest.mark.parametrize(
    ("text", "error", "sentence", "flips"),
    [
        pytest.param(
            a_key("Saint Odran", "St. Odran"),
            "",
            "3 outputs go from fail to pass, none from pass to fail.",
            ["from fail to pass: sim-albatross, sim-curlew, sim-gannet"],
            id="gains",
        ),
        pytest.param(
            a_key("Harn"),
            "",
            "no outputs go from fail to pass, 1 from pass to fail.",
            ["from pass to fail: sim-dunlin"],
            id="loses",
        ),
        pytest.param(a_key("Saint Odran"), "", "no verdict changes.", [], id="the same key"),
        pytest.param('[{"a": ', "line 1 column 8", "", [], id="no JSON, with its place"),
        pytest.param(
            '[{"parcel.locker_hours": {"town": "Harn"}}]',
            "argument town",
            "",
            [],
            id="wrong shape, with its place",
        ),
    ],
)
def test_a_proposed_key_says_what_it_would_do(
    demo: Settings, text: str, error: str, sentence: str, flips: list[str]
) -> None:
    trial = tried(demo, text)
    assert bool(trial.error) == bool(error)
    assert error in trial.error
    assert sentence in trial.sentence
    assert list(trial.flips) == flips


def test_an_offered_edit_is_made_in_the_key_and_in_what_was_typed(demo: Settings) -> None:
    with open_services(demo) as services:
        group = services.reviewing("toolshop").task_view(TASK).groups[0]
    (offer,) = group.offers
    first = tried(demo, "", offer.text)
    assert json.loads(first.text) == json.loads(a_key("Saint Odran", "St. Odran"))
    second = tried(demo, a_key("Harn"), offer.text)
    assert json.loads(second.text) == json.loads(a_key("Harn", "St. Odran"))
    assert "accepts" in tried(demo, first.text, offer.text).error


@pytest.mark.parametrize(
    "edit",
    ["{", "3", '{"accept": 3}', '{"accept": [[]], "value": 1}', '{"omit": ["x"]}', "[" * 9_000],
    ids=["half", "number", "no path", "odd path", "no such place", "deep"],
)
def test_an_edit_that_makes_no_sense_is_refused(demo: Settings, edit: str) -> None:
    assert tried(demo, "", edit).error


def test_a_task_that_is_not_there_is_said_and_nothing_breaks(demo: Settings) -> None:
    assert "no such" in tried(demo, a_key("Harn"), task="no such").error


@pytest.mark.parametrize(
    "raw",
    [None, 3, {}, {"n": "1", "task": "t", "text": ""}, {"n": 1, "task": "t", "text": None}],
    ids=["nothing", "number", "empty", "number as text", "no text"],
)
def test_what_is_no_request_is_passed_over(raw: object) -> None:
    assert read_request(raw) is None


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@given(json_values)
def test_laying_out_a_key_keeps_its_values(value: object) -> None:
    back = json.loads(key_layout(value))
    assert back == value
    assert json.dumps(back) == json.dumps(value)  # 1 and 1.0 stay apart


def test_a_call_is_laid_out_with_an_argument_a_line() -> None:
    key = [{"greenhouse.open": {"bay": [7], "pace": ["slow", "gently", ""], "on": ["2026-02-16"]}}]
    assert key_layout(key).splitlines() == [
        '[{"greenhouse.open": {',
        ' "bay": [7],',
        ' "pace": ["slow", "gently", ""],',
        ' "on": ["2026-02-16"]}}]',
    ]


def test_services_are_closed_after_a_trial(services: Services, audit: str) -> None:
    desk = services.reviewing(audit)
    task = desk.desk().queue[0].task_id
    assert "No output is stored" in desk.try_key(KeyRequest(1, task, '"x"')).sentence
