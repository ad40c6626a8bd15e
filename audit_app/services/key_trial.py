"""Trying a proposed key while it is typed: is it one, and whose verdict would flip."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from audit_app.domain.benchmark import Task
from audit_app.errors import InputError
from audit_app.services.key_offers import edited_text
from audit_app.services.regrade import Change, Flips

_LONGEST = 2_000_000
_NAMED = 6


@dataclass(frozen=True)
class KeyRequest:
    """What the browser asks about a proposed key.

    Attributes:
        number: Its number; the answer carries it back.
        task_id: The task.
        text: The proposed key as it stands; empty where there is none yet.
        edit: An offered edit to make first, empty for none.
    """

    number: int
    task_id: str
    text: str
    edit: str = ""


@dataclass(frozen=True)
class KeyTrial:
    """The answer.

    Attributes:
        request: What was asked.
        text: The text that was tried, with the edit made.
        error: Why it is no key, and where; empty where it is one.
        sentence: What it would do, in words.
        flips: For each change of a verdict, who changes.
        differs: Whether any verdict flips.
    """

    request: KeyRequest
    text: str
    error: str = ""
    sentence: str = ""
    flips: tuple[str, ...] = ()
    differs: bool = False


def read_request(raw: object) -> KeyRequest | None:
    """A request as the browser sends it; None where it is none."""
    if not isinstance(raw, Mapping):
        return None
    number, task, text, edit = (raw.get(name) for name in ("n", "task", "text", "edit"))
    if not isinstance(number, int) or not isinstance(task, str) or not isinstance(text, str):
        return None
    return KeyRequest(number, task, text, edit if isinstance(edit, str) else "")


def try_key(task: Task, request: KeyRequest, regrade: Callable[[str, str], Flips]) -> KeyTrial:
    """What the key of a request would do; nothing is stored.

    Args:
        task: The task.
        request: What is asked.
        regrade: Flips of a task's outputs under a key's text.
    """
    text = request.text
    if len(text) > _LONGEST:
        return KeyTrial(request, text, f"A key of more than {_LONGEST:,} characters is not tried.")
    try:
        if request.edit:
            text = edited_text(task, text, request.edit)
    except InputError as error:
        return KeyTrial(request, text, _sentence(str(error)))
    flips = regrade(task.id, text)
    if flips.error:
        return KeyTrial(request, text, _sentence(flips.error))
    return KeyTrial(
        request,
        text,
        sentence=flips_sentence(flips),
        flips=tuple(_who(flips, change) for change in _FLIPS if flips.count(change)),
        differs=bool(flips.flipped),
    )


_FLIPS = (Change.GAINED, Change.LOST)
_WORDS = {Change.GAINED: "from fail to pass", Change.LOST: "from pass to fail"}


def flips_sentence(flips: Flips) -> str:
    """Both directions in words, and what cannot be told."""
    if not flips.outputs:
        return "No output is stored for this task, so nothing can be graded again."
    gained, lost = (flips.count(change) for change in _FLIPS)
    untold = flips.count(Change.NONE)
    rest = f" {_outputs(untold)} without a verdict." if untold else ""
    if not gained and not lost:
        return f"Graded again under it: no verdict changes.{rest}"
    first = f"{_outputs(gained)} {_goes(gained)} {_WORDS[Change.GAINED]}"
    second = f"{lost or 'none'} {_WORDS[Change.LOST]}"
    return f"Graded again under it: {first}, {second}.{rest}"


def _outputs(number: int) -> str:
    return f"{number or 'no'} output{'' if number == 1 else 's'}"


def _goes(number: int) -> str:
    return "goes" if number == 1 else "go"


def _who(flips: Flips, change: Change) -> str:
    names: Sequence[str] = [flip.model for flip in flips.outputs if flip.change is change]
    names = list(dict.fromkeys(names))
    more = len(names) - _NAMED
    shown = ", ".join(names[:_NAMED]) + (f" and {more} more" if more > 0 else "")
    return f"{_WORDS[change]}: {shown}"


def _sentence(text: str) -> str:
    text = text[:1].upper() + text[1:]
    return text if text.endswith(".") else f"{text}."


def answer_data(trial: KeyTrial) -> dict[str, Any]:
    """The answer as it is sent to the browser."""
    return {
        "n": trial.request.number,
        "task": trial.request.task_id,
        "asked": trial.request.text,
        "text": trial.text,
        "edited": bool(trial.request.edit),
        "error": trial.error,
        "sentence": trial.sentence,
        "flips": list(trial.flips),
        "differs": trial.differs,
    }
