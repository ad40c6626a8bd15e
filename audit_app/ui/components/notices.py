"""Sentences to the person: what went wrong, what was done, what to mind.

They may quote a file name, an id or a name that somebody else chose, and Streamlit's own notices
read their text as Markdown, images included. These show it literally.
"""

from __future__ import annotations

from html import escape
from typing import Literal

import streamlit as st

Kind = Literal["error", "done", "mind"]
_WORD = {"error": "Error", "done": "Done", "mind": "Note"}
_ROLE = {"error": "alert", "done": "status", "mind": "status"}


def notice(kind: Kind, sentence: str) -> None:
    """Show one sentence; the word in front says what it is, not the colour alone."""
    st.html(
        f'<div class="notice {kind}" role="{_ROLE[kind]}"><b>{_WORD[kind]}</b> '
        f"<bdi>{escape(sentence)}</bdi></div>"
    )
