"""Live answers on the page: by answer, under both keys, errors apart, nothing taken as proof."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from audit_app.domain.trials import CompletionStatus, TokenLogprob
from audit_app.ui.rendering.live_board import board, group_name
from audit_app.ui.rendering.live_counts import counts_table
from audit_app.ui.rendering.live_jobs import duration
from tests.ui.rendering.live_trials import answered, call, graded, job, trial
from tests.ui.rendering.markup import Markup, text_of


def test_r50_equal_answers_are_folded_with_their_count_and_both_grades() -> None:
    html = board(graded(answered("m", *[call("Mon")] * 3, call("Sunday"))))
    first, second = html.split("<article")[1:3]
    assert "3of 4" in text_of(first)
    assert re.search(r"published key\s*Fail.*proposed\s*Pass", text_of(first))
    assert "1of 4" in text_of(second)
    assert re.search(r"published key\s*Fail.*proposed\s*Fail", text_of(second))


def test_the_same_failure_has_the_same_mark() -> None:
    html = board(graded([*answered("m", call("Mon")), *answered("n", call("Sunday"))]))
    marks = re.findall(r"failure ([0-9a-f]{6})<", html)
    assert len(marks) == 2
    assert len(set(marks)) == 1
    assert not re.findall(r"failure ([0-9a-f]{6})<", board(graded(answered("m", call("Monday")))))


def test_r53_errors_stand_apart_and_are_no_wrong_answers() -> None:
    of = job()
    cut = trial(of, 2, None, CompletionStatus.CONNECTION, "the connection was cut")
    found = graded([(of, trial(of, 1, call("Monday"))), (of, cut)])
    answers, apart = board(found).split('class="apart"')
    assert answers.count("<article") == 1
    assert "Fail" not in text_of(answers)
    assert "1 trial: errors, never counted as wrong answers" in text_of(apart)
    assert "the connection was cut" in text_of(apart)
    assert "1 of 2" in text_of(counts_table(found))


@pytest.mark.parametrize(
    ("outputs", "says", "proves_not"),
    [
        pytest.param(["Mon"] * 3, "look at key and scorer first", "proves nothing", id="alike"),
        pytest.param(["Monday"] * 2, "Every graded trial passes", "no other right", id="solved"),
        pytest.param(["Monday", "Mon"], "Solved sometimes", "proves neither", id="mixed"),
    ],
)
def test_the_triage_says_where_to_look_and_what_it_does_not_prove(
    outputs: list[str], says: str, proves_not: str
) -> None:
    said = text_of(board(graded(answered("m", *map(call, outputs)))))
    assert says in said
    assert proves_not in said


def test_answers_that_cannot_be_read_send_to_the_tools_first() -> None:
    said = text_of(board(graded(answered("m", *["I would book Monday."] * 3))))
    assert "None of the answers could be read" in said


def test_what_a_model_says_is_shown_literally() -> None:
    evil = '<img src=x onerror="alert(1)">‮'
    page = Markup(board(graded(answered(evil, evil, call(evil)))))
    assert "img" not in page.tags
    assert "U+202E" in page.marks


def test_a_long_answer_is_cut_until_it_is_asked_for() -> None:
    found = graded(answered("m", "word " * 40_000))
    name = group_name(found.groups[0])
    assert f'data-name="{name}"' in board(found)
    assert "data-full" in board(found)
    assert len(board(found)) < 150_000
    assert len(board(found, whole={name})) > 200_000


def test_log_probabilities_show_once_they_are_asked_for() -> None:
    (of, plain), *_ = answered("m", call("Monday"))
    found = graded([(of, replace(plain, has_logprobs=True))])
    assert f'data-ask="logprobs:{plain.id}"' in board(found)
    token = TokenLogprob("<b>", -0.25, (("a", -0.25), ("b", -1.5)))
    shown = board(found, logprobs={plain.id: (token,)})
    assert "&lt;b&gt;" in shown
    assert "-0.25" in text_of(shown)


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.2, "1 s"), (89, "89 s"), (90, "2 min"), (3_600, "60 min"), (9_000, "2.5 h")],
)
def test_time_left_in_words(seconds: float, words: str) -> None:
    assert duration(seconds) == words
