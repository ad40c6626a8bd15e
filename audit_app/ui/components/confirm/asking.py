"""The form of a job: which tasks go where, how often, under which settings, within which budget."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import streamlit as st

from audit_app.domain.conditions import Endpoint, EndpointKind, FollowUp, SeedPolicy, ToolsMode
from audit_app.domain.live_jobs import Budget, Job
from audit_app.services.live_endpoints import EndpointChoice
from audit_app.services.live_plans import TrialAsk
from audit_app.ui.rendering.text import literal

_SEEDS = {
    SeedPolicy.PER_TRIAL: "another one each trial",
    SeedPolicy.FIXED: "the same for all trials",
}
_TOOLS = {
    ToolsMode.NATIVE: "natively, through the endpoint",
    ToolsMode.PROMPT: "in the prompt, as text",
}
_FOLLOW_UPS = {
    FollowUp.NONE: "none",
    FollowUp.AGREE: "plain agreement (unsafe)",
    FollowUp.ONLY_ASKED: "only what was asked",
    FollowUp.CUSTOM: "own words",
}
_NO_SETTING = (
    "<code>ASSAY_ENDPOINTS</code> is not set, so any address on this machine may be called and "
    "none elsewhere. To call others, start the app with "
    '<code>ASSAY_ENDPOINTS="https://models.example.org/v1"</code>, or with a TOML file of names '
    "and prices there."
)
_ADDRESS = "http://127.0.0.1:8080/v1"


@dataclass(frozen=True)
class Asked:
    """What the form says.

    Attributes:
        tasks: The tasks of the job.
        ask: The rest.
        concurrency: Requests at a time.
    """

    tasks: tuple[str, ...]
    ask: TrialAsk
    concurrency: int


def endpoint_field(choices: Sequence[EndpointChoice], last: Job | None) -> str:
    """Which endpoint: one of those that are allowed, or an address on this machine."""
    is_called = last is not None and last.endpoint.kind is not EndpointKind.RECORDED
    used = last.endpoint.url if last is not None and (choices or is_called) else ""
    if not choices:
        given = st.text_input(
            "Endpoint", value=used, placeholder=_ADDRESS, key="confirm_address"
        ).strip()
        if not given:
            st.html(f'<p class="meta">{_NO_SETTING}</p>')
        return given
    endpoints = [choice.endpoint for choice in choices]
    at = next((i for i, e in enumerate(endpoints) if e.url == used), 0)
    chosen = st.selectbox(
        "Endpoint", endpoints, index=at, format_func=_endpoint_label, key="confirm_endpoint"
    )
    return chosen.name


def _endpoint_label(endpoint: Endpoint) -> str:
    return f"{endpoint.name} · {endpoint.kind.value} · {endpoint.shown_url}"


def tasks_field(queue: Sequence[str], task: str, suspected: Sequence[str]) -> tuple[str, ...]:
    """Which tasks: the one on screen, and more of the person's queue."""
    key = f"confirm_tasks/{task}"
    chosen = st.multiselect("Tasks of the job", queue, default=[task], key=key)
    more = [other for other in suspected if other not in chosen]
    if more:
        noun = "task" if len(more) == 1 else "tasks"
        st.button(
            f"Add {len(more)} {noun} that you called defective",
            key=f"confirm_more_tasks/{task}",
            on_click=partial(_put, key, [*chosen, *more]),
        )
    return tuple(chosen)


def _put(key: str, value: list[str]) -> None:
    st.session_state[key] = value


