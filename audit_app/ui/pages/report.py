"""Report: what it says so far, the texts a person adds, and the files to download."""

from __future__ import annotations

import io
import shlex
import zipfile
from base64 import b64encode

import streamlit as st

from audit_app.errors import AuditError
from audit_app.services.context import Services
from audit_app.services.location import typed_path
from audit_app.services.rubrics import STATEMENTS
from audit_app.settings import read_settings
from audit_app.ui import state
from audit_app.ui.components.blocks import heading
from audit_app.ui.components.notices import notice
from audit_app.ui.components.report_records import report_records
from audit_app.ui.context import chosen_audit, run_page, say_no_audit, settings
from audit_app.ui.frame import page_frame

_ZIP_DATE = (1980, 1, 1, 0, 0, 0)
"""A zip stores a time for each file; a fixed one keeps equal reports equal bytes."""


def render(services: Services) -> None:
    """Show the preview with its downloads beside the texts that a person adds."""
    page_frame(services, "Report", "at any stage; without a verdict it says in progress")
    name = chosen_audit(services.audits.names())
    if name is None:
        say_no_audit("Draw a sample first, on the page Sample.")
        return
    if blind := services.planted(name).blind_note():
        notice("mind", blind)
        return
    files = services.reports.files(name)
    left, right = st.columns([66, 34], gap="medium")
    with left:
        _preview(files)
    with right:
        _downloads(name, files)
        _statements(services, name)
    report_records(services, services.audits.view(name))


def _preview(files: dict[str, bytes]) -> None:
    report, source = st.tabs(["Report", "Markdown"])
    with report, st.container(key="report_preview"):
        # A data address has an origin of its own: what it holds could not reach the app.
        address = f"data:text/html;base64,{b64encode(files['report.html']).decode()}"
        st.iframe(address, height=720, alt="The report")
    with source:
        st.code(files["report.md"].decode(), language=None, wrap_lines=True, height=720)


def _downloads(name: str, files: dict[str, bytes]) -> None:
    st.download_button(
        "Download the report (HTML)",
        files["report.html"],
        "report.html",
        "text/html",
        type="primary",
        key="download_html",
    )
    st.download_button(
        "Download the report (Markdown)",
        files["report.md"],
        "report.md",
        "text/markdown",
        key="download_report",
    )
    st.download_button(
        "Download everything (zip: all formats, findings)",
        _zipped(files),
        "report.zip",
        "application/zip",
        key="download_all",
    )
    st.html('<p class="meta">From the command line:</p>')
    db, default = settings().db.resolve(), read_settings({}).db.resolve()
    place = "" if db == default else f" --db {typed_path(db)}"
    command = shlex.join(["assay", "report", name]) + place
    st.code(command, language=None, wrap_lines=True)


def _zipped(files: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name, _ZIP_DATE), content)
    return buffer.getvalue()


def _statements(services: Services, name: str) -> None:
    stated = services.rubrics.statements(name)
    with st.form(state.STATEMENTS_FORM, border=False):
        st.html(heading("Texts of the report"))
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
