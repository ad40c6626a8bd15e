"""Report: what it says so far, the texts a person adds, and the files to download."""

from __future__ import annotations

import io
import re
import shlex
import zipfile

import streamlit as st

from audit_app.errors import AuditError
from audit_app.services.context import Services
from audit_app.services.reports import CHART, CHART_LINE
from audit_app.services.rubrics import STATEMENTS
from audit_app.settings import read_settings
from audit_app.ui import state
from audit_app.ui.components.notices import notice
from audit_app.ui.context import chosen_audit, run_page, say_no_audit, settings
from audit_app.ui.frame import page_frame

_ESCAPED_ADDRESS = re.compile(r"\\[:@]|www(?=\\\.)", re.IGNORECASE)
"""Where the report escapes what Streamlit would all the same turn into a link."""

_ZIP_DATE = (1980, 1, 1, 0, 0, 0)
"""A zip stores a time for each file; a fixed one keeps equal reports equal bytes."""


def render(services: Services) -> None:
    """Show the preview with its downloads beside the texts that a person adds."""
    page_frame(services, "Report", "at any stage; without a verdict it says in progress")
    name = chosen_audit(services.audits.names())
    if name is None:
        say_no_audit("Draw a sample first, on the page Sample.")
        return
    files = services.reports.files(name)
    left, right = st.columns([66, 34], gap="medium")
    with left:
        _preview(files)
    with right:
        _downloads(name, files)
        _statements(services, name)


def _preview(files: dict[str, bytes]) -> None:
    markdown = files["report.md"].decode()
    rendered, source = st.tabs(["Preview", "Markdown"])
    # Foreign text in the report is escaped where it is written; a test renders a hostile audit.
    with rendered, st.container(height=720, border=True, key="report_preview"):
        above, chart, below = markdown.partition(CHART_LINE)
        st.markdown(_without_autolinks(above))
        if chart:
            st.image(files[CHART].decode(), width="stretch")
            st.markdown(_without_autolinks(below))
    with source:
        st.code(markdown, language=None, wrap_lines=True, height=720)


def _without_autolinks(markdown: str) -> str:
    """Foreign addresses stay text on the screen: an invisible joiner breaks them, the files not."""
    return _ESCAPED_ADDRESS.sub("\\g<0>\u2060", markdown)


def _downloads(name: str, files: dict[str, bytes]) -> None:
    st.download_button(
        "Download the report (Markdown)",
        files["report.md"],
        "report.md",
        "text/markdown",
        type="primary",
        key="download_report",
    )
    st.download_button(
        "Download everything (zip: Markdown, JSON, CSV)",
        _zipped(files),
        "report.zip",
        "application/zip",
        key="download_all",
    )
    st.caption("From the command line:")
    db, default = settings().db.resolve(), read_settings({}).db.resolve()
    place = [] if db == default else ["--db", str(db)]
    st.code(shlex.join(["assay", "report", name, *place]), language=None, wrap_lines=True)


def _zipped(files: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name, _ZIP_DATE), content)
    return buffer.getvalue()


def _statements(services: Services, name: str) -> None:
    stated = services.rubrics.statements(name)
    with st.form(state.STATEMENTS_FORM):
        st.subheader("Texts of the report", anchor=False)
        given = {
            key: st.text_area(
                key.replace("_", " ").capitalize(),
                value=stated.get(key, ""),
                help=purpose,
                key=f"statement_{key}",
                height=68,
            )
            for key, purpose in STATEMENTS.items()
        }
        submitted = st.form_submit_button("Save the texts")
    if not submitted:
        return
    try:
        for key, text in given.items():
            if text.strip() != stated.get(key, ""):
                services.rubrics.state(name, key, text)
    except AuditError as error:
        notice("error", str(error))
        return
    st.rerun()


run_page(render)
