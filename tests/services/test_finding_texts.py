"""Texts for the maintainers of a benchmark: what they claim can be graded, and they keep up."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from audit_app.services.cases import grade_cases
from audit_app.services.context import Services, open_services
from audit_app.services.demo import ensure_demo
from audit_app.services.resources import resource
from audit_app.settings import Settings

Findings = dict[str, dict[str, Any]]


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    folder: Path = tmp_path_factory.mktemp("findings")
    settings = Settings(db=folder / "assay.db", reviewer="ada", cache=folder)
    ensure_demo(settings)
    return settings


@pytest.fixture(scope="module")
def known() -> Findings:
    """Task id → the finding that the answer sheet of the bundled benchmark asks for."""
    lines = resource("samples", "toolshop", "answer_sheet.jsonl").read_text("utf-8").splitlines()
    return {row["task_id"]: _finding(row) for row in map(json.loads, lines)}


def _finding(row: dict[str, Any]) -> dict[str, Any]:
    kind = row["corrected_key_kind"]
    key = kind if kind in ("no_call", "some_call") else row["corrected_key"]
    return {
        "effects": row["effects"],
        "cause": row["cause"],
        "severity": row["severity"],
        "note": row["explanation"],
        "proposed_key": json.dumps(key),
    }


@pytest.fixture(scope="module")
def written(settings: Settings, known: Findings) -> tuple[Path, list[Path], list[str]]:
    """The folder, the files, and the tasks called defective."""
    with open_services(settings) as services:
        queue = [i.task_id for i in services.reviewing("toolshop").desk().queue]
        counts = {task for task, said in known.items() if {"FN", "FP"} & set(said["effects"])}
        defective = [task for task in queue if task in counts]
        _judge(services, {task: known.get(task) for task in queue})
        files = services.reports.write("toolshop", settings.db.parent / "out")
    return files[0].parent, files, defective


def _judge(services: Services, said: dict[str, dict[str, Any] | None]) -> None:
    desk = services.reviewing("toolshop")
    standing = desk.my_reviews(list(said))
    acks = desk.apply(
        {
            "id": str(uuid4()),
            "kind": "defect" if finding else "clean",
            "task_id": task,
            **({"findings": [finding]} if finding else {}),
            **({"supersedes": standing[task].id} if task in standing else {}),
        }
        for task, finding in said.items()
    )
    assert [ack.error for ack in acks if ack.error] == []


def cases_of(text: str) -> list[str]:
    """The lines of the ready case, out of its fence."""
    parts = text.split("## How to reproduce")[1].split("```")
    return parts[1].removeprefix("json\n").splitlines() if len(parts) > 1 else []


def test_the_reports_come_first_and_a_text_for_each_defective_task_last(
    written: tuple[Path, list[Path], list[str]],
) -> None:
    folder, files, defective = written
    assert [path.name for path in files[:3]] == ["report.md", "report.html", "report.json"]
    texts = [path for path in files if path.parent.name == "findings"]
    assert texts == files[-len(texts) :]
    assert sorted(path.stem for path in texts) == sorted(defective)
    assert all(path.is_relative_to(folder) and path.is_file() for path in files)


def test_what_a_text_claims_is_what_grading_says(
    written: tuple[Path, list[Path], list[str]], known: Findings, tmp_path: Path
) -> None:
    folder, _, defective = written
    shown = 0
    for task in defective:
        text = (folder / "findings" / f"{task}.md").read_text(encoding="utf-8")
        assert text.startswith(f"# Answer key of `{task}`: ")
        lines = cases_of(text)
        if not lines:
            assert "No ready case" in text
            continue
        file = tmp_path / f"{task}.jsonl"
        file.write_text("\n".join(lines), encoding="utf-8")
        graded = grade_cases(file, tmp_path)
        assert (graded.agree, graded.disagree, graded.skipped) == (len(lines), [], [])
        verdicts = [(case["key_name"], case["expected"]) for case in map(json.loads, lines)]
        wanted = {
            "FN": [("published", "invalid"), ("proposed", "valid")],
            "FP": [("published", "valid"), ("proposed", "invalid")],
        }
        pairs = [verdicts[n : n + 2] for n in range(0, len(verdicts), 2)]
        assert all(pair in [wanted[effect] for effect in known[task]["effects"]] for pair in pairs)
        shown += 1
    assert shown >= len(defective) // 2


def test_a_text_goes_when_its_finding_no_longer_counts(
    settings: Settings, written: tuple[Path, list[Path], list[str]]
) -> None:
    folder, _, defective = written
    own, other = folder / "findings" / "my notes.md", folder / "findings" / "of another audit.md"
    own.write_text("mine", encoding="utf-8")
    other.write_text("Found in the audit `x` (another id)", encoding="utf-8")
    gone, kept = (folder / "findings" / f"{task}.md" for task in defective[:2])
    with open_services(settings) as services:
        _judge(services, {defective[0]: None})
        services.reports.write("toolshop", settings.db.parent / "out", ["json"])
        assert gone.exists(), "only what writes texts takes any away"
        files = services.reports.write("toolshop", settings.db.parent / "out")
    assert gone not in files
    assert [path.exists() for path in (gone, kept, own, other)] == [False, True, True, True]


def test_equal_audits_give_equal_files(
    settings: Settings, written: tuple[Path, list[Path], list[str]]
) -> None:
    fixed = Settings(
        db=settings.db, reviewer="ada", cache=settings.cache, source_date_epoch=1_789_000_000
    )
    rounds = []
    for _ in range(2):
        with open_services(fixed) as services:
            rounds.append(services.reports.files("toolshop"))
    assert rounds[0] == rounds[1]
