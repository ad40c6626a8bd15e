"""The hand-written source of the benchmark: tools, task shapes and planted defects."""

from __future__ import annotations

import tomllib
from enum import StrEnum
from pathlib import Path
from typing import TypeAlias

import msgspec

Scalar: TypeAlias = str | int | float | bool
Value: TypeAlias = Scalar | list[Scalar]
CallKey: TypeAlias = dict[str, dict[str, list[Value]]]
"""One expected call: function name → argument → accepted values; "" means it may be left out."""

SOURCE = Path(__file__).parent / "source"


class Category(StrEnum):
    """The five categories, in the order of the files."""

    SINGLE = "single"
    """One tool, one call."""
    CHOOSE = "choose"
    """Several tools, one call."""
    PARALLEL = "parallel"
    """One tool, several calls."""
    MIXED = "mixed"
    """Several tools, several calls."""
    NO_CALL = "no_call"
    """No tool fits."""


class Property(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One argument in a tool's schema."""

    type: str
    description: str
    items: dict[str, str] | None = None
    enum: list[str] | None = None
    default: Scalar | None = None


class Tool(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One function document."""

    name: str
    description: str
    properties: dict[str, Property]
    required: list[str]

    def document(self) -> dict[str, object]:
        """The document in the layout of the published function-calling benchmarks."""
        properties = {k: msgspec.to_builtins(p) for k, p in self.properties.items()}
        parameters = {"type": "dict", "properties": properties, "required": self.required}
        return {"name": self.name, "description": self.description, "parameters": parameters}


class Mechanism(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One way in which a task can be wrong: cause, effects and severity it usually has."""

    cause: str
    effects: list[str]
    severity: int


class Defect(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A defect planted in one task.

    Attributes:
        mechanism: Name in ``mechanisms.toml``.
        why: The explanation for the answer sheet; ``{other}`` is the id of the sibling task.
        row: Which row of the shape has the defect.
        publish: Calls the published key is made of instead of the right ones.
        patch: ``"call.argument"`` → accepted values that the published key has there.
        drop: ``"call.argument"`` that the published key lacks.
        right: A right answer that fails; calls, or prose. Default: the first accepted values.
        lure: A wrong answer that passes; calls, or prose.
        corrected: ``"no_call"`` where the right key is that nothing is called.
        effects: Effects, where they are not the usual ones of the mechanism.
    """

    mechanism: str
    why: str
    row: int = 0
    publish: list[str] | None = None
    patch: dict[str, list[Value]] = {}
    drop: list[str] = []
    right: list[str] | str | None = None
    lure: list[str] | None = None
    corrected: str | None = None
    effects: list[str] | None = None


class Shape(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A prompt with slots, the calls it asks for, and one row of slot values per task.

    Attributes:
        name: Unique; decides the order of the tasks and never appears in them.
        prompt: Text with ``{slot}`` marks.
        calls: The right calls in the notation of ``calls.parse_call``; empty where none is right.
        beside: Tools offered beside the called ones (``with`` in the file).
        offer: Tools offered where ``calls`` is empty.
        tempt: A wrong call that a hasty model makes where nothing should be called.
        as_of: The day on which the question is asked.
    """

    name: str
    prompt: str
    calls: list[str] = []
    beside: list[str] = msgspec.field(default=[], name="with")
    offer: list[str] = []
    tempt: list[str] = []
    as_of: str | None = None
    rows: list[dict[str, Scalar]] = msgspec.field(default_factory=lambda: [{}])
    defect: Defect | None = None


class _ToolFile(msgspec.Struct):
    tool: list[Tool]


class _ShapeFile(msgspec.Struct):
    shape: list[Shape]


def _read(name: str) -> dict[str, object]:
    return tomllib.loads((SOURCE / f"{name}.toml").read_text(encoding="utf-8"))


def load_tools() -> dict[str, Tool]:
    """Every tool by its name."""
    return {tool.name: tool for tool in msgspec.convert(_read("tools"), _ToolFile).tool}


def load_mechanisms() -> dict[str, Mechanism]:
    """Every defect mechanism by its name."""
    return msgspec.convert(_read("mechanisms"), dict[str, Mechanism])


def load_shapes(category: Category) -> list[Shape]:
    """The task shapes of one category."""
    return msgspec.convert(_read(category.value), _ShapeFile).shape
