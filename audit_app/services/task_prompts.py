"""The words in which tasks are put to a model; they are part of the condition.

The wording is Assay's own. Whoever changes a text changes the digest in `prompt_version`, and so
the condition: trials put in other words are never counted together.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import sha256

from audit_app.domain.conditions import FollowUp, ToolsMode
from audit_app.domain.record import Json

TOOLS_PROMPT = """\
You can call the functions listed below. When the user's request needs them, answer with nothing \
but a list of calls in this form, all arguments named:
[function_name(argument=value, other_argument=value), another_function(argument=value)]
Write values as {language} literals. Where no function fits, or a required value is missing, \
say so in words and call nothing.

Functions, one JSON document a line:
{tools}"""

RESULTS_PROMPT = """\
Results of your calls, one JSON document a line. Call further functions in the same form, or, if \
the request is done, say so in words:
{results}"""

MORE_TOOLS = "More functions are available now. Please go on with what was asked before."
MORE_TOOLS_PROMPT = MORE_TOOLS + " They are, one JSON document a line:\n{tools}"

UNREADABLE_CALL = "This call was not made: its arguments are not a JSON object."

FOLLOW_UP_TEXTS = {
    FollowUp.NONE: "",
    FollowUp.AGREE: "Yes, please go ahead.",
    FollowUp.ONLY_ASKED: (
        "Please do exactly what I asked for, with the information I gave, and nothing beyond it."
    ),
}
"""The harness's replies; a custom one is given by whoever makes the condition."""

_LANGUAGES = {"java": "Java", "javascript": "JavaScript"}
_QUESTION_MARKS = ("?", "？", "؟")
_OFFERS = (
    *("would you like", "do you want me to", "shall i", "should i", "let me know if"),
    *("let me know whether", "please confirm", "could you provide", "please provide"),
)


def prompt_version(mode: ToolsMode) -> str:
    """Name and digest of the wording that a mode uses."""
    texts = [MORE_TOOLS, UNREADABLE_CALL]
    if mode is ToolsMode.PROMPT:
        texts = [TOOLS_PROMPT, RESULTS_PROMPT, MORE_TOOLS_PROMPT]
    return f"assay-{mode.value}-1:{sha256(chr(31).join(texts).encode()).hexdigest()[:12]}"


def tools_prompt(documents: Sequence[Json], language: str) -> str:
    """What the system says of the tools where they are not offered natively."""
    name = _LANGUAGES.get(language, "Python")
    return TOOLS_PROMPT.format(language=name, tools=_lines(documents))


def more_tools(documents: Sequence[Json], mode: ToolsMode) -> str:
    """What the user says when tools that were withheld become available."""
    if mode is ToolsMode.NATIVE:
        return MORE_TOOLS
    return MORE_TOOLS_PROMPT.format(tools=_lines(documents))


def results_prompt(calls: Sequence[str], results: Sequence[str]) -> str:
    """What the user says of the results of calls that were written as text."""
    pairs = [{"call": c, "result": r} for c, r in zip(calls, results, strict=True)]
    return RESULTS_PROMPT.format(results=_lines(pairs))


def ends_with_question(text: str) -> bool:
    """Whether a message ends with what reads as a question, or as an offer.

    A rule of phrases: an observation about the text, never a reason why a trial failed.
    """
    last = text.strip().rstrip("*_`\"')] ").rsplit("\n", 1)[-1]
    return last.endswith(_QUESTION_MARKS) or any(offer in last.lower() for offer in _OFFERS)


def _lines(documents: Sequence[Json]) -> str:
    return "\n".join(json.dumps(document, ensure_ascii=False) for document in documents)
