"""The client against a real model: llama.cpp's own server with SmolLM2-135M-Instruct."""

from __future__ import annotations

import math
import threading
import time

import pytest

from audit_app.domain.benchmark import KeyKind, Message, Task
from audit_app.domain.conditions import Condition, Endpoint, SeedPolicy, ToolsMode
from audit_app.domain.trials import Completion, CompletionStatus, Request, TrialRun
from audit_app.rerun.connect import open_provider
from audit_app.rerun.pool import run_concurrently
from audit_app.scoring.grade import ScoringSettings
from audit_app.scoring.registry import ScorerRegistry
from audit_app.services.task_prompts import prompt_version
from audit_app.services.tool_loop import run_trial
from tests.rerun.conftest import ask, condition

SEEDED = {"temperature": 1.0, "seed": 7, "max_tokens": 5}
TOOL = {
    "name": "greenhouse.open_vent",
    "description": "Opens a vent.",
    "parameters": {"type": "dict", "properties": {"bay": {"type": "integer"}}, "required": ["bay"]},
}
VENT = Task(
    id="vent",
    category="simple_python",
    group="non_live",
    scorer="bfcl-ast",
    turns=((Message("user", "Open the vent of bay 3."),),),
    tools=(TOOL,),
    key_kind=KeyKind.CALLS,
    key=[{"greenhouse.open_vent": {"bay": [3]}}],
)


def test_a_completion_with_log_probabilities(llama_server: Endpoint) -> None:
    provider = open_provider(llama_server, environment={})
    asked = condition(llama_server, **SEEDED, seed_policy="fixed", top_logprobs=3)
    completion = provider.complete(ask("Name a colour."), asked)
    provider.close()
    assert completion.status is CompletionStatus.OK
    assert completion.text
    assert (completion.tokens_in or 0) > 3
    assert completion.tokens_out == 5
    assert completion.is_cut_off
    assert completion.logprobs is not None
    assert "".join(token.token for token in completion.logprobs) == completion.text
    for token in completion.logprobs:
        assert len(token.top) == 3
        assert sum(math.exp(logprob) for _, logprob in token.top) <= 1.000_01
        assert [lp for _, lp in token.top] == sorted((lp for _, lp in token.top), reverse=True)


def test_not_asked_for_not_given(llama_server: Endpoint) -> None:
    provider = open_provider(llama_server, environment={})
    completion = provider.complete(ask(), condition(llama_server, max_tokens=1))
    provider.close()
    assert completion.logprobs is None


def test_native_tools_reach_the_model(llama_server: Endpoint) -> None:
    """The model is too small to call; that its prompt grew shows that the tools came to it."""
    provider = open_provider(llama_server, environment={})
    asked = condition(llama_server, max_tokens=4)
    run = run_trial(VENT, asked, 1, lambda request: provider.complete(request, asked))
    without = provider.complete(ask("Open the vent of bay 3."), asked)
    provider.close()
    assert run.status is without.status is CompletionStatus.OK
    assert (run.tokens_in or 0) > (without.tokens_in or 0) + 20


@pytest.mark.parametrize(("bay", "passes"), [(3, True), (4, False)])
def test_prompted_call_of_the_model_is_graded(
    llama_server: Endpoint, bay: int, passes: bool
) -> None:
    """A grammar holds the small model to one answer; all else is the way of a real trial."""
    call = f"[greenhouse.open_vent(bay={bay})]"
    asked = condition(
        llama_server,
        max_tokens=40,
        tools=ToolsMode.PROMPT,
        prompt_version=prompt_version(ToolsMode.PROMPT),
        extra={"grammar": f'root ::= "{call}"'},
    )
    provider = open_provider(llama_server, environment={})
    run = run_trial(VENT, asked, 1, lambda request: provider.complete(request, asked))
    provider.close()
    assert run.output == call
    settings = ScoringSettings(options={"form": run.form})
    assert ScorerRegistry().grade(VENT, VENT.key, run.output, settings).passed is passes


def words(
    endpoint: Endpoint, asked: Condition, *, cancel_after: int | None = None
) -> list[TrialRun]:
    """5 tasks × 5 trials, two at a time."""
    cancel = threading.Event()
    provider = open_provider(endpoint, environment={})
    jobs = [(task, trial) for task in "ABCDE" for trial in range(1, 6)]

    def work(job: tuple[str, int], cancel: threading.Event) -> TrialRun:
        task, trial = job
        prompt = (Message("user", f"A word that begins with {task}?"),)
        plain = Task(
            id=task,
            category="c",
            group="g",
            scorer="exact",
            turns=(prompt,),
            key_kind=KeyKind.VALUE,
        )

        def complete(request: Request) -> Completion:
            return provider.complete(request, asked, cancel=cancel)

        return run_trial(plain, asked, trial, complete)

    runs = []
    for _, run in run_concurrently(jobs, work, concurrency=2, cancel=cancel):
        runs.append(run)
        if len(runs) == cancel_after:
            cancel.set()
    provider.close()
    return runs


def test_r49_25_trials_are_25_calls(llama_server: Endpoint) -> None:
    asked = condition(llama_server, **SEEDED, seed_policy=SeedPolicy.PER_TRIAL)
    runs = words(llama_server, asked)
    places = {(run.task_id, run.trial) for run in runs}
    ids = {run.completions[0].response_id for run in runs}
    assert len(runs) == len(places) == len(ids) == 25
    assert all(run.status is CompletionStatus.OK and not run.is_cached for run in runs)
    assert len({run.output for run in runs if run.task_id == "A"}) > 1  # the seed differs
    assert len({run.requests for run in runs}) == 5  # the prompt does not


def test_cancelled_half_way(llama_server: Endpoint) -> None:
    asked = condition(llama_server, max_tokens=40)
    began = time.monotonic()
    runs = words(llama_server, asked, cancel_after=3)
    ended = [run.status for run in runs]
    assert ended.count(CompletionStatus.OK) >= 3
    assert len(runs) <= 5  # those under way were told; no further one was begun
    assert set(ended) <= {CompletionStatus.OK, CompletionStatus.CANCELLED}
    assert time.monotonic() - began < 60


def test_context_that_is_too_long_is_refused(llama_server: Endpoint) -> None:
    provider = open_provider(llama_server, environment={})
    completion = provider.complete(ask("word " * 6_000), condition(llama_server, max_tokens=1))
    provider.close()
    assert completion.status is CompletionStatus.REFUSED
    assert completion.http_status == 400
    assert "context" in completion.error
