"""One error tree, split by what the person at the keyboard can do about it.

AuditError                    anything Assay reports in one sentence
├── InputError                the user's input is at fault; nothing was done (exit 2)
│   ├── RowRejectedError      one source row cannot be used; the others can
│   ├── NotFoundError         a name or id that the workspace does not hold
│   └── ConflictError         the record moved on since it was read, or already exists
├── VerificationError         stored data does not prove itself (exit 1)
├── WorkspaceError            the workspace file cannot be opened or written (exit 2)
├── NotSignedInError          nobody is signed in where that is asked for (exit 2)
├── NotAdmittedError          somebody is, but may not use this workspace (exit 2)
└── OutsideServiceError       a package registry or an endpoint failed (exit 3)
"""

from __future__ import annotations


class AuditError(Exception):
    """Anything Assay can say in one sentence: what, where, the offending value, what to do."""

    exit_status = 2


class InputError(AuditError):
    """The user's input is at fault and nothing was done."""


class RowRejectedError(InputError):
    """One source row failed validation.

    Attributes:
        source: File name as the user gave it.
        line: 1-based physical line in ``source``; 0 where the whole file is meant.
        reason: What is wrong, phrased so that the reader can fix the row.
    """

    def __init__(self, source: str, line: int, reason: str) -> None:
        super().__init__(f"{source}:{line}: {reason}" if line else f"{source}: {reason}")
        self.source, self.line, self.reason = source, line, reason


class NotFoundError(InputError):
    """A name or id that the workspace does not hold.

    Attributes:
        kind: What was looked for, for example ``"audit"``.
        name: The name that was given.
    """

    def __init__(self, kind: str, name: str, hint: str = "") -> None:
        super().__init__(f"there is no {kind} {name!r}{'; ' + hint if hint else ''}")
        self.kind, self.name = kind, name


class ConflictError(InputError):
    """The record moved on since it was read, or it exists already."""


class VerificationError(AuditError):
    """Stored data does not prove itself."""

    exit_status = 1


class WorkspaceError(AuditError):
    """The workspace file cannot be opened, read or written."""


class NotSignedInError(AuditError):
    """Nobody is signed in where a sign-in is asked for, or it is too long ago."""


class NotAdmittedError(AuditError):
    """Somebody is signed in who may not use this workspace."""


class OutsideServiceError(AuditError):
    """A package registry or an endpoint could not be used."""

    exit_status = 3
