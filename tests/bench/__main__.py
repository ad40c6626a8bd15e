"""Entry point of ``make bench``."""

from __future__ import annotations

from tests.bench import imports

imports.run()
