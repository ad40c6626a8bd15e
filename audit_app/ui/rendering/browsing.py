"""The page Browse as escaped HTML: the list of tasks, and the frame around one of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape

from audit_app.services.browsing import PAGE, OpenedTask, TaskPage, TaskRow
from audit_app.ui.browse_address import BENCHMARK, CATEGORY, GROUP, TEXT, BrowseAddress
from audit_app.ui.labels import stratum_label
from audit_app.ui.rendering.text import attribute, bounded, counted, literal
from audit_app.ui.rendering.view import RenderedTask

LOOKING = "Looking only: nothing on this page can be judged or counted."


def tasks_list(page: TaskPage, address: BrowseAddress, benchmarks: Mapping[str, str]) -> str:
    """The search and one page of what it found.

    Args:
        page: What was found.
        address: Where it was looked for.
        benchmarks: What may be chosen: value in the address → label; the audit's own is empty.
    """
    return _list_head(page, address) + _search(page, address, benchmarks) + _found(page, address)


def _list_head(page: TaskPage, address: BrowseAddress) -> str:
    first = (page.page - 1) * PAGE + 1
    place = f"{first:,}–{first + len(page.rows) - 1:,} of {page.found:,}" if page.rows else "none"
    before = address.at(page=page.page - 1) if page.page > 1 else ""
    after = address.at(page=page.page + 1) if page.page < page.pages else ""
    tasks = counted(page.benchmark.tasks, "task")
    return (
        f'<header class="bar1"><h1>Browse</h1><span class="meta">{tasks} of '
        f"<bdi>{literal(page.benchmark.name)}</bdi> {literal(page.benchmark.version)}, in the "
        f'sample or not; looking only</span><span class="sp"></span>'
        f'<span class="meta place" role="status">{place}</span>'
        f"{_step('previous', '←', 'Previous page', before)}{_step('next', '→', 'Next page', after)}"
        "</header>"
    )


def _step(place: str, mark: str, title: str, link: str) -> str:
    href = f' href="{attribute(link)}"' if link else ' role="link" aria-disabled="true"'
    return (
        f'<a class="btn sm quiet" data-place="{place}"{href} title="{title}" aria-label="{title}">'
        f"<kbd>{mark}</kbd></a>"
    )


def _search(page: TaskPage, address: BrowseAddress, benchmarks: Mapping[str, str]) -> str:
    hidden = "".join(
        f'<input type="hidden" name="{escape(name)}" value="{escape(value)}">'
        for name, value in address.kept.items()
    )
    chosen = ""
    if len(benchmarks) > 1:
        chosen = _select(BENCHMARK, "Benchmark", benchmarks.items(), address.benchmark)
    elif address.benchmark:
        hidden += f'<input type="hidden" name="{BENCHMARK}" value="{escape(address.benchmark)}">'
    query = address.query
    clear = BrowseAddress(benchmark=address.benchmark, kept=address.kept).link
    is_narrowed = bool(query.words or query.category or query.group)
    groups = _select(GROUP, "Group", _counted(page.groups), query.group, "All groups")
    categories = _select(
        CATEGORY, "Category", _counted(page.categories), query.category, "All categories"
    )
    clearing = f'<a class="btn quiet" href="{attribute(clear)}">Show all</a>' if is_narrowed else ""
    return (
        f'<form class="find" role="search">{hidden}<input class="in" type="search" name="{TEXT}" '
        f'value="{escape(query.text)}" aria-label="Words in id, prompt, tools or key" '
        'placeholder="Words in id, prompt, tools or key" autocomplete="off" spellcheck="false">'
        f"{chosen}{groups}{categories}"
        f'<button type="submit" class="btn">Search</button>{clearing}</form>'
    )


def _counted(counts: Mapping[str, int]) -> list[tuple[str, str]]:
    return [(value, f"{stratum_label(value)} ({number:,})") for value, number in counts.items()]


def _select(
    name: str, label: str, options: Iterable[tuple[str, str]], chosen: str, every: str = ""
) -> str:
    rows = ([("", every)] if every else []) + list(options)
    made = "".join(
        f'<option value="{escape(value)}"{" selected" if value == chosen else ""}>'
        f"{attribute(text)}</option>"
        for value, text in rows
    )
    return f'<select class="sel" name="{name}" aria-label="{label}">{made}</select>'


def _found(page: TaskPage, address: BrowseAddress) -> str:
    if not page.rows:
        return (
            '<div class="end" role="status"><h2 class="big">No task was found.</h2>'
            '<p class="meta">Every word must stand somewhere in the id, the prompt, the tools or '
            "the key of one task. Use fewer words, or show all.</p></div>"
        )
    rows = "".join(_row(row, address) for row in page.rows)
    whose = "graded here" if page.is_scored else "as published"
    return (
        '<div class="scroll" tabindex="0" role="region" aria-label="Tasks found">'
        '<table class="tasks"><caption class="sr">Tasks found</caption><thead><tr>'
        '<th scope="col" class="id">Task</th><th scope="col">Prompt</th>'
        '<th scope="col" class="cat">Category</th><th scope="col" class="grp">Group</th>'
        f'<th scope="col" class="num" title="Outputs that pass, {whose}">Right</th>'
        '<th scope="col" class="is"><span class="sr">Where it stands</span></th></tr></thead>'
        f"<tbody>{rows}</tbody></table></div>"
    )


def _row(row: TaskRow, address: BrowseAddress) -> str:
    link = address.at(task=row.task_id, page=address.page)
    queued = '<span class="tag">in your sample</span>' if row.audit else ""
    return (
        f'<tr><td class="id"><a class="mono" href="{attribute(link)}" '
        f'title="{attribute(row.task_id)}"><bdi>{bounded(row.task_id, 200)}</bdi></a></td>'
        f'<td class="said-first" dir="auto">{literal(row.excerpt)}</td>'
        f'<td class="cat" title="{attribute(row.category)}"><bdi>{bounded(row.category, 80)}</bdi>'
        f'</td><td class="grp"><bdi>{bounded(stratum_label(row.group), 80)}</bdi></td>'
        f'<td class="num">{_right(row)}</td><td class="is">{queued}</td></tr>'
    )


def _right(row: TaskRow) -> str:
    outcome = row.outcome
    if outcome is None:
        return '<span class="meta" title="Shown on Review">—</span>'
    if not outcome.outputs:
        return '<span class="meta">no output</span>'
    if not outcome.graded:
        return '<span class="meta">no grade</span>'
    return f"{outcome.right} of {outcome.graded}"


def opened_task(
    opened: OpenedTask, address: BrowseAddress, review_link: str, rendered: RenderedTask | None
) -> str:
    """One task, or the way to the review where it stands in the viewer's queue.

    Args:
        opened: The task with its place.
        address: Where it was looked for.
        review_link: The review of this task, where it stands in the viewer's queue.
        rendered: Its panes; None where it stands in the queue.
    """
    head = _task_head(opened, address)
    if rendered is None:
        return f"{head}{_banner('')}{_on_review(opened, review_link)}"
    css = "cols wide-left" if rendered.wide else "cols"
    return (
        f"{head}{_banner('Outside your sample.')}"
        f'<div class="{css}"><section class="pane left" aria-label="Task and key">{rendered.left}'
        f'</section><section class="pane right" aria-label="Model outputs">{rendered.right}'
        "</section></div>"
    )


def _task_head(opened: OpenedTask, address: BrowseAddress) -> str:
    row, at = opened.row, opened.position
    what = ", ".join(dict.fromkeys((row.category, stratum_label(row.group))))
    place = f"{at:,} of {opened.found:,}" if at else "not among the tasks found"
    before = address.at(task=opened.previous) if opened.previous else ""
    after = address.at(task=opened.next) if opened.next else ""
    return (
        f'<header class="bar1"><a class="btn sm" data-place="list" '
        f'href="{attribute(address.at(page=opened.page))}"><kbd>Esc</kbd>List</a>'
        f'<h1 class="mono" title="{attribute(row.task_id)}">{bounded(row.task_id, 200)}</h1>'
        f'<span class="meta"><bdi>{bounded(what, 160)}</bdi></span><span class="sp"></span>'
        f'<span class="meta place">{place}</span>'
        f"{_step('previous', '←', 'Previous task', before)}"
        f"{_step('next', '→', 'Next task', after)}</header>"
    )


def _banner(where: str) -> str:
    outside = f"<b>{where}</b> " if where else ""
    return f'<div class="looking" role="note">{outside}<span>{LOOKING}</span></div>'


def _on_review(opened: OpenedTask, review_link: str) -> str:
    audit = f"<bdi>{bounded(opened.row.audit, 200)}</bdi>"
    return (
        f'<div class="end"><h2 class="big">This task is in your sample.</h2><p class="meta">It '
        f"stands in your queue of {audit}, so its key and its outputs are shown where you judge "
        f'it.</p><p><a class="btn primary" href="{attribute(review_link)}" target="_self">Open it '
        "on Review</a></p></div>"
    )
