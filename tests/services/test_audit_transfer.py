"""Whole audits out of one workspace and into another, whatever they hold."""

from __future__ import annotations

import json
import tempfile
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit_app.domain.review import Effect, Finding, FindingState, Judgement, Review
from audit_app.domain.team import TeamSettings
from audit_app.errors import ConflictError, InputError, VerificationError
from audit_app.services.context import Services, open_services
from audit_app.settings import Settings
from audit_app.storage.reviews import ReviewRepository
from tests.services import evidence_audits, planted_audits, team_audits
from tests.services.conftest import SteppingClock

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=30) | st.sampled_from(
    [
        "שלום \u202e abc",
        "\x00 nul \x07",
        "\u2028\u2029\x85",
        "=1|`<b>",
        '"\\\n\r\n',
        "𝔘🙂",
        "\ufeff",
    ]
)
IDS = st.lists(
    st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=12).filter(
        lambda text: text == text.strip() and bool(text)
    ),
    min_size=1,
    max_size=5,
    unique=True,
)


def _opened(folder: Path, name: str, person: str = "ada") -> AbstractContextManager[Services]:
    place = Settings(db=folder / name, reviewer=person, cache=folder / "cache")
    return open_services(place, clock=SteppingClock())


def _bytes(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def _round_trip(services: Services, audit: str, folder: Path, *, person: str = "op") -> None:
    """Export, import into an empty workspace, export again: equal bytes; and it is sound."""
    replace(services, person=person).transfers.export(audit, folder / "one")
    with _opened(folder, "two.db", person) as other:
        assert other.transfers.import_folder(folder / "one").is_new
        other.transfers.export(audit, folder / "two")
        assert other.verify().problems == ()
        again = other.transfers.import_folder(folder / "one")
        assert (again.is_new, again.added, again.outputs) == (False, {}, 0)
    assert _bytes(folder / "one") == _bytes(folder / "two")


@st.composite
def findings(draw: st.DrawFn) -> Finding:
    return Finding(
        effects=draw(st.sampled_from([(Effect.FN,), (Effect.FN, Effect.FP), (Effect.UNSURE,)])),
        cause=draw(st.none() | st.sampled_from(["K1", "T2"])),
        severity=draw(st.none() | st.integers(0, 3)),
        state=draw(st.sampled_from(FindingState)),
        note=draw(TEXT),
        evidence=draw(st.sampled_from([(), ("https://example.org/?a=1&b=|",)])),
        proposed_key=draw(
            st.none() | st.builds(json.dumps, TEXT, indent=st.sampled_from([None, 1]))
        ),
    )


@settings(max_examples=8, deadline=None)
@given(data=st.data(), ids=IDS, lead=TEXT, note=TEXT)
def test_r34_whatever_an_audit_holds_comes_through(
    data: st.DataObject, ids: list[str], lead: str, note: str
) -> None:
    """R34: every text that a person, a model or a benchmark can hold."""
    with tempfile.TemporaryDirectory() as name, _opened(Path(name), "one.db") as services:
        folder = Path(name)
        prompts = data.draw(st.lists(TEXT, min_size=len(ids), max_size=len(ids)))
        rows: list[dict[str, Any]] = [
            {"id": id_, "prompt": f"Do {prompt}", "key": f"={prompt}"}
            for id_, prompt in zip(ids, prompts, strict=True)
        ]
        (folder / "t.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf-8")
        services.benchmarks.import_tasks("table", folder / "t.jsonl", name="bench")
        plan = services.audits.default_plan("bench")
        view = services.audits.create("mine", "bench", services.audits.preview("bench", plan))
        before: Review | None = None
        for number, finding in enumerate(data.draw(st.lists(findings(), max_size=4))):
            before = Review(
                id=services.clock.new_id(),
                task_id=view.sample.task_ids[0],
                reviewer="ada",
                reviewed_at=services.clock.now(),
                judgement=Judgement.DEFECT if number % 3 < 2 else Judgement.WITHDRAWN,
                findings=(finding,) if number % 3 < 2 else (),
                supersedes=before.id if before else None,
                seconds=data.draw(st.none() | st.floats(0, 1e6)),
            )
            ReviewRepository(services.workspace, view.audit.id).add(before)
        services.rubrics.state("mine", "lead", lead)
        services.rubrics.set("mine", "scoring", "issue", note=note)
        _round_trip(services, "mine", folder)


def _team(services: Services, folder: Path) -> str:
    audit = team_audits.make_audit(services, folder)
    team_audits.judge_all(services)
    team_audits.as_person(services, "eve").adjudicating(audit).accept_identical()
    return audit


def _planted(services: Services, folder: Path) -> str:
    planted_audits.toolshop_audit(services, TeamSettings(planted_share=0.1, reviewers=("ada",)))
    planted_audits.as_person(services, "op").planted("shop").plant("seed")
    services.scoring.score("toolshop")
    return "shop"


def _evidenced(services: Services, folder: Path) -> str:
    defect = evidence_audits.shop_with_finding(services)
    answers = {defect.task_id: [defect.right] * 2}
    job = evidence_audits.recorded_job(services, folder, answers)
    review = services.evidence.own_review("shop", defect.task_id)
    services.evidence.attach(
        "shop", defect.task_id, review.id, 0, job.id, reason=evidence_audits.REASON
    )
    return "shop"


def _recorded(services: Services, folder: Path) -> str:
    planted_audits.toolshop_audit(services, TeamSettings())
    view = services.audits.view("shop")
    planted_audits.judge(services, "ada", view.sample.task_ids[:2], view.sample.task_ids[:2])
    link = "https://example.org/a"
    services.dossiers.cite("shop", source=link, examined=3, confirmed=1, of=9, note="theirs")
    services.dossiers.add_root_cause("shop", "units", title="Units are mixed")
    services.dossiers.link("shop", "units", view.sample.task_ids[:1])
    outside = next(t for t in view.frame.stratum_of() if t not in view.sample.task_ids)
    services.courses.target("shop", [outside], reason="named by the maintainers")
    planted_audits.judge(services, "ada", [outside])
    return "shop"


@pytest.mark.parametrize("make", [_team, _planted, _evidenced, _recorded])
def test_r34_teams_checks_and_trials_come_through(
    services: Services, tmp_path: Path, make: Any
) -> None:
    audit = make(services, tmp_path)
    _round_trip(services, audit, tmp_path)
    content = b"".join(_bytes(tmp_path / "one").values())
    assert str(tmp_path).encode() not in content


def test_bfcl_comes_through(services: Services, tmp_path: Path, bfcl_v4: Path) -> None:
    """4,696 tasks with shared documents and score weights."""
    services.benchmarks.import_tasks("bfcl", bfcl_v4, name="bfcl")
    plan = services.audits.default_plan("bfcl")
    services.audits.create("epoch", "bfcl", services.audits.preview("bfcl", plan))
    _round_trip(services, "epoch", tmp_path)


def test_work_that_goes_on_is_added(services: Services, tmp_path: Path) -> None:
    """A later export of the same audit adds what is new, and only that."""
    planted_audits.toolshop_audit(services, TeamSettings())
    ids = list(services.audits.view("shop").sample.task_ids)
    planted_audits.judge(services, "ada", ids[:3])
    services.transfers.export("shop", tmp_path / "one")
    planted_audits.judge(services, "ada", ids[3:5], ids[3:4])
    services.rubrics.set("shop", "scoring", "issue")
    services.transfers.export("shop", tmp_path / "later")
    with _opened(tmp_path, "two.db") as other:
        other.transfers.import_folder(tmp_path / "one")
        done = other.transfers.import_folder(tmp_path / "later")
        assert done.added["reviews"] == 2
        assert done.added["answers"] == 1
        assert other.audits.view("shop").status == services.audits.view("shop").status
        earlier = other.transfers.import_folder(tmp_path / "one")
        assert earlier.added == {}


def test_a_record_changed_past_assay_is_not_exported(services: Services, tmp_path: Path) -> None:
    planted_audits.toolshop_audit(services, TeamSettings())
    ids = list(services.audits.view("shop").sample.task_ids)
    planted_audits.judge(services, "ada", ids[:1])
    with services.workspace.write():
        services.workspace.run("drop trigger reviews_no_update")
        services.workspace.run("update reviews set note = 'another'")
    with pytest.raises(VerificationError, match="is not what was stored; see assay verify"):
        services.transfers.export("shop", tmp_path / "one")
    assert not (tmp_path / "one").exists()


def test_planted_checks_stay_hidden_until_one_is_through(
    services: Services, tmp_path: Path
) -> None:
    """R17: a whole audit tells checks from the sample."""
    _planted(services, tmp_path)
    with pytest.raises(InputError, match=r"no export of the whole audit yet: Checks are mixed"):
        services.transfers.export("shop", tmp_path / "one")
    planted_audits.as_person(services, "op").transfers.export("shop", tmp_path / "one")


def test_other_outputs_of_the_benchmark_are_not_mixed_in(
    services: Services, tmp_path: Path
) -> None:
    planted_audits.toolshop_audit(services, TeamSettings())
    services.transfers.export("shop", tmp_path / "one")
    with _opened(tmp_path, "two.db") as other:
        other.benchmarks.import_tasks(
            "table", planted_audits.toolshop_file("tasks.jsonl"), name="toolshop"
        )
        (tmp_path / "o.csv").write_text("model,id,output\nm,single_001,hello\n", "utf-8")
        other.benchmarks.import_outputs("table", tmp_path / "o.csv", benchmark="toolshop")
        with pytest.raises(ConflictError, match="import with --no-outputs"):
            other.transfers.import_folder(tmp_path / "one")
        assert other.audits.names() == []
        assert other.transfers.import_folder(tmp_path / "one", with_outputs=False).is_new
