"""What is sent and read, against the published forms of both interfaces."""

from __future__ import annotations

from typing import Any

import pytest

from audit_app.domain.conditions import Condition, Endpoint, EndpointKind, SeedPolicy
from audit_app.domain.trials import (
    ChatMessage,
    CompletionStatus,
    Request,
    TokenLogprob,
    Tool,
    ToolCall,
)
from audit_app.errors import InputError
from audit_app.rerun.anthropic import AnthropicDialect
from audit_app.rerun.dialect import Answer, NotAnAnswerError
from audit_app.rerun.openai import OpenAIDialect
from tests.rerun.conftest import condition

OPENAI = Endpoint(name="o", url="https://api.openai.com/v1")
ANTHROPIC = Endpoint(name="a", url="https://api.anthropic.com", kind=EndpointKind.ANTHROPIC)
SCHEMA = {"type": "object", "properties": {"bay": {"type": "integer"}}, "required": ["bay"]}
TALK = Request(
    task_id="t",
    trial=3,
    messages=(
        ChatMessage("system", "Be brief."),
        ChatMessage("user", "Open bay 3 and 4."),
        ChatMessage(
            "assistant",
            "",
            (ToolCall("c1", "vent_open", '{"bay":3}'), ToolCall("c2", "vent_open", '{"bay":4}')),
        ),
        ChatMessage("tool", "done", tool_call_id="c1"),
        ChatMessage("tool", "stuck", tool_call_id="c2"),
        ChatMessage("user", "Go on."),
    ),
    tools=(Tool("vent_open", "Opens a vent.", SCHEMA),),
)


def test_openai_request() -> None:
    sent = condition(
        OPENAI,
        temperature=0.5,
        top_p=0.9,
        max_tokens=64,
        seed=40,
        seed_policy=SeedPolicy.PER_TRIAL,
        top_logprobs=2,
        extra={"reasoning_effort": "low"},
    )
    calls = [
        {"id": i, "type": "function", "function": {"name": "vent_open", "arguments": a}}
        for i, a in (("c1", '{"bay":3}'), ("c2", '{"bay":4}'))
    ]
    assert OpenAIDialect().payload(TALK, sent, "127.0.0.1") == {
        "model": "m",
        "messages": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "Open bay 3 and 4."},
            {"role": "assistant", "content": "", "tool_calls": calls},
            {"role": "tool", "content": "done", "tool_call_id": "c1"},
            {"role": "tool", "content": "stuck", "tool_call_id": "c2"},
            {"role": "user", "content": "Go on."},
        ],
        "temperature": 0.5,
        "top_p": 0.9,
        "max_tokens": 64,
        "seed": 42,  # 40 + trial 3 - 1
        "tools": [
            {
                "type": "function",
                "function": {
                    "name": "vent_open",
                    "description": "Opens a vent.",
                    "parameters": SCHEMA,
                },
            }
        ],
        "logprobs": True,
        "top_logprobs": 2,
        "reasoning_effort": "low",
    }


def test_what_is_left_open_is_not_sent() -> None:
    request = Request(task_id="t", messages=(ChatMessage("user", "hi"),))
    sent = OpenAIDialect().payload(request, condition(OPENAI), "api.openai.com")
    assert sent.keys() == {"model", "messages", "max_completion_tokens"}
    assert OpenAIDialect().headers(None) == {}


