"""All settings: name, variable, default. The table in docs/settings.md says what each is for."""

from __future__ import annotations

import getpass
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Settings:
    """What whoever runs Assay decides.

    Attributes:
        db: The workspace file (``ASSAY_DB``, ``--db``).
        reviewer: Name recorded with everything a person does (``ASSAY_REVIEWER``, ``--as``).
        cache: Where fetched packages lie (``ASSAY_CACHE``).
        source_date_epoch: Date to print in reports instead of today's, seconds since 1970.
    """

    db: Path
    reviewer: str
    cache: Path
    source_date_epoch: int | None = None


def _user_name() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # no such user in the system's list, as in some containers
        return "reviewer"


def read_settings(
    environment: Mapping[str, str] | None = None,
    *,
    db: Path | None = None,
    reviewer: str | None = None,
) -> Settings:
    """Settings from the environment; what is given by hand wins."""
    env = os.environ if environment is None else environment
    cache = env.get("ASSAY_CACHE") or str(
        Path(env.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "assay"
    )
    epoch = env.get("SOURCE_DATE_EPOCH", "")
    return Settings(
        db=db or Path(env.get("ASSAY_DB") or "assay.db"),
        reviewer=(reviewer or env.get("ASSAY_REVIEWER") or _user_name()).strip() or "reviewer",
        cache=Path(cache).expanduser(),
        source_date_epoch=int(epoch) if epoch.isdigit() else None,
    )
