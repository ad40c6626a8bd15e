"""Browse: every task of the benchmark, in the sample or not, to be looked at only."""

from __future__ import annotations

from dataclasses import replace
from urllib.parse import urlencode

import streamlit as st

from audit_app.errors import NotFoundError
from audit_app.services.browsing import OpenedTask
from audit_app.services.context import Services
from audit_app.services.resources import bundled_taxonomy
from audit_app.ui import state
from audit_app.ui.browse_address import BrowseAddress, parameters_of
from audit_app.ui.components.notices import notice
from audit_app.ui.components.task_browser import task_browser
from audit_app.ui.context import chosen_audit, next_step, run_page
from audit_app.ui.frame import page_frame
from audit_app.ui.keys import page_keys
from audit_app.ui.rendering import render_task
from audit_app.ui.rendering.browsing import opened_task, tasks_list


def render(services: Services) -> None:
    """Show the list, or the task that the address names."""
    audit = chosen_audit(services.audits.names())
    address = BrowseAddress.of(st.query_params.to_dict())
    names = services.benchmarks.names()
    benchmark = address.benchmark or ("" if audit else next(iter(names), ""))
    if not (audit or benchmark):
        page_frame(services, "Browse")
        st.info("No task yet. Import a benchmark first, on the page Benchmarks.")
        next_step("Benchmarks")
        return
    try:
        browsing = services.browsing(benchmark=benchmark, audit=audit or "")
        opened = browsing.open(address.task, address.query) if address.task else None
    except NotFoundError as error:
        page_frame(services, "Browse")
        notice("mind", f"{error}. “Browse” on the left leads back to the list.")
        return
    desk = services.reviewing(audit).desk() if audit else None
    page_frame(services, "Browse", full_bleed=True, desk=desk, at=address.task)
    own = {"": desk.benchmark.name} if desk else {}
    choices = {**own, **{name: name for name in names if name not in own.values()}}
    task_browser(
        _task(opened, address)
        if opened
        else tasks_list(browsing.tasks(address.query, page=address.page), address, choices),
        whole=replace(address, whole=True).link,
        bindings=page_keys(bundled_taxonomy()),
        go=_go,
    )


def _task(opened: OpenedTask, address: BrowseAddress) -> str:
    row = opened.row
    review = {**address.kept, state.AUDIT_PARAM: row.audit, state.TASK_PARAM: row.task_id}
    rendered = render_task(opened.view, full=address.whole) if opened.view else None
    return opened_task(opened, address, f"./?{urlencode(review)}", rendered)


def _go(link: str) -> None:
    st.query_params.from_dict(parameters_of(link))


run_page(render)
