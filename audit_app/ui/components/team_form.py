"""Sharing an audit, on the page: who takes part and how, who gets what, planted checks."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from audit_app.domain.team import MAX_REVIEWS_PER_TASK, PLANTED_SHARES, Mode, TeamSettings
from audit_app.errors import AuditError
from audit_app.services.context import Services
from audit_app.services.team import TeamChange, TeamService
from audit_app.services.team_standing import PersonStanding
from audit_app.ui import state
from audit_app.ui.components.blocks import table
from audit_app.ui.components.notices import notice
from audit_app.ui.components.planting_form import planting_form

_MODES = {
    Mode.SINGLE: "single: the latest review counts",
    Mode.ADJUDICATED: "two and adjudicator: an adjudicator settles what differs",
    Mode.WORST: "worst wins: the worst review counts",
}
_NAMES = "One name a line"


def team_section(services: Services, audit: str) -> None:
    """How the audit is shared, how far everybody is, and the forms that change it."""
    service = services.team(audit)
    settings = service.settings()
    with st.expander(f"Team: {summary(settings)}", key="team"):
        people = service.standing()
        if people:
            st.html(_people_table(people))
        _settings_form(service, audit, settings)
        _assignment_form(service, audit, settings)
        if settings.planted_share:
            planting_form(services, audit)


def summary(settings: TeamSettings) -> str:
    """The settings in a few words."""
    each = settings.reviews_per_task
    reviews = "1 review per task" if each == 1 else f"{each} reviews per task"
    planted = settings.planted_share
    checks = f", {planted:.0%} planted checks" if planted else ""
    return f"{settings.mode.value.replace('_', ' ')}, {reviews}{checks}"


def _people_table(people: list[PersonStanding]) -> str:
    rows = [
        (
            person.reviewer if person.is_named else f"{person.reviewer} (not among the reviewers)",
            person.left.judged,
            person.held,
            person.left.open + person.left.skipped,
            person.left.returned,
            person.assigned,
        )
        for person in people
    ]
    headers = ["Reviewer", "Judged", "On the desk", "Left", "Sent back", "Assigned"]
    return table(headers, rows, numeric=(1, 2, 3, 4, 5), caption="How far everybody is")


def _settings_form(service: TeamService, audit: str, settings: TeamSettings) -> None:
    key = f"{audit}/{settings.model_dump_json()}"  # new settings, fresh fields
    with st.form(f"{state.TEAM_FORM}/{audit}", border=False):
        modes = list(Mode)
        columns = st.columns([3, 1, 1, 1])
        mode = columns[0].selectbox(
            "Mode",
            modes,
            index=modes.index(settings.mode),
            format_func=_MODES.__getitem__,
            key=f"team_mode/{key}",
        )
        each = columns[1].number_input(
            "Reviews per task",
            1,
            MAX_REVIEWS_PER_TASK,
            value=settings.reviews_per_task,
            key=f"team_each/{key}",
        )
        lease = columns[2].number_input(
            "Lease, minutes", 1, 24 * 60, value=settings.lease_minutes, key=f"team_lease/{key}"
        )
        planted = columns[3].number_input(
            "Planted checks, %",
            0,
            round(100 * PLANTED_SHARES[1]),
            value=round(100 * settings.planted_share),
            key=f"team_planted/{key}",
        )
        people = st.columns(2)
        reviewers = people[0].text_area(
            "Reviewers (none: anyone)",
            "\n".join(settings.reviewers),
            placeholder=_NAMES,
            key=f"team_reviewers/{key}",
        )
        adjudicators = people[1].text_area(
            "Adjudicators (none: anyone who did not review the task)",
            "\n".join(settings.adjudicators),
            placeholder=_NAMES,
            key=f"team_adjudicators/{key}",
        )
        if st.form_submit_button("Save the team"):
            change = TeamChange(
                mode=mode,
                reviews_per_task=int(each),
                lease_minutes=int(lease),
                reviewers=names_in(reviewers),
                adjudicators=names_in(adjudicators),
                planted_share=planted / 100,
            )
            _do(lambda: " ".join(("Team saved.", *service.change(change).consequences)))


def _assignment_form(service: TeamService, audit: str, settings: TeamSettings) -> None:
    with st.form(f"{state.ASSIGN_FORM}/{audit}", border=False):
        columns = st.columns(2)
        tasks = columns[0].text_area(
            "Assign tasks (none: all of them, to everybody as many)",
            placeholder="One task id a line",
            key=f"assign_tasks/{audit}",
        )
        people = columns[1].text_area(
            "To",
            placeholder="One name a line; for all tasks, by default the reviewers",
            key=f"assign_people/{audit}",
        )
        buttons = st.columns([1, 1, 4])
        assigns = buttons[0].form_submit_button("Assign")
        takes_back = buttons[1].form_submit_button("Take back")
    ids, to = names_in(tasks), names_in(people)
    if assigns and ids:
        _do(lambda: _assigned(service, service.assign(ids, to)))
    elif assigns:
        _do(lambda: _assigned(service, service.assign_evenly(to, seed=audit)))
    elif takes_back and ids:
        _do(lambda: f"{service.assign(ids, to, take_back=True)} assignments taken back.")
    elif takes_back:
        _do(lambda: f"{service.take_back_all()} assignments taken back.")


def _assigned(service: TeamService, number: int) -> str:
    short = service.short_handed()
    if not short:
        return f"{number} assignments made."
    return (
        f"{number} assignments made. {short} of the assigned tasks can never have all their "
        "reviews: they are assigned to fewer people."
    )


def names_in(text: str) -> tuple[str, ...]:
    """The lines of a text that say something, each once."""
    return tuple(dict.fromkeys(line.strip() for line in text.splitlines() if line.strip()))


def _do(work: Callable[[], str]) -> None:
    """Do what was submitted; say what came of it, on the page as it stands then."""
    try:
        message = work()
    except AuditError as error:
        notice("error", str(error))
        return
    st.session_state[state.FLASH] = message
    st.rerun()
