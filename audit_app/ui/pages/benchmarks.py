"""Benchmarks: what is here, where it came from, and bringing more in."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import streamlit as st

from audit_app.errors import AuditError
from audit_app.services.benchmarks import BenchmarkSummary
from audit_app.services.context import Services
from audit_app.ui import state
from audit_app.ui.components.blocks import code, heading, table
from audit_app.ui.components.imports import (
    column_map,
    format_ids,
    given_path,
    rejected_block,
)
from audit_app.ui.components.notices import notice
from audit_app.ui.components.place import place_block
from audit_app.ui.context import run_page, settings
from audit_app.ui.frame import page_frame


def render(services: Services) -> None:
    """Show every benchmark version, then the forms that import."""
    page_frame(services, "Benchmarks", "tasks with their answer keys, and model outputs")
    summaries = services.benchmarks.summaries()
    message = st.session_state.pop(state.FLASH, None)
    if message:
        notice("done", message)
    rejected_block(st.session_state.pop(state.REJECTED, ()))
    place_block(settings().db)
    if not summaries:
        st.info("No benchmark yet. Import one below: a folder, a package file or a table.")
    else:
        st.html(_versions(summaries))
    for summary in summaries:
        _counts(summary)
    left, right = st.columns(2, gap="large")
    with left:
        _import_form(services)
    with right:
        _outputs_form(services, [summary.version.name for summary in summaries])


def _versions(summaries: Sequence[BenchmarkSummary]) -> str:
    versions = [(summary.version, summary.weighted_entries) for summary in summaries]
    return table(
        ["Benchmark", "Version", "Tasks", "Entries", "In the score", "Format", "Source"],
        [
            (
                v.name,
                code(v.version),
                v.tasks,
                v.entries,
                weighted,
                f"{v.format} {v.rules}".strip(),
                f"{v.source}, {v.imported_at:%Y-%m-%d %H:%M} by {v.imported_by}",
            )
            for v, weighted in versions
        ],
        numeric=(2, 3, 4),
        caption="Benchmarks",
    )


def _counts(summary: BenchmarkSummary) -> None:
    v = summary.version
    # The name in a code span: an expander reads its label as Markdown.
    label = f"Counts and outputs of `{v.name.replace('`', ' ')} {v.version}`"
    with st.expander(label, key=f"counts_{summary.key}"):
        groups, categories = st.columns(2, gap="large")
        groups.html(table(["Group", "Tasks"], summary.by_group.items(), numeric=(1,)))
        categories.html(table(["Category", "Tasks"], summary.by_category.items(), numeric=(1,)))
        if not summary.sources:
            st.caption("No outputs imported.")
            return
        rows = [
            (s.source, ", ".join(s.models), s.outputs, "simulated" if s.simulated else "real")
            for s in summary.sources
        ]
        st.html(table(["Outputs from", "Models", "Outputs", "Said to be"], rows, numeric=(2,)))


def _import_form(services: Services) -> None:
    with st.form(state.IMPORT_FORM, border=False):
        st.html(heading("Import a benchmark"))
        format_id = st.selectbox("Format", format_ids("tasks"), key="import_format")
        path = st.text_input(
            "Folder or file on this machine", key="import_path", placeholder="path/to/bfcl_v4"
        )
        upload = st.file_uploader("or a file from your browser", key="import_upload")
        name = st.text_input("Name", key="import_name", placeholder="bfcl-v4")
        mapping = st.text_input(
            "Columns (FIELD=COLUMN, separated by spaces)",
            key="import_map",
            help="For tables whose columns have other names.",
        )
        submitted = st.form_submit_button("Import", type="primary")
    if not submitted:
        return
    try:
        with given_path(path, upload) as source:
            summary = services.benchmarks.import_tasks(
                format_id, source, name=name, columns=column_map(mapping)
            )
    except AuditError as error:
        notice("error", str(error))
        return
    verb = "imported" if summary.is_new else "was here already, with the same content"
    st.session_state[state.FLASH] = f"{name} {verb}: {summary.version.tasks} tasks."
    st.session_state[state.REJECTED] = summary.rejected
    st.rerun()


def _outputs_form(services: Services, names: list[str]) -> None:
    with st.form(state.OUTPUTS_FORM, border=False):
        st.html(heading("Import model outputs"))
        format_id = st.selectbox("Format", format_ids("outputs"), key="outputs_format")
        benchmark = st.selectbox("Benchmark", names, key="outputs_benchmark")
        path = st.text_input("File on this machine", key="outputs_path")
        upload = st.file_uploader("or a file of outputs from your browser", key="outputs_upload")
        mapping = st.text_input("Columns (FIELD=COLUMN, separated by spaces)", key="outputs_map")
        scores = st.text_input(
            "Folder of score files (bfcl)",
            key="outputs_scores",
            help="The tree of score files beside a tree of results: published grades.",
        )
        simulated = st.checkbox("These outputs are simulated", key="outputs_simulated")
        submitted = st.form_submit_button("Import outputs", type="primary", disabled=not names)
    if not submitted or benchmark is None:
        return
    try:
        with given_path(path, upload) as source:
            done = services.benchmarks.import_outputs(
                format_id,
                source,
                benchmark=benchmark,
                columns=column_map(mapping),
                scores=Path(scores.strip()).expanduser() if scores.strip() else None,
                simulated=simulated,
            )
    except AuditError as error:
        notice("error", str(error))
        return
    st.session_state[state.FLASH] = f"{done.outputs} outputs of {len(done.models)} models imported."
    st.session_state[state.REJECTED] = done.rejected
    st.rerun()


run_page(render)
