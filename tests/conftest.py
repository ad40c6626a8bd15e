"""Fixtures that two or more folders use."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

SHARED_DATA = Path(__file__).resolve().parents[2] / "shared" / "data"


def shared_data(name: str) -> Path:
    """A benchmark's data, read in place; absent, the test skips, and in CI it fails."""
    path = SHARED_DATA / name
    if not path.exists():
        reason = f"the benchmark data ../shared/data/{name} are absent"
        if os.environ.get("CI"):
            pytest.fail(f"{reason}; in CI they must be there")
        pytest.skip(reason)
    return path


@pytest.fixture(scope="session")
def bfcl_v4() -> Path:
    """The BFCL v4 data folder."""
    return shared_data("bfcl_v4")


@pytest.fixture(scope="session")
def bfcl_v1() -> Path:
    """BFCL tasks, results and scores of August 2024."""
    return shared_data("bfcl_v1_2024_08")


@pytest.fixture(scope="session")
def bfcl_v4_results() -> Path:
    """BFCL v4 result and score trees of invented models."""
    return shared_data("bfcl_v4_invented_results")
