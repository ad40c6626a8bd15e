"""Edits of a key that a group of outputs suggests, each one press away."""

from __future__ import annotations

import json
from dataclasses import dataclass

from audit_app.domain.benchmark import KeyKind, Task
from audit_app.domain.record import Json
from audit_app.errors import InputError
from audit_app.scoring.grade import Grade
from audit_app.scoring.key_edits import (
    AcceptValue,
    KeyEdit,
    MakeOmissible,
    Path,
    apply_edit,
    argument_path,
)
from audit_app.scoring.key_shapes import read_proposed_key
from audit_app.services.call_diff import Deciding
from audit_app.services.key_layout import key_layout

_SHOWN = 28
_LONGEST = 2_000


@dataclass(frozen=True)
class KeyOffer:
    """An edit with the words on its button.

    Attributes:
        label: What it does.
        edit: The edit.
    """

    label: str
    edit: AcceptValue | MakeOmissible

    @property
    def text(self) -> str:
        """The edit as text that a browser carries without reading it."""
        path = list(self.edit.path)
        if isinstance(self.edit, AcceptValue):
            return json.dumps({"accept": path, "value": self.edit.value}, ensure_ascii=False)
        return json.dumps({"omit": path}, ensure_ascii=False)


def key_offers(task: Task, grade: Grade, deciding: Deciding | None) -> tuple[KeyOffer, ...]:
    """Edits of the task's key that fit its shape, for the point at which a verdict fell."""
    if grade.passed:
        return ()
    if task.key_kind is KeyKind.VALUE:
        given = grade.decision.given if grade.decision is not None else None
        offers = [_accept((), given)] if isinstance(given, str | int | float) else []
    elif task.key_kind is KeyKind.CALLS and deciding is not None:
        offers = _of_argument(task.key, deciding)
    else:
        offers = []
    return tuple(offer for offer in offers if _fits(task, offer))


def _of_argument(key: Json, deciding: Deciding) -> list[KeyOffer]:
    if deciding.argument is None:
        return []
    try:
        path = argument_path(key, deciding.place + 1, deciding.argument)
    except InputError:
        return []
    if deciding.could_omit and deciding.field is None:
        return [KeyOffer(f"{deciding.argument} may be omitted", MakeOmissible(path))]
    if not deciding.is_given:
        return []
    inner = _field_path(key, path, deciding.field)
    return [] if inner is None else [_accept(inner, deciding.given)]


def _field_path(key: Json, path: Path, field: str | None) -> Path | None:
    """Path of a field's accepted values where the argument has one alternative that is a dict."""
    if field is None:
        return path
    values = key
    for step in path:
        values = values[step]
    places = [i for i, v in enumerate(values) if isinstance(v, dict) and field in v]
    return (*path, places[0], field) if len(places) == 1 else None


def _accept(path: Path, value: Json) -> KeyOffer:
    shown = json.dumps(value, ensure_ascii=False)
    short = shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN]}…"
    return KeyOffer(f"Accept {short}", AcceptValue(path, value))


def _fits(task: Task, offer: KeyOffer) -> bool:
    if len(offer.text) > _LONGEST:
        return False
    try:
        apply_edit(task.key_kind, task.key, offer.edit)
    except InputError:
        return False
    return True


def edited_text(task: Task, text: str, edit: str) -> str:
    """A proposed key's text after an offered edit.

    Args:
        task: The task.
        text: The text so far; empty to start from the published key.
        edit: The edit, as `KeyOffer.text`.

    Raises:
        InputError: The text is no key, or the edit does not fit it.
    """
    kind, key = task.key_kind, task.key
    if text.strip():
        kind, key = read_proposed_key(text, kind, published=key)
    return key_layout(apply_edit(kind, key, _read_edit(edit)).key)


def _read_edit(text: str) -> KeyEdit:
    try:
        data = json.loads(text)
        path = tuple(data["omit"] if "omit" in data else data["accept"])
        value = data.get("value")
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise InputError("this is no edit of a key") from error
    if not all(isinstance(step, str | int) for step in path):
        raise InputError("this is no edit of a key")
    return MakeOmissible(path) if "omit" in data else AcceptValue(path, value)
