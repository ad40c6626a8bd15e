"""The base of every validated value, and the JSON type."""

from __future__ import annotations

from typing import Any, TypeAlias

from pydantic import BaseModel, ConfigDict

Json: TypeAlias = Any
"""A value as JSON has it: None, bool, int, float, str, list or dict of the same."""


class Record(BaseModel):
    """An immutable value that refuses fields it does not know."""

    model_config = ConfigDict(frozen=True, extra="forbid")
