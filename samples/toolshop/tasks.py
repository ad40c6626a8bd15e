"""Tasks: shapes filled in, keys made, defects planted, ids given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import TypeAlias

from samples.toolshop.calls import Call, Wish, complete_key, first_call, parse_call, render
from samples.toolshop.dice import rank
from samples.toolshop.source import (
    CallKey,
    Category,
    Defect,
    Mechanism,
    Scalar,
    Shape,
    Tool,
    Value,
    load_mechanisms,
    load_shapes,
    load_tools,
)

Answer: TypeAlias = list[Call] | str
"""What a model says: calls, or prose."""

_SCORER_FAULTS = ("G2",)
"""Causes that no other key would mend: the corrected key is left empty."""


@dataclass(frozen=True)
class Task:
    """One task with everything that its published record must not tell.

    Attributes:
        id: Category and running number.
        category: Its category.
        prompt: What the user says.
        as_of: The day on which it is asked, or None.
        tools: The tools offered, in the order of the record.
        key: The published key; None for "call nothing".
        wishes: The calls that are right; empty where none is.
        true_key: The key that should stand; None where none can or nothing is to be called.
        defect: The planted defect, or None.
        mechanism: The mechanism of the defect, or None.
        right: A right answer; for a defect with effect FN, one that fails.
        lure: A wrong answer that the published key lets pass, or None.
        tempt: A wrong call where nothing is to be called.
        other: Id of a sibling of the same shape, or an empty string.
    """

    id: str
    category: Category
    prompt: str
    as_of: str | None
    tools: Mapping[str, Tool]
    key: list[CallKey] | None
    wishes: tuple[Wish, ...]
    true_key: list[CallKey] | None
    defect: Defect | None
    mechanism: Mechanism | None
    right: Answer
    lure: Answer | None
    tempt: list[Call]
    other: str

    def record(self) -> dict[str, object]:
        """The published record: one line of ``tasks.jsonl``."""
        as_of = {} if self.as_of is None else {"as_of": self.as_of}
        return {
            "id": self.id,
            "category": self.category.value,
            "group": self.category.value,
            "prompt": self.prompt,
            **as_of,
            "tools": [tool.document() for tool in self.tools.values()],
            "key": self.key,
            "key_kind": "no_call" if self.key is None else "calls",
            "scorer": "bfcl-irrelevance" if self.key is None else "bfcl-ast",
        }

    @property
    def effects(self) -> tuple[str, ...]:
        """Effects of the planted defect; empty for a sound task."""
        if self.defect is None or self.mechanism is None:
            return ()
        return tuple(self.defect.effects or self.mechanism.effects)

    def sheet_line(self) -> dict[str, object] | None:
        """Its line of the answer sheet; None for a sound task."""
        if self.defect is None or self.mechanism is None:
            return None
        abstain = self.defect.corrected == "no_call"
        kind = "no_call" if abstain else None if self.true_key is None else "calls"
        fails = self.right if "FN" in self.effects else None
        return {
            "task_id": self.id,
            "mechanism": self.defect.mechanism,
            "cause": self.mechanism.cause,
            "effects": list(self.effects),
            "severity": self.mechanism.severity,
            "explanation": self.defect.why.replace("{other}", self.other),
            "corrected_key_kind": kind,
            "corrected_key": self.true_key,
            "right_answer_that_fails": None if fails is None else answer_text(fails),
            "wrong_answer_that_passes": None if self.lure is None else answer_text(self.lure),
        }


def answer_text(answer: Answer) -> str:
    """An answer as the text of an output."""
    return answer if isinstance(answer, str) else render(answer)


def build_tasks() -> list[Task]:
    """All tasks in the order of the file: by category, then by number."""
    tools, mechanisms = load_tools(), load_mechanisms()
    return [
        task
        for category in Category
        for task in _build_category(category, load_shapes(category), tools, mechanisms)
    ]


def _build_category(
    category: Category,
    shapes: Sequence[Shape],
    tools: Mapping[str, Tool],
    mechanisms: Mapping[str, Mechanism],
) -> list[Task]:
    """Tasks of a category; numbers follow a hash, so that neighbours are not siblings."""
    cells = [(shape, row) for shape in shapes for row in range(len(shape.rows))]
    cells.sort(key=lambda cell: rank("order", cell[0].name, cell[1]))
    ids = {
        (shape.name, row): f"{category}_{number:03d}"
        for number, (shape, row) in enumerate(cells, start=1)
    }
    tasks = []
    for shape, row in cells:
        others = [i for (name, r), i in ids.items() if name == shape.name and r != row]
        identity = (ids[shape.name, row], others[0] if others else "")
        tasks.append(_build(identity, category, (shape, row), (tools, mechanisms)))
    return tasks


def _build(
    identity: tuple[str, str],
    category: Category,
    cell: tuple[Shape, int],
    catalogue: tuple[Mapping[str, Tool], Mapping[str, Mechanism]],
) -> Task:
    (shape, row), (tools, mechanisms) = cell, catalogue
    slots = shape.rows[row]
    wishes = tuple(parse_call(text.format_map(slots)) for text in shape.calls)
    defect = shape.defect if shape.defect is not None and shape.defect.row == row else None
    mechanism = None if defect is None else mechanisms[defect.mechanism]
    true_key = complete_key(wishes, tools) if wishes else None
    mended = mechanism is None or mechanism.cause not in _SCORER_FAULTS
    return Task(
        id=identity[0],
        category=category,
        prompt=shape.prompt.format_map({name: _spoken(slot) for name, slot in slots.items()}),
        as_of=shape.as_of,
        tools=_offered(shape, wishes, tools),
        key=None if category is Category.NO_CALL else _published(true_key, defect, tools),
        wishes=wishes,
        true_key=true_key if mended else None,
        defect=defect,
        mechanism=mechanism,
        right=_right(wishes, defect),
        lure=None if defect is None or defect.lure is None else _calls(defect.lure),
        tempt=_calls(shape.tempt),
        other=identity[1],
    )


def _spoken(slot: Scalar) -> Scalar:
    """A slot as a person writes it: 25 kilos, not 25.0."""
    return int(slot) if isinstance(slot, float) and slot.is_integer() else slot


def _offered(shape: Shape, wishes: Sequence[Wish], tools: Mapping[str, Tool]) -> dict[str, Tool]:
    names = {*(wish.function for wish in wishes), *shape.beside, *shape.offer}
    if shape.defect is not None:
        names |= {parse_call(text).function for text in shape.defect.publish or []}
    return {n: tools[n] for n in sorted(names, key=lambda n: rank("tools", shape.name, n))}


def _published(
    true_key: list[CallKey] | None, defect: Defect | None, tools: Mapping[str, Tool]
) -> list[CallKey]:
    """The key as it is published: the right one, with the defect worked in."""
    if defect is not None and defect.publish is not None:
        key = complete_key([parse_call(text) for text in defect.publish], tools)
    else:
        key = deepcopy(true_key or [])
    for place, values in ({} if defect is None else defect.patch).items():
        accepted, argument = _argument(key, place)
        accepted[argument] = values
    for place in [] if defect is None else defect.drop:
        accepted, argument = _argument(key, place)
        del accepted[argument]
    return key


def _argument(key: Sequence[CallKey], place: str) -> tuple[dict[str, list[Value]], str]:
    number, _, argument = place.partition(".")
    (accepted,) = key[int(number)].values()
    return accepted, argument


def _calls(texts: Sequence[str]) -> list[Call]:
    return [first_call(parse_call(text)) for text in texts]


def _right(wishes: Sequence[Wish], defect: Defect | None) -> Answer:
    if defect is not None and isinstance(defect.right, str):
        return defect.right
    if defect is not None and defect.right is not None:
        return _calls(defect.right)
    return [first_call(wish) for wish in wishes]
