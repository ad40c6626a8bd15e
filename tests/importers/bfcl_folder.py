"""A small invented BFCL v4 folder: one task of every kind, with wrong files on demand."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

TOOL = {"name": "greenhouse.open_vent", "parameters": {"type": "dict", "required": ["bay"]}}
TURN = [{"role": "user", "content": "Open vent bay three."}]


def lines(*records: Mapping[str, Any]) -> bytes:
    """JSON lines without a final newline, as the benchmark has them."""
    return "\n".join(json.dumps(record, ensure_ascii=False) for record in records).encode()


def call(task_id: str, **further: Any) -> dict[str, Any]:
    """A single-turn question."""
    return {"id": task_id, "question": [TURN], "function": [TOOL], **further}


def call_key(task_id: str) -> dict[str, Any]:
    """A key of one call."""
    return {"id": task_id, "ground_truth": [{"greenhouse.open_vent": {"bay": [3]}}]}


def turns(task_id: str, **further: Any) -> dict[str, Any]:
    """A multi-turn question; its second turn is empty."""
    return {
        "id": task_id,
        "question": [TURN, []],
        "initial_config": {"TicketAPI": {"tickets": []}},
        "path": ["TicketAPI.close_ticket"],
        "involved_classes": ["TicketAPI"],
        **further,
    }


def memory(task_id: str, **further: Any) -> dict[str, Any]:
    """A memory question."""
    record = {"id": task_id, "question": [TURN], "involved_classes": ["MemoryAPI"]}
    return {**record, "scenario": "customer", **further}


def files() -> dict[str, bytes]:
    """Name → content of a sound folder."""
    docs = {
        f"multi_turn_func_doc/{name}.json": lines({"name": f"{name}_call", "parameters": {}})
        for name in ("ticket_api", "memory_kv", "memory_vector", "memory_rec_sum", "web_search")
    }
    return {
        "BFCL_v4_simple_python.json": lines(call("simple_python_0"), call("simple_python_1")),
        "possible_answer/BFCL_v4_simple_python.json": lines(
            call_key("simple_python_0"), call_key("simple_python_1")
        ),
        "BFCL_v4_irrelevance.json": lines(call("irrelevance_0")),
        "BFCL_v4_live_relevance.json": lines(call("live_relevance_0-0-0")),
        "BFCL_v4_multi_turn_miss_func.json": lines(
            turns("multi_turn_miss_func_0", missed_function={"1": ["close_ticket"]})
        ),
        "possible_answer/BFCL_v4_multi_turn_miss_func.json": lines(
            {"id": "multi_turn_miss_func_0", "ground_truth": [["close_ticket(ticket_id=1)"], []]}
        ),
        "BFCL_v4_memory.json": lines(memory("memory_0-customer-0")),
        "possible_answer/BFCL_v4_memory.json": lines(
            {"id": "memory_0-customer-0", "ground_truth": ["Lund"], "source": "I sail from Lund."}
        ),
        "memory_prereq_conversation/memory_customer.json": lines(
            {"id": "memory_prereq_0-customer-0", "topic": "First order", "question": [TURN]}
        ),
        "BFCL_v4_web_search.json": lines(
            {"id": "web_search_9", "question": [TURN], "involved_classes": ["WebSearchAPI"]}
        ),
        "possible_answer/BFCL_v4_web_search.json": lines(
            {"id": "web_search_9", "ground_truth": ["Ada Vell"], "num_hops": 3, "source": []}
        ),
        "BFCL_v4_format_sensitivity.json": b'{\n "simple_python": ["simple_python_0"]\n}',
        **docs,
    }


def write_folder(root: Path, contents: Mapping[str, bytes]) -> Path:
    """Write the files below ``root``."""
    for name, content in contents.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return root


def write_zip(path: Path, contents: Mapping[str, bytes], *, prefix: str = "") -> Path:
    """Write the files into a zip."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in contents.items():
            archive.writestr(prefix + name, content)
    return path
