"""Finding tasks by their text: what is searched, and what is not."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from msgspec.structs import replace

from audit_app.domain.benchmark import Message
from audit_app.importers.registry import parse_benchmark
from audit_app.storage.benchmarks import BenchmarkRepository, encode_benchmark
from audit_app.storage.task_search import TaskSearch
from audit_app.storage.workspace import Workspace
from tests.storage.conftest import store, task

TASKS = [
    task("bay/1", category="vents"),
    replace(
        task("bay/2", prompt='She said "ÖFFNEN", in Tōkyō 東京.\nThen left.'),
        tools=({"name": "heater", "parameters": {"power": {"type": "integer"}}},),
        context={"source": "an almanac"},
    ),
    replace(task("bay/3", prompt="Close."), key="Jalousie", documents={"tools/Vent": "0"}),
    replace(task("bay/4", prompt=""), turns=((Message("system", [{"text": "in parts"}]),),)),
]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param("", ["bay/1", "bay/2", "bay/3", "bay/4"], id="nothing finds all"),
        pytest.param("BAY/2", ["bay/2"], id="id, whatever the case"),
        pytest.param("öffnen", ["bay/2"], id="case beyond ASCII"),
        pytest.param("TŌKYŌ 東京", ["bay/2"], id="other scripts"),
        pytest.param('"öffnen",', ["bay/2"], id="quotes as they stand in the prompt"),
        pytest.param("three bay", ["bay/1"], id="every word, in any order"),
        pytest.param("heater integer", ["bay/2"], id="the task's own tools"),
        pytest.param("vent", ["bay/3"], id="tools that tasks share; a category is no text"),
        pytest.param("close vent", ["bay/3"], id="one word in each"),
        pytest.param("jalousie", ["bay/3"], id="key"),
        pytest.param("100000000000000000000", ["bay/1", "bay/2", "bay/4"], id="numbers of a key"),
        pytest.param("parts", ["bay/4"], id="a prompt that is no text"),
        pytest.param("content", [], id="names of the record's own fields"),
        pytest.param("almanac", [], id="other fields"),
        pytest.param("%", [], id="no wildcard"),
    ],
)
def test_every_word_must_stand_in_id_prompt_tools_or_key(
    workspace: Workspace, text: str, found: list[str]
) -> None:
    search = TaskSearch(workspace, store(workspace, TASKS).key)
    assert [row.task_id for row in search.find(text.split())] == found


def test_a_hidden_key_is_not_searched(workspace: Workspace) -> None:
    search = TaskSearch(workspace, store(workspace, TASKS).key)
    assert search.find(["jalousie"], keys_hidden={"bay/3"}) == []
    assert [row.task_id for row in search.find(["close"], keys_hidden={"bay/3"})] == ["bay/3"]


def test_category_and_group_narrow(workspace: Workspace) -> None:
    search = TaskSearch(workspace, store(workspace, TASKS).key)
    assert [row.task_id for row in search.find([], category="vents", group="vents")] == ["bay/1"]
    assert search.find([], category="vents", group="simple") == []


def test_bfcl_v4_is_searched_within_300_ms(workspace: Workspace, bfcl_v4: Path) -> None:
    parsed = parse_benchmark("bfcl", bfcl_v4)
    encoded = encode_benchmark(parsed.tasks, parsed.entries, parsed.documents)
    version = store(workspace, [task("bay/1")]).version
    version = version.model_copy(update={"content_hash": encoded.content_hash})
    search = TaskSearch(workspace, BenchmarkRepository(workspace).add(version, encoded).key)
    times = []
    for words in (["weather", "tokyo"], ["type"], ["tradingbot"]):
        begin = time.process_time()
        assert search.find(words)
        times.append(time.process_time() - begin)
    assert min(times) < 0.3  # about 0.07 s of processor time
