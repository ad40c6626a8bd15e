from __future__ import annotations

import json
from datetime import UTC, datetime

from audit_app.domain.benchmark import BenchmarkVersion, KeyKind
from audit_app.domain.review import Effect, Finding
from audit_app.reporting.key_patch import KeyChange, KeyFile, build_key_patch
from audit_app.reporting.key_patch_document import key_patch_files
from audit_app.reporting.key_patch_layout import BFCL_V4
from audit_app.scoring.key_shapes import ReadKey

BENCHMARK = BenchmarkVersion(
    name="demo",
    content_hash="ab" * 32,
    format="bfcl",
    rules="v4",
    source="data",
    imported_at=datetime(2026, 1, 2, tzinfo=UTC),
    imported_by="ann",
    tasks=3,
    entries=3,
)
TEXTS = ReadKey(KeyKind.TEXTS, ["Lund"])
FINDING = Finding(
    effects=(Effect.FN,), cause="K1", severity=2, note="Malmö is right too.", proposed_key="[]"
)


def test_the_document_holds_every_change_and_every_refusal() -> None:
    content = b'{"id": "memory_0", "ground_truth": ["Lund"]}\n'
    wider = ReadKey(KeyKind.TEXTS, ["Lund", "Malmö"])
    changes = [
        KeyChange(task_id="memory_0", published=TEXTS, proposed=wider, findings=(FINDING,)),
        KeyChange(task_id="memory_1", published=TEXTS, proposed=None),
    ]
    name = "possible_answer/BFCL_v4_memory.json"
    patch = build_key_patch([KeyFile(name, content, BFCL_V4)], changes)
    files = key_patch_files(patch, BENCHMARK)
    assert list(files) == ["key_patch.json", "key_patch.diff", f"patched/{name}"]
    assert files["key_patch.diff"].decode() == (
        f"--- a/{name}\n+++ b/{name}\n@@ -1,1 +1,1 @@\n"
        '-{"id": "memory_0", "ground_truth": ["Lund"]}\n'
        '+{"id": "memory_0", "ground_truth": ["Lund", "Malm\\u00f6"]}\n'
    )
    document = json.loads(files["key_patch.json"])
    assert document["benchmark"] == "demo"
    assert document["files"] == [{"name": name, "task_ids": ["memory_0"]}]
    assert document["changes"] == [
        {
            "task_id": "memory_0",
            "file": name,
            "before": ["Lund"],
            "after": ["Lund", "Malmö"],
            "operations": [
                {"op": "replace", "path": "", "before": ["Lund"], "value": ["Lund", "Malmö"]}
            ],
            "differences": ['the key now accepts "Malmö"'],
            "findings": [
                {
                    "effects": ["FN"],
                    "cause": "K1",
                    "causes": [],
                    "severity": 2,
                    "note": "Malmö is right too.",
                    "evidence": [],
                }
            ],
        }
    ]
    (unproposed,) = document["without_proposal"]
    assert (unproposed["reason"], unproposed["proposed"]) == ("no finding proposes a key", None)


def test_without_a_change_there_is_only_the_document() -> None:
    assert list(key_patch_files(build_key_patch([], []), BENCHMARK)) == ["key_patch.json"]
