"""An audit with every section that a report can have, and a text of one's choice everywhere."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache

import msgspec

from audit_app.domain.adjudication import How
from audit_app.domain.benchmark import Entry, Task
from audit_app.domain.estimates import Interval
from audit_app.domain.record import Json
from audit_app.domain.review import Finding, Review
from audit_app.domain.team import Mode
from audit_app.reporting.model import AuditRecord
from audit_app.reporting.planted import (
    CheckShare,
    CorrectedPart,
    KindRow,
    PlantedFigures,
    PlantedPart,
    ReviewerRow,
)
from audit_app.reporting.report import ImpactPart
from audit_app.reporting.reviewers import ReviewersPart
from audit_app.stats.agreement import agreement
from audit_app.stats.agreement_model import (
    Agreement,
    AgreementPair,
    AgreementRow,
    AgreementTable,
    Topic,
)
from audit_app.stats.impact import compute_impact
from audit_app.stats.impact_model import Impact, ImpactData, ImpactTask, Remedy, Weighting
from tests.unit.reporting.audits import Text, audit, plain
from tests.unit.reporting.hostile_records import records
from tests.unit.reporting.test_evidence import part as evidence

STATEMENTS = ("lead", "original_link", "developer_contact", "developer_response", "access_note")
WORD = "Supercalifragilistic" * 12
ATTACK = (
    "</title></style></textarea><script>window.stolen = 1</script>"
    "<img src=/stolen onerror='window.stolen = 2'><svg onload='window.stolen = 3'>"
    "<iframe src=/stolen></iframe><link rel=stylesheet href=/stolen><base href=//stolen.example>"
    "<style>@import '/stolen'; * { display: none }</style><form action=/stolen><input autofocus>"
    "\n![x](/stolen) ![x](https://stolen.example/a.png) [x](javascript:stolen())"
    " <https://stolen.example> https://stolen.example/?a=1 www.stolen.example"
    " mail@stolen.example @everyone #1 :smile: $x$ $$y$$"
    "\n[ref]: /stolen\n[^1]: note [^1]\n- [ ] task\n- [x] task\n1. one\n# h\n> q\n    code"
    "\n---\n==="
    "\n| a | b |\n|---|---|\n``` \n~~~\n<!-- \n<details open><summary>x</summary>"
    "\n&lt;b&gt; &#x3c;script&#x3e; \\<b\\> {{ 7*7 }} {% raw %} ${7*7} **b** _i_ ~~s~~ `c` ``"
    "\n\u202etxt.exe\u202c \u2066x\u2069 \u200f\u05d0\u05d1\u05d2 \u0639\u0631\u0628\u064a"
    " \x00\x07\x1b[31m \ufeff\u00ad"
    f"\r\n\u2028\u2029\x85=1+1\t@SUM(1) +1 -1 {WORD} \U0001f9ea❌"
)
"""Everything that a reader of HTML, Markdown or CSV could take for more than text."""


def attacked(attack: str) -> AuditRecord:
    """The whole audit with the attack before and after every text."""
    return whole(lambda text: f"{attack}{text}{attack}")


def whole(t: Text = plain) -> AuditRecord:
    """The small audit with every section."""
    record = audit(t, statements={name: t("statement") for name in STATEMENTS})
    return replace(
        record,
        reviews={task: _keyed(t, review) for task, review in record.reviews.items()},
        tasks={task_id: _task(t, task) for task_id, task in record.tasks.items()},
        impact=ImpactPart(basis=t("By the published grades."), impact=_impact(t)),
        planted=_planted(t),
        reviewers=_reviewers(t),
        evidence=evidence(t),
        records=records(t, ADDRESS),
        cases={t("chat_1"): _cases(t)},
        versions={"assay": t("0.1.0")},
    )


ADDRESS = "https://a.example/log?x=1&y='\"><script>window.stolen=4</script>|)]"
"""A link of a reviewer: it leads where it says, and holds nothing else."""


def _keyed(t: Text, review: Review) -> Review:
    found = tuple(_found(t, finding) for finding in review.findings)
    return review.model_copy(update={"findings": found})


def _found(t: Text, finding: Finding) -> Finding:
    if not finding.evidence:
        return finding
    proposed = json.dumps(_key(t, 3))
    return finding.model_copy(update={"evidence": (ADDRESS,), "proposed_key": proposed})


def _task(t: Text, task: Task) -> Task:
    return msgspec.structs.replace(task, key=_key(t, 2))


def _key(t: Text, people: int) -> list[Json]:
    return [{t("book"): {t("people"): [people, t("two")]}}]


def _cases(t: Text) -> list[dict[str, Json]]:
    case = {
        "case_id": t("chat_1 / FP"),
        "key": _key(t, 2),
        "output": t("[book(people=2)]"),
        "reason": t("It matches."),
    }
    return [
        {**case, "key_name": "published", "expected": "valid"},
        {**case, "key_name": "proposed", "expected": "invalid"},
    ]


def _impact(t: Text) -> Impact:
    ids = [f"t{n}" for n in range(8)]
    right = {t("sim-a"): 6, t("sim-b"): 5, t("sim-c"): 2}
    before = {m: {i: float(n < k) for n, i in enumerate(ids)} for m, k in right.items()}
    after = {t("sim-a"): {"t0": 0.0}, t("sim-b"): {"t0": 1.0}, t("sim-c"): {"t0": 1.0}}
    tasks = [ImpactTask(i, "all", (Entry(i),)) for i in ids]
    defects = {"t0": Remedy.CORRECTED, "t1": Remedy.EXCLUDED}
    data = ImpactData(tasks=tasks, before=before, after=after, defects=defects)
    impact = compute_impact(data, Weighting.TASK, seed="seed")
    return impact.model_copy(update={"notes": (t("A note."),)})


def _planted(t: Text) -> PlantedPart:
    interval = Interval(name="wilson", lower=0.2, upper=0.9, level=0.95)

    def share(of_what: str) -> CheckShare:
        return CheckShare(count=2, of=4, of_what=of_what, share=0.5, interval=interval)

    rates = {
        "recall": share("judgements"),
        "false_alarms": share("judgements"),
        "cause_right": share("found defects"),
    }
    corrected = CorrectedPart(
        observed=0.4,
        recall=0.8,
        false_alarm_rate=0.1,
        rate=0.43,
        interval=interval,
        clipped=t("it lay above 1"),
        undefined={},
    )
    kind = KindRow(
        kind="wrong_value", is_damaged=True, checks=4, defective=share("x"), cause_right=share("x")
    )
    figures = PlantedFigures(
        **rates,
        kinds=(kind,),
        reviewers=(ReviewerRow(reviewer=t("ada"), **rates),),
        corrected=corrected,
        bases={t("agreed by all models"): 4},
        checks=(),
    )
    return PlantedPart(planted=4, sampled=10, scope="all", hidden=t("Not all."), figures=figures)


@cache
def _agreed() -> Agreement:
    said = {"yes": "yes", "no": "no", "yes ": "no", "no ": "no"}
    ratings = {str(n): {"a": a.strip(), "b": b} for n, (a, b) in enumerate(said.items())}
    return agreement(ratings, seed="seed")


def _reviewers(t: Text) -> ReviewersPart:
    ada, bob, eve = t("ada"), t("bob"), t("eve")
    row = AgreementRow(
        id="defect", label=t("Defective"), topic=Topic.DEFECT, level="nominal", figures=_agreed()
    )
    pair = AgreementPair(first=ada, second=bob, figures=_agreed())
    return ReviewersPart(
        mode=Mode.ADJUDICATED,
        reviews_per_task=2,
        sampled=10,
        agreement=AgreementTable(reviewers=(ada, bob), tasks=4, rows=(row,), pairs=(pair,)),
        adjudicated={How.IDENTICAL: 3, How.TOOK: 1, How.OWN: 0},
        adjudicators={eve: 4},
        send_backs=1,
        unanswered=1,
        hidden=1,
        viewer=eve,
    )
