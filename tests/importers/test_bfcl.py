"""The bfcl importer on an invented folder: where each field goes, entries and weights."""

from __future__ import annotations

from pathlib import Path

import pytest

from audit_app.domain.benchmark import KeyKind, Message, Task, content_digest, encode
from audit_app.errors import InputError
from audit_app.importers.bfcl import parse_bfcl
from audit_app.importers.report import ParsedBenchmark
from tests.importers.bfcl_folder import TOOL, call, call_key, files, lines, write_folder, write_zip


@pytest.fixture
def parsed(tmp_path: Path) -> ParsedBenchmark:
    return parse_bfcl(write_folder(tmp_path, files()))


def _task(parsed: ParsedBenchmark, task_id: str) -> Task:
    return next(task for task in parsed.tasks if task.id == task_id)


def test_a_sound_folder_is_read_without_rejections(parsed: ParsedBenchmark) -> None:
    assert [task.id for task in parsed.tasks] == [
        "simple_python_0",
        "simple_python_1",
        "irrelevance_0",
        "live_relevance_0-0-0",
        "multi_turn_miss_func_0",
        "memory_0-customer-0",
        "web_search_9",
    ]
    assert parsed.rejected == []
    assert parsed.ignored == ["BFCL_v4_format_sensitivity.json"]
    assert parsed.rules == "v4"


def test_a_single_turn_task_holds_all_of_its_records(parsed: ParsedBenchmark) -> None:
    assert _task(parsed, "simple_python_0") == Task(
        id="simple_python_0",
        category="simple_python",
        group="non_live_ast",
        scorer="bfcl-ast",
        turns=((Message("user", "Open vent bay three."),),),
        tools=(TOOL,),
        key_kind=KeyKind.CALLS,
        key=[{"greenhouse.open_vent": {"bay": [3]}}],
        fields={"section": "non_live", "language": "python"},
    )


@pytest.mark.parametrize(
    ("task_id", "kind", "scorer", "group"),
    [
        pytest.param(
            "irrelevance_0", KeyKind.NO_CALL, "bfcl-irrelevance", "irrelevance", id="no call"
        ),
        pytest.param(
            "live_relevance_0-0-0",
            KeyKind.SOME_CALL,
            "bfcl-relevance",
            "live_relevance",
            id="some call",
        ),
    ],
)
def test_categories_without_key_file_are_their_own_key(
    parsed: ParsedBenchmark, task_id: str, kind: KeyKind, scorer: str, group: str
) -> None:
    task = _task(parsed, task_id)
    assert (task.key_kind, task.key, task.scorer, task.group) == (kind, None, scorer, group)
    assert task.tools == (TOOL,)


def test_a_multi_turn_task_names_its_classes_and_keeps_its_state(parsed: ParsedBenchmark) -> None:
    task = _task(parsed, "multi_turn_miss_func_0")
    assert task.key_kind is KeyKind.CALL_TURNS
    assert task.key == [["close_ticket(ticket_id=1)"], []]
    assert task.turns[1] == ()
    assert task.context == {
        "initial_config": {"TicketAPI": {"tickets": []}},
        "path": ["TicketAPI.close_ticket"],
        "involved_classes": ["TicketAPI"],
        "missed_function": {"1": ["close_ticket"]},
    }
    body = [{"name": "ticket_api_call", "parameters": {}}]
    assert task.documents == {"tools/TicketAPI": content_digest(encode(body))}
    assert {d.id: d.body for d in parsed.documents}["tools/TicketAPI"] == body


def test_a_memory_task_rests_on_its_conversation_and_three_backends(
    parsed: ParsedBenchmark,
) -> None:
    task = _task(parsed, "memory_0-customer-0")
    assert list(task.documents) == [
        "conversation/customer",
        "tools/MemoryAPI_kv",
        "tools/MemoryAPI_vector",
        "tools/MemoryAPI_rec_sum",
    ]
    assert task.fields == {"section": "agentic", "scenario": "customer"}
    assert task.context["source"] == "I sail from Lund."
    assert task.key == ["Lund"]


def test_a_web_task_keeps_hops_and_sources(parsed: ParsedBenchmark) -> None:
    task = _task(parsed, "web_search_9")
    assert list(task.documents) == ["tools/WebSearchAPI"]
    assert task.fields == {"section": "agentic", "hops": "3"}
    assert task.context == {"involved_classes": ["WebSearchAPI"], "num_hops": 3, "source": []}


