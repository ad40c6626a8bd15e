"""The list of a benchmark's tasks and one of them, to be looked at only."""

from audit_app.ui.components.task_browser.browser import task_browser

__all__ = ["task_browser"]
