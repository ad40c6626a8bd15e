from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from uuid import uuid4

import pytest

from audit_app.domain.review import Judgement, current_reviews
from audit_app.errors import ConflictError
from audit_app.storage.reviews import Mark, MarkKind, ReviewRepository
from audit_app.storage.workspace import Workspace
from tests.storage.conftest import NOON, a_review, make_audit


def test_a_review_comes_back_as_it_was(workspace: Workspace) -> None:
    reviews = ReviewRepository(workspace, make_audit(workspace))
    saved = [a_review(judgement=Judgement.DEFECT), a_review("b", note="fine")]
    for review in saved:
        reviews.add(review)
    assert reviews.all() == saved


def test_a_repeated_send_changes_nothing(workspace: Workspace) -> None:
    reviews = ReviewRepository(workspace, make_audit(workspace))
    review = a_review(judgement=Judgement.DEFECT)
    reviews.add(review)
    reviews.add(review)
    assert reviews.all() == [review]
    with pytest.raises(ConflictError, match="another task"):
        reviews.add(review.model_copy(update={"task_id": "b"}))


def test_a_judgement_made_elsewhere_is_not_overwritten(workspace: Workspace) -> None:
    reviews = ReviewRepository(workspace, make_audit(workspace))
    first = a_review()
    reviews.add(first)
    with pytest.raises(ConflictError, match="judged elsewhere"):
        reviews.add(a_review(judgement=Judgement.DEFECT))
    second = a_review(judgement=Judgement.DEFECT, supersedes=first.id)
    reviews.add(second)
    with pytest.raises(ConflictError, match="judged elsewhere"):
        reviews.add(a_review(supersedes=first.id))
    assert current_reviews(reviews.all()) == [second]


def test_an_undone_task_is_open_again_and_the_history_stays(workspace: Workspace) -> None:
    reviews = ReviewRepository(workspace, make_audit(workspace))
    first = a_review()
    undo = a_review(judgement=Judgement.WITHDRAWN, supersedes=first.id)
    again = a_review(judgement=Judgement.DEFECT)
    reviews.add(first)
    reviews.add(undo)
    assert current_reviews(reviews.all()) == []
    reviews.add(again)
    assert [r.id for r in current_reviews(reviews.all())] == [again.id]
    assert [r.id for r in reviews.all()] == [first.id, undo.id, again.id]
    assert reviews.all()[-1].supersedes == undo.id


def test_two_reviewers_judge_the_same_task(workspace: Workspace) -> None:
    reviews = ReviewRepository(workspace, make_audit(workspace))
    reviews.add(a_review())
    reviews.add(a_review(reviewer="bo", judgement=Judgement.DEFECT))
    assert len(current_reviews(reviews.all())) == 2
    assert reviews.reviewers() == ["ada", "bo"]


def test_many_reviews_are_stored_together_or_not_at_all(workspace: Workspace) -> None:
    reviews = ReviewRepository(workspace, make_audit(workspace))
    with pytest.raises(ConflictError):
        reviews.add_all([a_review("a"), a_review("b"), a_review("b")])
    assert reviews.all() == []


def test_a_draft_is_kept_until_the_judgement_is_saved(workspace: Workspace) -> None:
    reviews = ReviewRepository(workspace, make_audit(workspace))
    reviews.save_draft("a", "ada", {"note": "half a thou"}, at=NOON)
    reviews.save_draft("a", "ada", {"note": "half a thought"}, at=NOON + timedelta(seconds=1))
    reviews.save_draft("b", "ada", {"note": "other"}, at=NOON)
    reviews.add(a_review("a"))
    assert reviews.drafts("ada") == {"b": {"note": "other"}}
    reviews.save_draft("b", "ada", None, at=NOON)
    assert reviews.drafts("ada") == {}


def test_marks_are_appended_once(workspace: Workspace) -> None:
    reviews = ReviewRepository(workspace, make_audit(workspace))
    mark = Mark(str(uuid4()), "a", "ada", MarkKind.SKIPPED, NOON)
    reviews.add_mark(mark)
    reviews.add_mark(mark)
    assert list(reviews.marks("ada")) == [mark]


def test_eight_writers_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "assay.db"
    ids = tuple(f"t{i}" for i in range(25))
    with Workspace(path) as workspace:
        audit = make_audit(workspace, ids)

    def write(writer: int) -> None:
        with Workspace(path) as own:
            reviews = ReviewRepository(own, audit)
            for id_ in ids:
                reviews.add(a_review(id_, reviewer=f"r{writer}"))

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(write, range(8)))
    with Workspace(path) as workspace:
        assert len(ReviewRepository(workspace, audit).all()) == 8 * len(ids)
        assert json.dumps(workspace.problems()) == "[]"
