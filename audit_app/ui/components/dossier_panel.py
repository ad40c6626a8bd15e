"""What stands beside the sample, on the page Rubric: what is recorded, and the forms for it."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from audit_app.domain.dossier import Noted
from audit_app.domain.dossier_entries import Entry
from audit_app.errors import AuditError
from audit_app.services.audits import AuditView
from audit_app.services.context import Services
from audit_app.services.dossiers import with_findings
from audit_app.ui import state
from audit_app.ui.components.blocks import heading, table, text
from audit_app.ui.components.notices import notice
from audit_app.ui.components.team_form import names_in

_NONE = "—"


def dossier_panel(services: Services, view: AuditView) -> None:
    """Early stop, issues at scale, root causes, outside evidence and targeted tasks."""
    st.html(
        heading("Beside the sample")
        + '<p class="meta">Kept with who and when, shown in the report, and part of no rate.</p>'
    )
    said = st.session_state.pop(state.DOSSIER_SAID, None)
    if said:
        notice("done", said)
    tabs = st.tabs(
        ["Issues at scale", "Root causes", "Outside evidence", "Targeted tasks", "Early stop"]
    )
    for tab, panel in zip(tabs, (_scale, _root_causes, _outside, _targeted, _stop), strict=True):
        with tab:
            panel(services, view)


def act(work: Callable[[], object], said: str) -> None:
    """Do what was submitted; say what came of it, on the page as it stands then."""
    try:
        work()
    except AuditError as error:
        notice("error", str(error))
        return
    st.session_state[state.DOSSIER_SAID] = said
    st.rerun()


def _who(entry: Noted[Entry]) -> str:
    return f"{entry.by}, {entry.at.date().isoformat()}"


def _scale(services: Services, view: AuditView) -> None:
    name, dossier = view.audit.name, view.dossier
    if dossier.scale_issues:
        rows = [
            (e.body.text, ", ".join(e.body.links) or e.body.root_cause, _who(e))
            for e in dossier.scale_issues
        ]
        st.html(table(["Issue at scale", "Evidence", "Stated by"], rows))
    with st.form(f"scale_form/{name}", border=False):
        words = st.text_area(
            "What damages grading at scale",
            key="scale_text",
            height=68,
            help="It may fail the scoring item at any rate; a person still answers that item.",
        )
        left, right = st.columns(2)
        links = left.text_input("Link to the evidence", key="scale_link")
        causes = ["", *dossier.root_causes]
        cause = right.selectbox(
            "Or the root cause it rests on",
            causes,
            key="scale_cause",
            format_func=lambda key: key or _NONE,
        )
        if st.form_submit_button("State the issue"):
            given = (links.strip(),) if links.strip() else ()
            act(
                lambda: services.dossiers.state_scale_issue(
                    name, words, links=given, root_cause=cause
                ),
                "The issue at scale is kept; answer the scoring item above.",
            )


def _root_causes(services: Services, view: AuditView) -> None:
    name, dossier = view.audit.name, view.dossier
    if dossier.root_causes:
        rows = [
            (e.body.title, e.body.cause or _NONE, len(dossier.linked[key]), _listed(view, key))
            for key, e in dossier.root_causes.items()
        ]
        st.html(table(["Root cause", "Cause", "Tasks", ""], rows, numeric=(2,)))
    with st.form(f"cause_form/{name}", border=False):
        columns = st.columns([2, 4, 2])
        key = columns[0].text_input("Key", key="cause_key", placeholder="verifier-collides")
        title = columns[1].text_input("Title", key="cause_title")
        codes = ["", *view.audit.taxonomy.causes]
        cause = columns[2].selectbox(
            "Cause", codes, key="cause_code", format_func=lambda code: code or _NONE
        )
        description = st.text_area("What is at fault", key="cause_text", height=68)
        link = st.text_input("Link to the evidence", key="cause_link")
        if st.form_submit_button("Name the root cause"):
            act(
                lambda: services.dossiers.add_root_cause(
                    name,
                    key.strip(),
                    title=title,
                    description=description.strip(),
                    cause=cause,
                    links=(link.strip(),) if link.strip() else (),
                ),
                "The root cause is kept.",
            )
    if dossier.root_causes:
        _link_form(services, view)


def _listed(view: AuditView, key: str) -> str:
    return ", ".join(view.dossier.linked[key])


def _link_form(services: Services, view: AuditView) -> None:
    name = view.audit.name
    with st.form(f"link_form/{name}", border=False):
        columns = st.columns([2, 6])
        key = columns[0].selectbox("Root cause", list(view.dossier.root_causes), key="link_cause")
        tasks = columns[1].multiselect(
            "Tasks with a finding", sorted(with_findings(view)), key="link_tasks"
        )
        buttons = st.columns([1, 1, 8])
        links = buttons[0].form_submit_button("Link")
        unlinks = buttons[1].form_submit_button("Unlink")
    if links or unlinks:
        act(
            lambda: services.dossiers.link(name, key, tasks, unlink=unlinks),
            "The root cause has its tasks.",
        )


def _outside(services: Services, view: AuditView) -> None:
    name = view.audit.name
    if view.dossier.outside:
        rows = [
            (
                e.body.source,
                e.body.examined,
                e.body.confirmed,
                e.body.of,
                f"at least {100 * e.body.floor:.1f} %",
                e.body.note,
                _who(e),
            )
            for e in view.dossier.outside
        ]
        headers = ["Source", "Examined", "Defective", "Of all", "Floor", "What", "Cited by"]
        st.html(table(headers, rows, numeric=(1, 2, 3)))
    with st.form(f"cite_form/{name}", border=False):
        source = st.text_input("Link to somebody else's audit", key="cite_source")
        columns = st.columns(3)
        examined = columns[0].number_input("Tasks examined there", 0, key="cite_examined")
        confirmed = columns[1].number_input("Of those, defective", 0, key="cite_confirmed")
        total = columns[2].number_input("Tasks of the benchmark in all", 0, key="cite_of")
        note = st.text_input("What was examined, and how it was chosen", key="cite_note")
        if st.form_submit_button("Cite it"):
            act(
                lambda: services.dossiers.cite(
                    name,
                    source=source.strip(),
                    examined=int(examined),
                    confirmed=int(confirmed),
                    of=int(total),
                    note=note,
                ),
                "The outside evidence is kept: a floor, and no rate.",
            )


def _targeted(services: Services, view: AuditView) -> None:
    name = view.audit.name
    if view.targeted:
        rows = [
            (
                read.task.task_id,
                "in the sample by now" if read.is_sampled else _judgement(read.judgement is None),
                read.task.reason,
                f"{read.task.by}, {read.task.at.date().isoformat()}",
            )
            for read in view.targeted
        ]
        st.html(table(["Task outside the sample", "Judgement", "Why", "Named by"], rows))
    with st.form(f"target_form/{name}", border=False):
        tasks = st.text_area(
            "Tasks outside the sample to read on purpose",
            key="target_tasks",
            height=68,
            placeholder="One task id a line",
            help="They come last on the page Review, marked as targeted, and count in no rate.",
        )
        reason = st.text_input("Why they are read", key="target_reason")
        if st.form_submit_button("Add to the queue"):
            act(
                lambda: services.courses.target(name, names_in(tasks), reason),
                "They stand last in the queue, outside the sample.",
            )


def _judgement(is_open: bool) -> str:
    return "not judged" if is_open else "judged"


def _stop(services: Services, view: AuditView) -> None:
    name, status = view.audit.name, view.status
    stop = view.dossier.stop
    unread = status.sampled - status.reviewed
    if stop is None and not unread:
        st.html('<p class="meta">Every sampled task is reviewed: there is nothing to stop.</p>')
        return
    if stop is not None:
        st.html(f'<p class="say">{text(view.grounds.stop)}</p>')
    with st.form(f"stop_form/{name}", border=False):
        label = "Why reviewing goes on" if stop else f"Why reviewing stops with {unread} unread"
        reason = st.text_input(label, key="stop_reason")
        if st.form_submit_button("Go on reviewing" if stop else "Stop early"):
            turn = services.courses.resume if stop else services.courses.stop
            act(
                lambda: turn(name, reason),
                "Reviewing goes on." if stop else "The stop is kept; what is unread is no pass.",
            )
