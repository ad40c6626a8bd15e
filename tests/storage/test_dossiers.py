from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from audit_app.errors import ConflictError
from audit_app.storage.dossiers import DossierRepository
from audit_app.storage.workspace import SCHEMA_VERSION, Workspace


def test_a_workspace_from_before_the_dossier_gets_its_tables(tmp_path: Path) -> None:
    path = tmp_path / "assay.db"
    Workspace(path).close()
    raw = sqlite3.connect(path)
    raw.executescript(
        "drop table dossier_records; drop table targeted_tasks;"
        "delete from _sqlite_migrations where name like 'm0006%'; pragma user_version = 5;"
    )
    raw.close()
    with Workspace(path) as workspace:
        assert workspace.row("pragma user_version") == (SCHEMA_VERSION,)
        assert DossierRepository(workspace, "none").read().entries == ()
        assert workspace.problems() == []


def test_a_write_inside_another_is_part_of_it(tmp_path: Path) -> None:
    with Workspace(tmp_path / "assay.db") as workspace:

        def both() -> None:
            with workspace.write():
                with workspace.write():
                    workspace.run("insert into seals values ('a', 'b', 'c')")
                raise ConflictError("later")

        with pytest.raises(ConflictError, match="later"):
            both()
        assert workspace.rows("select * from seals") == []
