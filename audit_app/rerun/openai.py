"""Chat completions as OpenAI, vLLM, Ollama, llama.cpp and many others speak them."""

from __future__ import annotations

import msgspec

from audit_app.domain.conditions import Condition
from audit_app.domain.record import Json
from audit_app.domain.trials import (
    ChatMessage,
    CompletionStatus,
    Request,
    TokenLogprob,
    Tool,
    ToolCall,
)
from audit_app.rerun.dialect import (
    Answer,
    NotAnAnswerError,
    check_extra,
    count_of,
    said,
    text_of,
    with_extra,
)

_VENDOR = "api.openai.com"
_OWN = frozenset(
    {
        *("model", "messages", "tools", "temperature", "top_p", "max_tokens", "seed", "logprobs"),
        *("max_completion_tokens", "top_logprobs", "stream", "n"),
    }
)


class OpenAIDialect:
    """Chat completions."""

    def path(self, base_path: str) -> str:
        """The address holds the version already, as in ``http://127.0.0.1:8080/v1``."""
        return "/chat/completions"

    def headers(self, key: str | None) -> dict[str, str]:
        """The key, where there is one."""
        return {} if key is None else {"Authorization": f"Bearer {key}"}

    def check(self, condition: Condition) -> None:
        """Everything can be asked for; whether it is given shows in the answer."""
        check_extra(condition, _OWN)

    def payload(self, request: Request, condition: Condition, host: str) -> dict[str, Json]:
        """The body; what the condition leaves open is not sent."""
        body: dict[str, Json] = {
            "model": condition.model,
            "messages": [_message(message) for message in request.messages],
        }
        # OpenAI's newer models refuse the old name of this field; other servers know no other.
        limit = "max_completion_tokens" if host == _VENDOR else "max_tokens"
        settings = {
            "temperature": condition.temperature,
            "top_p": condition.top_p,
            limit: condition.max_tokens,
            "seed": condition.seed_of(request.trial),
        }
        body |= {name: value for name, value in settings.items() if value is not None}
        if request.tools:
            body["tools"] = [_tool(tool) for tool in request.tools]
        if condition.top_logprobs is not None:
            body["logprobs"] = True
            body["top_logprobs"] = condition.top_logprobs
        return with_extra(body, condition)

    def read(self, body: Json) -> Answer:
        """The first choice.

        Raises:
            NotAnAnswerError: There is none.
        """
        if not isinstance(body, dict):
            raise NotAnAnswerError("the answer is not an object")
        choices = body.get("choices")
        if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
            reason = said(body)
            raise NotAnAnswerError(f"the answer holds no choice{': ' + reason if reason else ''}")
        choice = choices[0]
        message, finish = choice.get("message"), text_of(choice.get("finish_reason"))
        if not isinstance(message, dict):
            raise NotAnAnswerError("the first choice holds no message")
        if finish == "content_filter":
            raise NotAnAnswerError("a filter withheld the answer", CompletionStatus.REFUSED)
        usage = body.get("usage")
        usage = usage if isinstance(usage, dict) else {}
        return Answer(
            text=_text(message),
            tool_calls=_tool_calls(message.get("tool_calls")),
            reasoning=text_of(message.get("reasoning_content") or message.get("reasoning")),
            logprobs=_logprobs(choice.get("logprobs")),
            finish_reason=finish,
            tokens_in=count_of(usage.get("prompt_tokens")),
            tokens_out=count_of(usage.get("completion_tokens")),
            response_id=text_of(body.get("id")),
            served_model=text_of(body.get("model")),
            fingerprint=text_of(body.get("system_fingerprint")),
        )


def _message(message: ChatMessage) -> dict[str, Json]:
    sent: dict[str, Json] = {"role": message.role, "content": message.content}
    if message.tool_calls:
        sent["tool_calls"] = [
            {
                "id": call.id,
                "type": "function",
                "function": {"name": call.name, "arguments": call.arguments},
            }
            for call in message.tool_calls
        ]
    if message.tool_call_id:
        sent["tool_call_id"] = message.tool_call_id
    return sent


def _tool(tool: Tool) -> dict[str, Json]:
    return {
        "type": "function",
        "function": {
            "name": tool.name,
            "description": tool.description,
            "parameters": tool.parameters,
        },
    }


def _text(message: dict[str, Json]) -> str:
    content = message.get("content")
    if isinstance(content, list):
        return "".join(text_of(part.get("text")) for part in content if isinstance(part, dict))
    if content is None:
        return text_of(message.get("refusal"))
    if not isinstance(content, str):
        raise NotAnAnswerError("the content of the message is not text")
    return content


def _tool_calls(calls: Json) -> tuple[ToolCall, ...]:
    if calls is None:
        return ()
    if not isinstance(calls, list):
        raise NotAnAnswerError("the tool calls are not a list")
    return tuple(_tool_call(call, number) for number, call in enumerate(calls, start=1))


def _tool_call(call: Json, number: int) -> ToolCall:
    function = call.get("function") if isinstance(call, dict) else None
    name = function.get("name") if isinstance(function, dict) else None
    if not isinstance(function, dict) or not isinstance(name, str):
        raise NotAnAnswerError(f"tool call {number} names no function")
    arguments = function.get("arguments", "{}")
    if not isinstance(arguments, str):  # some servers send the object itself
        arguments = msgspec.json.encode(arguments).decode()
    return ToolCall(text_of(call.get("id")) or f"call_{number}", name, arguments)


def _logprobs(given: Json) -> tuple[TokenLogprob, ...] | None:
    content = given.get("content") if isinstance(given, dict) else None
    if not isinstance(content, list):
        return None
    tokens = [_token(item) for item in content]
    return tuple(
        TokenLogprob(*token, _top(item)) for token, item in zip(tokens, content, strict=True)
    )


def _top(item: dict[str, Json]) -> tuple[tuple[str, float], ...]:
    top = item.get("top_logprobs")
    return tuple(_token(other) for other in top) if isinstance(top, list) else ()


def _token(item: Json) -> tuple[str, float]:
    logprob = item.get("logprob") if isinstance(item, dict) else None
    if not isinstance(logprob, int | float) or isinstance(logprob, bool):
        raise NotAnAnswerError("the log-probabilities cannot be read")
    return text_of(item.get("token")), float(logprob)
