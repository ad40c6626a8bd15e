"""The outside world that services are given: the time and fresh ids."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from uuid import uuid4


@dataclass(frozen=True)
class Clock:
    """The time and fresh ids; tests give a fixed one.

    Attributes:
        source_date_epoch: Seconds since 1970 to take for the date of a report, None for today.
    """

    source_date_epoch: int | None = field(default=None)

    def now(self) -> datetime:
        """The time, in UTC, to the microsecond."""
        return datetime.now(UTC)

    def report_date(self) -> date:
        """The date that a report carries."""
        if self.source_date_epoch is not None:
            return datetime.fromtimestamp(self.source_date_epoch, UTC).date()
        return self.now().date()

    def new_id(self) -> str:
        """A random UUID."""
        return str(uuid4())
