"""Making entries of a dossier, and appending them with who and when."""

from __future__ import annotations

from typing import Any, TypeVar

from pydantic import ValidationError

from audit_app.domain.dossier import Noted
from audit_app.domain.dossier_entries import Entry
from audit_app.errors import InputError
from audit_app.services.clock import Clock
from audit_app.services.judgement_rules import first_problem

E = TypeVar("E", bound=Entry)


def made(kind: type[E], /, **values: Any) -> E:
    """An entry of a kind.

    Raises:
        InputError: The values do not make one; the first thing that is wrong is told.
    """
    try:
        return kind(**values)
    except ValidationError as error:
        raise InputError(f"not recorded: {first_problem(error)}") from error


def noted(body: E, clock: Clock, person: str) -> Noted[E]:
    """The entry with a fresh id, made now by a person."""
    return Noted(clock.new_id(), body, clock.now(), person)