def test_anthropic_request() -> None:
    sent = AnthropicDialect().payload(TALK, condition(ANTHROPIC, temperature=0), "")
    assert sent == {
        "model": "m",
        "max_tokens": 2048,
        "system": "Be brief.",
        "temperature": 0,
        "messages": [
            {"role": "user", "content": [{"type": "text", "text": "Open bay 3 and 4."}]},
            {
                "role": "assistant",
                "content": [
                    {"type": "tool_use", "id": "c1", "name": "vent_open", "input": {"bay": 3}},
                    {"type": "tool_use", "id": "c2", "name": "vent_open", "input": {"bay": 4}},
                ],
            },
            {  # results and the next words of the user are one message: roles must alternate
                "role": "user",
                "content": [
                    {"type": "tool_result", "tool_use_id": "c1", "content": "done"},
                    {"type": "tool_result", "tool_use_id": "c2", "content": "stuck"},
                    {"type": "text", "text": "Go on."},
                ],
            },
        ],
        "tools": [{"name": "vent_open", "description": "Opens a vent.", "input_schema": SCHEMA}],
    }


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        pytest.param({"seed": 1, "seed_policy": "fixed"}, "no seed", id="seed"),
        pytest.param({"top_logprobs": 0}, "no log-probabilities", id="log-probabilities"),
        pytest.param({"temperature": 1.5}, "1.5 is above 1", id="temperature"),
        pytest.param({"extra": {"system": "x"}}, "system is a setting", id="extra field"),
    ],
)
def test_anthropic_refuses_what_it_cannot(fields: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        AnthropicDialect().check(condition(ANTHROPIC, **fields))


def test_extra_fields_replace_nothing() -> None:
    with pytest.raises(InputError, match="temperature is a setting"):
        OpenAIDialect().check(condition(OPENAI, extra={"temperature": 2}))


def openai_body(**message: Any) -> dict[str, Any]:
    return {"choices": [{"message": {"role": "assistant", **message}, "finish_reason": "stop"}]}


def call(arguments: Any) -> dict[str, Any]:
    return {"id": "c", "type": "function", "function": {"name": "f", "arguments": arguments}}


@pytest.mark.parametrize(
    ("body", "answer"),
    [
        pytest.param(openai_body(content="hi"), Answer(text="hi"), id="text"),
        pytest.param(openai_body(content=""), Answer(), id="an empty answer is an answer"),
        pytest.param(
            openai_body(content=[{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]),
            Answer(text="ab"),
            id="text in parts",
        ),
        pytest.param(
            openai_body(content=None, tool_calls=[call('{"bay": 3}')]),
            Answer(tool_calls=(ToolCall("c", "f", '{"bay": 3}'),)),
            id="call, arguments as written",
        ),
        pytest.param(
            openai_body(content=None, tool_calls=[call({"bay": 3})]),
            Answer(tool_calls=(ToolCall("c", "f", '{"bay":3}'),)),
            id="call, arguments as an object",
        ),
        pytest.param(
            openai_body(content=None, refusal="I cannot"), Answer(text="I cannot"), id="refusal"
        ),
        pytest.param(
            openai_body(content="4", reasoning_content="2+2"),
            Answer(text="4", reasoning="2+2"),
            id="thought apart",
        ),
    ],
)
def test_openai_answers(body: dict[str, Any], answer: Answer) -> None:
    read = OpenAIDialect().read(body)
    assert (read.text, read.tool_calls, read.reasoning) == (
        answer.text,
        answer.tool_calls,
        answer.reasoning,
    )


def test_openai_log_probabilities() -> None:
    body = openai_body(content="hi")
    top = [{"token": "hi", "logprob": -0.5}, {"token": "ho", "logprob": -1}]
    token = {"token": "hi", "logprob": -0.5, "top_logprobs": top}
    body["choices"][0]["logprobs"] = {"content": [token]}
    expected = (TokenLogprob("hi", -0.5, (("hi", -0.5), ("ho", -1.0))),)
    assert OpenAIDialect().read(body).logprobs == expected


def test_anthropic_answer() -> None:
    read = AnthropicDialect().read(
        {
            "id": "msg_1",
            "model": "claude-x",
            "content": [
                {"type": "thinking", "thinking": "bay 3"},
                {"type": "text", "text": "Opening."},
                {"type": "tool_use", "id": "tu", "name": "vent_open", "input": {"bay": 3}},
            ],
            "stop_reason": "tool_use",
            "usage": {"input_tokens": 5, "cache_read_input_tokens": 100, "output_tokens": 7},
        }
    )
    assert read == Answer(
        text="Opening.",
        tool_calls=(ToolCall("tu", "vent_open", '{"bay":3}'),),
        reasoning="bay 3",
        finish_reason="tool_use",
        tokens_in=105,  # what was read from the prompt cache was read all the same
        tokens_out=7,
        response_id="msg_1",
        served_model="claude-x",
    )


@pytest.mark.parametrize(
    "body",
    [
        *(None, [], {}, {"content": None}, {"content": ["hi"]}),
        {"content": [{"type": "tool_use"}]},
    ],
)
def test_anthropic_bodies_without_an_answer(body: Any) -> None:
    with pytest.raises(NotAnAnswerError) as failure:
        AnthropicDialect().read(body)
    assert failure.value.status is CompletionStatus.INVALID_ANSWER


def test_base_addresses() -> None:
    assert OpenAIDialect().path("/v1") == "/chat/completions"
    assert AnthropicDialect().path("") == "/v1/messages"
    assert AnthropicDialect().path("/proxy/v1") == "/messages"
    assert AnthropicDialect().headers("k") == {"anthropic-version": "2023-06-01", "x-api-key": "k"}


def test_costs_follow_the_price_list() -> None:
    prices = {"m": {"input": 1, "output": 10}, "*": {"input": 2, "output": 2}}
    endpoint = Endpoint.model_validate({"name": "e", "url": "http://e", "prices": prices})
    # 1,000 tokens in at 1 USD a million and 200 out at 10: 0.001 + 0.002
    assert endpoint.cost("m", 1_000, 200) == pytest.approx(0.003)
    assert endpoint.cost("other", 500_000, 500_000) == pytest.approx(2.0)
    assert endpoint.cost("m", None, 200) is None
    assert Endpoint(name="e", url="http://e").cost("m", 1, 1) is None


def test_conditions_differ_in_every_field() -> None:
    base = condition(OPENAI)
    changes: dict[str, Any] = {
        **{name: "x" for name, f in Condition.model_fields.items() if f.annotation is str},
        **{"provider": "recorded", "tools": "prompt", "temperature": 0.1, "top_p": 0.1},
        **{"max_tokens": 1, "top_logprobs": 1, "extra": {"a": 1}},
    }
    paired: list[dict[str, Any]] = [
        {"seed": 1, "seed_policy": "fixed"},
        {"seed": 1, "seed_policy": "per_trial"},
        {"follow_up": "custom", "follow_up_text": "x"},
    ]
    del changes["follow_up_text"]
    variants = [{name: value} for name, value in changes.items()] + paired
    digests = {Condition.model_validate({**base.model_dump(), **v}).digest for v in variants}
    assert len(digests | {base.digest}) == len(variants) + 1
    assert set(changes) | {k for p in paired for k in p} == set(Condition.model_fields)
