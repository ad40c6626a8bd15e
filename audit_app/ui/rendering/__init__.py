"""Task views as escaped HTML; nothing here knows Streamlit."""

from audit_app.ui.rendering.view import RenderedTask, render_prose, render_task

__all__ = ["RenderedTask", "render_prose", "render_task"]
