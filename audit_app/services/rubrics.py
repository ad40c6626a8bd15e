"""Answering the rubric, and the statements that a report carries."""

from __future__ import annotations

from audit_app.domain.answers import read_answer
from audit_app.domain.dossier import Noted
from audit_app.domain.dossier_entries import VerdictNumbers
from audit_app.domain.rubric import Answer, Verdict
from audit_app.errors import InputError, NotFoundError
from audit_app.services.audits import AuditService, AuditView
from audit_app.services.clock import Clock
from audit_app.services.courses import verdict_numbers
from audit_app.services.dossier_entry import noted
from audit_app.storage.audits import AuditRepository, Statement
from audit_app.storage.workspace import Workspace

STATEMENTS = {
    "lead": "What the benchmark measures and what it was for; opens the report.",
    "original_link": "Link to the benchmark.",
    "developer_contact": "When and how the developers were contacted.",
    "developer_response": "Link to their response, or what they answered.",
    "representative": "Ids of the errors to show, in order, separated by spaces.",
    "access_note": "How the reviewers had access, where tasks are private.",
}
"""Name of a statement → what it is for."""

MAX_TEXT = 200_000


class RubricService:
    """Appends rubric answers and statements; the latest of each stands."""

    def __init__(self, workspace: Workspace, clock: Clock, person: str) -> None:
        self._audits = AuditRepository(workspace)
        self._views = AuditService(workspace, clock, person)
        self._clock, self._person = clock, person

    def set(self, name: str, item_id: str, given: str, *, note: str | None = None) -> AuditView:
        """Answer one item.

        Args:
            name: The audit.
            item_id: Item of its rubric.
            given: A status id; or a text, a number or ``floor,ceiling`` where the item takes one.
            note: Remark; None keeps the one that stands.

        Raises:
            NotFoundError: The rubric has no such item.
            InputError: The item does not take that answer.
        """
        view = self._views.view(name)
        item = view.audit.rubric.items.get(item_id)
        if item is None:
            raise NotFoundError("item", item_id, f"items: {', '.join(view.audit.rubric.items)}")
        status, value = read_answer(item, given)
        standing = view.current_answers.get(item_id)
        kept = standing.note if standing else ""
        text = kept if note is None else note
        if len(text) > MAX_TEXT:
            raise InputError(f"the note on {item_id} is longer than {MAX_TEXT} characters")
        if standing and (standing.status, standing.value, standing.note) == (status, value, text):
            return view
        answer = Answer(
            id=self._clock.new_id(),
            item=item_id,
            status=status,
            value=value,
            note=text,
            answered_at=self._clock.now(),
            answered_by=self._person,
        )
        self._audits.add_answer(view.audit.id, answer, self._numbers_beside(view, answer))
        return self._views.view(name)

    def _numbers_beside(self, view: AuditView, answer: Answer) -> Noted[VerdictNumbers] | None:
        """Where the audit stands, kept with an answer that changes its verdict."""
        verdict = view.verdict_with({**view.current_answers, answer.item: answer})
        if verdict.outcome is view.verdict.outcome:
            return None
        return noted(verdict_numbers(view, answer.id, verdict), self._clock, self._person)

    def verdict(self, name: str) -> Verdict:
        """What the answers come to."""
        return self._views.view(name).verdict

    def statements(self, name: str) -> dict[str, str]:
        """Name → the text that stands; empty ones left out."""
        audit = self._audits.find(name)
        latest = {s.name: s.text for s in self._audits.statements(audit.id)}
        return {key: text for key, text in latest.items() if text}

    def state(self, name: str, statement: str, text: str) -> None:
        """Put a text into the report; an empty one takes it out.

        Raises:
            NotFoundError: There is no statement of that name.
            InputError: The text is too long, or a link is no link.
        """
        if statement not in STATEMENTS:
            raise NotFoundError("statement", statement, f"statements: {', '.join(STATEMENTS)}")
        text = text.strip()
        if len(text) > MAX_TEXT:
            raise InputError(f"{statement} is longer than {MAX_TEXT} characters")
        if statement == "original_link" and text and not text.startswith(("https://", "http://")):
            raise InputError(f"original_link {text[:80]!r} is not a link that begins with https://")
        audit = self._audits.find(name)
        self._audits.add_statement(
            audit.id,
            Statement(self._clock.new_id(), statement, text, self._clock.now(), self._person),
        )
