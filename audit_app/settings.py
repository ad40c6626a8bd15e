"""All settings: name, variable, default. The table in docs/settings.md says what each is for."""

from __future__ import annotations

import getpass
import os
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from audit_app.domain.conditions import Endpoint
from audit_app.domain.identity import ANYONE, Admission, person_name
from audit_app.errors import InputError
from audit_app.rerun.endpoints import read_endpoints

_LAST_SECOND = 253402300799
"""Of the year 9999, where calendars end."""

_SIGN_IN_HOURS = 12
"""A working day; the cookie of a sign-in lives for 30 days at most."""
_LONGEST_SIGN_IN_HOURS = 30 * 24


@dataclass(frozen=True)
class Settings:
    """What whoever runs Assay decides.

    Attributes:
        db: The workspace file (``ASSAY_DB``, ``--db``).
        reviewer: Name recorded with everything a person does (``ASSAY_REVIEWER``, ``--as``).
        cache: Where fetched packages lie (``ASSAY_CACHE``).
        source_date_epoch: Date to print in reports instead of today's, seconds since 1970.
        keys: A file that gives actions of the review screen other keys (``ASSAY_KEYS``).
        secrets: A file with the sign-in of a served app (``ASSAY_SECRETS``); where it is set,
            nobody sees anything without signing in.
        admission: Who of those who can sign in is admitted (``ASSAY_ALLOWED``).
        sign_in_lasts: After which time a person signs in again (``ASSAY_SIGN_IN_HOURS``).
        endpoints: Where models may be called (``ASSAY_ENDPOINTS``); empty for any address on
            this machine and none elsewhere.
    """

    db: Path
    reviewer: str
    cache: Path
    source_date_epoch: int | None = None
    keys: Path | None = None
    secrets: Path | None = None
    admission: Admission = ANYONE
    sign_in_lasts: timedelta = timedelta(hours=_SIGN_IN_HOURS)
    endpoints: tuple[Endpoint, ...] = ()


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
        keys=_file(env, "ASSAY_KEYS"),
        secrets=_file(env, "ASSAY_SECRETS"),
        admission=Admission.of(env.get("ASSAY_ALLOWED", "")),
        sign_in_lasts=timedelta(hours=_hours(env.get("ASSAY_SIGN_IN_HOURS", ""))),
        endpoints=read_endpoints(env.get("ASSAY_ENDPOINTS", "")),
    )


def _reviewer(name: str) -> str:
    return person_name(name.strip() or "reviewer")


def _file(env: Mapping[str, str], variable: str) -> Path | None:
    given = env.get(variable)
    return Path(given) if given else None


def _hours(text: str) -> int:
    if not text:
        return _SIGN_IN_HOURS
    is_number = text.isascii() and text.isdigit() and len(text) <= 3
    if not is_number or not 1 <= int(text) <= _LONGEST_SIGN_IN_HOURS:
        raise InputError(
            f"ASSAY_SIGN_IN_HOURS {text[:80]!r} is not a number from 1 to {_LONGEST_SIGN_IN_HOURS}"
        )
    return int(text)


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
