"""What a BFCL category is, and those of the v4 layout: their weights and their tool classes.

Only structure stands here. How many tasks a category has is counted in the files.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from audit_app.domain.benchmark import KeyKind
from audit_app.importers.content import SCORERS

RULES = "v4"
PREFIX = "BFCL_v4_"
SUFFIX = ".json"
KEY_FOLDER = "possible_answer"
TOOL_FOLDER = "multi_turn_func_doc"
CONVERSATION_FOLDER = "memory_prereq_conversation"
UNUSED_FOLDER = "unused_datasets"
IGNORED = frozenset({"format_sensitivity"})
"""Names further runs of tasks that other files hold; no tasks of its own, no weight."""


@dataclass(frozen=True)
class Category:
    """One question file of the benchmark.

    Attributes:
        name: What follows the prefix in the file's name.
        group: The class that audits are stratified by.
        section: The part of the leaderboard: non_live, live, multi_turn or agentic.
        key_kind: How its keys are read; decides whether there is a key file at all.
        points: Points of the overall score that the whole pool earns in one column; None where
            the benchmark defines no overall score over these categories.
        pool: Categories that share the points by number of tasks; usually just this one.
        columns: Entries of one task: words that replace ``name`` at the head of its id.
        language: Language of the calls, where the key holds calls.
        prefix: What its file names begin with.
    """

    name: str
    group: str
    section: Literal["non_live", "live", "multi_turn", "agentic"]
    key_kind: KeyKind
    points: float | None
    pool: str
    columns: tuple[str, ...] = ()
    language: str = ""
    prefix: str = PREFIX

    @property
    def scorer(self) -> str:
        """Name of the rule that grades it."""
        return SCORERS[self.key_kind]

    @property
    def has_key_file(self) -> bool:
        """Whether its keys stand in a file; otherwise the category itself is the key."""
        return self.key_kind not in (KeyKind.NO_CALL, KeyKind.SOME_CALL)

    @property
    def file_name(self) -> str:
        """Name of the question file, and of the key file in its own folder."""
        return f"{self.prefix}{self.name}{SUFFIX}"


def _calls(name: str, points: float, *, live: bool = False, language: str = "python") -> Category:
    section: Literal["live", "non_live"] = "live" if live else "non_live"
    pool = "live_ast" if live else name
    return Category(name, f"{section}_ast", section, KeyKind.CALLS, points, pool, (), language)


def _categories() -> tuple[Category, ...]:
    """Every category with its points of 100: the rules of the v4 scorer.

    Non-live 10: a mean of four, the first of which is a mean of three languages. Live 10: one
    pool. Irrelevance 10: a mean of two. Multi-turn 30: a mean of four. Agentic 40: web search
    (a mean of two columns) and memory (a mean of three) halve it.
    """
    no_call, turns, texts = KeyKind.NO_CALL, KeyKind.CALL_TURNS, KeyKind.TEXTS
    backends = ("memory_kv", "memory_vector", "memory_rec_sum")
    searches = ("web_search_base", "web_search_no_snippet")
    return (
        _calls("simple_python", 10 / 4 / 3),
        _calls("simple_java", 10 / 4 / 3, language="java"),
        _calls("simple_javascript", 10 / 4 / 3, language="javascript"),
        *(_calls(name, 10 / 4) for name in ("multiple", "parallel", "parallel_multiple")),
        Category("irrelevance", "irrelevance", "non_live", no_call, 10 / 2, "irrelevance"),
        *(
            _calls(f"live_{name}", 10, live=True)
            for name in ("simple", "multiple", "parallel", "parallel_multiple")
        ),
        Category("live_irrelevance", "irrelevance", "live", no_call, 10 / 2, "live_irrelevance"),
        Category(
            "live_relevance", "live_relevance", "live", KeyKind.SOME_CALL, 0, "live_relevance"
        ),
        *(
            Category(name, "multi_turn", "multi_turn", turns, 30 / 4, name)
            for name in (
                "multi_turn_base",
                "multi_turn_miss_func",
                "multi_turn_miss_param",
                "multi_turn_long_context",
            )
        ),
        Category("memory", "memory", "agentic", texts, 40 / 2 / 3, "memory", backends),
        Category("web_search", "web_search", "agentic", texts, 40 / 2 / 2, "web_search", searches),
    )


CATEGORIES = {category.name: category for category in _categories()}

TOOL_FILES = {
    "GorillaFileSystem": "gorilla_file_system",
    "MathAPI": "math_api",
    "MessageAPI": "message_api",
    "TwitterAPI": "posting_api",
    "TicketAPI": "ticket_api",
    "TradingBot": "trading_bot",
    "TravelAPI": "travel_booking",
    "VehicleControlAPI": "vehicle_control",
    "WebSearchAPI": "web_search",
    "MemoryAPI_kv": "memory_kv",
    "MemoryAPI_vector": "memory_vector",
    "MemoryAPI_rec_sum": "memory_rec_sum",
}
"""Class → file of its function documents, without the ending."""

BACKENDS = {"MemoryAPI": ("MemoryAPI_kv", "MemoryAPI_vector", "MemoryAPI_rec_sum")}
"""Placeholder class of the memory questions → the classes that stand in for it."""


def entry_ids(category: Category, task_id: str) -> tuple[str, ...]:
    """Ids of the scored entries that one key feeds."""
    if not category.columns:
        return (task_id,)
    rest = task_id.removeprefix(category.name)
    return tuple([f"{column}{rest}" for column in category.columns])
