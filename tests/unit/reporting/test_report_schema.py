"""The published JSON Schema, held against reports by a validator that is not ours."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import Any

import pytest
from jsonschema import Draft202012Validator, FormatChecker

from audit_app.domain.sampling import DrawKind
from audit_app.reporting.model import AuditRecord
from audit_app.reporting.render import render
from audit_app.reporting.report_schema import report_schema
from tests.golden.audits import golden_audit
from tests.unit.reporting.audits import audit
from tests.unit.reporting.hostile import attacked, whole
from tests.unit.reporting.test_markup import ATTACKS

SCHEMA = report_schema()
VALIDATOR = Draft202012Validator(SCHEMA, format_checker=FormatChecker())


def document(record: AuditRecord) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(render(record, ["json"])["report.json"])
    return found


def test_the_schema_is_one_and_describes_every_part() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    bare = [name for name, part in SCHEMA["$defs"].items() if not part.get("description")]
    assert bare == []


@pytest.mark.parametrize(
    "record",
    [
        pytest.param(golden_audit(), id="golden"),
        pytest.param(audit(judged=[]), id="nothing reviewed"),
        pytest.param(audit(kind=DrawKind.CENSUS), id="census"),
        pytest.param(audit(kind=DrawKind.SUPPLIED), id="supplied draw"),
        pytest.param(whole(), id="every section"),
        *(pytest.param(attacked(str(a.values[0])), id=f"hostile: {a.id}") for a in ATTACKS[:6]),
    ],
)
def test_reports_are_valid(record: AuditRecord) -> None:
    assert [error.message for error in VALIDATOR.iter_errors(document(record))] == []


@pytest.mark.parametrize(
    ("place", "value"),
    [
        pytest.param(("schema_version",), 2, id="another version"),
        pytest.param(("figures", "defective", "count"), "3", id="a number as text"),
        pytest.param(("figures", "next"), "maybe", id="a word that is none of the set"),
        pytest.param(("heading", "generated_on"), "yesterday", id="no date"),
        pytest.param(("heading", "other"), "", id="an unknown member"),
        pytest.param(("errors", 0, "effects"), None, id="nothing where a list belongs"),
    ],
)
def test_what_is_no_report_is_refused(place: tuple[str | int, ...], value: object) -> None:
    changed: Any = deepcopy(document(golden_audit()))
    part = changed
    for step in place[:-1]:
        part = part[step]
    part[place[-1]] = value
    assert list(VALIDATOR.iter_errors(changed))
