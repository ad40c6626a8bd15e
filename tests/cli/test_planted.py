from __future__ import annotations

from pathlib import Path

import pytest

from audit_app.domain.team import TeamSettings
from audit_app.services.context import open_services
from audit_app.settings import Settings
from tests.cli.conftest import Assay
from tests.services.planted_audits import NAME, judge, toolshop_audit


@pytest.fixture
def shop(tmp_path: Path, assay: Assay) -> Assay:
    """Commands on an audit of the bundled benchmark that asks for checks; ada alone reviews."""
    settings = Settings(db=tmp_path / "assay.db", reviewer="ada", cache=tmp_path)
    with open_services(settings) as services:
        toolshop_audit(services, TeamSettings(planted_share=0.15, reviewers=("ada",)))
    return assay


def test_planting_says_how_many_of_what_and_on_which_basis(shop: Assay) -> None:
    printed = shop("audit", "plant", NAME, "--seed", "s", "--json")
    assert printed.status == 0
    data = printed.json
    assert (data["planted"], data["damaged"], data["clean"]) == (9, 5, 4)
    assert sum(data["bases"].values()) == 9
    assert "task" not in printed.out  # which tasks, nobody needs to know
    again = shop("audit", "plant", NAME)
    assert (again.status, again.err) == (
        2,
        "error: checks are planted in 'shop' already; they stay as they are\n",
    )


def test_a_file_of_clean_tasks_gives_its_reason(shop: Assay, tmp_path: Path) -> None:
    clean = tmp_path / "clean.csv"
    clean.write_text("id,reason\nnowhere,by hand\n", encoding="utf-8")
    printed = shop("audit", "plant", NAME, "--clean", str(clean))
    assert printed.status == 2
    assert printed.err == (
        "error: there is no task 'nowhere'; it is listed in clean.csv: by hand\n"
    )
    assert shop("audit", "plant", NAME, "--reason", "x").status == 2


def test_results_are_hidden_then_shown(shop: Assay, tmp_path: Path) -> None:
    assert shop("audit", "checks", NAME).err == (
        "error: no check is planted in 'shop'; see assay audit plant\n"
    )
    shop("audit", "plant", NAME, "--seed", "s")
    before = shop("audit", "status", NAME, "--json").out
    hidden = shop("audit", "checks", NAME, "--json").json
    assert (hidden["scope"], hidden["figures"]) == ("none", None)
    assert "59 tasks still wait" in hidden["hidden"]
    assert "59 tasks still wait" in shop("audit", "checks", NAME).out
    assert shop("report", NAME).status == 2

    settings = Settings(db=tmp_path / "assay.db", reviewer="ada", cache=tmp_path)
    with open_services(settings) as services:
        queue = [item.task_id for item in services.reviewing(NAME).desk().queue]
        checks = set(queue) - set(services.audits.view(NAME).sample.task_ids)
        judge(services, "ada", sorted(checks), sorted(checks))
        assert shop("audit", "status", NAME, "--json").out == before
        judge(services, "ada", [task for task in queue if task not in checks])

    shown = shop("audit", "checks", NAME, "--json").json
    assert (shown["scope"], shown["hidden"]) == ("all", "")
    figures = shown["figures"]
    assert (figures["recall"]["share"], figures["false_alarms"]["share"]) == (1.0, 1.0)
    assert figures["corrected"]["rate"] is None
    assert "below 0.2" in figures["corrected"]["undefined"]["rate"]
    assert {check["task_id"] for check in figures["checks"]} == checks
    text = shop("audit", "checks", NAME).out
    assert "recall        5 of 5 (100.0 %)" in text
    assert "look again at what was taken for clean and judged defective: " in text
    assert "corrected rate: not defined, recall less false-alarm rate is 1.000 − 1.000" in text
