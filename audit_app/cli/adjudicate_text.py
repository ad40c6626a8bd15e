"""Cases and agreement as a command prints them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from audit_app.cli.options import brief, percent
from audit_app.domain.settling import CaseState
from audit_app.services.adjudication import Board
from audit_app.services.case_board import Case, CaseItem
from audit_app.stats.agreement_model import Agreement, AgreementTable


def board_data(board: Board, accepted: int | None) -> dict[str, Any]:
    """The board as JSON has it; ``accepted`` is there where identical reviews were accepted."""
    states = {state: [i for i in board.items if i.state is state] for state in CaseState}
    return {
        "audit": board.audit.name,
        "mode": board.team.mode.value,
        "reviews_per_task": board.team.reviews_per_task,
        "open": [_item_data(item) for item in states[CaseState.DIFFERS]],
        "identical": [item.task_id for item in states[CaseState.IDENTICAL]],
        "returned": [item.task_id for item in states[CaseState.RETURNED]],
        "waiting": [item.task_id for item in states[CaseState.WAITING]],
        "settled": len(states[CaseState.SETTLED]),
        **({} if accepted is None else {"accepted": accepted}),
        "hidden": board.hidden,
        **agreement_data(board.agreement),
    }


def agreement_data(table: AgreementTable) -> dict[str, Any]:
    """``agreement``, null with its reason under ``undefined`` where there is none."""
    if table.undefined:
        return {"agreement": None, "undefined": {"agreement": table.undefined}}
    return {"agreement": table.model_dump(mode="json", exclude={"undefined"}), "undefined": {}}


def _item_data(item: CaseItem) -> dict[str, Any]:
    return {
        "task_id": item.task_id,
        "stratum": item.stratum,
        "state": item.state.value,
        "differing": list(item.differing),
        "reviews": list(item.words),
        "may_settle": not item.may_settle,
        "why_not": item.may_settle,
        "adjudication": None if item.settled is None else item.settled.id,
    }


def case_data(case: Case) -> dict[str, Any]:
    """One case as JSON has it, its reviews whole."""
    return {
        **_item_data(case.item),
        "reviews": [review.model_dump(mode="json") for review in case.reviews],
        "fields": [
            {"name": row.name, "values": list(row.values), "is_same": row.is_same}
            for row in case.rows
        ],
        "send_backs": [send_back.model_dump(mode="json") for send_back in case.send_backs],
        "adjudication": case.adjudication.model_dump(mode="json") if case.adjudication else None,
    }


def board_text(board: Board, accepted: int | None) -> str:
    """What differs, how much is settled and how far the reviewers agree."""
    return "\n".join(_board_lines(board, accepted))


def _board_lines(board: Board, accepted: int | None) -> Iterable[str]:
    if accepted is not None:
        yield f"{accepted} tasks with identical reviews accepted"
    counts = {state: sum(i.state is state for i in board.items) for state in CaseState}
    yield (
        f"{board.audit.name} ({board.team.mode.value}): {counts[CaseState.DIFFERS]} differ, "
        f"{counts[CaseState.IDENTICAL]} identical, {counts[CaseState.RETURNED]} sent back, "
        f"{counts[CaseState.SETTLED]} settled"
    )
    for item in board.items:
        if item.state is CaseState.DIFFERS:
            yield _indented(2, f"{item.task_id}: {'; '.join(item.words)}")
            yield _indented(4, f"differ in {', '.join(item.differing)}")
            if item.may_settle:
                yield _indented(4, f"not yours to settle: {item.may_settle}")
    if board.hidden:
        yield f"{board.hidden} reviews are not shown: you have yet to judge their tasks"
    yield agreement_line(board.agreement)


def agreement_line(table: AgreementTable) -> str:
    """Agreement on whether a task is defective, in one line."""
    overall = table.overall
    if overall is None:
        return f"agreement: not defined, {table.undefined}"
    return (
        f"agreement on defective: {overall.agree} of {overall.pairs} = {percent(overall.raw)}"
        f"{_coefficient('kappa', overall)}{_coefficient('alpha', overall)}"
    )


def _coefficient(name: str, figures: Agreement) -> str:
    value: float | None = getattr(figures, name)
    if value is None:
        return f", {name} not defined ({figures.undefined[name]})"
    return f", {name} {value:.2f}"


def _indented(columns: int, text: str) -> str:
    return " " * columns + brief(text)


def case_text(case: Case) -> str:
    """The reviews of one task side by side."""
    item = case.item
    lines = [brief(f"{item.task_id} ({item.stratum}): {item.state.value}")]
    for row in case.rows:
        mark = " " if row.is_same or not row.decides else "≠"
        lines.append(f"{mark} {row.name}")
        values = [(r.reviewer, value) for r, value in zip(case.reviews, row.values, strict=True)]
        lines += [_indented(4, f"{reviewer}: {value or '—'}") for reviewer, value in values]
    lines += [_indented(2, f"sent back to {s.reviewer}: {s.reason}") for s in case.send_backs]
    if item.settled is not None:
        lines.append(f"  settled by {item.settled.adjudicator} ({item.settled.how.value})")
    if item.may_settle:
        lines.append(_indented(2, f"not yours to settle: {item.may_settle}"))
    return "\n".join(lines)