def test_entries_and_weights_follow_the_overall_score(parsed: ParsedBenchmark) -> None:
    # Python: a third of a quarter of 10, over 2 tasks. Multi-turn: a quarter of 30, over 1.
    # Memory: a third of half of 40 for each back-end; web: half of half of 40 for each column.
    assert [(task_id, e.id, e.weight) for task_id, e in parsed.entries] == [
        ("simple_python_0", "simple_python_0", pytest.approx(10 / 12 / 2)),
        ("simple_python_1", "simple_python_1", pytest.approx(10 / 12 / 2)),
        ("irrelevance_0", "irrelevance_0", pytest.approx(5)),
        ("live_relevance_0-0-0", "live_relevance_0-0-0", 0.0),
        ("multi_turn_miss_func_0", "multi_turn_miss_func_0", pytest.approx(7.5)),
        ("memory_0-customer-0", "memory_kv_0-customer-0", pytest.approx(20 / 3)),
        ("memory_0-customer-0", "memory_vector_0-customer-0", pytest.approx(20 / 3)),
        ("memory_0-customer-0", "memory_rec_sum_0-customer-0", pytest.approx(20 / 3)),
        ("web_search_9", "web_search_base_9", pytest.approx(10)),
        ("web_search_9", "web_search_no_snippet_9", pytest.approx(10)),
    ]


def test_live_categories_share_one_pool(tmp_path: Path) -> None:
    contents = {
        "BFCL_v4_live_simple.json": lines(*(call(f"live_simple_{i}-0-0") for i in range(3))),
        "possible_answer/BFCL_v4_live_simple.json": lines(
            *(call_key(f"live_simple_{i}-0-0") for i in range(3))
        ),
        "BFCL_v4_live_parallel.json": lines(call("live_parallel_0-0-0")),
        "possible_answer/BFCL_v4_live_parallel.json": lines(call_key("live_parallel_0-0-0")),
    }
    entries = parse_bfcl(write_folder(tmp_path, contents)).entries
    assert [entry.weight for _, entry in entries] == [2.5] * 4


def test_fields_that_are_not_known_are_kept(tmp_path: Path) -> None:
    message = {"role": "assistant", "content": "", "tool_calls": [{"name": "x"}]}
    record = {**call("irrelevance_0", licence="invented"), "question": [[message]]}
    folder = write_folder(tmp_path, {"BFCL_v4_irrelevance.json": lines(record)})
    (task,) = parse_bfcl(folder).tasks
    assert task.context == {"licence": "invented", "question": [[message]]}


def test_large_integers_and_foreign_script_survive(tmp_path: Path) -> None:
    key = {"id": "parallel_0", "ground_truth": [{"數": {"n": [2**63 + 1, 1.0, "é", None]}}]}
    contents = {
        "BFCL_v4_parallel.json": lines(call("parallel_0")),
        "possible_answer/BFCL_v4_parallel.json": lines(key),
    }
    (task,) = parse_bfcl(write_folder(tmp_path, contents)).tasks
    assert encode(task.key) == '[{"數":{"n":[9223372036854775809,1.0,"é",null]}}]'.encode()


@pytest.mark.parametrize("prefix", ["", "bfcl_eval/data/", "a/b/c/d/"])
def test_folder_and_zip_give_the_same_however_deep(tmp_path: Path, prefix: str) -> None:
    flat = parse_bfcl(write_folder(tmp_path / "flat", files()))
    others = [
        parse_bfcl(write_folder(tmp_path / "deep" / prefix, files()).parents[prefix.count("/") - 1])
        if prefix
        else flat,
        parse_bfcl(write_zip(tmp_path / "p.whl", files(), prefix=prefix)),
    ]
    for other in others:
        assert encode(other.tasks) == encode(flat.tasks)
        assert encode(other.entries) == encode(flat.entries)
        assert encode(other.documents) == encode(flat.documents)


def test_retired_categories_are_left_alone(tmp_path: Path) -> None:
    folder = write_folder(tmp_path, files())
    write_folder(folder / "unused_datasets" / "question", {"BFCL_v4_simple_python.json": b"{"})
    assert parse_bfcl(folder).rejected == []


def test_two_data_folders_are_not_guessed_between(tmp_path: Path) -> None:
    write_folder(tmp_path / "old", files())
    write_folder(tmp_path / "new", files())
    with pytest.raises(InputError, match="holds BFCL v4 data in new/ and in old/; name one"):
        parse_bfcl(tmp_path)
