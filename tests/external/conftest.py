"""The fetched package, for tests that run or read it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from audit_app.external.fetch import FILE_NAME
from audit_app.external.simulators import SimulatorPool
from audit_app.settings import read_settings


@pytest.fixture(scope="session")
def bfcl_package() -> Path:
    """The package file where ``assay fetch bfcl-v4`` puts it; skips where it is absent."""
    package = read_settings().cache / FILE_NAME
    if not package.is_file():
        pytest.skip(f"{FILE_NAME} is not in the cache folder; get it with: assay fetch bfcl-v4")
    return package


@pytest.fixture(scope="session")
def pool(bfcl_package: Path) -> Iterator[SimulatorPool]:
    """Two processes that simulate."""
    with SimulatorPool(bfcl_package, workers=2) as pool:
        yield pool
