"""Fixtures that two or more folders use."""

from __future__ import annotations

from pathlib import Path

import pytest

SHARED_DATA = Path(__file__).resolve().parents[2] / "shared" / "data"


@pytest.fixture(scope="session")
def bfcl_v4() -> Path:
    """The BFCL v4 data folder; skips where the benchmark's data are absent."""
    folder = SHARED_DATA / "bfcl_v4"
    if not folder.is_dir():
        pytest.skip("the BFCL v4 data folder (../shared/data/bfcl_v4) is absent")
    return folder
