"""Assay: a workbench for auditing benchmark answer keys."""

from __future__ import annotations

__version__ = "0.1.0"