def settings_fields(endpoint: str, tasks: tuple[str, ...], last: Job | None) -> Asked:
    """Model, K, sampling, budget; what is rarely changed is folded."""
    before = last.condition if last is not None else None
    row = st.columns([3, 1, 1, 1])
    model = row[0].text_input(
        "Model, as the endpoint calls it",
        value=before.model if before else "",
        key="confirm_model",
    )
    trials = row[1].number_input(
        "Trials (K)", value=last.trials if last else 5, step=1, key="confirm_trials"
    )
    temperature = row[2].number_input(
        "Temperature",
        value=before.temperature if before else None,
        step=0.1,
        key="confirm_temperature",
        placeholder="its own",
    )
    max_tokens = row[3].number_input(
        "Max tokens", value=before.max_tokens if before else 1_024, step=1, key="confirm_tokens"
    )
    budget = _budget_fields()
    with st.expander("More settings: seed, top-p, tools, follow-ups", key="confirm_more"):
        seed, policy, top_p = _seed_fields()
        tools, follow_up, words = _tool_fields()
        system, top_logprobs, concurrency = _other_fields()
    ask = TrialAsk(
        endpoint=endpoint,
        model=model,
        trials=int(trials),
        temperature=temperature,
        top_p=top_p,
        max_tokens=int(max_tokens),
        seed=seed,
        seed_policy=policy,
        tools=tools,
        follow_up=follow_up,
        follow_up_text=words,
        system_prompt=system,
        top_logprobs=top_logprobs,
        budget=budget,
    )
    return Asked(tasks, ask, concurrency)


def _budget_fields() -> Budget:
    row = st.columns(3)
    calls = row[0].number_input(
        "Budget: calls", 0, value=None, step=1, key="confirm_calls", placeholder="no limit"
    )
    tokens = row[1].number_input(
        "Tokens", 0, value=None, step=1, key="confirm_budget_tokens", placeholder="no limit"
    )
    usd = row[2].number_input(
        "USD", 0.0, value=None, step=0.5, key="confirm_usd", placeholder="no limit"
    )
    return Budget(
        calls=None if calls is None else int(calls),
        tokens=None if tokens is None else int(tokens),
        usd=usd,
    )


def _seed_fields() -> tuple[int | None, SeedPolicy | None, float | None]:
    row = st.columns([1, 2, 1])
    seed = row[0].number_input(
        "Seed", 0, value=None, step=1, key="confirm_seed", placeholder="none sent"
    )
    policy = row[1].selectbox(
        "Seed of each trial", list(_SEEDS), format_func=_SEEDS.__getitem__, key="confirm_seeds"
    )
    top_p = row[2].number_input(
        "Top-p", value=None, step=0.05, key="confirm_top_p", placeholder="its own"
    )
    return (None, None, top_p) if seed is None else (int(seed), policy, top_p)


def _tool_fields() -> tuple[ToolsMode, FollowUp, str]:
    row = st.columns(2)
    tools = row[0].selectbox(
        "Tools are offered", list(_TOOLS), format_func=_TOOLS.__getitem__, key="confirm_tools"
    )
    follow_up = row[1].selectbox(
        "Reply to a question (multi-turn)",
        list(_FOLLOW_UPS),
        format_func=_FOLLOW_UPS.__getitem__,
        key="confirm_follow_up",
    )
    words = ""
    if follow_up is FollowUp.CUSTOM:
        words = st.text_input("Words of the reply", key="confirm_follow_up_words")
    return tools, follow_up, words


def _other_fields() -> tuple[str, int | None, int]:
    system = st.text_area("System prompt, before the task’s own", key="confirm_system", height=68)
    row = st.columns([2, 1, 1])
    asks = row[0].checkbox("Ask for log-probabilities", key="confirm_logprobs")
    top = row[1].number_input(
        "Alternatives", 0, 20, value=3, key="confirm_top_logprobs", disabled=not asks
    )
    concurrency = row[2].number_input("At a time", 1, 64, value=2, key="confirm_concurrency")
    return system, int(top) if asks else None, int(concurrency)


def cannot_send(reasons: dict[str, str] | None) -> str:
    """Tasks that cannot be sent, each with why, as escaped HTML."""
    rows = "".join(
        f"<li><code><bdi>{literal(task)}</bdi></code>: {literal(why)}</li>"
        for task, why in (reasons or {}).items()
    )
    return f'<ul class="examples">{rows}</ul>' if rows else ""
