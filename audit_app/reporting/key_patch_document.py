"""The key patch as files: a JSON document for machines, a diff, and the changed key files."""

from __future__ import annotations

import json
from typing import Any

from audit_app.domain.benchmark import BenchmarkVersion
from audit_app.domain.record import Json
from audit_app.domain.review import Finding
from audit_app.reporting.key_patch import ChangedPart, KeyPatch, PatchedTask, PatchStatus

SCHEMA = "assay.key_patch"
SCHEMA_VERSION = 1
"""Rises when a field changes its meaning or goes away."""

JSON_NAME = "key_patch.json"
DIFF_NAME = "key_patch.diff"


def key_patch_files(patch: KeyPatch, benchmark: BenchmarkVersion) -> dict[str, bytes]:
    """File name → content: the JSON document, the diff if any file changes, and those files."""
    files = {JSON_NAME: key_patch_json(patch, benchmark).encode()}
    if patch.files:
        files[DIFF_NAME] = patch.diff
    return files | {f"patched/{file.name}": file.content for file in patch.files}


def key_patch_json(patch: KeyPatch, benchmark: BenchmarkVersion) -> str:
    """The document, indented, ending in a line break.

    ``changes`` are in the files; ``label_changes``, ``without_proposal`` and ``not_patched`` are
    not, and say why. The operations of a change are JSON Patch (RFC 6902) on the value of the
    key's own field, each with what stood there before; they apply in any order.
    """
    document = {
        "schema": SCHEMA,
        "schema_version": SCHEMA_VERSION,
        "benchmark": benchmark.name,
        "content_hash": benchmark.content_hash,
        "files": [{"name": f.name, "task_ids": list(f.task_ids)} for f in patch.files],
        "changes": [_task(task) for task in patch.of(PatchStatus.PATCHED)],
        "label_changes": [_task(task) for task in patch.of(PatchStatus.LABEL_CHANGE)],
        "without_proposal": [_task(task) for task in patch.of(PatchStatus.NO_PROPOSAL)],
        "not_patched": [_task(task) for task in patch.of(PatchStatus.NOT_PATCHED)],
    }
    return json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def _task(task: PatchedTask) -> dict[str, Any]:
    row: dict[str, Any] = {"task_id": task.change.task_id, "file": task.file or None}
    if task.status is PatchStatus.PATCHED:
        row |= {
            "before": task.before,
            "after": task.after,
            "operations": [_operation(part) for part in task.parts],
        }
    else:
        row["reason"] = task.reason
        published, proposed = task.change.published, task.change.proposed
        row["published"] = {"kind": published.kind, "key": published.key}
        row["proposed"] = proposed and {"kind": proposed.kind, "key": proposed.key}
    row["differences"] = list(task.differences)
    row["findings"] = [_finding(finding) for finding in task.change.findings]
    return row


def _operation(part: ChangedPart) -> dict[str, Json]:
    row: dict[str, Json] = {"op": part.op, "path": part.path}
    if part.op != "add":
        row["before"] = part.before
    if part.op != "remove":
        row["value"] = part.after
    return row


def _finding(finding: Finding) -> dict[str, Json]:
    return finding.model_dump(
        mode="json", include={"effects", "cause", "causes", "severity", "note", "evidence"}
    )
