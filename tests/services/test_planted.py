"""Planted checks from planting to results, on the bundled benchmark."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from audit_app.domain.planted import PlantKind
from audit_app.domain.team import Mode, TeamSettings
from audit_app.errors import AuditError
from audit_app.services.context import Services
from audit_app.services.planted_part import planted_part
from audit_app.services.planted_results import Scope
from tests.services.planted_audits import (
    NAME,
    SEED,
    as_person,
    judge,
    of,
    toolshop_audit,
)

TWO = TeamSettings(
    mode=Mode.WORST, reviews_per_task=2, reviewers=("ada", "ben"), planted_share=0.15
)


def test_two_reviewers_of_known_recall_and_the_corrected_rate(
    services: Services, tmp_path: Path
) -> None:
    """Everything by hand; the estimate is the same bytes with and without checks."""
    view = toolshop_audit(services, TWO)
    sampled = list(view.sample.task_ids)
    op = as_person(services, "op")
    judge(services, "ada", sampled, sampled[:20])
    judge(services, "ben", sampled, sampled[10:15], cause="G1")
    before = op.audits.view(NAME).status.model_dump_json()
    op.review_files.export_file(NAME, tmp_path / "before.csv")

    planted = op.planted(NAME).plant(SEED)
    damaged, clean = of(planted, damaged=True), of(planted, damaged=False)
    assert (len(damaged), len(clean)) == (5, 4)
    judge(services, "ada", [*damaged, *clean], [*damaged[:4], clean[0]])
    judge(services, "ben", [*damaged, *clean], damaged[2:], cause="G1")

    assert op.verify().problems == ()
    assert op.audits.view(NAME).status.model_dump_json() == before
    op.review_files.export_file(NAME, tmp_path / "after.csv")
    assert (tmp_path / "after.csv").read_bytes() == (tmp_path / "before.csv").read_bytes()

    results = op.planted(NAME).results()
    assert results is not None
    assert (results.scope, results.hidden, results.planted) == (Scope.ALL, "", 9)
    figures = results.figures
    assert figures is not None
    # Ada finds 4 of 5 and ben 3 of 5; ada calls 1 of 4 right keys wrong and ben none.
    rates = figures.rates
    assert (rates.recall.count, rates.recall.of) == (7, 10)
    assert (rates.false_alarms.count, rates.false_alarms.of) == (1, 8)
    # Ada names a cause of the family K, ben one of G.
    assert (rates.cause_right.count, rates.cause_right.of) == (4, 7)
    ada, ben = figures.by_reviewer["ada"], figures.by_reviewer["ben"]
    assert (ada.recall.rate, ada.false_alarms.rate) == (0.8, 0.25)
    assert (ben.recall.rate, ben.false_alarms.rate) == (0.6, 0.0)
    assert (ada.cause_right.rate, ben.cause_right.rate) == (1.0, 0.0)
    kinds = {kind: (r.recall.of or r.false_alarms.of) for kind, r in figures.by_kind.items()}
    assert sum(kinds.values()) == 18
    assert kinds[PlantKind.CLEAN] == 8
    # The worst judgement counts: 20 of 50 sampled tasks; of the checks all 5 damaged keys are
    # found by one of the two, and 1 of 4 right ones is called wrong: (0.4 − 0.25) / (1 − 0.25).
    corrected = figures.corrected
    assert corrected is not None
    assert (corrected.observed, corrected.recall, corrected.false_alarm_rate) == (0.4, 1.0, 0.25)
    assert corrected.rate == pytest.approx(0.2)
    assert corrected.interval is not None
    assert corrected.interval.lower <= 0.2 <= corrected.interval.upper


def test_checks_are_in_no_other_figure(services: Services, tmp_path: Path) -> None:
    """Impact, patch, agreement, adjudication and task lists are those without checks."""
    toolshop_audit(services, TWO)
    op = as_person(services, "op")
    sampled = list(op.audits.view(NAME).sample.task_ids)
    judge(services, "ada", sampled, sampled[:3])
    judge(services, "ben", sampled, sampled[:2])

    def everything() -> dict[str, object]:
        files = op.reports.files(NAME)
        document = json.loads(files["report.json"])
        document.pop("planted", None)
        patch = op.patches.write(NAME, tmp_path / "patch").patch
        texts = {name: files[name] for name in files if name.endswith(".csv")}
        texts.pop("planted_checks.csv", None)
        board = op.adjudicating(NAME).board()
        queue = [(item.task_id, item.state) for item in board.items]
        return {
            "document": document,
            "patch": patch,
            "queue": queue,
            "agreement": board.agreement,
            **texts,
        }

    before = everything()
    planted = op.planted(NAME).plant(SEED)
    ids = [check.task_id for check in planted]
    judge(services, "ada", ids, ids)
    judge(services, "ben", ids)
    assert everything() == before


def test_the_report_shows_checks_apart_with_their_denominators(services: Services) -> None:
    toolshop_audit(services, TWO)
    op = as_person(services, "op")
    assert "Planted checks" not in op.reports.files(NAME)["report.md"].decode()
    planted = op.planted(NAME).plant(SEED)
    ids, damaged = [check.task_id for check in planted], of(planted, damaged=True)
    judge(services, "ada", ids, damaged)
    judge(services, "ben", ids, damaged[:2])
    files = op.reports.files(NAME)
    text = files["report.md"].decode()
    assert "They are not part of the sample or of any rate above" in text
    assert "Recall: 7 of 10 (70.0 %) judgements of damaged keys" in text
    assert "False alarms: 0 of 8 (0.0 %) judgements of keys left as they are" in text
    assert "The corrected defect rate is not defined: no task of the sample is reviewed" in text
    rows = files["planted_checks.csv"].decode().splitlines()
    assert len(rows) == 1 + 18
    part = json.loads(files["report.json"])["planted"]
    assert part["figures"]["recall"]["of"] == 10
    results = op.planted(NAME).results()
    assert results is not None
    assert part == planted_part(results).model_dump(mode="json")


def test_adjudicated_judgements_are_not_corrected_by_what_reviewers_find(
    services: Services,
) -> None:
    toolshop_audit(services, TWO.model_copy(update={"mode": Mode.ADJUDICATED}))
    op = as_person(services, "op")
    op.planted(NAME).plant(SEED)
    results = op.planted(NAME).results()
    assert results is not None
    assert results.figures is not None
    assert results.figures.corrected is not None
    assert "an adjudicator's" in results.figures.corrected.undefined["rate"]


def test_results_show_to_those_who_are_through(services: Services) -> None:
    view = toolshop_audit(services, TWO)
    op, ada, ben = (as_person(services, name) for name in ("op", "ada", "ben"))
    planted = op.planted(NAME).plant(SEED)
    everything = [*view.sample.task_ids, *(check.task_id for check in planted)]
    judge(services, "ada", everything[:-1], everything[:3])

    waiting = ada.planted(NAME).results()
    assert waiting is not None
    assert (waiting.scope, waiting.figures) == (Scope.NONE, None)
    assert waiting.hidden.endswith("1 task still waits.")

    judge(services, "ada", everything[-1:])
    own = ada.planted(NAME).results()
    assert own is not None
    assert own.figures is not None
    assert (own.scope, own.figures.corrected) == (Scope.OWN, None)
    assert "Still judging: ben" in own.hidden
    assert set(own.figures.by_reviewer) == {"ada"}
    other = ben.planted(NAME).results()
    assert other is not None
    assert other.scope is Scope.NONE

    judge(services, "ben", everything)
    for person in (op, ada, ben):
        results = person.planted(NAME).results()
        assert results is not None
        assert results.scope is Scope.ALL


@pytest.mark.parametrize("what", ["report", "patch", "export"])
def test_what_names_the_sample_is_refused_while_checks_are_hidden(
    services: Services, tmp_path: Path, what: str
) -> None:
    view = toolshop_audit(services, TWO)
    planted = as_person(services, "op").planted(NAME).plant(SEED)

    def make(person: str) -> None:
        them = as_person(services, person)
        match what:
            case "report":
                them.reports.write(NAME, tmp_path / person)
            case "patch":
                them.patches.write(NAME, tmp_path / person)
            case _:
                them.review_files.export_file(NAME, tmp_path / f"{person}.csv")

    with pytest.raises(AuditError, match=f"no {what} yet: Checks are mixed into your queue"):
        make("ada")
    make("op")
    judge(services, "ada", [*view.sample.task_ids, *(check.task_id for check in planted)])
    make("ada")
