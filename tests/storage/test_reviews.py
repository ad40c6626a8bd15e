from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from uuid import uuid4

import pytest

from audit_app.domain.review import Effect, Finding, Judgement, Review, current_reviews
from audit_app.domain.sampling import Draw, DrawKind, Sample, SamplingPlan
from audit_app.errors import ConflictError
from audit_app.services.resources import bundled_rubric, bundled_taxonomy
from audit_app.storage.audits import AuditRepository, StoredAudit
from audit_app.storage.reviews import Mark, MarkKind, ReviewRepository
from audit_app.storage.workspace import Workspace
from tests.storage.conftest import NOON, store, task


def _audit(workspace: Workspace, ids: tuple[str, ...] = ("a", "b")) -> str:
    key = store(workspace, [task(id_) for id_ in ids]).key
    audit = StoredAudit(
        id=str(uuid4()),
        name="first",
        benchmark=key,
        plan=SamplingPlan(size=2, widen_to=4, seed="s"),
        frame_hash="0" * 64,
        rubric=bundled_rubric(),
        taxonomy=bundled_taxonomy(),
        created_at=NOON,
        created_by="ada",
    )
    sample = Sample(stage=1, kind=DrawKind.CENSUS, draws=(Draw(stratum="simple", task_ids=ids),))
    AuditRepository(workspace).add(audit, sample, sample_id=str(uuid4()))
    found = AuditRepository(workspace).find("first")
    assert found == audit
    assert AuditRepository(workspace).samples(audit.id) == [sample]
    return audit.id


def _review(
    task_id: str = "a",
    *,
    reviewer: str = "ada",
    judgement: Judgement = Judgement.CLEAN,
    supersedes: str | None = None,
    note: str = "",
) -> Review:
    findings = (
        (
            Finding(
                effects=(Effect.FP, Effect.FN),
                cause="K3",
                causes=("T1", "G1"),
                severity=0,
                note="pipes | and `ticks`",
                evidence=("https://example.org/a?b=c|d",),
                proposed_key='{"a": [1, ""]}',
            ),
            Finding(effects=(Effect.UNSURE,), note="‮ 日本 \x00 \n"),
        )
        if judgement is Judgement.DEFECT
        else ()
    )
    return Review(
        id=str(uuid4()),
        task_id=task_id,
        reviewer=reviewer,
        reviewed_at=NOON,
        judgement=judgement,
        findings=findings,
        supersedes=supersedes,
        note=note,
    )


def test_a_review_comes_back_as_it_was(workspace: Workspace) -> None:
    reviews = ReviewRepository(workspace, _audit(workspace))
    saved = [_review(judgement=Judgement.DEFECT), _review("b", note="fine")]
    for review in saved:
        reviews.add(review)
    assert reviews.all() == saved


def test_a_repeated_send_changes_nothing(workspace: Workspace) -> None:
    reviews = ReviewRepository(workspace, _audit(workspace))
    review = _review(judgement=Judgement.DEFECT)
    reviews.add(review)
    reviews.add(review)
    assert reviews.all() == [review]
    with pytest.raises(ConflictError, match="another task"):
        reviews.add(review.model_copy(update={"task_id": "b"}))


def test_a_judgement_made_elsewhere_is_not_overwritten(workspace: Workspace) -> None:
    reviews = ReviewRepository(workspace, _audit(workspace))
    first = _review()
    reviews.add(first)
    with pytest.raises(ConflictError, match="judged elsewhere"):
        reviews.add(_review(judgement=Judgement.DEFECT))
    second = _review(judgement=Judgement.DEFECT, supersedes=first.id)
    reviews.add(second)
    with pytest.raises(ConflictError, match="judged elsewhere"):
        reviews.add(_review(supersedes=first.id))
    assert current_reviews(reviews.all()) == [second]


def test_an_undone_task_is_open_again_and_the_history_stays(workspace: Workspace) -> None:
    reviews = ReviewRepository(workspace, _audit(workspace))
    first = _review()
    undo = _review(judgement=Judgement.WITHDRAWN, supersedes=first.id)
    again = _review(judgement=Judgement.DEFECT)
    reviews.add(first)
    reviews.add(undo)
    assert current_reviews(reviews.all()) == []
    reviews.add(again)
    assert [r.id for r in current_reviews(reviews.all())] == [again.id]
    assert [r.id for r in reviews.all()] == [first.id, undo.id, again.id]
    assert reviews.all()[-1].supersedes == undo.id


def test_two_reviewers_judge_the_same_task(workspace: Workspace) -> None:
    reviews = ReviewRepository(workspace, _audit(workspace))
    reviews.add(_review())
    reviews.add(_review(reviewer="bo", judgement=Judgement.DEFECT))
    assert len(current_reviews(reviews.all())) == 2
    assert reviews.reviewers() == ["ada", "bo"]


def test_many_reviews_are_stored_together_or_not_at_all(workspace: Workspace) -> None:
    reviews = ReviewRepository(workspace, _audit(workspace))
    with pytest.raises(ConflictError):
        reviews.add_all([_review("a"), _review("b"), _review("b")])
    assert reviews.all() == []


def test_a_draft_is_kept_until_the_judgement_is_saved(workspace: Workspace) -> None:
    reviews = ReviewRepository(workspace, _audit(workspace))
    reviews.save_draft("a", "ada", {"note": "half a thou"}, at=NOON)
    reviews.save_draft("a", "ada", {"note": "half a thought"}, at=NOON + timedelta(seconds=1))
    reviews.save_draft("b", "ada", {"note": "other"}, at=NOON)
    reviews.add(_review("a"))
    assert reviews.drafts("ada") == {"b": {"note": "other"}}
    reviews.save_draft("b", "ada", None, at=NOON)
    assert reviews.drafts("ada") == {}


def test_marks_are_appended_once(workspace: Workspace) -> None:
    reviews = ReviewRepository(workspace, _audit(workspace))
    mark = Mark(str(uuid4()), "a", "ada", MarkKind.SKIPPED, NOON)
    reviews.add_mark(mark)
    reviews.add_mark(mark)
    assert list(reviews.marks("ada")) == [mark]


def test_eight_writers_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "assay.db"
    ids = tuple(f"t{i}" for i in range(25))
    with Workspace(path) as workspace:
        audit = _audit(workspace, ids)

    def write(writer: int) -> None:
        with Workspace(path) as own:
            reviews = ReviewRepository(own, audit)
            for id_ in ids:
                reviews.add(_review(id_, reviewer=f"r{writer}"))

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(write, range(8)))
    with Workspace(path) as workspace:
        assert len(ReviewRepository(workspace, audit).all()) == 8 * len(ids)
        assert json.dumps(workspace.problems()) == "[]"
