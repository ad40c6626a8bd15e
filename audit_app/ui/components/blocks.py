"""Small blocks of escaped HTML that several pages use: tables, bars, the verdict."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from audit_app.domain.rubric import Outcome, Verdict

_MARK = {
    Outcome.VERIFIED: "pass",
    Outcome.FLAWED: "fail",
    Outcome.NEI: "warn",
    Outcome.IN_PROGRESS: "open",
}


class Raw(str):
    """HTML that was escaped where it was made."""

    __slots__ = ()


def text(value: object) -> Raw:
    """Foreign text, shown literally and in its own direction."""
    return value if isinstance(value, Raw) else Raw(f"<bdi>{escape(str(value))}</bdi>")


def code(value: object) -> Raw:
    """Foreign text in the fixed-width face."""
    return Raw(f"<code>{escape(str(value))}</code>")


def heading(title: str) -> str:
    """The heading of a part of a page."""
    return f'<h2 class="part">{escape(title)}</h2>'


def table(
    headers: Sequence[str],
    rows: Iterable[Sequence[object]],
    *,
    numeric: Sequence[int] = (),
    total: bool = False,
    caption: str = "",
) -> str:
    """A quiet table; cells are escaped unless they are `Raw`.

    Args:
        headers: Titles of the columns.
        rows: One sequence a row.
        numeric: Columns whose figures stand to the right.
        total: Whether the last row sums up the others.
        caption: What the table is, for those who do not see it.
    """
    kind = [' class="num"' if i in numeric else "" for i in range(len(headers))]
    head = "".join(
        f'<th scope="col"{kind[i]}>{escape(h)}</th>' if h else "<td></td>"
        for i, h in enumerate(headers)
    )
    bodies = [
        "".join(f"<td{kind[i]}>{text(cell)}</td>" for i, cell in enumerate(row)) for row in rows
    ]
    marked = [
        f"<tr{' class=tot' if total and i == len(bodies) - 1 else ''}>{cells}</tr>"
        for i, cells in enumerate(bodies)
    ]
    title = f'<caption class="sr">{escape(caption)}</caption>' if caption else ""
    return (
        f'<table class="grid">{title}<thead><tr>{head}</tr></thead>'
        f"<tbody>{''.join(marked)}</tbody></table>"
    )


def rate_bar(share: float | None, *, threshold: float | None = None) -> Raw:
    """A bar for a share, with a tick at a threshold."""
    if share is None:
        return Raw("")
    label = f"{100 * share:.1f} %"
    tick = (
        f'<b class="tick" style="left:{100 * threshold:.1f}%"></b>' if threshold is not None else ""
    )
    return Raw(
        f'<span class="bar th" role="img" aria-label="{label}">'
        f'<i style="width:{100 * share:.1f}%"></i>{tick}</span>'
    )


def verdict_block(verdict: Verdict, label: str, pinned: str) -> str:
    """The verdict in large letters, with what it is pinned to."""
    partial = '<div class="say">Partial review</div>' if verdict.partial else ""
    return (
        f'<div class="verdict {_MARK[verdict.outcome]}"><div class="meta">{escape(pinned)}</div>'
        f'<div class="big">{escape(label)}</div>{partial}</div>'
    )


def trace_list(verdict: Verdict) -> str:
    """The reasoning behind a verdict, the deciding step marked."""
    steps = "".join(
        f"<li{' class=hit' if step.decides else ''}><span>"
        f"{'<b>Decides.</b> ' if step.decides else ''}{text(step.text)}</span></li>"
        for step in verdict.trace
    )
    return f'<ol class="trace">{steps}</ol>'


def percent(share: float | None) -> str:
    """A share as a percentage with one decimal."""
    return "not defined" if share is None else f"{100 * share:.1f} %"
