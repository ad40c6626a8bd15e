"""Planning live trials: what a person asks for, as a condition, and what it will take."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import msgspec
from pydantic import ValidationError

from audit_app.domain.benchmark import KeyKind, Task
from audit_app.domain.conditions import Condition, Endpoint, FollowUp, SeedPolicy, ToolsMode
from audit_app.domain.live_jobs import MOST_TRIALS, NO_BUDGET, Budget
from audit_app.domain.record import Json
from audit_app.domain.spending import expected_tokens
from audit_app.errors import InputError
from audit_app.services.task_prompts import FOLLOW_UP_TEXTS, prompt_version
from audit_app.services.task_requests import opening
from audit_app.storage.benchmarks import StoredBenchmark

BY_HAND = "tasks chosen by hand"


@dataclass(frozen=True)
class TrialAsk:
    """What a person asks for.

    Attributes:
        endpoint: Name of a listed endpoint, or an address.
        model: As the endpoint calls it.
        trials: K: trials of each task.
        temperature: None leaves it to the endpoint.
        top_p: None leaves it to the endpoint.
        max_tokens: Most tokens of one answer.
        seed: First seed; None sends none.
        seed_policy: Which seed each trial gets; None is ``per_trial`` where there is a seed.
        tools: How tools are offered.
        follow_up: The reply to a turn that ends with a question.
        follow_up_text: Its words, for a reply of one's own.
        system_prompt: Put before what the task says to the system.
        top_logprobs: Alternatives asked for at each token; None asks for no log-probabilities.
        extra: Further fields of the request.
        runtime: What is known of how the model is run: fields of the condition.
        subset_rule: How the tasks were chosen.
        budget: What may be spent.
    """

    endpoint: str
    model: str
    trials: int
    temperature: float | None = None
    top_p: float | None = None
    max_tokens: int = 2_048
    seed: int | None = None
    seed_policy: SeedPolicy | None = None
    tools: ToolsMode = ToolsMode.NATIVE
    follow_up: FollowUp = FollowUp.NONE
    follow_up_text: str = ""
    system_prompt: str = ""
    top_logprobs: int | None = None
    extra: Mapping[str, Json] = field(default_factory=dict)
    runtime: Mapping[str, str] = field(default_factory=dict)
    subset_rule: str = BY_HAND
    budget: Budget = NO_BUDGET


@dataclass(frozen=True)
class Estimate:
    """What a job is expected to take.

    Attributes:
        calls: Requests expected.
        tokens_in: Tokens of them, roughly.
        tokens_out_most: Tokens of the answers, if every one is as long as it may be.
        how: How that was reckoned, in a sentence.
    """

    calls: int
    tokens_in: int
    tokens_out_most: int
    how: str


@dataclass(frozen=True)
class JobPlan:
    """A job before it is made.

    Attributes:
        benchmark: The version whose tasks it runs.
        audit: UUID of the audit it is for, empty for none.
        endpoint: What would be called.
        condition: Under which.
        tasks: Tasks that can be sent.
        cannot_send: Task id → why it cannot be sent.
        trials: K.
        budget: What it may spend.
        estimate: What it is expected to take.
        cost_usd: What it costs if every answer is as long as it may be; None where not known.
        cost_reason: Why the cost is not known, empty where it is.
        has_key: Whether there is a key for the endpoint.
        warnings: What a person should know first, in sentences.
    """

    benchmark: StoredBenchmark
    audit: str
    endpoint: Endpoint
    condition: Condition
    tasks: tuple[str, ...]
    cannot_send: Mapping[str, str]
    trials: int
    budget: Budget
    estimate: Estimate
    cost_usd: float | None
    cost_reason: str
    has_key: bool
    warnings: tuple[str, ...]

    @property
    def total(self) -> int:
        """How many trials it would have."""
        return len(self.tasks) * self.trials

    @property
    def calls(self) -> int:
        """Requests expected."""
        return self.estimate.calls

    @property
    def sentence(self) -> str:
        """What it would take, in words."""
        e = self.estimate
        cost = (
            f"at most ${self.cost_usd:,.4f}"
            if self.cost_usd is not None
            else f"cost not known ({self.cost_reason})"
        )
        return (
            f"{_some(len(self.tasks), 'task')} × {_some(self.trials, 'trial')} of "
            f"{self.condition.model} at {self.endpoint.name}: about {e.calls:,} calls, "
            f"{e.tokens_in:,} tokens in, at most {e.tokens_out_most:,} out; {cost}"
        )


def asked_condition(ask: TrialAsk, endpoint: Endpoint, benchmark: StoredBenchmark) -> Condition:
    """The condition that a person asks for.

    Raises:
        InputError: Its settings do not hold together; the setting is named.
    """
    if not 1 <= ask.trials <= MOST_TRIALS:
        raise InputError(f"{ask.trials:,} trials a task cannot be run; give 1 to {MOST_TRIALS:,}")
    if not ask.model.strip():
        raise InputError("name the model as the endpoint calls it")
    policy = ask.seed_policy
    if policy is None:
        policy = SeedPolicy.NONE if ask.seed is None else SeedPolicy.PER_TRIAL
    words = FOLLOW_UP_TEXTS.get(ask.follow_up, ask.follow_up_text.strip())
    try:
        return Condition(
            model=ask.model.strip(),
            endpoint=endpoint.shown_url,
            provider=endpoint.kind,
            temperature=ask.temperature,
            top_p=ask.top_p,
            max_tokens=ask.max_tokens,
            seed=ask.seed,
            seed_policy=policy,
            tools=ask.tools,
            system_prompt=ask.system_prompt,
            follow_up=ask.follow_up,
            follow_up_text=words,
            prompt_version=prompt_version(ask.tools),
            top_logprobs=ask.top_logprobs,
            extra=dict(ask.extra),
            benchmark=benchmark.version.name,
            benchmark_version=benchmark.version.content_hash,
            subset_rule=ask.subset_rule,
            **ask.runtime,
        )
    except ValidationError as error:
        raise InputError(_sentence(error)) from error


def _sentence(error: ValidationError) -> str:
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"]) or "the condition"
    return f"{where}: {first['msg'].removeprefix('Value error, ')}"


def estimated(
    tasks: Sequence[Task], documents: Mapping[str, Json], condition: Condition, trials: int
) -> Estimate:
    """What trials of some tasks are expected to take.

    Args:
        tasks: Tasks that can be sent.
        documents: Shared documents of multi-turn tasks.
        condition: Under which.
        trials: K.
    """
    calls = tokens = 0
    for task in tasks:
        if task.key_kind is KeyKind.CALL_TURNS:
            steps = _steps(task)
            size = _conversation_size(task, documents)
        else:
            steps = 1
            size = len(msgspec.json.encode(opening(task, condition).request(task.id, 1)))
        calls += steps
        tokens += steps * expected_tokens(size)
    has_turns = any(task.key_kind is KeyKind.CALL_TURNS for task in tasks)
    how = "one call a trial" if not has_turns else "one call a trial, of multi-turn tasks one for "
    how += "" if not has_turns else "each call of the key and one to end each turn"
    return Estimate(
        calls=calls * trials,
        tokens_in=tokens * trials,
        tokens_out_most=calls * trials * condition.max_tokens,
        how=f"{how}; four bytes of a request are taken for a token",
    )


def _steps(task: Task) -> int:
    """Requests of a multi-turn task in which every call of the key is a step of its own."""
    turns = task.key if isinstance(task.key, list) else []
    calls = sum(len(turn) for turn in turns if isinstance(turn, list))
    return calls + len(task.turns)


def _conversation_size(task: Task, documents: Mapping[str, Json]) -> int:
    """Bytes of the tools and of what the user says in all turns."""
    tools = [documents.get(name, []) for name in task.documents]
    return len(msgspec.json.encode([tools, task.turns]))


def cost_of(
    estimate: Estimate, endpoint: Endpoint, model: str, budget: Budget
) -> tuple[float | None, str]:
    """What a job costs at most, and why that is not known where it is not.

    Raises:
        InputError: The budget is in money, and the endpoint has no price for the model.
    """
    cost = endpoint.cost(model, estimate.tokens_in, estimate.tokens_out_most)
    if cost is not None:
        return cost, ""
    reason = f"{endpoint.name} has no price for {model} in ASSAY_ENDPOINTS"
    if budget.usd is not None:
        raise InputError(f"a budget in money cannot be kept: {reason}")
    return None, reason


def plan_warnings(
    estimate: Estimate, budget: Budget, condition: Condition, *, key_hint: str
) -> tuple[str, ...]:
    """What a person should know before a job is made."""
    found = [key_hint] if key_hint else []
    if budget.is_zero:
        found.append(f"A budget of {budget.words} lets nothing be sent.")
    elif budget.calls is not None and budget.calls < estimate.calls:
        found.append(
            f"The budget of {budget.calls:,} calls ends it before the {estimate.calls:,} expected."
        )
    if condition.follow_up is FollowUp.AGREE:
        found.append("Plain agreement can authorise actions that were never asked for.")
    if condition.seed_policy is SeedPolicy.FIXED:
        found.append("With one seed for all, trials may be the same answer again and again.")
    if condition.temperature == 0:
        found.append("At temperature 0 the trials of a task may all be the same answer.")
    return tuple(found)


def _some(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
