"""Small invented audits that the tests of reports share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, date, datetime, timedelta

from audit_app.domain.benchmark import BenchmarkVersion, KeyKind, Message, Task
from audit_app.domain.review import Effect, Finding, FindingState, Judgement, Review
from audit_app.domain.rubric import (
    Answer,
    Cause,
    CauseFamily,
    Described,
    Example,
    Item,
    Label,
    Outcome,
    Rubric,
    SamplingRule,
    Section,
    SectionKind,
    Status,
    Taxonomy,
    Threshold,
    TraceStep,
    ValueType,
    Verdict,
)
from audit_app.domain.sampling import (
    Draw,
    DrawKind,
    Frame,
    InnerStratum,
    PlannedStratum,
    Sample,
    SamplingPlan,
    Stratum,
)
from audit_app.reporting.model import AuditRecord
from audit_app.sampling.standing import audit_status

START = datetime(2026, 9, 1, 8, 0, tzinfo=UTC)
Text = Callable[[str], str]
"""Turns a plain text into the one a record shall carry there."""


def plain(text: str) -> str:
    return text


def label(text: str) -> Label:
    return Label(en=text)


NOT_REVIEWED = Status(id="not_reviewed", label=label("Not reviewed"))


def rubric(t: Text = plain) -> Rubric:
    graded = (
        Status(id="pass", label=label(t("Pass")), passes=True),
        Status(id="issue", label=label(t("Issue found")), verdict=Outcome.FLAWED),
        NOT_REVIEWED,
    )
    access = Item(
        id="access",
        number="1.1",
        label=label(t("Can tasks and scoring be inspected?")),
        statuses=(Status(id="full", label=label(t("Full"))), NOT_REVIEWED),
    )
    scoring = Item(
        id="scoring",
        number="2.1",
        label=label(t("Scoring")),
        statuses=graded,
        threshold=Threshold(text=label(t("20 % or more")), metric="defect_rate", value=0.2),
        examples=(Example(text=label(t("the key is wrong")), ours=True),),
    )
    consistency = Item(
        id="consistency",
        number="2.2",
        label=label(t("Consistency")),
        statuses=graded,
        threshold=Threshold(text=label(t("mixed versions"))),
    )
    scores = Item(
        id="range",
        number="3.1",
        label=label(t("Score range")),
        statuses=(Status(id="known", label=label(t("Estimated"))), NOT_REVIEWED),
        value=ValueType.RANGE,
        value_status="known",
    )
    sections = (
        ("gate", "Reviewability", SectionKind.GATE, (access,)),
        ("grading", "Grading", SectionKind.ALL_MUST_PASS, (scoring, consistency)),
        ("quality", "Quality", SectionKind.ADVISORY, (scores,)),
    )
    return Rubric(
        id="toy",
        version="1",
        title=label(t("Toy rubric")),
        source=label(t("Made for tests.")),
        sampling=SamplingRule(base=10, widen_to=20, widen_band=(0.15, 0.25), census_at_or_below=5),
        outcomes={outcome: label(t(outcome.value.capitalize())) for outcome in Outcome},
        sections=tuple(
            Section(id=id_, number=str(n), label=label(t(title)), kind=kind, items=items)
            for n, (id_, title, kind, items) in enumerate(sections, start=1)
        ),
    )


def taxonomy(t: Text = plain) -> Taxonomy:
    names = {"K2": "stale key", "K3": "key too narrow", "G2": "lax match"}
    causes = tuple(
        Cause(
            code=code,
            label=label(t(name)),
            definition=label(name),
            example=label(name),
            usual_effect="FN",
        )
        for code, name in names.items()
    )
    severities = tuple(
        Described(id=str(n), label=label(t(name)), definition=label(name))
        for n, name in enumerate(("harmless", "fragile", "material", "fatal"))
    )
    return Taxonomy(
        id="toy-taxonomy",
        version="1",
        effects=(),
        severities=severities,
        states=(),
        families=(CauseFamily(letter="K", key="5", label=label("key"), causes=causes),),
    )


def frame(t: Text = plain) -> Frame:
    """Chat 60 % in one stratum, agentic 40 % in two; three tasks outside."""
    cells = (
        ("chat", "chat", 40, 0.6, 0.6),
        ("memory", "agentic", 10, 0.2, 0.4),
        ("web", "agentic", 10, 0.2, 0.4),
    )
    return Frame(
        strata=tuple(
            Stratum(id=t(name), outer=t(outer), population=n, weight=weight, outer_weight=whole)
            for name, outer, n, weight, whole in cells
        ),
        members={
            t(name): tuple(sorted(t(f"{name}_{i}") for i in range(n))) for name, _, n, _, _ in cells
        },
        outside={t("relevance"): 3},
    )


def sample(t: Text = plain, kind: DrawKind = DrawKind.RANDOM) -> Sample:
    sizes = {"chat": 6, "memory": 2, "web": 2}
    draws = tuple(
        Draw(stratum=t(name), task_ids=tuple(t(f"{name}_{i}") for i in range(n)))
        for name, n in sizes.items()
    )
    return Sample(stage=1, kind=kind, draws=draws)


def plan(t: Text = plain) -> SamplingPlan:
    inner = (InnerStratum(id=t("memory")), InnerStratum(id=t("web")))
    return SamplingPlan(
        size=10,
        widen_to=20,
        census_at_or_below=5,
        seed=t("toy seed"),
        strata=(
            PlannedStratum(id=t("chat"), weight=0.6),
            PlannedStratum(id=t("agentic"), weight=0.4, within=inner),
        ),
    )


def task(task_id: str, stratum: str, t: Text = plain) -> Task:
    return Task(
        id=task_id,
        category=t(f"{stratum}_base"),
        group=t(stratum),
        scorer="calls",
        turns=((Message("system", "Be brief."), Message("user", t("Book a table for two."))),),
        key_kind=KeyKind.CALLS,
        key=[{"book": {"people": [2]}}],
    )


def review(number: int, task_id: str, *findings: Finding, t: Text = plain) -> Review:
    return Review(
        id=f"00000000-0000-4000-8000-{number:012d}",
        task_id=task_id,
        reviewer=t("ada"),
        reviewed_at=START + timedelta(minutes=number),
        judgement=Judgement.DEFECT if findings else Judgement.CLEAN,
        findings=findings,
        note="" if findings else t("nothing to remark"),
    )


def reviews(t: Text = plain) -> list[Review]:
    """Nine of the ten sampled tasks: three defective, one of them FN and FP; one disputed."""
    fn, fp = (Effect.FN,), (Effect.FP,)
    disputed, rejected = FindingState.DISPUTED, FindingState.REJECTED
    lax = Finding(
        effects=fp,
        cause="G2",
        causes=("K3",),
        severity=3,
        note=t("Any call passes.\nEven an empty one."),
        evidence=("https://a.example/log?x=1&y=2",),
        proposed_key='{"book": {"people": [2]}}',
    )
    found = {
        "chat_0": [Finding(effects=fn, cause="K3", severity=1, note=t("'2' is refused."))],
        "chat_1": [lax],
        "chat_2": [Finding(effects=fn, state=disputed, note=t("Maybe."))],
        "chat_3": [Finding(effects=fn, severity=2, state=rejected)],
        "chat_4": [],
        "memory_0": [Finding(effects=fn + fp, cause="K2", note=t("Moved."))],
        "memory_1": [],
        "web_0": [Finding(effects=(Effect.NEUTRAL,), cause="H3", severity=0)],
        "web_1": [],
    }
    return [
        review(n, t(task_id), *findings, t=t) for n, (task_id, findings) in enumerate(found.items())
    ]


def verdict(t: Text = plain) -> Verdict:
    return Verdict(
        outcome=Outcome.FLAWED,
        partial=True,
        trace=(
            TraceStep(text=t("1.1 is full: the review goes on."), item="access"),
            TraceStep(text=t("2.1 has an issue: Flawed."), item="scoring", decides=True),
        ),
        not_reviewed=("consistency",),
    )


def answers(t: Text = plain) -> dict[str, Answer]:
    given: Iterable[tuple[str, str, object]] = (
        ("access", "full", None),
        ("scoring", "issue", None),
        ("range", "known", [0, 95.5]),
    )
    return {
        item: Answer(
            id=item,
            item=item,
            status=status,
            value=value,
            note=t(f"note on {item}"),
            answered_at=START,
            answered_by="ada",
        )
        for item, status, value in given
    }


def audit(
    t: Text = plain,
    *,
    judged: list[Review] | None = None,
    kind: DrawKind = DrawKind.RANDOM,
    samples: tuple[Sample, ...] = (),
    statements: Mapping[str, str] | None = None,
) -> AuditRecord:
    judged = reviews(t) if judged is None else judged
    settled = {r.task_id: r for r in judged}
    samples = samples or (sample(t, kind),)
    tasks = {
        task_id: task(task_id, draw.stratum, t)
        for draw in samples[-1].draws
        for task_id in draw.task_ids
    }
    lead = "Toy calls asks models to book tables."
    return AuditRecord(
        audit_id="11111111-0000-4000-8000-000000000000",
        audit_name=t("toy audit"),
        created_at=START,
        created_by=t("ada"),
        benchmark=BenchmarkVersion(
            name=t("Toy calls"),
            content_hash="ab" * 32,
            format="table",
            rules=t("v1"),
            source=t("toy.jsonl"),
            imported_at=START,
            imported_by="ada",
            tasks=63,
            entries=70,
        ),
        plan=plan(t),
        frame=frame(t),
        samples=samples,
        reviews=settled,
        standing_reviews=tuple(judged),
        tasks=tasks,
        status=audit_status(frame(t), samples[-1], settled, rubric()),
        rubric=rubric(t),
        answers=answers(t),
        verdict=verdict(t),
        taxonomy=taxonomy(t),
        statements={"lead": t(lead)} if statements is None else statements,
        generated_on=date(2026, 9, 10),
        versions={"assay": "0.1.0", "python": "3.11"},
        simulated=True,
    )
