"""Attaching trials to one's own finding, with the reason that does not come from the models."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from audit_app.errors import AuditError
from audit_app.services.confirming import OwnFinding
from audit_app.services.evidence import EvidenceService
from audit_app.services.live_progress import JobSummary
from audit_app.ui import state
from audit_app.ui.components.blocks import heading
from audit_app.ui.components.notices import notice
from audit_app.ui.rendering.evidence import attached_list
from audit_app.ui.rendering.live_jobs import job_label

_OF_FINDING = "That of the finding"
_TRIED = "The one tried on this page"


def attach_section(
    service: EvidenceService,
    audit: str,
    task: str,
    findings: Sequence[OwnFinding],
    *,
    proposed: str | None,
    jobs: Sequence[JobSummary],
) -> None:
    """What is attached already, and the form that attaches more.

    Args:
        service: Attaches.
        audit: Name of the audit.
        task: The task.
        findings: The person's own findings and drafts on it.
        proposed: The key that is tried on the page.
        jobs: Jobs that ran the task.
    """
    saved = [finding for finding in findings if finding.is_saved]
    started = {row.job.id: row for row in jobs if row.done}
    attached = service.evidence_of(audit, task)
    if not started and not attached:
        return
    st.html(heading("Evidence"))
    if message := st.session_state.pop(state.CONFIRM_ATTACHED, ""):
        notice("done", message)
    if attached:
        st.html(attached_list(attached))
    if not saved:
        st.html(
            '<p class="say">Trials are attached to a saved finding of yours, and there is none on '
            "this task. Save the defect on Review first.</p>"
        )
    elif started:
        _form(service, audit, task, saved, started, proposed)


def _form(
    service: EvidenceService,
    audit: str,
    task: str,
    saved: Sequence[OwnFinding],
    started: dict[str, JobSummary],
    proposed: str | None,
) -> None:
    with st.form(f"{state.ATTACH_FORM}/{task}", border=False):
        columns = st.columns(2)
        finding = columns[0].selectbox(
            "Your finding", saved, format_func=lambda f: f.words, key=f"attach_finding/{task}"
        )
        job = columns[1].selectbox(
            "Trials of",
            list(started),
            format_func=lambda id_: job_label(started[id_]),
            key=f"attach_job/{task}",
        )
        key = st.radio(
            "Graded by which key, besides the published one",
            (_OF_FINDING, _TRIED),
            horizontal=True,
            key=f"attach_key/{task}",
        )
        reason = st.text_area(
            "What shows it, independent of the models’ agreement",
            placeholder=(
                "A sentence of the specification, an executed state, a second reviewer, a source. "
                "That models agree never confirms a defect."
            ),
            height=90,
            key=f"attach_reason/{task}",
        )
        submitted = st.form_submit_button("Attach as evidence")
    if not submitted:
        return
    try:
        service.attach(
            audit,
            task,
            finding.review_id,
            finding.position,
            job,
            None if key == _OF_FINDING else (proposed or ""),
            reason,
        )
    except AuditError as error:
        notice("error", str(error))
        return
    st.session_state[state.CONFIRM_ATTACHED] = "The trials are attached to your finding."
    st.rerun()
