"""What stored trials say: groups of answers, triage, reliability; multi-turn tasks; suspects."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from audit_app.domain.benchmark import BenchmarkVersion, Entry, Task
from audit_app.domain.conditions import ToolsMode
from audit_app.domain.live_jobs import Budget, JobState
from audit_app.domain.review import Effect, Finding, FindingState, Judgement, Review
from audit_app.domain.trials import CompletionStatus, TrialStatus
from audit_app.errors import InputError
from audit_app.importers.bfcl import parse_bfcl
from audit_app.services.context import Services, open_services
from audit_app.services.live_plans import TrialAsk
from audit_app.settings import Settings, read_settings
from audit_app.storage.benchmarks import BenchmarkRepository, encode_benchmark
from audit_app.storage.reviews import ReviewRepository
from tests.services.live_kit import import_tasks, make_audit, run

KEYS = {"t1": "42", "t2": "7"}


@pytest.fixture
def live(services: Services, tmp_path: Path) -> Services:
    import_tasks(services, tmp_path, KEYS)
    return services


def recorded(folder: Path, answers: dict[str, list[str]], name: str = "answers.jsonl") -> str:
    """A file of answers as an endpoint."""
    lines = [{"task": task, "text": text} for task, said in answers.items() for text in said]
    (folder / name).write_text("\n".join(json.dumps(line) for line in lines), encoding="utf-8")
    return f"recorded:{folder / name}"


def job_of(services: Services, endpoint: str, tasks: list[str], k: int, **ask: Any) -> str:
    asked = TrialAsk(endpoint=endpoint, model=ask.pop("model", "m"), trials=k, **ask)
    plan = services.live.plan(tasks, asked, benchmark="harbour", may_read_files=True)
    job = services.live.create(plan)
    run(services.live, job)
    return job.id


def test_equal_answers_are_one_group_and_errors_are_no_wrong_answers(
    live: Services, tmp_path: Path
) -> None:
    said = ["42", " 42\n", "41", "41", "41", "40"]
    job = job_of(live, recorded(tmp_path, {"t1": said}), ["t1"], k=8)
    graded = live.live.graded(job, "t1", '["41"]')
    assert [(g.count, g.output_group.verdict.value) for g in graded.groups] == [
        (3, "fail"),
        (2, "pass"),
        (1, "fail"),
        (2, "error"),
    ]
    assert graded.counts() == (2, 4, 2)
    assert graded.counts(proposed=True) == (3, 3, 2)
    assert graded.triage.triage == "mixed"
    missing = graded.groups[-1]
    assert missing.published is None
    assert missing.output_group.answer == "not_recorded"
    assert missing.output_group.raw[0].text == "no answer is recorded for t1, trial 7, request 1"
    assert {v.status for v in missing.verdicts} == {TrialStatus.NOT_RUN}
    assert {v.trial.status for v in missing.verdicts} == {CompletionStatus.NOT_RECORDED}
    assert live.live.progress(job).spent.open == 0  # nothing was sent
    assert all(v.trial.is_cached for g in graded.groups[:-1] for v in g.verdicts)
    (row,) = live.live.reliability([job])
    assert row.counts.mean == 2 / 8
    assert row.without_errors.mean == 2 / 6
    assert row.bounds.mean == (2 / 8, 4 / 8)
    assert row.outcomes == {TrialStatus.PASS: 2, TrialStatus.FAIL: 4, TrialStatus.NOT_RUN: 2}


def test_two_models_that_fail_alike_point_at_the_key(live: Services, tmp_path: Path) -> None:
    endpoint = recorded(tmp_path, {"t1": ["41"] * 3})
    jobs = [job_of(live, endpoint, ["t1"], k=3, model=name) for name in ("m", "n")]
    graded = live.live.graded(jobs, "t1")
    assert (graded.triage.triage, graded.triage.models) == ("key_or_scorer", ("m", "n"))
    (group,) = graded.groups
    assert (group.count, group.models) == (6, ("m", "n"))
    assert len(live.live.reliability(jobs)) == 2


def test_conditions_are_never_merged_and_seeds_never_counted_twice(
    live: Services, tmp_path: Path
) -> None:
    endpoint = recorded(tmp_path, {"t1": ["42", "41"], "t2": ["7", "7"]})
    plain = [job_of(live, endpoint, ["t1", "t2"], k=2) for _ in range(2)]
    warm = job_of(live, endpoint, ["t1", "t2"], k=2, temperature=0.5)
    seeded = [job_of(live, endpoint, ["t1"], k=2, seed=1) for _ in range(2)]
    rows = live.live.reliability([*plain, warm, *seeded])
    assert sorted((row.counts.tasks, row.counts.trials) for row in rows) == [
        (1, 2),
        (1, 2),
        (2, 4),
        (2, 8),
    ]
    together = next(row for row in rows if row.counts.trials == 8)
    assert (together.counts.ever, together.counts.all, together.counts.mixed) == (2, 1, 1)
    assert isinstance(together.condition, dict)
    assert together.condition["model_id"] == "m"
    assert together.condition["temperature"] == "unknown"
    assert "temperature" in together.not_stated
    assert "runtime" in together.not_stated
    assert together.condition_id == live.live.job(plain[0]).condition.digest


def test_what_was_not_run_is_said_and_counted_nowhere(live: Services, tmp_path: Path) -> None:
    endpoint = recorded(tmp_path, {"t1": ["42"] * 4, "t2": ["7"] * 4})
    job = job_of(live, endpoint, ["t1", "t2"], k=4, budget=Budget(calls=5))
    assert live.live.progress(job).state is JobState.BUDGET
    (row,) = live.live.reliability([job])
    assert (row.counts.trials, row.counts.mean) == (5, 1.0)
    assert (row.least, row.most) == (2, 3)
    assert row.remark.startswith("3 of 8 planned trials were not run")


def test_jobs_of_different_benchmarks_are_not_put_together(live: Services, tmp_path: Path) -> None:
    endpoint = recorded(tmp_path, {"t1": ["42"] * 2})
    first = job_of(live, endpoint, ["t1"], k=1)
    import_tasks(live, tmp_path, {"t1": "43"})  # the same name, another version
    second = job_of(live, endpoint, ["t1"], k=1)
    with pytest.raises(InputError, match="different benchmark versions"):
        live.live.graded([first, second], "t1")
    assert live.live.graded(first, "t1").counts() == (1, 0, 0)
    assert live.live.graded(second, "t1").counts() == (0, 1, 0)
    assert [s.job.id for s in live.live.jobs(benchmark="harbour")] == [second]


FINDINGS = {
    "t1": (FindingState.FLAGGED, None),
    "t2": (FindingState.CONFIRMED, '["8"]'),
    "t3": (FindingState.CONFIRMED, None),
    "t4": (FindingState.REJECTED, '["8"]'),
    "t5": (FindingState.UNCERTAIN, '["8"]'),
}


def test_suspects_are_open_findings_and_those_that_propose_a_key(
    services: Services, tmp_path: Path
) -> None:
    import_tasks(services, tmp_path, dict.fromkeys((*FINDINGS, "t6"), "1"))
    make_audit(services, dict.fromkeys((*FINDINGS, "t6"), ""))
    audit = services.audits.view("first").audit.id
    clean = Finding(effects=(Effect.NEUTRAL,), state=FindingState.REJECTED)
    ReviewRepository(services.workspace, audit).add_all(
        Review(
            id=f"r-{task}",
            task_id=task,
            reviewer="ada",
            reviewed_at=services.clock.now(),
            judgement=Judgement.DEFECT,
            findings=(clean, Finding(effects=(Effect.FN,), state=state, proposed_key=key)),
        )
        for task, (state, key) in FINDINGS.items()
    )
    found = services.live.suspected("first")
    assert list(found) == ["t1", "t2", "t5"]
    assert {(s.review_id, s.position, s.proposed_key) for s in found.values()} == {
        ("r-t1", 1, None),
        ("r-t2", 1, '["8"]'),
        ("r-t5", 1, '["8"]'),
    }


def _multi_turn_task(folder: Path) -> tuple[Task, list[Any]]:
    parsed = parse_bfcl(folder)
    # The benchmark drops arguments without a name from calls that are written as text.
    found = next(
        t
        for t in parsed.tasks
        if t.category == "multi_turn_base"
        and all("=" in call or "()" in call for calls in t.key for call in calls)
    )
    return found, list(parsed.documents)


def _store(services: Services, task: Task, documents: list[Any]) -> None:
    needed = [d for d in documents if d.id in task.documents]
    encoded = encode_benchmark([task], [(task.id, Entry(task.id))], needed)
    version = BenchmarkVersion(
        name="harbour",
        content_hash=encoded.content_hash,
        format="bfcl",
        rules="v4",
        source="bfcl",
        imported_at=services.clock.now(),
        imported_by="ada",
        tasks=1,
        entries=1,
    )
    BenchmarkRepository(services.workspace).add(version, encoded)


def test_a_multi_turn_task_runs_on_the_simulators_and_says_so_where_there_are_none(
    bfcl_v4: Path, tmp_path: Path
) -> None:
    task, documents = _multi_turn_task(bfcl_v4)
    texts = [said for calls in task.key for said in (*(f"[{c}]" for c in calls), "Done.")]
    lines = [
        {"task": task.id, "trial": trial, "step": step, "text": text}
        for trial in (1, 2)
        for step, text in enumerate(texts, start=1)
    ]
    (tmp_path / "said.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    ask = {"endpoint": f"recorded:{tmp_path / 'said.jsonl'}", "tools": ToolsMode.PROMPT}
    nowhere = Settings(tmp_path / "assay.db", "ada", tmp_path / "nothing")
    with open_services(nowhere) as services:
        _store(services, task, documents)
        asked = TrialAsk(model="m", trials=2, **ask)  # type: ignore[arg-type]
        with pytest.raises(InputError, match="simulators are not here; get them with"):
            services.live.plan([task.id], asked, benchmark="harbour", may_read_files=True)
    cache = read_settings().cache
    with open_services(Settings(nowhere.db, "ada", cache)) as services:
        try:
            plan = services.live.plan([task.id], asked, benchmark="harbour", may_read_files=True)
        except InputError:
            pytest.skip("the package is not in the cache folder; get it with: assay fetch bfcl-v4")
        assert plan.calls == 2 * len(texts)
        job = services.live.create(plan)
        progress = run(services.live, job)
        assert (progress.state, progress.answered) == (JobState.FINISHED, 2)
        assert {t.requests for t in services.live.trials(job.id)} == {len(texts)}
        assert services.live.graded(job.id, task.id).counts() == (2, 0, 0)
        steps = services.live.requests(services.live.trials(job.id)[0].id)
        assert "Results of your calls" in steps[1].request["messages"][-1]["content"]
        assert services.workspace.problems() == []
