"""The least a Streamlit page can do on a key press: count and show."""

from __future__ import annotations

import gc

import streamlit as st


@st.cache_resource
def _settle() -> bool:
    gc.collect()
    gc.freeze()
    return True


_settle()
st.session_state.setdefault("n", 0)
if st.button("Next", shortcut="a", key="next"):
    st.session_state["n"] += 1
st.html(f"<h1 class='count'>{st.session_state['n']}</h1>")
