"""Where the workspace lies, and the warning where it may be lost."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from audit_app.services.location import shown_path, why_temporary
from audit_app.ui.components.notices import notice
from audit_app.ui.rendering.text import attribute, literal


def place_block(db: Path) -> None:
    """Say where everything is kept, and warn where it may be lost."""
    path = db.resolve()
    shown = literal(shown_path(path))
    st.html(f'<p class="say">Everything is kept in <code><bdi>{shown}</bdi></code></p>')
    warning = why_temporary(path)
    if warning:
        notice("mind", f"{warning} Stop the app, move the file, and start again with --db PATH.")


def place_line(db: Path, saved: str) -> str:
    """The foot of the rail as HTML: what was saved last, the path under the pointer, the warning.

    Args:
        db: The workspace file.
        saved: When the last judgement was saved and in which file, in words.
    """
    path = db.resolve()
    warning = why_temporary(path)
    mark = (
        f'<span class="mind" title="{attribute(warning)}">Temporary place: may be lost</span>'
        if warning
        else ""
    )
    return (
        f'<div class="a-foot" title="{attribute(str(path))}"><bdi>{literal(saved)}</bdi>'
        f"{mark}</div>"
    )
