"""A record with an attack in every text keeps the structure of the plain one."""

from __future__ import annotations

import csv
import io
import json

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from audit_app.reporting.model import AuditRecord
from audit_app.reporting.render import render
from tests.unit.reporting.audits import Text, audit
from tests.unit.reporting.test_markup import ATTACKS

PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
STATEMENTS = ("lead", "original_link", "developer_contact", "developer_response", "access_note")


def attacked(attack: str) -> AuditRecord:
    """The small audit with the attack before and after every text."""

    def t(text: str) -> str:
        return f"{attack}{text}{attack}"

    return small(t)


def small(t: Text) -> AuditRecord:
    return audit(t, statements={name: t("statement") for name in STATEMENTS})


def structure(text: str) -> list[str]:
    """Blocks and cells in order; a run of paragraphs is one, whatever its lines."""
    kinds: list[str] = []
    for token in PARSER.parse(text):
        if token.type == "inline" or (token.type == "paragraph_open" and kinds[-1:] == ["p"]):
            continue
        if token.type == "paragraph_close":
            continue
        kinds.append("p" if token.type == "paragraph_open" else f"{token.type} {token.tag}")
    return kinds


def inner(text: str) -> list[Token]:
    return [child for token in PARSER.parse(text) for child in token.children or []]


@pytest.mark.parametrize("attack", ATTACKS)
def test_report_keeps_its_structure(attack: str) -> None:
    text = render(attacked(attack), ["md"])["report.md"].decode()
    plain = render(small(lambda text: text), ["md"])["report.md"].decode()
    assert structure(text) == structure(plain)
    for kind in ("strong_open", "link_open", "em_open", "s_open", "image", "html_inline"):
        counts = [sum(child.type == kind for child in inner(t)) for t in (text, plain)]
        assert counts[0] == counts[1], kind
    targets = [str(child.attrs["href"]) for child in inner(text) if child.type == "link_open"]
    assert targets == ["https://a.example/log?x=1&y=2"]
    assert not any("\u202a" <= c <= "\u202e" or c in "\0\x1b" for c in text)


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
