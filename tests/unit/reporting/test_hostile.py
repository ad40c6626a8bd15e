"""A record with an attack in every text keeps the structure of the plain one."""

from __future__ import annotations

import csv
import io
import json
from functools import cache
from urllib.parse import quote

import pytest

from audit_app.reporting.model import AuditRecord
from audit_app.reporting.render import render
from tests.unit.reporting.hostile import ADDRESS, ATTACK, attacked, whole
from tests.unit.reporting.reading import inner, structure
from tests.unit.reporting.test_markup import ATTACKS

INNER = ("strong_open", "link_open", "em_open", "s_open", "image", "html_inline")


@pytest.mark.parametrize("attack", ATTACKS)
def test_report_and_findings_keep_their_structure(attack: str) -> None:
    texts, plain = _texts(attacked(attack)), _plain_texts()
    assert len(texts) == len(plain) == 4
    for text, straight in zip(texts, plain, strict=True):
        assert structure(text) == structure(straight)
        for kind in INNER:
            counts = [sum(child.type == kind for child in inner(t)) for t in (text, straight)]
            assert counts[0] == counts[1], kind
        assert not any("\u202a" <= c <= "\u202e" or c in "\0\x1b" for c in text)


def test_links_lead_where_the_reviewer_says() -> None:
    targets = {
        str(child.attrs["href"])
        for text in _texts(attacked(ATTACK))
        for child in inner(text)
        if child.type == "link_open"
    }
    assert targets == {quote(ADDRESS, safe=":/?&=')")}


@cache
def _plain_texts() -> list[str]:
    return _texts(whole())


def _texts(record: AuditRecord) -> list[str]:
    """The report and the texts of its findings."""
    files = render(record, ["md"])
    return [content.decode() for name, content in files.items() if name.endswith(".md")]


@pytest.mark.parametrize("attack", [*ATTACKS, "=1+1", "+1", "-1", "@x", "\t=1", "'", '"', ","])
def test_tables_keep_rows_columns_and_text(attack: str) -> None:
    files = render(attacked(attack), ["json", "csv"])
    json.loads(files.pop("report.json"))
    for name, content in files.items():
        rows = list(csv.reader(io.StringIO(content.decode(), newline=""), strict=True))
        assert {len(row) for row in rows} == {len(rows[0])}, name
        assert not any(
            cell[:1] in ("=", "+", "-", "@", "\t", "\r") for r in rows for cell in r if cell
        )
    sample = files["sample.csv"].decode()
    assert len(list(csv.reader(io.StringIO(sample, newline="")))) == 11
