"""What differs between the generations of BFCL's files, behind one value; v4 as it stands."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from audit_app.importers.bfcl_layout import CATEGORIES, IGNORED, PREFIX, RULES, Category
from audit_app.importers.bfcl_task import checked_key

JsonObject = dict[str, Any]


def _as_it_is(
    category: Category, question: JsonObject, key: JsonObject
) -> tuple[JsonObject, JsonObject]:
    return question, key


@dataclass(frozen=True)
class Layout:
    """One generation of the benchmark's files.

    Attributes:
        name: How people call it.
        rules: Its rule version.
        prefix: What its file names begin with.
        categories: Category by name.
        is_ignored: Whether a category is left alone on purpose: it has no tasks of its own, or
            none that files alone can grade.
        check_key: Refuses a key record that its category cannot have.
        shaped: A question and its key record in the shape of v4.
    """

    name: str
    rules: str
    prefix: str
    categories: Mapping[str, Category]
    is_ignored: Callable[[str], bool]
    check_key: Callable[[Category, JsonObject], None] = checked_key
    shaped: Callable[[Category, JsonObject, JsonObject], tuple[JsonObject, JsonObject]] = _as_it_is


V4 = Layout("v4", RULES, PREFIX, CATEGORIES, IGNORED.__contains__)
