"""Holding a job while it is run: one process at a time, whatever the clock does.

A holder names its host and process. On the same host it is asked whether that process still
lives, so that a killed one holds nothing up and a living one is never taken for dead because the
clock jumped. Elsewhere the time of expiry counts; where that cannot be right, the hold is watched
for as long as a living holder needs to renew it.
"""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

from audit_app.domain.live_jobs import Lease
from audit_app.errors import ConflictError
from audit_app.services.clock import Clock
from audit_app.storage.trial_leases import TrialLeaseRepository

LEASE_S = 30.0
RENEWED_EVERY_S = 5.0
_PROC = Path("/proc")


def new_holder(clock: Clock) -> str:
    """A name for a new hold of this process."""
    pid = os.getpid()
    return f"{socket.gethostname()} {pid} {_began(pid)} {clock.new_id()}"


def is_gone(holder: str) -> bool:
    """Whether the process of a holder is known to have ended."""
    host, pid, began, _ = _parts(holder)
    if host != socket.gethostname() or os.name != "posix" or not pid:
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        return False
    return _began(pid) != began


def is_held(lease: Lease | None, clock: Clock) -> bool:
    """Whether somebody seems to run the job now; on this host the clock has no say in it."""
    if lease is None or is_gone(lease.holder):
        return False
    is_here = os.name == "posix" and _parts(lease.holder)[0] == socket.gethostname()
    return is_here or clock.now() < lease.expires_at


def dead_lease(
    leases: TrialLeaseRepository,
    clock: Clock,
    *,
    wait: Callable[[float], object] = time.sleep,
) -> Lease | None:
    """The hold that may be taken over; None where there is none at all.

    Args:
        leases: Of the job.
        clock: The time.
        wait: Lets seconds pass.

    Raises:
        ConflictError: Somebody runs the job.
    """
    found = leases.lease()
    if found is None or is_gone(found.holder):
        return found
    left = found.expires_at - clock.now()
    if not timedelta(0) < left <= timedelta(seconds=LEASE_S):
        wait(RENEWED_EVERY_S + 1)  # the clock jumped, or the holder hangs: a living one renews
        if leases.lease() == found:
            return found
    host, pid, *_ = _parts(found.holder)
    raise ConflictError(f"this job is being run already, by process {pid} on {host}")


def _parts(holder: str) -> tuple[str, int, str, str]:
    host, pid, began, rest = [*holder.split(" "), "", "", ""][:4]
    return host, int(pid) if pid.isdigit() else 0, began, rest


def _began(pid: int) -> str:
    """When a process began, as the system counts; ``-`` where it does not tell."""
    try:
        stat = (_PROC / str(pid) / "stat").read_text("utf-8", "replace")
    except OSError:
        return "-"
    return stat.rpartition(")")[2].split()[19]
