"""One row of a review file as a judgement: the full form and the short one.

What is wrong with a row is raised as ``ValueError``, whose text is the reason shown to the user.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from pydantic import ValidationError

from audit_app.domain.benchmark import encode
from audit_app.domain.record import Json
from audit_app.domain.review import Effect, Finding, FindingState, Judgement, Review
from audit_app.domain.review_file import COLUMNS, FLAGS, SEPARATOR

_CAUSE = re.compile(r"[A-Z][0-9]{1,2}")
_FINDING_COLUMNS = ("effects", "cause", "causes", "severity", "state", "evidence", "proposed_key")


@dataclass(frozen=True)
class FullRow:
    """A row of the full form; a clean task has no finding, and ``note`` is the remark on it."""

    task_id: str
    reviewer: str
    reviewed_at: datetime
    finding: Finding | None
    note: str


def reason_of(error: ValueError) -> str:
    """The sentence to show for a fault, whether ours or a domain value's."""
    if not isinstance(error, ValidationError):
        return str(error)
    first = error.errors(include_url=False)[0]
    if first["type"] == "value_error":
        return first["msg"].removeprefix("Value error, ")
    where = ".".join(str(part) for part in first["loc"])
    return f"{where}: {first['msg']}"


def full_row(cells: Mapping[str, Json], *, unnamed: str, now: datetime) -> FullRow:
    """A row of the full form; without a reviewer it is ``unnamed``'s, without a time ``now``'s."""
    unknown = next((name for name in cells if name not in COLUMNS), None)
    if unknown is not None:
        raise ValueError(f"the field {unknown[:80]!r} is none of {', '.join(COLUMNS)}")
    task_id = _text(cells, "task_id")
    if not task_id:
        raise ValueError("task_id is empty")
    moment = _text(cells, "reviewed_at")
    judgement = _text(cells, "judgement")
    if judgement not in (Judgement.CLEAN, Judgement.DEFECT):
        raise ValueError(f"the judgement {judgement[:80]!r} is neither clean nor defect")
    clean = judgement == Judgement.CLEAN
    if clean:
        given = next((c for c in _FINDING_COLUMNS if cells.get(c) not in (None, "", [])), None)
        if given:
            raise ValueError(f"the judgement is clean, but {given} is given")
    return FullRow(
        task_id=task_id,
        reviewer=_text(cells, "reviewer") or unnamed,
        reviewed_at=_moment(moment) if moment else now,
        finding=None if clean else _finding(cells),
        note=_text(cells, "note"),
    )


def review_of(rows: Sequence[FullRow], *, review_id: str) -> Review:
    """The review that the rows of one task, reviewer and time make up."""
    findings = tuple(row.finding for row in rows if row.finding)
    return Review(
        id=review_id,
        task_id=rows[0].task_id,
        reviewer=rows[0].reviewer,
        reviewed_at=rows[0].reviewed_at,
        judgement=Judgement.DEFECT if findings else Judgement.CLEAN,
        findings=findings,
        note="" if findings else rows[0].note,
    )


def short_review(
    cells: Mapping[str, Json], *, review_id: str, unnamed: str, now: datetime
) -> Review:
    """The review of a row of a published list; severity is not stated, the state confirmed."""
    task_id = _text(cells, "id")
    if not task_id:
        raise ValueError("id is empty")
    defective, fn, fp, stale = (_flag(cells, name) for name in FLAGS)
    if defective and not (fn or fp):
        raise ValueError("defective is 1, but neither false_negative nor false_positive is")
    if not defective and (fn or fp or stale):
        raise ValueError("defective is 0, but another flag is 1")
    own = {"id", "reviewer", "note", *FLAGS}
    further = [(name, _text(cells, name)) for name in cells if name not in own]
    parts = [_text(cells, "note"), *(f"{name}: {value}" for name, value in further if value)]
    note = "\n".join(part for part in parts if part)
    effects = tuple(e for e, is_set in ((Effect.FN, fn), (Effect.FP, fp)) if is_set)
    finding = (
        Finding(effects=effects, cause="K2" if stale else None, note=note) if effects else None
    )
    return Review(
        id=review_id,
        task_id=task_id,
        reviewer=_text(cells, "reviewer") or unnamed,
        reviewed_at=now,
        judgement=Judgement.DEFECT if finding else Judgement.CLEAN,
        findings=(finding,) if finding else (),
        note="" if finding else note,
    )


