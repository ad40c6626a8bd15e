from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from audit_app.domain.benchmark import Entry
from audit_app.ui.rendering import RenderedTask, render_task
from tests.browser import desk_cases
from tests.browser.bfcl_views import sample_views
from tests.ui.rendering.markup import Markup, text_of

PARTS = [
    "div",
    "p",
    "mark",
    "span",
    "b",
    "bdi",
    "br",
    "code",
    "a",
    "h2",
    "kbd",
    "button",
    "article",
]
FOLDS_AND_LISTS = ["details", "summary", "ul", "li"]
TABLES = ["table", "caption", "thead", "tbody", "tr", "th", "td"]
OWN_TAGS = frozenset([*PARTS, *FOLDS_AND_LISTS, *TABLES])


def html_of(rendered: RenderedTask) -> str:
    return rendered.left + rendered.right


def shown(task_id: str) -> str:
    view = next(view for view in desk_cases.kinds() if view.task.id == task_id)
    return text_of(html_of(render_task(view)))


def test_hostile_text_adds_no_tag_and_no_attribute() -> None:
    seen = Markup(html_of(render_task(desk_cases.hostile())))
    assert seen.tags <= OWN_TAGS
    assert not [name for name, _ in seen.attributes if name.startswith("on")]
    assert not [value for name, value in seen.attributes if name in ("href", "src", "style")]
    assert desk_cases.HOSTILE in seen.text


@pytest.mark.parametrize(
    ("task_id", "sentences"),
    [
        pytest.param(
            "turns/miss_func",
            [
                "Withheld until this turn: sort",
                "the runner inserts one that says more functions are available",
                "no call listed, so this turn is not graded",
                "mkdir(dir_name='seeds')",
                "Start state, Files",
                "Listed as excluded: cp",
                "Files 2 tools",
                "No output for this task.",
            ],
            id="turns",
        ),
        pytest.param(
            "memory_3-customer-3",
            ["Port Lund", "I always sail from Lund.", "First order", "scenario customer"],
            id="memory",
        ),
        pytest.param(
            "web_search_9",
            ["Recorded hops 2", "Dearest tea", "https://example.org/a", "javascript:alert(1)"],
            id="web search",
        ),
        pytest.param("choice 1", ["2 models, 2 answers: 1 pass, 1 fail"], id="choices"),
        pytest.param("missing/1", ["Evidence missing:", "no key: evidence missing"], id="no key"),
    ],
)
def test_a_task_shows_what_its_kind_needs(task_id: str, sentences: list[str]) -> None:
    text = shown(task_id)
    assert [sentence for sentence in sentences if sentence not in text] == []


def test_only_web_sources_are_links() -> None:
    view = next(view for view in desk_cases.kinds() if view.task.id == "web_search_9")
    links = [v for n, v in Markup(html_of(render_task(view))).attributes if n == "href"]
    assert links == ["https://example.org/a"]


def test_fields_without_a_place_are_folded_not_dropped() -> None:
    view = desk_cases.plain(1)
    task = msgspec.structs.replace(view.task, context={"odd field": {"deep": "value"}})
    text = text_of(render_task(replace(view, task=task)).left)
    assert "1 further field" in text
    assert '"deep": "value"' in text


@pytest.mark.parametrize(
    ("entries", "words"),
    [
        pytest.param((Entry("plain/001", 0.5),), "Feeds one scored entry, 0.5000", id="its own"),
        pytest.param((Entry("a", 0.1), Entry("b", 0.1)), "Feeds 2 scored entries: a, b", id="two"),
        pytest.param((Entry("a", 0.0),), "shown but not counted", id="weight 0"),
        pytest.param((Entry("a"), Entry("b")), "Feeds 2 scored entries: a, b.", id="no weights"),
    ],
)
def test_the_entries_that_a_key_feeds_are_named(entries: tuple[Entry, ...], words: str) -> None:
    text = text_of(render_task(replace(desk_cases.plain(1), entries=entries)).left)
    assert words in text


def test_a_huge_task_is_sent_in_part_quickly_and_in_full_on_demand() -> None:
    view = desk_cases.long(1, characters=10_000_000)
    start = time.perf_counter()
    short = render_task(view)
    assert time.perf_counter() - start < 0.5
    assert len(html_of(short)) < 300_000
    assert "Show all 2,000,000 characters" in text_of(short.left)
    assert len(render_task(view, full=True).left) > 2_000_000


def test_nothing_is_left_out_once_all_was_asked_for() -> None:
    view = desk_cases.long(1)
    task = msgspec.structs.replace(
        view.task, fields={"as_of": "x" * 3_000}, context={"notes": "y" * 30_000}
    )
    tool = {"name": "t" * 900, "description": "z" * 30_000, "parameters": {}}
    view = replace(view, task=msgspec.structs.replace(task, tools=(tool,)))
    assert "data-full" in render_task(view).left
    assert "data-full" in render_task(view).right
    assert "data-full" not in html_of(render_task(view, full=True))
    assert render_task(view) == render_task(view)


def test_the_digest_follows_the_content() -> None:
    view = desk_cases.plain(1)
    assert render_task(view).digest == render_task(view).digest
    assert render_task(view).digest != render_task(replace(view, groups=())).digest


def test_real_tasks_of_every_category_render(bfcl_v4: Path) -> None:
    views = sample_views(bfcl_v4)
    for view in views:
        rendered = render_task(view)
        seen = Markup(html_of(rendered))
        assert seen.tags <= OWN_TAGS, view.task.id
        assert len(html_of(rendered)) < 300_000, view.task.id
    assert len(views) >= 10
