"""``python -m audit_app`` is ``assay``."""

from __future__ import annotations

from audit_app.cli import main

main()