def _finding(cells: Mapping[str, Json]) -> Finding:
    return Finding(
        effects=tuple(Effect(e) for e in _known(cells, "effects", list(Effect))),
        cause=next(iter(_codes(cells, "cause", at_most=1)), None),
        causes=_codes(cells, "causes"),
        severity=_severity(cells),
        state=FindingState(next(iter(_known(cells, "state", list(FindingState))), "confirmed")),
        note=_text(cells, "note"),
        evidence=_words(cells, "evidence"),
        proposed_key=_key(cells),
    )


def _text(cells: Mapping[str, Json], name: str) -> str:
    value = cells.get(name)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise ValueError(f"{name} is {encode(value).decode()[:80]} where a text is expected")
    return value


def _words(cells: Mapping[str, Json], name: str) -> tuple[str, ...]:
    """Several values of one cell: a list, or a text with a space between them."""
    value = cells.get(name)
    if isinstance(value, list) and all(isinstance(word, str) for word in value):
        return tuple(value)
    return tuple(word for word in _text(cells, name).split(SEPARATOR) if word)


def _known(cells: Mapping[str, Json], name: str, allowed: Sequence[str]) -> tuple[str, ...]:
    words = _words(cells, name)
    for word in words:
        if word not in allowed:
            raise ValueError(f"{name} {word[:80]!r} is none of {', '.join(allowed)}")
    if name == "effects" and not words:
        raise ValueError(f"a defect needs at least one of the effects {', '.join(allowed)}")
    return words


def _codes(cells: Mapping[str, Json], name: str, at_most: int = 99) -> tuple[str, ...]:
    words = _words(cells, name)
    for word in words:
        if not _CAUSE.fullmatch(word):
            raise ValueError(f"{name} {word[:80]!r} is not a cause code such as K1 or G2")
    if len(words) > at_most:
        raise ValueError(f"{name} holds {len(words)} codes; further ones belong in causes")
    return words


def _severity(cells: Mapping[str, Json]) -> int | None:
    value = cells.get("severity")
    text = str(value) if isinstance(value, int) and not isinstance(value, bool) else None
    text = _text(cells, "severity") if text is None else text
    if text not in ("", "0", "1", "2", "3"):
        raise ValueError(f"the severity {text[:80]!r} is none of 0, 1, 2, 3 and not empty")
    return int(text) if text else None


def _flag(cells: Mapping[str, Json], name: str) -> bool:
    value = cells.get(name)
    text = str(value) if isinstance(value, int) else _text(cells, name)
    if text.strip() not in ("0", "1"):
        raise ValueError(f"{name} is {text[:80]!r}, not 0 or 1")
    return text.strip() == "1"


def _moment(text: str) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
        if moment.tzinfo is not None:
            moment.astimezone(UTC)
    except (ValueError, OverflowError):  # the second: not a year from 1 to 9999 in UTC
        raise ValueError(
            f"reviewed_at {text[:80]!r} is not a time such as 2026-09-10T12:00:00Z"
        ) from None
    if moment.tzinfo is None:
        raise ValueError(f"reviewed_at {text[:80]!r} has no time zone; add Z for UTC")
    return moment


def _key(cells: Mapping[str, Json]) -> str | None:
    """The proposed key as JSON text; JSON that a file holds as such is encoded."""
    value = cells.get("proposed_key")
    return value if value is None or isinstance(value, str) else encode(value).decode()
