from __future__ import annotations

import pytest

from audit_app.ui.rendering import render_prose, render_task
from audit_app.ui.rendering.prose import prompts_as_prose, said
from tests.browser import desk_cases


def prose(text: str, role: str = "user") -> str:
    with prompts_as_prose():
        return said(role, text)


@pytest.mark.parametrize(
    ("text", "html"),
    [
        pytest.param("**a** and `b`", "<strong>a</strong> and <code>b</code>", id="emphasis"),
        pytest.param("# One", '<p class="md-h1">One</p>', id="a heading is no heading of the page"),
        pytest.param("<b onclick=x>", "&lt;b onclick=x&gt;", id="HTML stays text"),
        pytest.param(
            "[here](https://x.org/a)",
            '<span class="md-link">here (https://x.org/a)</span>',
            id="a link is text",
        ),
        pytest.param("<https://x.org>", '<span class="md-link">https://x.org</span>', id="auto"),
        pytest.param("[a](javascript:alert(1))", "[a](javascript:alert(1))", id="odd scheme"),
        pytest.param("![cat](http://x.org/c.png)", "[image: cat, http://x.org/c.png]", id="image"),
        pytest.param("```js\n<x>\n```", '<div class="pre">&lt;x&gt;\n</div>', id="a listing"),
        pytest.param("a\u202eb", "U+202E", id="invisible characters show"),
        pytest.param("|a|\n|:-:|\n|b|", "<th>a</th>", id="a table without style"),
    ],
)
def test_r46_markdown_is_shown_without_links_images_or_html(text: str, html: str) -> None:
    shown = prose(text)
    assert html in shown
    assert "<img" not in shown
    assert "<a" not in shown
    assert "href" not in shown


def test_r46_prompts_are_literal_by_default_and_answers_always() -> None:
    assert "**a**" in said("user", "**a**")
    assert "**a**" in prose("**a**", "assistant")
    assert "<strong>" in prose("**a**", "System")


def test_a_very_long_prompt_stays_literal() -> None:
    assert "<strong>" not in prose("**a**" + "x" * 20_000)


def test_r46_only_the_prompts_of_a_task_become_markdown() -> None:
    view = desk_cases.hostile()
    assert "<strong>bold</strong>" in render_prose(view)
    assert "<strong>" not in render_task(view).left
    assert render_prose(view).count("<strong>") == 2  # the system's and the user's turn
    assert "<img" not in render_prose(view)
