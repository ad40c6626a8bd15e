"""Keys of the session state and of the address bar, in one place so that none is used twice."""

from __future__ import annotations

AUDIT_PARAM = "audit"
TASK_PARAM = "task"

AUDIT = "chosen_audit"
DESK = "desk"
DESK_ACKS = "desk_acks"
TASK = "desk_task"

IMPORT_FORM = "import_form"
OUTPUTS_FORM = "outputs_form"
PLAN = "plan"
CREATE_FORM = "create_form"
EXPAND_FORM = "expand_form"
RUBRIC = "rubric"
STATEMENTS_FORM = "statements_form"
FLASH = "flash"
"""A sentence to show once after the page was run again."""
REJECTED = "rejected_rows"
AUDIT_CHOICE = "audit_choice"
