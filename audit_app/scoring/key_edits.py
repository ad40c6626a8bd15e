"""Edits of answer keys: what a reviewer proposes, applied to the published key.

Keys are never changed in place; an edit gives a new one.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import msgspec

from audit_app.domain.benchmark import KeyKind, encode
from audit_app.domain.record import Json
from audit_app.errors import InputError
from audit_app.scoring.key_shapes import ReadKey, json_type, read_proposed_key, shown

OMITTED = ""
"""The accepted value that says: this argument may be left out."""

_content = msgspec.json.Encoder(order="sorted").encode
"""Bytes that are equal for keys that differ in nothing but the order of an object's members."""

Path: TypeAlias = tuple[str | int, ...]
"""Member names and positions from 0, from the key's root to a list of accepted values."""


@dataclass(frozen=True)
class AcceptValue:
    """Accept one more value.

    Attributes:
        path: The list of accepted values; empty for keys that are one list or one value.
        value: What is to be accepted besides.
    """

    path: Path
    value: Json


@dataclass(frozen=True)
class MakeOmissible:
    """Let an argument be left out.

    Attributes:
        path: Its list of accepted values.
    """

    path: Path


@dataclass(frozen=True)
class ReplaceKey:
    """Put another key in the place of the published one.

    Attributes:
        text: Its JSON text.
    """

    text: str


@dataclass(frozen=True)
class DropTask:
    """Take the task out of the count: it is defective, and no key for it is proposed.

    Attributes:
        reason: Why, in a few words.
    """

    reason: str = "no key is proposed"


KeyEdit: TypeAlias = AcceptValue | MakeOmissible | ReplaceKey | DropTask


class EditedKey(NamedTuple):
    """What an edit makes of a key.

    Attributes:
        kind: How the new key is read; differs from the task's own where it is relabelled.
        key: The new key.
        dropped: Whether the task is out of the count; ``kind`` and ``key`` are then unchanged.
    """

    kind: KeyKind
    key: Json
    dropped: bool = False


def apply_edit(kind: KeyKind, key: Json, edit: KeyEdit) -> EditedKey:
    """The key after one edit.

    Raises:
        InputError: The edit does not fit the key; the sentence says where.
    """
    match edit:
        case DropTask():
            return EditedKey(kind, key, dropped=True)
        case ReplaceKey(text):
            return EditedKey(*read_proposed_key(text, kind, published=key))
        case MakeOmissible(path):
            if kind is not KeyKind.CALLS:
                raise InputError("only an argument of a call can be made omissible")
            return EditedKey(kind, _with_value(kind, key, path, OMITTED))
        case AcceptValue(path, value):
            return EditedKey(kind, _with_value(kind, key, path, value))


def settle_proposals(kind: KeyKind, key: Json, proposals: Sequence[str | None]) -> KeyEdit:
    """What the confirmed findings of one defective task ask for.

    Args:
        kind: How the published key is read.
        key: The published key.
        proposals: The proposed key of each confirmed finding, None where it has none.

    Returns:
        The one key that is proposed, else ``DropTask`` with the reason: none is, they differ, or
        it is the published key itself.

    Raises:
        InputError: A proposed key cannot be used.
    """
    texts = [text for text in proposals if text is not None]
    read: dict[bytes, str] = {}
    for text in texts:
        proposed = read_proposed_key(text, kind, published=key)
        read.setdefault(_content(proposed), text)
    if not read:
        return DropTask()
    if len(read) > 1:
        return DropTask(f"its findings propose {len(read)} different keys")
    if _content(ReadKey(kind, key)) in read:
        return DropTask("the proposed key equals the published one")
    return ReplaceKey(next(iter(read.values())))


def argument_path(key: Json, call: int, argument: str) -> Path:
    """Path of the accepted values of an argument.

    Args:
        key: A key of calls.
        call: Number of the call, from 1.
        argument: Its name.

    Raises:
        InputError: There is no such call or argument.
    """
    if not isinstance(key, list) or not 1 <= call <= len(key):
        raise InputError(f"the key has no call {call}")
    for function, arguments in key[call - 1].items():
        if isinstance(arguments, dict) and argument in arguments:
            return (call - 1, function, argument)
    raise InputError(f"call {call} has no argument {argument!r}")


def _with_value(kind: KeyKind, key: Json, path: Path, value: Json) -> Json:
    if kind not in (KeyKind.CALLS, KeyKind.TEXTS, KeyKind.VALUE):
        raise InputError(f"a key of kind {kind} lists no accepted values; replace the key")
    if kind is KeyKind.TEXTS and not (isinstance(value, str) and value.strip()):
        raise InputError(f"{shown(value)} is not a text that an answer could hold")
    new = deepcopy(key)
    if kind is KeyKind.VALUE and not path and not isinstance(new, list):
        new = [new]
    accepted = _at(new, path)
    if not isinstance(accepted, list) or (kind is KeyKind.CALLS and len(path) < 3):
        raise InputError(
            f"{_place(path)} is {json_type(accepted)}, not a list of accepted values"
            if not isinstance(accepted, list)
            else f"{_place(path)} is not a list of accepted values"
        )
    if any(encode(value) == encode(known) for known in accepted):
        raise InputError(f"{_place(path)} accepts {shown(value)} already")
    accepted.append(value)
    return new


def _at(key: Json, path: Path) -> Json:
    value = key
    for depth, step in enumerate(path, start=1):
        is_there = (
            0 <= step < len(value)
            if isinstance(value, list) and isinstance(step, int)
            else isinstance(value, dict) and step in value
        )
        if not is_there:
            raise InputError(f"the key has no {_place(path[:depth])}")
        value = value[step]
    return value


def _place(path: Path) -> str:
    if not path:
        return "the key"
    words = [f"call {path[0] + 1}" if isinstance(path[0], int) else str(path[0])]
    words += [f"item {step + 1}" if isinstance(step, int) else str(step) for step in path[1:]]
    return ", ".join(words)
