"""Planting checks: which tasks, on which word, once."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from audit_app.controls.known_clean import KnownClean
from audit_app.domain.team import TeamSettings
from audit_app.errors import ConflictError, InputError, NotFoundError
from audit_app.scoring.key_shapes import key_fault
from audit_app.services.audits import Preview
from audit_app.services.context import Services
from tests.services.planted_audits import (
    NAME,
    SEED,
    judge,
    of,
    share,
    toolshop_audit,
    toolshop_file,
)

ALONE = TeamSettings(planted_share=0.15)


def test_checks_are_outside_the_sample_and_of_the_share(services: Services) -> None:
    view = toolshop_audit(services, ALONE)
    planted = services.planted(NAME).plant(SEED)
    # 9 of 59 are 15.3 %; 5 damaged and 4 not.
    assert (len(of(planted, damaged=True)), len(of(planted, damaged=False))) == (5, 4)
    assert not {check.task_id for check in planted} & set(view.sample.task_ids)
    wide = services.audits.expand(NAME, reason="to see the wider draw")
    assert len(wide.sample.task_ids) == 100
    assert not {check.task_id for check in planted} & set(wide.sample.task_ids)
    assert {p.basis for p in planted} <= {f"all {n} models' outputs pass" for n in range(3, 7)}


def test_no_key_that_refuses_right_answers_is_taken_for_clean(services: Services) -> None:
    """The answer sheet is the independent witness of what agreement of all models can tell.

    It cannot tell a key that accepts too much: no right answer fails by it.
    """
    toolshop_audit(services, ALONE)
    lines = toolshop_file("answer_sheet.jsonl").read_text(encoding="utf-8").splitlines()
    narrow = {d["task_id"] for d in map(json.loads, lines) if "FN" in d["effects"]}
    assert len(narrow) > 20
    for name in ("b", "c", "d"):
        services.audits.create(name, "toolshop", _preview(services))
        share(services, TeamSettings(planted_share=0.2), name)
        planted = services.planted(name).plant(name)
        assert not {check.task_id for check in planted} & narrow


def _preview(services: Services) -> Preview:
    return services.audits.preview("toolshop", services.audits.view(NAME).audit.plan)


def test_the_same_seed_plants_the_same_and_another_does_not(services: Services) -> None:
    toolshop_audit(services, ALONE)
    first = services.planted(NAME).plant(SEED)
    again = [
        services.audits.create(name, "toolshop", _preview(services)).audit.name
        for name in ("again", "other")
    ]
    found = {}
    for name, seed in zip(again, (SEED, "another"), strict=True):
        share(services, ALONE, name)
        found[name] = services.planted(name).plant(seed)
    keys = {name: [(p.task_id, p.kind, p.key) for p in rows] for name, rows in found.items()}
    assert keys["again"] == [(p.task_id, p.kind, p.key) for p in first]
    assert keys["other"] != keys["again"]


def test_planting_is_done_once_sealed_and_only_where_it_is_asked_for(services: Services) -> None:
    toolshop_audit(services, TeamSettings())
    with pytest.raises(InputError, match="share of planted checks is 0; set it"):
        services.planted(NAME).plant(SEED)
    share(services, ALONE)
    planted = services.planted(NAME).plant(SEED)
    with pytest.raises(ConflictError, match="planted in 'shop' already"):
        services.planted(NAME).plant("another")
    assert services.verify().problems == ()
    db = sqlite3.connect(services.workspace.path)
    with pytest.raises(sqlite3.IntegrityError):
        db.execute("update planted_tasks set kind = 'clean' where id = ?", (planted[0].id,))
    db.close()


def test_tasks_that_the_operator_names_come_first(services: Services) -> None:
    view = toolshop_audit(services, ALONE)
    free = sorted(set(view.frame.members["choose"]) - set(view.sample.task_ids))
    with pytest.raises(NotFoundError, match=r"no task 'nowhere'; it is listed in clean\.txt"):
        services.planted(NAME).plant(SEED, [KnownClean("nowhere", "listed in clean.txt", 0)])
    listed = [KnownClean(task, "listed in clean.txt: solved by hand", 0) for task in free]
    planted = services.planted(NAME).plant(SEED, listed)
    named = {p.task_id for p in planted if p.basis == listed[0].basis}
    assert named == {p.task_id for p in planted if p.stratum == "choose"}


def test_tasks_that_another_audit_found_clean_are_used(services: Services) -> None:
    view = toolshop_audit(services, ALONE)
    judge(services, "ada", view.sample.task_ids)
    other = services.audits.preview(
        "toolshop", view.audit.plan.model_copy(update={"seed": "other", "widen_to": 50})
    )
    services.audits.create("second", "toolshop", other)
    share(services, ALONE, "second")
    bases = {p.basis for p in services.planted("second").plant(SEED)}
    assert bases == {"judged clean by ada in the audit shop"}


def test_published_keys_are_damaged_without_any_output(services: Services, bfcl_v4: Path) -> None:
    """The operator's word is enough; the key's own answers show the damage."""
    services.benchmarks.import_tasks("bfcl", bfcl_v4, name="bfcl")
    plan = services.audits.default_plan("bfcl")
    view = services.audits.create(NAME, "bfcl", services.audits.preview("bfcl", plan))
    share(services, TeamSettings(planted_share=0.2))
    with pytest.raises(InputError, match="only 0 tasks outside the sample"):
        services.planted(NAME).plant(SEED)
    ids = [task for members in view.frame.members.values() for task in members]
    listed = [KnownClean(task, "listed in all.txt", 0) for task in ids]
    planted = services.planted(NAME).plant(SEED, listed)
    assert (len(of(planted, damaged=True)), len(of(planted, damaged=False))) == (6, 6)
    assert {c.stratum for c in planted if c.is_defective} >= {"live_ast", "memory", "web_search"}
    for check in planted:
        task = services.reviewing(NAME).task_view(check.task_id).task
        assert task.key == check.key
        assert key_fault(task.key_kind, check.key) == ""


def test_a_census_leaves_nothing_to_plant(services: Services) -> None:
    toolshop_audit(services, ALONE, size=249)
    with pytest.raises(InputError, match=r"nothing is planted: .* only 0 tasks outside the sample"):
        services.planted(NAME).plant(SEED)
    assert services.planted(NAME).results() is None
