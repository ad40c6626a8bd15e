"""Six simulated models: what each would say to each task, and how that is graded.

Nothing here was said by a real model. A simulated model knows the right answer and reaches it as
often as its skill allows; otherwise it slips. The grade is that of the published key, so a planted
defect shows: right answers of strong models fail, wrong answers of weak ones pass.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from samples.toolshop.calls import Call, Wish, render
from samples.toolshop.dice import pick, roll, shuffled
from samples.toolshop.grading import grade
from samples.toolshop.slips import slipped_calls
from samples.toolshop.tasks import Answer, Task


class Profile(NamedTuple):
    """Habits of one simulated model; every rate is a share from 0 to 1."""

    name: str
    skill: float
    states_defaults: float
    bare_floats: bool
    garbles: float
    fails: float


PROFILES = (
    Profile("sim-albatross", 0.98, 0.2, False, 0.0, 0.004),
    Profile("sim-curlew", 0.94, 0.1, True, 0.01, 0.0),
    Profile("sim-dunlin", 0.89, 0.6, False, 0.01, 0.01),
    Profile("sim-fulmar", 0.81, 0.3, True, 0.03, 0.0),
    Profile("sim-gannet", 0.72, 0.8, False, 0.02, 0.02),
    Profile("sim-petrel", 0.58, 0.2, True, 0.06, 0.01),
)
STRONGEST, WEAKEST = PROFILES[0].name, PROFILES[-1].name

_FAILURES = (
    "Error: the request timed out after 120 seconds",
    "Error: HTTP 503, service unavailable",
    "Error: the connection was reset by the server",
)
_ABSTENTIONS = (
    "None of the tools I have can help with that, so I am not calling any of them.",
    "I can't do this with the functions on offer. Could you tell me more about what you need?",
    "That is outside of what these tools do.",
    "Sorry, no function here answers that question.",
    "I don't have a tool for this one, I'm afraid.",
    "There is no suitable function for this request.",
)
_WRAPPINGS = (
    "Sure! Here is the call you need: {calls}",
    "```python\n{calls}\n```",
    "<thinking>The user wants this done.</thinking>\n{calls}",
    "{calls} Let me know if you need anything else.",
)


def simulate(tasks: Sequence[Task]) -> Iterator[dict[str, object]]:
    """The graded outputs of every model for every task: the lines of ``outputs.jsonl``."""
    for profile in PROFILES:
        for task in tasks:
            yield _output(task, profile)


def _output(task: Task, profile: Profile) -> dict[str, object]:
    where = (profile.name, task.id)
    line: dict[str, object] = {"id": task.id, "model": profile.name}
    forced = _forced(task, profile)
    if forced is None and roll("fails", *where) < profile.fails:
        reason = "The request failed, so there is no answer to grade."
        failure = {"output": pick(_FAILURES, "failure", *where), "status": "error"}
        return line | failure | {"passed": None, "reason_code": "", "reason": reason}
    text = _text(_answer(task, profile) if forced is None else forced, profile)
    if forced is None and task.key is not None and roll("garbles", *where) < profile.garbles:
        text = pick(_WRAPPINGS, "wrapping", *where).format(calls=text)
    result = grade(text, category=task.category, tools=task.tools, key=task.key)
    verdict = {"passed": result.passed, "reason_code": result.code, "reason": result.reason}
    return line | {"output": text, "status": "answer"} | verdict


def _forced(task: Task, profile: Profile) -> Answer | None:
    """The answer that makes a planted defect visible: from the strongest or the weakest model."""
    if "FN" in task.effects and profile.name == STRONGEST:
        return task.right or _abstention(task, profile)
    if "FP" in task.effects and profile.name == WEAKEST:
        return task.lure
    return None


def _text(answer: Answer, profile: Profile) -> str:
    return answer if isinstance(answer, str) else render(answer, bare_floats=profile.bare_floats)


def _abstention(task: Task, profile: Profile) -> str:
    return pick(_ABSTENTIONS, "abstains", profile.name, task.id)


def _answer(task: Task, profile: Profile) -> Answer:
    hardship = {"parallel": 0.03, "mixed": 0.06, "no_call": 0.02}.get(task.category, 0.0)
    if roll("skill", profile.name, task.id) < profile.skill - hardship:
        return _right(task, profile)
    return _wrong(task, profile)


def _right(task: Task, profile: Profile) -> Answer:
    """A right answer in the model's own manner."""
    where = (profile.name, task.id)
    if not task.wishes:
        return task.right or _abstention(task, profile)
    if "FN" in task.effects and roll("as planted", *where) < 0.6:
        return task.right
    calls = [_in_own_manner(wish, task, profile, number) for number, wish in enumerate(task.wishes)]
    return calls[::-1] if len(calls) == 2 and roll("reverses", *where) < 0.1 else calls


def _in_own_manner(wish: Wish, task: Task, profile: Profile, number: int) -> Call:
    """A wished call, with defaults stated or left out as the model is used to."""
    tool, where = task.tools[wish.function], (profile.name, task.id, number)
    arguments = {}
    for name, schema in tool.properties.items():
        default = [] if schema.default is None else [schema.default]
        values = wish.values.get(name, default)
        if not values:
            continue
        is_default = name not in tool.required and schema.default in values
        if is_default and roll("states", *where, name) >= profile.states_defaults:
            continue
        usual = roll("usual", *where, name) < 0.7
        arguments[name] = values[0] if usual else pick(values, "value", *where, name)
    return Call(wish.function, arguments)


def _wrong(task: Task, profile: Profile) -> Answer:
    """A wrong answer: the planted lure where there is one, else a slip that is really wrong."""
    where = (profile.name, task.id)
    if task.lure is not None and roll("lured", *where) < 0.7:
        return task.lure
    if task.tempt:
        return task.tempt
    if task.key is None or roll("gives up", *where) < 0.08:
        return _abstention(task, profile)
    base = task.right if isinstance(task.right, list) and task.right else _guess(task)
    slips = shuffled(slipped_calls(base, task.tools), "slip", *where)
    return next((calls for calls in slips if _is_wrong(calls, task)), _abstention(task, profile))


def _guess(task: Task) -> list[Call]:
    """Calls of the published key, where no calls are right."""
    guess = []
    for expected in task.key or []:
        ((name, accepted),) = expected.items()
        guess.append(Call(name, {k: v[0] for k, v in accepted.items() if "" not in v}))
    return guess


def _is_wrong(calls: Sequence[Call], task: Task) -> bool:
    """Whether neither the published nor the corrected key accepts the calls."""
    keys = [key for key in (task.key, task.true_key) if key is not None]
    text = render(calls)
    return not any(
        grade(text, category=task.category, tools=task.tools, key=key).passed for key in keys
    )
