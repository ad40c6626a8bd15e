"""Recording what stands beside reviews and answers: outside evidence, root causes, responses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date

from audit_app.domain.dossier import Dossier, Noted
from audit_app.domain.dossier_entries import (
    AdoptedRubric,
    Carry,
    Entry,
    OutsideEvidence,
    Response,
    ResponseStatus,
    RootCause,
    RootCauseLink,
    ScaleIssue,
    VerdictNumbers,
    Withdrawal,
)
from audit_app.domain.review import Review
from audit_app.errors import InputError, NotFoundError
from audit_app.services.audits import AuditService, AuditView
from audit_app.services.clock import Clock
from audit_app.services.dossier_entry import made, noted
from audit_app.storage.dossiers import DossierRepository
from audit_app.storage.workspace import Workspace

_LASTING = (VerdictNumbers, AdoptedRubric, Carry, Withdrawal)
"""What says how something came about and cannot be taken back."""


class DossierService:
    """Appends to the dossiers of audits, each entry with who and when."""

    def __init__(self, workspace: Workspace, clock: Clock, person: str) -> None:
        self._workspace = workspace
        self._views = AuditService(workspace, clock, person)
        self._clock, self._person = clock, person

    def cite(
        self, name: str, *, source: str, examined: int, confirmed: int, of: int, note: str
    ) -> Dossier:
        """Cite somebody else's audit as outside evidence; it never enters a rate.

        Args:
            name: The audit.
            source: Link to what is cited.
            examined: Tasks examined there.
            confirmed: Of those, found defective.
            of: Tasks of the benchmark in all.
            note: What was examined, and how it was chosen.

        Raises:
            InputError: The source is no link, the counts do not go together, or the note is empty.
        """
        body = made(
            OutsideEvidence, source=source, examined=examined, confirmed=confirmed, of=of, note=note
        )
        return self._append(self._views.view(name), body)

    def add_root_cause(
        self,
        name: str,
        key: str,
        *,
        title: str,
        description: str = "",
        cause: str = "",
        links: Sequence[str] = (),
    ) -> Dossier:
        """Name a root cause; the same key again states it anew and keeps its tasks.

        Raises:
            InputError: The key, the title or a link cannot be used, or the taxonomy has no such
                cause.
        """
        view = self._views.view(name)
        if cause and cause not in view.audit.taxonomy.causes:
            raise NotFoundError(
                "cause", cause, f"there are {', '.join(view.audit.taxonomy.causes)}"
            )
        body = made(
            RootCause, key=key, title=title, description=description, cause=cause, links=links
        )
        return self._append(view, body)

    def link(
        self, name: str, key: str, task_ids: Iterable[str], *, unlink: bool = False
    ) -> Dossier:
        """Link tasks with a finding to a root cause, or take them out again; all or none.

        Raises:
            NotFoundError: There is no such root cause.
            InputError: A task has no finding that this person may see, or is not linked.
        """
        view = self._views.view(name)
        self._require_root_cause(view.dossier, key)
        ids = tuple(dict.fromkeys(task_ids))
        if not ids:
            raise InputError("name at least one task")
        linked, found = set(view.dossier.linked[key]), with_findings(view)
        for task_id in ids:
            if unlink and task_id not in linked:
                raise InputError(f"task {task_id!r} is not linked to {key!r}")
            if not unlink and task_id not in found:
                raise InputError(
                    f"task {task_id!r} has no finding in {name!r}: only findings have a root cause"
                )
        bodies = [
            made(RootCauseLink, root_cause=key, task_id=task_id, is_linked=not unlink)
            for task_id in ids
            if unlink or task_id not in linked
        ]
        return self._append(view, *bodies)

    def state_scale_issue(
        self, name: str, text: str, *, links: Sequence[str] = (), root_cause: str = ""
    ) -> Dossier:
        """State an issue that damages grading at scale, with evidence of its own.

        Raises:
            NotFoundError: There is no such root cause.
            InputError: The text is empty, or there is no evidence.
        """
        view = self._views.view(name)
        if root_cause:
            self._require_root_cause(view.dossier, root_cause)
        return self._append(view, made(ScaleIssue, text=text, links=links, root_cause=root_cause))

    def respond(
        self,
        name: str,
        task_id: str,
        status: ResponseStatus,
        *,
        version: str = "",
        on: date | None = None,
        link: str = "",
        text: str = "",
    ) -> Dossier:
        """Record what the developers answered to the findings on a task; it changes no count.

        Raises:
            InputError: The task has no finding that this person may see, or the response does not
                say enough.
        """
        view = self._views.view(name)
        if task_id not in with_findings(view):
            raise InputError(f"task {task_id!r} has no finding in {name!r} to respond to")
        body = made(
            Response,
            task_id=task_id,
            status=status,
            version=version.strip(),
            on=on or self._clock.now().date(),
            link=link.strip(),
            text=text.strip(),
        )
        return self._append(view, body)

    def withdraw(self, name: str, entry_id: str, reason: str) -> Dossier:
        """Take an entry back; it stays in the workspace and stands no more.

        Raises:
            NotFoundError: There is no such entry, or it does not stand.
            InputError: The entry says how something came about, or no reason is given.
        """
        view = self._views.view(name)
        found = view.dossier.standing(entry_id)
        if found is None:
            raise NotFoundError("standing entry", entry_id, "assay audit records lists them")
        if isinstance(found.body, _LASTING):
            raise InputError(f"a {_words(found.body)} says what happened and cannot be withdrawn")
        return self._append(view, made(Withdrawal, entry=entry_id, reason=reason))

    def _append(self, view: AuditView, *bodies: Entry) -> Dossier:
        repository = DossierRepository(self._workspace, view.audit.id)
        entries: list[Noted[Entry]] = [noted(b, self._clock, self._person) for b in bodies]
        repository.add(*entries)
        return repository.read()

    @staticmethod
    def _require_root_cause(dossier: Dossier, key: str) -> None:
        if key not in dossier.root_causes:
            known = ", ".join(dossier.root_causes)
            hint = f"there are: {known}" if known else "add one with assay audit root-cause add"
            raise NotFoundError("root cause", key, hint)


def _words(body: Entry) -> str:
    return str(body.model_dump()["kind"]).replace("_", " ")


def with_findings(view: AuditView) -> dict[str, Review]:
    """Task id → settled judgement with findings, of sampled and targeted tasks."""
    judged = {t: r for t, r in view.settled.items() if r.findings}
    for read in view.targeted:
        if read.judgement is not None and read.judgement.findings:
            judged.setdefault(read.task.task_id, read.judgement)
    return judged
