"""``assay rerun``: what it says before, what it prints after, how it ends."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from audit_app.domain.conditions import Endpoint
from tests.cli.conftest import Assay
from tests.rerun.conftest import llama_server  # noqa: F401  # a fixture
from tests.rerun.faulty_server import FaultyServer, faulty_server

KEY = "sk-cli-0123456789abcdef"
KEYS = {"t1": "fine", "t2": "fine", "t3": "not that"}


@pytest.fixture(scope="module")
def server() -> Iterator[FaultyServer]:
    with faulty_server() as running:
        yield running


@pytest.fixture
def audit(assay: Assay, tmp_path: Path) -> str:
    """An audit of three tasks, the last with a confirmed finding that proposes another key."""
    lines = [json.dumps({"id": i, "prompt": f"Say {i}.", "key": k}) for i, k in KEYS.items()]
    (tmp_path / "tasks.jsonl").write_text("\n".join(lines))
    (tmp_path / "ids.txt").write_text("\n".join(KEYS))
    review = {
        "task_id": "t3",
        "reviewer": "ada",
        "reviewed_at": "2026-12-01T10:00:00+00:00",
        "judgement": "defect",
        "effects": "FN",
        "state": "confirmed",
        "severity": 2,
        "proposed_key": '["fine"]',
    }
    (tmp_path / "reviews.jsonl").write_text(json.dumps(review))
    for words in (
        ("import", "table", "tasks.jsonl", "--benchmark", "harbour"),
        ("audit", "new", "first", "--benchmark", "harbour", "--ids", "ids.txt"),
        ("reviews", "import", "first", "reviews.jsonl"),
    ):
        printed = assay(*words)
        assert printed.status == 0, printed.err
    return "first"


def rerun(assay: Assay, audit: str, server: FaultyServer, fault: str, *more: object) -> Any:
    words = ("--endpoint", server.url(fault), "--model", "m", "--json", *more)
    return assay("rerun", audit, *words)


def test_tasks_are_run_and_graded(assay: Assay, audit: str, server: FaultyServer) -> None:
    chosen = ("--task", "t1", "--task", "t3", "--trials", 3)
    printed = rerun(assay, audit, server, "fine", *chosen, "--temperature", 0.7)
    assert printed.status == 0, printed.err
    assert "2 tasks × 3 trials of m at" in printed.err
    assert "about 6 calls" in printed.err
    data = printed.json
    assert [(t["task_id"], t["trial"], t["status"], t["proposed"]) for t in data["trials"]] == [
        *(("t1", i, "pass", None) for i in (1, 2, 3)),
        *(("t3", i, "fail", "pass") for i in (1, 2, 3)),
    ]
    first, third = data["by_task"]
    assert first["published"] == {"passed": 3, "failed": 0, "errors": 0}
    assert first["proposed"] is None
    assert "proposed" in first["undefined"]
    assert third["triage"] == "key_or_scorer"
    assert third["proposed"] == {"passed": 3, "failed": 0, "errors": 0}
    (group,) = third["groups"]
    assert (group["answer"], group["trials"], group["models"]) == ("fine", 3, ["m"])
    assert (group["published"]["passed"], group["proposed"]["passed"]) == (False, True)
    assert data["errors"] == []
    assert (data["spent"]["calls"], data["spent"]["tokens_in"]) == (6, 60)
    assert data["job"]["condition"]["temperature"] == 0.7
    (row,) = data["models"]
    assert (row["tasks"], row["k"], row["mean"], row["all"], row["never"]) == (2, 3, 0.5, 1, 1)
    assert row["bounds"]["mean"] == [0.5, 0.5]
    shown = assay("rerun", audit, "--show", data["job"]["id"][:8])
    assert "proposed key:  3 passed, 0 failed of 3 trials" in shown.out
    assert "never solved, always in the same way" in shown.out
    listed = assay("rerun", audit, "--list", "--json").json["jobs"]
    assert [(job["state"], job["done"]) for job in listed] == [("finished", 6)]
    assert assay("verify").status == 0


def test_suspected_are_the_tasks_with_an_open_or_proposing_finding(
    assay: Assay, audit: str, server: FaultyServer
) -> None:
    data = rerun(assay, audit, server, "fine", "--suspected", "--trials", 2).json
    assert {trial["task_id"] for trial in data["trials"]} == {"t3"}
    assert data["job"]["condition"]["subset_rule"].startswith("tasks whose finding")


@pytest.mark.parametrize(
    ("fault", "trials", "status", "state", "kinds"),
    [
        pytest.param("no-key", 9, 3, "refused", {}, id="wrong key"),
        pytest.param("no-model", 9, 3, "refused", {}, id="unknown model"),
        pytest.param("invalid-json", 2, 3, "finished", {"invalid_answer": 2}, id="no answer"),
        pytest.param("filtered", 2, 3, "finished", {"refused": 2}, id="filtered"),
    ],
)
def test_a_service_that_fails_is_exit_3(
    assay: Assay,
    audit: str,
    server: FaultyServer,
    fault: str,
    trials: int,
    status: int,
    state: str,
    kinds: dict[str, int],
) -> None:
    printed = rerun(assay, audit, server, fault, "--task", "t1", "--trials", trials)
    assert (printed.status, printed.json["job"]["state"]) == (status, state)
    assert Counter(error["kind"] for error in printed.json["errors"]) == kinds
    assert all(row["mean"] == 0 and row["never"] == 1 for row in printed.json["models"])
    assert all(row["bounds"]["mean"] == [0, 1] for row in printed.json["models"])


def test_a_budget_ends_it_with_exit_1(assay: Assay, audit: str, server: FaultyServer) -> None:
    before = server.hits["fine"]
    printed = rerun(assay, audit, server, "fine", "--task", "t1", "--trials", 5, "--max-calls", 3)
    assert (printed.status, printed.json["job"]["state"]) == (1, "budget")
    assert server.hits["fine"] - before == len(printed.json["trials"]) == 3
    assert "2 of 5 trials were not run" in printed.json["job"]["note"]
    assert "ends it before the 5 expected" in printed.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        pytest.param(("--task", "t1", "--trials", 0), "0 trials a task cannot", id="K is 0"),
        pytest.param(("--task", "t1", "--trials", 10_000), "give 1 to 1,000", id="K is 10,000"),
        pytest.param(("--task", "t1", "--max-calls", 0), "0 calls lets nothing", id="no calls"),
        pytest.param(("--task", "t1", "--max-usd", 0), "$0.00 lets nothing", id="no money"),
        pytest.param(("--task", "t1", "--max-usd", "nan"), "is no budget", id="budget is nan"),
        pytest.param(("--task", "t1", "--max-calls", -1), "is no budget", id="budget below 0"),
        pytest.param(("--task", "t9"), "no task 't9'", id="unknown task"),
        pytest.param((), "give one of --task ID", id="no task"),
        pytest.param(("--resume", "12345678"), "there is no job", id="unknown job"),
        pytest.param(("--task", "t1", "--extra", "x=["), "is not JSON", id="extra"),
        pytest.param(
            ("--task", "t1", "--extra", "model=1"), "is a setting", id="extra is a setting"
        ),
        pytest.param(("--task", "t1", "--stated", "os=x"), "is none of runtime", id="stated"),
        pytest.param(("--task", "t1", "--concurrency", 0), "not in the range", id="concurrency"),
    ],
)
def test_what_cannot_be_is_one_line_and_nothing_is_sent(
    assay: Assay, audit: str, server: FaultyServer, words: tuple[object, ...], said: str
) -> None:
    before = server.hits["fine"]
    printed = rerun(assay, audit, server, "fine", *words)
    assert (printed.status, printed.out) == (2, "")
    assert said in printed.err.splitlines()[-1]
    assert printed.err.splitlines()[-1].startswith("error: ")
    assert server.hits["fine"] == before


def test_endpoints_that_are_not_allowed(
    assay: Assay, audit: str, server: FaultyServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("rerun", audit, "--task", "t1", "--model", "m", "--endpoint")
    assert "is not on this machine" in assay(*words, "http://example.org/v1").err
    monkeypatch.setenv("ASSAY_ENDPOINTS", "http://127.0.0.1:1/v1")
    printed = assay(*words, server.url("fine"))
    assert printed.status == 2
    assert "is not among those allowed here" in printed.err


def test_money_needs_a_yes_where_nobody_is_asked(
    assay: Assay, audit: str, server: FaultyServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed = tmp_path / "endpoints.toml"
    listed.write_text(
        f'[[endpoint]]\nname = "house"\nurl = "{server.url("fine")}"\n'
        '[endpoint.prices."*"]\ninput = 1000\noutput = 1000\n'
    )
    monkeypatch.setenv("ASSAY_ENDPOINTS", str(listed))
    words = ("rerun", audit, "--task", "t1", "--model", "m", "--endpoint", "house", "--json")
    refused = assay(*words, "--trials", 2)
    assert refused.status == 2
    assert "say --yes to send it" in refused.err
    data = assay(*words, "--trials", 2, "--yes").json
    # 10 tokens in and 2 out at a thousand dollars a million: $0.012 a trial.
    assert data["spent"]["cost_usd"] == pytest.approx(0.024)
    tight = assay(*words, "--trials", 5, "--yes", "--max-usd", 0.01, "--max-tokens", 1).json
    assert (tight["job"]["state"], tight["spent"]["calls"]) == ("budget", 0)


def test_another_audits_job_is_refused(
    assay: Assay, audit: str, server: FaultyServer, tmp_path: Path
) -> None:
    job = rerun(assay, audit, server, "fine", "--task", "t1", "--trials", 1).json["job"]["id"]
    (tmp_path / "other.jsonl").write_text(json.dumps({"id": "x", "prompt": "x", "key": "x"}))
    (tmp_path / "x.txt").write_text("x")
    assay("import", "table", "other.jsonl", "--benchmark", "kiln")
    assay("audit", "new", "second", "--benchmark", "kiln", "--ids", "x.txt")
    printed = assay("rerun", "second", "--resume", job)
    assert printed.status == 2
    assert "audit 'second' is of another benchmark" in printed.err


def test_no_secret_anywhere(
    assay: Assay, audit: str, server: FaultyServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The key goes to the endpoint, which sends it back in every way, and to no other place."""
    host = server.url("x").split("/")[2]
    listed = tmp_path / "endpoints.toml"
    listed.write_text(f'[[endpoint]]\nname = "house"\nurl = "http://{host}"\n')
    monkeypatch.setenv("ASSAY_ENDPOINTS", str(listed))
    monkeypatch.setenv("ASSAY_ENDPOINT_KEY_HOUSE", KEY)
    seen = []
    for fault in ("echo", "echo-error", "echo-redirect"):
        for form in ("--json",), ():
            words = ("rerun", audit, "--task", "t1", "--model", "m", "--trials", 2, *form)
            printed = assay(*words, "--endpoint", server.url(fault))
            seen += [printed.out, printed.err]
    assert "[key removed]" in "".join(seen)
    for words in (("rerun", audit, "--list"), ("report", audit), ("audit", "status", audit)):
        seen += [assay(*words).out]
    assert KEY not in "".join(seen)
    for path in (p for p in tmp_path.rglob("*") if p.is_file()):
        assert KEY.encode() not in path.read_bytes(), path


