"""The two ways in which an output has no verdict under a rule: unreadable, or the checker stops."""

from __future__ import annotations


class DecodeError(ValueError):
    """The output cannot be read as calls; the text says why, in words a reviewer understands."""


class CheckerStopError(Exception):
    """The benchmark's own checker would stop with an exception here, and grade nothing.

    Attributes:
        exception: Name of the exception class, for example ``KeyError``.
        reason: What makes it stop, in one sentence.
    """

    def __init__(self, exception: str, reason: str) -> None:
        super().__init__(f"{exception}: {reason}")
        self.exception, self.reason = exception, reason
