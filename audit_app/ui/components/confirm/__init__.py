"""The page Confirm: live trials of one task, and repeat reliability."""