def started(folder: Path, *words: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "audit_app", "rerun", "first", *words]
    return subprocess.Popen(
        command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=os.environ
    )


def job_with(assay: Assay, *, done: int) -> str:
    """The job of the audit, once so many of its trials are finished."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        jobs = assay("rerun", "first", "--list", "--json").json["jobs"]
        if jobs and jobs[0]["done"] >= done:
            return str(jobs[0]["id"])
        time.sleep(0.05)
    pytest.fail("the job did not come so far")


def test_a_real_model_killed_half_way_and_resumed(
    assay: Assay,
    tmp_path: Path,
    llama_server: Endpoint,  # noqa: F811
) -> None:
    """5 tasks × 5 trials: 25 trials stored once each, log-probabilities where asked for."""
    words = ("Apple", "Bread", "Cloud", "Dream", "Earth")
    lines = [json.dumps({"id": w, "prompt": f"A word like {w}?", "key": w}) for w in words]
    (tmp_path / "tasks.jsonl").write_text("\n".join(lines))
    (tmp_path / "ids.txt").write_text("\n".join(words))
    assay("import", "table", "tasks.jsonl", "--benchmark", "words")
    assay("audit", "new", "first", "--benchmark", "words", "--ids", "ids.txt")
    asked = [
        *("--endpoint", llama_server.url, "--model", "smollm2", "--trials", "5"),
        *("--temperature", "1.0", "--seed", "7", "--max-tokens", "8", "--logprobs", "2"),
        *("--concurrency", "2", *(part for word in words for part in ("--task", word))),
    ]
    process = started(tmp_path, *asked)
    job = job_with(assay, done=10)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    half = assay("rerun", "first", "--show", job, "--json").json
    assert half["job"]["state"] == "paused"
    assert 10 <= len(half["trials"]) < 25
    printed = assay("rerun", "first", "--resume", job, "--json")
    assert printed.status == 0, printed.err
    trials = printed.json["trials"]
    assert Counter((t["task_id"], t["trial"]) for t in trials) == Counter(
        (word, trial) for word in words for trial in range(1, 6)
    )
    assert all(t["logprobs"] and not t["cached"] and t["tokens_out"] for t in trials)
    before = {(t["task_id"], t["trial"]): t["output"] for t in half["trials"]}
    after = {(t["task_id"], t["trial"]): t["output"] for t in trials}
    assert before.items() <= after.items()
    assert len(set(after.values())) > 5  # seeds differ from trial to trial
    assert assay("verify").status == 0


def test_ctrl_c_ends_tidily(assay: Assay, audit: str, server: FaultyServer, tmp_path: Path) -> None:
    words = ["--endpoint", server.url("a-little-slow"), "--model", "m", "--task", "t1"]
    process = started(tmp_path, *words, "--trials", "500")
    job = job_with(assay, done=5)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=30)
    assert process.returncode == 130
    assert f"--resume {job}" in said.decode()
    assert "Traceback" not in said.decode()
    (row,) = assay("rerun", audit, "--list", "--json").json["jobs"]
    assert row["state"] == "paused"
