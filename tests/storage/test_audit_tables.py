from __future__ import annotations

from pathlib import Path

import pytest

from audit_app.storage.audit_tables import AUDIT_TABLES
from audit_app.storage.workspace import Workspace

_OF_BENCHMARKS = {"benchmarks", "tasks", "entries", "documents", "grades"}
"""Append-only too, and moved by `benchmark_rows`."""
_OF_THE_FILE = {"seals"}
"""Made anew by whoever writes the records."""


def _append_only(workspace: Workspace) -> set[str]:
    rows = workspace.rows("select tbl_name from sqlite_master where name like '%_no_delete'")
    return {row[0] for row in rows}


def _columns(workspace: Workspace, table: str) -> set[str]:
    return {row[1] for row in workspace.rows(f"pragma table_info({table})")}


def test_every_append_only_table_goes_along(tmp_path: Path) -> None:
    """A table made later fails here until it is described in `AUDIT_TABLES`."""
    described = {table.name for table in AUDIT_TABLES}
    described |= {part.name for table in AUDIT_TABLES for part in table.parts}
    with Workspace(tmp_path / "assay.db") as workspace:
        assert _append_only(workspace) - _OF_BENCHMARKS - _OF_THE_FILE == described


@pytest.mark.parametrize("table", AUDIT_TABLES, ids=lambda table: table.name)
def test_every_column_goes_along(table: object, tmp_path: Path) -> None:
    found = next(t for t in AUDIT_TABLES if t is table)
    keys = {"audit"} & ({"audit"} if found.has_audit else set())
    keys |= {"benchmark"} if found.has_benchmark else set()
    with Workspace(tmp_path / "assay.db") as workspace:
        columns = _columns(workspace, found.name)
        rowid = {"key"} & columns if found.name == "trial_requests" else set()
        assert columns == set(found.columns) | keys | rowid
        for part in found.parts:
            assert _columns(workspace, part.name) == {part.of, *part.columns}
