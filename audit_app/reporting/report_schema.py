"""The JSON Schema of report.json, made from the report's own model."""

from __future__ import annotations

import re
from typing import Any

from audit_app.reporting.json_document import SCHEMA, SCHEMA_VERSION
from audit_app.reporting.report import Report

_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_ATTRIBUTES = "\n\nAttributes:\n"
_ATTRIBUTE = re.compile(r"^ {4}(\w+): (.*(?:\n {8}.*)*)", re.MULTILINE)


def report_schema() -> dict[str, Any]:
    """The schema as a document of draft 2020-12; every member is described.

    Sections that a report can lack (None in the model) are no required members.
    """
    made = Report.model_json_schema(mode="serialization")
    described = [_described(schema) for schema in (made, *made["$defs"].values())]
    report, parts = described[0], dict(zip(made["$defs"], described[1:], strict=True))
    optional = {name for name, field in Report.model_fields.items() if not field.is_required()}
    return {
        "$schema": _DIALECT,
        "$id": f"urn:{SCHEMA.replace('.', ':')}:{SCHEMA_VERSION}",
        "title": f"{SCHEMA} {SCHEMA_VERSION}",
        "description": (
            "A benchmark review by Assay. Shares are in [0, 1]; what is not defined is null, and "
            "`undefined` of the same object says why."
        ),
        "type": "object",
        "additionalProperties": False,
        "required": ["schema", "schema_version", *_without(report["required"], optional)],
        "properties": {
            "schema": {"const": SCHEMA, "description": "Names this format."},
            "schema_version": {
                "const": SCHEMA_VERSION,
                "description": "Rises when a member changes its meaning or goes away.",
            },
            **report["properties"],
        },
        "$defs": parts,
    }


def _without(names: list[str], optional: set[str]) -> list[str]:
    """The names that are not optional, in their order."""
    return [name for name in names if name not in optional]


def _described(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema of one part with the words of its docstring at the members they are about."""
    about, _, attributes = schema.get("description", "").partition(_ATTRIBUTES)
    words = {name: " ".join(text.split()) for name, text in _ATTRIBUTE.findall(attributes)}
    made = {name: value for name, value in schema.items() if name not in ("title", "description")}
    if about:
        made["description"] = " ".join(about.split())
    if "properties" in schema:
        made["properties"] = {
            name: _member(member, words.get(name, ""))
            for name, member in schema["properties"].items()
        }
    return made


def _member(member: dict[str, Any], words: str) -> dict[str, Any]:
    plain = {name: value for name, value in member.items() if name != "title"}
    return {**plain, "description": words} if words else plain
