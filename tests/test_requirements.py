"""Every requirement on reviewing, alone and in a team, has a test that names it.

A test names a requirement in its name (``test_r09_…``, ``test_r11_r42_…``) or its docstring
(``R18``). Each test of the table was seen to fail with the behaviour taken out.
"""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

TESTS = Path(__file__).parent


class Requirement(NamedTuple):
    """What is asked, and a test that fails without it.

    Attributes:
        asks: It, in a few words.
        file: The test's file, below the folder of tests.
        test: Its name.
    """

    asks: str
    file: str
    test: str


_DESK, _ON_BFCL = "browser/test_review_desk.py", "browser/test_desk_bfcl.py"
_KEYS, _FILTERS = "browser/test_desk_keys.py", "browser/test_desk_filters.py"
_QUEUE, _AT_ONCE = "services/test_team_queue.py", "services/test_team_processes.py"
_AGREEMENT, _CASES = "unit/stats/test_agreement.py", "services/test_adjudication.py"

REQUIREMENTS = {
    "R01": Requirement(
        "killed after each save, the app has every judgement, none half written",
        _AT_ONCE,
        "test_r01_a_kill_after_each_of_50_saves_loses_none_and_leaves_none_half_written",
    ),
    "R02": Requirement(
        "a draft is on disk: it outlives a dropped connection and a fresh browser",
        _ON_BFCL,
        "test_r02_r03_draft_filter_and_place_come_back",
    ),
    "R03": Requirement(
        "tags, note, filter and place are as they were after a visit to another page",
        _ON_BFCL,
        "test_r02_r03_draft_filter_and_place_come_back",
    ),
    "R04": Requirement(
        "every edit sticks, whatever runs meanwhile",
        _DESK,
        "test_r04_a_rerun_keeps_text_focus_and_scroll",
    ),
    "R05": Requirement(
        "text still in the note box is saved by any save",
        _DESK,
        "test_r05_r38_typing_in_a_note_files_nothing_and_ctrl_enter_saves_what_was_not_blurred",
    ),
    "R06": Requirement(
        "a judgement is on disk before the next task is drawn",
        _QUEUE,
        "test_r06_a_judgement_is_durable_before_the_next_task_is_drawn",
    ),
    "R07": Requirement(
        "a failed save is said, keeps the input and does not go on",
        _DESK,
        "test_r07_a_failed_save_says_so_and_gives_the_input_back",
    ),
    "R08": Requirement(
        "the app says where the data lie, and warns of a temporary place",
        "services/test_location.py",
        "test_r08_a_temporary_place_is_known",
    ),
    "R09": Requirement(
        "two people who ask at once get different tasks",
        _AT_ONCE,
        "test_r09_two_people_who_ask_at_the_same_moment_100_times_never_get_the_same_task",
    ),
    "R10": Requirement(
        "a closed tab holds a task no longer than its lease",
        _QUEUE,
        "test_r10_a_closed_tab_holds_a_task_no_longer_than_the_lease",
    ),
    "R11": Requirement(
        "nothing is said to be left only where it is true, with counts",
        _DESK,
        "test_r11_the_end_says_what_is_left",
    ),
    "R12": Requirement(
        "eight writers at once lose nothing and are never locked out",
        _AT_ONCE,
        "test_r12_eight_writers_with_100_saves_each_store_800_reviews",
    ),
    "R13": Requirement(
        "two people may choose the same tag on the same task",
        _QUEUE,
        "test_r13_two_people_may_choose_the_same_tag_on_the_same_task",
    ),
    "R14": Requirement(
        "the number of reviews per task is kept where they are written",
        _AT_ONCE,
        "test_r14_of_ten_who_save_the_same_task_at_once_only_so_many_get_through",
    ),
    "R15": Requirement(
        "a save lands on the task it was made on",
        _QUEUE,
        "test_r15_a_late_or_doubled_click_lands_on_the_task_it_was_made_for",
    ),
    "R16": Requirement(
        "a second reviewer gets the same queue without being added",
        _QUEUE,
        "test_r16_a_second_reviewer_gets_tasks_at_once_and_the_same_desk",
    ),
    "R17": Requirement(
        "before I judged a task nothing shows what others said of it",
        "services/test_blindness.py",
        "test_r17_what_others_said_of_a_task_shows_nowhere_before_one_judged_it",
    ),
    "R18": Requirement(
        "differing reviews of two are cases, identical ones accepted in one action",
        _CASES,
        "test_r18_only_tasks_with_two_reviews_are_cases",
    ),
    "R19": Requirement(
        "the adjudicator's decision enters no agreement figure",
        _CASES,
        "test_two_reviewers_and_an_adjudicator_go_through_50_tasks",
    ),
    "R20": Requirement(
        "a review is sent back with a reason, and its first verdict kept",
        _QUEUE,
        "test_r20_a_task_sent_back_comes_with_its_reason_and_the_first_verdict_is_kept",
    ),
    "R21": Requirement(
        "agreement by tag and overall, on screen and in the export",
        "services/test_agreement.py",
        "test_r21_there_is_a_row_for_each_tag_that_is_used",
    ),
    "R22": Requirement(
        "kappa and alpha that are not defined say why",
        _AGREEMENT,
        "test_r22_one_value_used_leaves_raw_agreement_and_no_coefficient",
    ),
    "R23": Requirement(
        "without shared tasks there is no overlap, not agreement",
        _AGREEMENT,
        "test_r23_without_a_shared_task_there_is_no_overlap",
    ),
    "R24": Requirement(
        "distinct tags are never merged",
        _AGREEMENT,
        "test_r24_distinct_values_are_never_merged",
    ),
    "R37": Requirement(
        "no two actions share a key; a clash is refused at the start",
        "ui/test_keys.py",
        "test_r37_a_clash_is_refused_by_name",
    ),
    "R38": Requirement(
        "keys do nothing while one types, but for save, draft and leave",
        _DESK,
        "test_r05_r38_typing_in_a_note_files_nothing_and_ctrl_enter_saves_what_was_not_blurred",
    ),
    "R39": Requirement(
        "one key saves and shows the next task",
        _ON_BFCL,
        "test_r39_twenty_clean_tasks_take_twenty_keys_and_a_defect_six",
    ),
    "R40": Requirement(
        "each control shows its key, and every documented key works",
        _KEYS,
        "test_r40_every_documented_key_works",
    ),
    "R41": Requirement(
        "the next tasks are read ahead, large ones too",
        _ON_BFCL,
        "test_r15_r41_two_hundred_presses_make_two_hundred_judgements_of_what_was_on_screen",
    ),
    "R42": Requirement(
        "done and left always add up",
        "services/test_team_left.py",
        "test_r11_r42_what_is_left_always_adds_up_and_is_true",
    ),
    "R43": Requirement(
        "finished tasks and skips can be gone back to and taken back",
        _DESK,
        "test_r43_undo_goes_back_step_by_step",
    ),
    "R44": Requirement(
        "filters find tasks and never change the sample",
        _FILTERS,
        "test_r44_a_filter_decides_where_to_move_and_never_what_is_counted",
    ),
    "R45": Requirement(
        "two models side by side, and where one is right and the other wrong",
        _FILTERS,
        "test_r45_a_right_b_wrong_marks_their_groups_and_brings_them_to_the_top",
    ),
    "R46": Requirement(
        "foreign text is shown literally",
        _DESK,
        "test_r46_hostile_text_is_shown_and_does_nothing",
    ),
    "R47": Requirement(
        "the scorer's reason is shown on passes too, and not parsed is not wrong",
        "ui/rendering/test_outputs.py",
        "test_a_group_carries_one_word_and_says_why",
    ),
    "R48": Requirement(
        "a huge task opens",
        "ui/rendering/test_large_tasks.py",
        "test_r48_a_huge_task_is_cut_with_counts_and_whole_on_demand",
    ),
}
_IN_NAME, _IN_TEXT = re.compile(r"(?<=_)r(\d\d)(?=_)"), re.compile(r"\bR(\d\d)\b")


@cache
def _named(file: str) -> dict[str, set[str]]:
    """Name of each test of a file → the requirements that it names."""
    found: dict[str, set[str]] = {}
    for node in ast.walk(ast.parse((TESTS / file).read_text("utf-8"))):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            text = ast.get_docstring(node) or ""
            numbers = _IN_NAME.findall(node.name) + _IN_TEXT.findall(text)
            found[node.name] = {f"R{number}" for number in numbers}
    return found


def test_no_requirement_is_left_out() -> None:
    assert list(REQUIREMENTS) == [f"R{number:02}" for number in (*range(1, 25), *range(37, 49))]


@pytest.mark.parametrize("number", REQUIREMENTS)
def test_the_test_of_a_requirement_is_there_and_names_it(number: str) -> None:
    wanted = REQUIREMENTS[number]
    named = _named(wanted.file).get(wanted.test, set())
    assert number in named, f"{wanted.file}: no {wanted.test} names {number}: {wanted.asks}"
