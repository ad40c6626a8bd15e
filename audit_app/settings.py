"""All settings: name, variable, default. The table in docs/settings.md says what each is for."""

from __future__ import annotations

import getpass
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from audit_app.errors import InputError

_LAST_SECOND = 253402300799
"""Of the year 9999, where calendars end."""


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
    """Settings from the environment; what is given by hand wins.

    Raises:
        InputError: A setting cannot be what it is set to.
    """
    env = os.environ if environment is None else environment
    return Settings(
        db=db or Path(env.get("ASSAY_DB") or "assay.db"),
        reviewer=_reviewer(reviewer or env.get("ASSAY_REVIEWER") or _user_name()),
        cache=_cache(env),
        source_date_epoch=_epoch(env.get("SOURCE_DATE_EPOCH", "")),
    )


def _reviewer(name: str) -> str:
    name = name.strip() or "reviewer"
    if len(name) > 200 or not name.isprintable():
        raise InputError(f"{name[:80]!r} cannot name a person: use 1 to 200 printable characters")
    return name


def _cache(env: Mapping[str, str]) -> Path:
    given = env.get("ASSAY_CACHE") or env.get("XDG_CACHE_HOME")
    path = Path(env.get("ASSAY_CACHE") or Path(env.get("XDG_CACHE_HOME") or "~/.cache") / "assay")
    try:
        return path.expanduser()
    except RuntimeError as error:  # no such user, or a user without a home as in some containers
        if given:
            raise InputError(f"there is no home folder for {path}; set ASSAY_CACHE") from error
        return Path(".cache", "assay")


def _epoch(text: str) -> int | None:
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) <= 12) or int(text) > _LAST_SECOND:
        raise InputError(f"SOURCE_DATE_EPOCH {text[:80]!r} is not a number of seconds since 1970")
    return int(text)
