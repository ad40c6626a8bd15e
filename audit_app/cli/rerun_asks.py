"""Options of a live job, and what a person asks for with them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click
import msgspec

from audit_app.cli.options import columns_of
from audit_app.domain.conditions import FollowUp, SeedPolicy, ToolsMode
from audit_app.domain.live_jobs import Budget
from audit_app.domain.record import Json
from audit_app.errors import InputError
from audit_app.services.live_plans import BY_HAND, TrialAsk

Function = TypeVar("Function", bound=Callable[..., Any])

SUSPECTED = "tasks whose finding is open or proposes a key"
_STATED = ("runtime", "runtime_version", "hardware", "context_length")

_OPTIONS = (
    click.option("--endpoint", help="An address, or a name from ASSAY_ENDPOINTS."),
    click.option("--model", help="As the endpoint calls it."),
    click.option("--trials", type=int, default=5, show_default=True, metavar="K", help="Per task."),
    click.option("--temperature", type=float, help="Sent as it is (default: the endpoint's own)."),
    click.option("--top-p", type=float, help="Likewise."),
    click.option("--max-tokens", type=int, default=2_048, show_default=True, help="Of one answer."),
    click.option("--seed", type=int, help="First seed; none is sent without it."),
    click.option(
        "--seed-policy",
        type=click.Choice([policy.value for policy in SeedPolicy]),
        help="Which seed each trial gets (default: per_trial where there is a seed).",
    ),
    click.option(
        "--tools",
        type=click.Choice([mode.value for mode in ToolsMode]),
        default=ToolsMode.NATIVE.value,
        show_default=True,
        help="How tools are offered.",
    ),
    click.option(
        "--follow-up",
        metavar="POLICY",
        default=FollowUp.NONE.value,
        show_default=True,
        help="Reply to a question of the model: none, agree, only_what_was_asked, or your words.",
    ),
    click.option(
        "--system-prompt",
        type=click.Path(path_type=Path, exists=True, dir_okay=False),
        help="A file whose text goes before the task's own.",
    ),
    click.option(
        "--logprobs", type=int, metavar="N", help="Ask for log-probabilities, N alternatives each."
    ),
    click.option(
        "--extra", metavar="FIELD=JSON", multiple=True, help="A further field of the request."
    ),
    click.option(
        "--stated",
        metavar="FIELD=TEXT",
        multiple=True,
        help=f"What is known of how the model runs: {', '.join(_STATED)}.",
    ),
    click.option("--max-calls", type=int, help="Budget: requests, further tries included."),
    click.option("--max-tokens-total", type=int, help="Budget: tokens in and out."),
    click.option("--max-usd", type=float, help="Budget: money, at the prices in ASSAY_ENDPOINTS."),
)


def ask_options(function: Function) -> Function:
    """Everything that says how models are asked."""
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


def read_ask(given: dict[str, Any], *, is_suspected: bool) -> TrialAsk:
    """What a person asks for.

    Args:
        given: Values of the options.
        is_suspected: Whether the tasks are the suspected ones.

    Raises:
        InputError: An option is missing or cannot be used.
    """
    for name in ("endpoint", "model"):
        if not given[name]:
            raise InputError(f"name the {name} with --{name}")
    policy, text = _follow_up(given["follow_up"])
    return TrialAsk(
        endpoint=given["endpoint"],
        model=given["model"],
        trials=given["trials"],
        temperature=given["temperature"],
        top_p=given["top_p"],
        max_tokens=given["max_tokens"],
        seed=given["seed"],
        seed_policy=SeedPolicy(given["seed_policy"]) if given["seed_policy"] else None,
        tools=ToolsMode(given["tools"]),
        follow_up=policy,
        follow_up_text=text,
        system_prompt=_text_of(given["system_prompt"]),
        top_logprobs=given["logprobs"],
        extra={name: _json(name, value) for name, value in columns_of(given["extra"]).items()},
        runtime=_stated(columns_of(given["stated"])),
        subset_rule=SUSPECTED if is_suspected else BY_HAND,
        budget=_budget(given),
    )


def _budget(given: dict[str, Any]) -> Budget:
    limits = {"calls": "max_calls", "tokens": "max_tokens_total", "usd": "max_usd"}
    for option in limits.values():
        if given[option] is not None and not 0 <= given[option] < float("inf"):
            name = option.replace("_", "-")
            raise InputError(f"--{name} {given[option]} is no budget; give 0 or more")
    return Budget(**{name: given[option] for name, option in limits.items()})


def _follow_up(text: str) -> tuple[FollowUp, str]:
    known = [policy.value for policy in FollowUp if policy is not FollowUp.CUSTOM]
    return (FollowUp(text), "") if text in known else (FollowUp.CUSTOM, text)


def _text_of(path: Path | None) -> str:
    if path is None:
        return ""
    try:
        return path.read_text("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not text in UTF-8") from error


def _json(name: str, text: str) -> Json:
    try:
        return msgspec.json.decode(text)
    except msgspec.DecodeError as error:
        raise InputError(f"--extra {name}={text[:80]} is not JSON: {error}") from error


def _stated(fields: dict[str, str]) -> dict[str, str]:
    for name in fields:
        if name not in _STATED:
            raise InputError(f"--stated {name!r} is none of {', '.join(_STATED)}")
    return fields
