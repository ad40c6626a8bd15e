"""Live trials of an audit's tasks: rerun."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from types import FrameType
from typing import Any

import click

from audit_app.cli.options import emit, existing_workspace, settings_of, workspace_options
from audit_app.cli.progress import progress_bar
from audit_app.cli.rerun_asks import ask_options, read_ask
from audit_app.cli.rerun_data import rerun_data, summary_data
from audit_app.cli.rerun_text import list_text, rerun_text
from audit_app.domain.live_jobs import JobState
from audit_app.errors import InputError
from audit_app.services.context import Services, open_services
from audit_app.services.live_plans import JobPlan
from audit_app.services.live_progress import Progress
from audit_app.services.live_runner import TrialEnd
from audit_app.services.live_trials import CONCURRENCY, MOST_AT_A_TIME

_STOPPED = 130
_PACE_S = 2.0
"""How often the remaining time is reckoned anew."""


@click.command()
@click.argument("name")
@click.option("--task", "tasks", metavar="ID", multiple=True, help="May be given many times.")
@click.option("--suspected", is_flag=True, help="Sampled tasks with an open or proposing finding.")
@ask_options
@click.option(
    "--concurrency",
    type=click.IntRange(1, MOST_AT_A_TIME),
    default=CONCURRENCY,
    show_default=True,
    help="Trials at a time.",
)
@click.option("--yes", is_flag=True, help="Do not ask before sending.")
@click.option("--resume", metavar="JOB", help="Go on with a job that stopped.")
@click.option("--list", "is_list", is_flag=True, help="The jobs of the audit.")
@click.option("--show", metavar="JOB", help="What a job came to so far.")
@click.option("--cancel", "cancelled", metavar="JOB", help="End a job for good.")
@workspace_options
def rerun(
    name: str,
    tasks: tuple[str, ...],
    suspected: bool,
    concurrency: int,
    yes: bool,
    resume: str | None,
    is_list: bool,
    show: str | None,
    cancelled: str | None,
    db: Path | None,
    person: str | None,
    as_json: bool,
    **given: Any,
) -> int:
    """Ask a live model tasks of the audit NAME, K times each, and grade what it answers."""
    ways = (bool(tasks), suspected, resume is not None, is_list, show is not None)
    if sum((*ways, cancelled is not None)) != 1:
        raise InputError(
            "give one of --task ID, --suspected, --resume JOB, --list, --show JOB and --cancel JOB"
        )
    with open_services(existing_workspace(settings_of(db, person))) as services:
        live = services.live
        if is_list:
            jobs = live.jobs(audit=name)
            emit({"jobs": [summary_data(job) for job in jobs]}, list_text(jobs), as_json=as_json)
            return 0
        if show is not None:
            return _tell(services, name, live.job(show, audit=name).id, None, as_json)
        if cancelled is not None:
            job_id = live.job(cancelled, audit=name).id
            live.cancel(job_id)
            _tell(services, name, job_id, None, as_json)
            return 0
        if resume is not None:
            job_id, plan = live.job(resume, audit=name).id, None
        else:
            plan = _plan(services, name, tasks, suspected=suspected, given=given)
            _confirm(plan, yes=yes)
            job_id = live.create(plan).id
        click.echo(f"job {job_id}", err=True)
        was_stopped = _run(services, job_id, concurrency)
        status = _tell(services, name, job_id, plan, as_json)
        if was_stopped:
            click.echo(f"go on with: assay rerun {name} --resume {job_id}", err=True)
        return _STOPPED if was_stopped else status


def _plan(
    services: Services,
    name: str,
    tasks: tuple[str, ...],
    *,
    suspected: bool,
    given: dict[str, Any],
) -> JobPlan:
    ask = read_ask(given, is_suspected=suspected)
    if ask.budget.is_zero:
        raise InputError(f"a budget of {ask.budget.words} lets nothing be sent; nothing was")
    chosen = tuple(services.live.suspected(name)) if suspected else tasks
    if not chosen:
        raise InputError(
            f"no sampled task of {name!r} has a finding that is open or proposes a key"
        )
    return services.live.plan(chosen, ask, audit=name, may_read_files=True)


def _confirm(plan: JobPlan, *, yes: bool) -> None:
    """Say what it will take, and ask where somebody is there to answer.

    Raises:
        InputError: It costs money, and nobody is there to say yes.
    """
    click.echo(f"{plan.sentence} ({plan.estimate.how})", err=True)
    for id_, why in plan.cannot_send.items():
        click.echo(f"not sent: {id_}: {why}", err=True)
    for warning in plan.warnings:
        click.echo(warning, err=True)
    if yes:
        return
    if sys.stdin.isatty():
        click.confirm("Send?", abort=True, err=True)
    elif plan.cost_usd:
        raise InputError(f"this may cost up to ${plan.cost_usd:,.4f}; say --yes to send it")


def _run(services: Services, job_id: str, concurrency: int) -> bool:
    """Run a job; whether somebody stopped it."""
    show = progress_bar("trials")
    told_at, left = monotonic(), ""

    def on_end(end: TrialEnd) -> None:
        nonlocal told_at, left
        if monotonic() - told_at > _PACE_S and sys.stderr.isatty():
            told_at, left = monotonic(), _left(services.live.progress(job_id))
        show(end.done, end.total, left)

    with _stopping() as cancel:
        services.live.run(job_id, cancel=cancel, on_end=on_end, concurrency=concurrency)
    return cancel.is_set()


def _left(progress: Progress) -> str:
    if progress.seconds_left is None:
        return ""
    minutes, seconds = divmod(round(progress.seconds_left), 60)
    return f"about {minutes} min {seconds:02} s left" if minutes else f"about {seconds} s left"


@contextmanager
def _stopping() -> Iterator[threading.Event]:
    """An event that Ctrl+C sets, so that what is under way ends tidily; a second one breaks off."""
    cancel = threading.Event()

    def stop(number: int, frame: FrameType | None) -> None:
        if cancel.is_set():
            raise KeyboardInterrupt
        cancel.set()

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield cancel
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _tell(services: Services, name: str, job_id: str, plan: JobPlan | None, as_json: bool) -> int:
    """Print what a job came to; the exit status."""
    live = services.live
    job, progress = live.job(job_id), live.progress(job_id)
    keys = {id_: suspect.proposed_key for id_, suspect in live.suspected(name).items()}
    graded = [live.graded(job_id, task, keys.get(task)) for task in job.tasks]
    rows = live.reliability([job_id])
    data = rerun_data(job, progress, graded, rows, plan)
    emit(data, rerun_text(job, progress, graded, rows), as_json=as_json)
    return _status(progress)


def _status(progress: Progress) -> int:
    """0 every trial was answered; 3 none was, though it was tried; 1 anything between."""
    if progress.state is JobState.FINISHED and not progress.errors:
        return 0
    is_outside = progress.state is JobState.REFUSED or progress.state is JobState.FINISHED
    return 3 if is_outside and not progress.answered else 1
