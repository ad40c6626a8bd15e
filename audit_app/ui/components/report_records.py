"""Beside the report: responses of the developers, other audits, and the history of the verdict."""

from __future__ import annotations

import streamlit as st

from audit_app.domain.dossier_entries import ResponseStatus
from audit_app.errors import AuditError
from audit_app.services.audits import AuditView
from audit_app.services.comparison import ComparedAudit
from audit_app.services.context import Services
from audit_app.services.dossiers import with_findings
from audit_app.ui import state
from audit_app.ui.components.blocks import heading, table
from audit_app.ui.components.dossier_panel import act
from audit_app.ui.components.notices import notice
from audit_app.ui.labels import stratum_label


def report_records(services: Services, view: AuditView) -> None:
    """Three parts below the report."""
    said = st.session_state.pop(state.DOSSIER_SAID, None)
    if said:
        notice("done", said)
    _responses(services, view)
    _comparison(services, view.audit.name)
    _history(services, view.audit.name)


def _responses(services: Services, view: AuditView) -> None:
    name, tasks = view.audit.name, sorted(with_findings(view))
    st.html(heading("Responses of the developers, by finding"))
    if not tasks:
        st.html('<p class="meta">No task has a finding yet.</p>')
        return
    responses = view.dossier.responses
    if responses:
        rows = [
            (
                task_id,
                f"{e.body.status} in {e.body.version}" if e.body.version else e.body.status.value,
                e.body.on.isoformat(),
                e.body.link or "—",
                e.body.text or "—",
            )
            for task_id, e in sorted(responses.items())
        ]
        st.html(table(["Task", "Response", "Date", "Link", "Text"], rows))
    with st.form(f"response_form/{name}", border=False):
        columns = st.columns([3, 2, 2, 2])
        task = columns[0].selectbox("Task", tasks, key="response_task")
        status = columns[1].selectbox(
            "Response",
            [status.value for status in ResponseStatus],
            key="response_status",
        )
        version = columns[2].text_input("Fixed in version", key="response_version")
        on = columns[3].date_input("Date", key="response_on")
        link = st.text_input("Link", key="response_link")
        words = st.text_area("In their words", key="response_text", height=68)
        if st.form_submit_button("Keep the response"):
            act(
                lambda: services.dossiers.respond(
                    name,
                    task,
                    ResponseStatus(status),
                    version=version,
                    on=on,
                    link=link,
                    text=words,
                ),
                f"The response to {task} is kept; it changes no count.",
            )


def _comparison(services: Services, name: str) -> None:
    others = [other for other in services.audits.names() if other != name]
    if not others:
        return
    st.html(heading("Beside other audits"))
    chosen = st.multiselect("Compare with", others, key="compare_with")
    if not chosen:
        return
    try:
        found = services.comparisons.compare([name, *chosen])
    except AuditError as error:
        notice("error", str(error))
        return
    for note in found.notes:
        notice("mind", note)
    headers = ["", *(audit.audit for audit in found.audits)]
    columns = [_column(audit) for audit in found.audits]
    rows = [(label, *(column[label] for column in columns)) for label in columns[0]]
    st.html(table(headers, rows, caption="Audits side by side"))
    st.html(_strata(found.audits))


def _column(audit: ComparedAudit) -> dict[str, str]:
    effects = audit.effects
    return {
        "Verdict": audit.verdict_label + (" (partial review)" if audit.partial else ""),
        "Benchmark": f"{audit.benchmark}, version {audit.version}",
        "Rubric": f"{audit.rubric}, version {audit.rubric_version}",
        "Threshold": f"{100 * audit.threshold:g} %, severity from {audit.min_severity}",
        "Evidence": audit.evidence,
        "Defective": audit.figure,
        "Intervals": "; ".join(
            f"{i.name.replace('_', ' ')} {100 * i.lower:.1f}–{100 * i.upper:.1f} %"
            for i in audit.intervals
        )
        or "none",
        "Effects": f"FN {effects.fn}, FP {effects.fp}, both {effects.both}",
        "Outside evidence": ", ".join(f"at least {100 * f:.1f} %" for f in audit.outside) or "none",
        "Judged by": ", ".join(audit.reviewers) or "nobody yet",
    }


def _strata(audits: tuple[ComparedAudit, ...]) -> str:
    names = dict.fromkeys(row.stratum for audit in audits for row in audit.strata)
    by_audit = [{row.stratum: row for row in audit.strata} for audit in audits]
    rows = [
        (
            stratum_label(name),
            *(
                f"{r.defective} of {r.reviewed}" if (r := known.get(name)) else "—"
                for known in by_audit
            ),
        )
        for name in names
    ]
    return table(["Stratum", *(audit.audit for audit in audits)], rows, caption="By stratum")


def _history(services: Services, name: str) -> None:
    changes = services.courses.history(name)
    if not changes:
        return
    st.html(heading("History of the verdict"))
    rows = [
        (
            change.at.isoformat(timespec="minutes"),
            change.by,
            change.audit,
            change.version,
            change.label,
            f"{change.numbers.defective} of {change.numbers.reviewed}"
            if change.numbers
            else "not kept",
            change.cause,
        )
        for change in changes
    ]
    st.html(
        table(["When", "Who", "Audit", "Version", "Verdict", "Defective then", "Because"], rows)
    )
