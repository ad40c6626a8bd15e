"""Parts of the import forms: the formats, the column map, the uploaded file, the rejected rows."""

from __future__ import annotations

import csv
import io
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from audit_app.errors import InputError
from audit_app.importers.report import RejectedRow
from audit_app.services.benchmarks import format_list
from audit_app.ui.components.blocks import table
from audit_app.ui.components.notices import notice

_SHOWN = 50


def format_ids(reads: str) -> list[str]:
    """Ids of the formats that hold ``tasks`` or ``outputs``."""
    return [row.id for row in format_list() if reads in row.reads]


def column_map(text: str) -> dict[str, str]:
    """``FIELD=COLUMN`` pairs separated by white space.

    Raises:
        InputError: A pair is not of that form.
    """
    pairs = [part.partition("=") for part in text.split()]
    for field, mark, column in pairs:
        if not (field and mark and column):
            raise InputError(f"{field + mark + column!r} is not of the form FIELD=COLUMN")
    return {field: column for field, _, column in pairs}


@contextmanager
def given_path(path: str, upload: UploadedFile | None) -> Iterator[Path]:
    """The path that was typed, or the uploaded file on disk under its own name.

    Raises:
        InputError: Neither was given, or both.
    """
    typed = path.strip()
    if bool(typed) == (upload is not None):
        raise InputError("give either a path on this machine or a file from your browser")
    if upload is None:
        yield Path(typed).expanduser()
        return
    with tempfile.TemporaryDirectory(prefix="assay-") as folder:
        file = Path(folder) / (Path(upload.name).name or "upload")
        file.write_bytes(upload.getbuffer())
        yield file


def rejected_block(rows: Sequence[RejectedRow]) -> None:
    """The rows that an import could not use, and a file of all of them."""
    if not rows:
        return
    notice("mind", f"{len(rows)} rejected. The others were imported.")
    shown = [(r.source, r.line or "whole file", r.reason) for r in rows[:_SHOWN]]
    st.html(table(["File", "Line", "What is wrong"], shown, numeric=(1,)))
    if len(rows) > _SHOWN:
        st.caption(f"{len(rows) - _SHOWN} more are in the file.")
    sheet = io.StringIO()
    writer = csv.writer(sheet)
    writer.writerow(["source", "line", "reason"])
    writer.writerows((r.source, r.line, r.reason) for r in rows)
    st.download_button(
        "Download all as CSV", sheet.getvalue(), "rejected.csv", "text/csv", key="rejected_csv"
    )
