"""Workspaces whose every text is long, or written in other scripts and with marks that attack."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from msgspec.structs import replace as changed

from audit_app.domain.benchmark import (
    BenchmarkVersion,
    Entry,
    KeyKind,
    Message,
    Output,
    OutputSource,
    Task,
)
from audit_app.domain.team import Mode, TeamSettings
from audit_app.services.context import Services, open_services
from audit_app.services.rubrics import STATEMENTS
from audit_app.settings import Settings
from audit_app.storage.benchmarks import BenchmarkRepository, encode_benchmark
from audit_app.storage.outputs import OutputRepository
from audit_app.storage.team import TeamRepository
from tests.browser import desk_cases

TURNS = 6_000
LONG_NOTE = "The key refuses what the prompt allows, and nobody can tell why it should. " * 1_370
"""A note of 100 KB."""
LONG_WORD = "Supercalifragilistic" * 9
SCRIPTS_NOTE = (
    "❌🧪 المفتاح يرفض إجابة صحيحة، انظر «السعر ١٥». המפתח דוחה תשובה נכונה (ראו 15₪). "
    "正解が拒否される：「東京から京都まで」。정답이 거부됨. "
    + desk_cases.SPOOF
    + " "
    + desk_cases.HOSTILE
)


@dataclass(frozen=True)
class Case:
    """What a workspace is filled with.

    Attributes:
        name: Name of the benchmark and of its audit.
        person: Who judges first; another one judges otherwise.
        note: Every note and text of a person.
        tasks: The tasks.
    """

    name: str
    person: str
    note: str
    tasks: Sequence[Task]


def _prompt(id_: str, text: str, group: str) -> Task:
    plain = desk_cases.plain(1).task
    return changed(plain, id=id_, turns=((Message("user", text),),), category=group, group=group)


def long_case() -> Case:
    """Texts of 100 KB, a dialogue of 6,000 turns, names without a place to break them."""
    turns = tuple((Message("user", f"Open bay {n}, then say so."),) for n in range(TURNS))
    dialogue = Task(
        id=f"dialogue/{TURNS}-turns",
        category=LONG_WORD,
        group=LONG_WORD,
        scorer="bfcl-multi-turn",
        turns=turns,
        key_kind=KeyKind.CALL_TURNS,
        key=[[f"open(bay={n})"] for n in range(TURNS)],
    )
    prompt = "Please read all of this before you open a bay. " * 2_200
    tasks = [
        _prompt("prompt/100-kb", prompt, LONG_WORD),
        _prompt("prompt/one-word", "x" * 100_000, LONG_WORD),
        _prompt(f"id/{LONG_WORD}", "Short, but for its id.", "short"),
        dialogue,
        *(_prompt(f"filler/{n:02d}", prompt[:900], "short") for n in range(6)),
    ]
    return Case(f"long {LONG_WORD}"[:180], "Ada " + LONG_WORD[:90], LONG_NOTE, tasks)


def scripts_case() -> Case:
    """Right-to-left and CJK texts, emoji, control characters, Markdown and HTML."""
    rtl, cjk = (
        "ما ثمن التذكرة من الميناء؟ כמה עולה הכרטיס מהנמל?",
        "港から山まで、切符はいくらですか。",
    )
    tasks = [
        _prompt("عربي/١", rtl, "مجموعة"),
        _prompt("東京/駅", cjk, "日本語の課題"),
        _prompt("한국어/1", "항구에서 산까지 표는 얼마입니까?", "日本語の課題"),
        changed(desk_cases.hostile().task, group="مجموعة"),
        _prompt("emoji/🧪", f"{SCRIPTS_NOTE}\n{desk_cases.RTL}", "مجموعة"),
        *(_prompt(f"משימה/{n}", rtl[::-1] if n % 2 else rtl, "קבוצה") for n in range(5)),
    ]
    return Case("בדיקה 東京 مراجعة", "دانة ユキ", SCRIPTS_NOTE, tasks)


def fill(settings: Settings, case: Case) -> None:
    """Store the case: its benchmark with outputs, an audit of all of it, two people's work."""
    with open_services(replace(settings, reviewer=case.person)) as services:
        _store(services, case)
        plan = services.audits.default_plan(case.name)
        preview = services.audits.preview(case.name, plan)
        audit = services.audits.create(case.name, case.name, preview).audit
        team = TeamSettings(mode=Mode.ADJUDICATED, reviews_per_task=2)
        now = services.clock.now()
        TeamRepository(services.workspace, audit.id).set(
            team, id_=services.clock.new_id(), set_at=now, set_by=case.person
        )
        for name in STATEMENTS.keys() - {"original_link"}:
            services.rubrics.state(case.name, name, case.note)
        services.rubrics.set(case.name, "access", "full", note=case.note)
        services.rubrics.set(case.name, "scoring", "issue", note=case.note)
    for person, effect in ((case.person, "FN"), (f"{case.person} 2", "FP")):
        with open_services(replace(settings, reviewer=person)) as services:
            _judge(services, case, effect)


def _store(services: Services, case: Case) -> None:
    entries = [(task.id, Entry(task.id)) for task in case.tasks]
    encoded = encode_benchmark(case.tasks, entries, [])
    noon = datetime(2026, 11, 29, 12, tzinfo=UTC)
    version = BenchmarkVersion(
        name=case.name,
        content_hash=encoded.content_hash,
        format="table",
        rules="",
        source=f"{case.name}.jsonl",
        imported_at=noon,
        imported_by=case.person,
        tasks=len(case.tasks),
        entries=len(entries),
    )
    stored = BenchmarkRepository(services.workspace).add(version, encoded)
    models = (f"sim-{case.name}", f"sim-2-{case.name}")
    source = OutputSource(
        format="table",
        source=version.source,
        imported_at=noon,
        imported_by=case.person,
        models=models,
        outputs=2 * len(entries),
        simulated=True,
    )
    OutputRepository(services.workspace, stored.key).add(
        (
            Output(entry_id=task.id, model=model, body=f"{case.note}{number}", passed=False)
            for task in case.tasks
            for number, model in enumerate(models)
        ),
        source=lambda _: source,
    )


def _judge(services: Services, case: Case, effect: str) -> None:
    desk = services.reviewing(case.name)
    queue = [item.task_id for item in desk.desk().queue]
    finding: dict[str, Any] = {
        "effects": [effect],
        "cause": "K3",
        "severity": 2,
        "note": case.note,
        "proposed_key": "[]",
    }
    acks = desk.apply(
        {
            "id": str(uuid5(NAMESPACE_URL, f"{services.person}/{task}")),
            "kind": "defect",
            "task_id": task,
            "findings": [finding],
        }
        for task in queue[:3]
    )
    assert [ack.error for ack in acks if ack.error] == []
