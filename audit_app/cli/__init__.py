"""The command line: whatever a page can do, a command can do."""

from __future__ import annotations

import sys

import click

from audit_app.cli.adjudicate import adjudicate
from audit_app.cli.audits import audit, plan
from audit_app.cli.benchmarks import fetch, formats, import_, outputs
from audit_app.cli.courses import adopt, carry, compare, history, stop
from audit_app.cli.evidence import evidence
from audit_app.cli.impact import impact, patch
from audit_app.cli.options import brief, stop_printing
from audit_app.cli.planted import checks, plant
from audit_app.cli.records import cite, records, response, root_cause, scale, target, withdraw
from audit_app.cli.reports import report, reviews, rubric
from audit_app.cli.rerun import rerun
from audit_app.cli.scoring import grade, score
from audit_app.cli.serving import serve
from audit_app.cli.tasks import tasks
from audit_app.cli.team import assign, send_back, team
from audit_app.cli.transfer import export as export_audit
from audit_app.cli.transfer import import_ as import_audit
from audit_app.cli.trials import trials
from audit_app.cli.workspace import demo, verify
from audit_app.errors import AuditError

EXIT_INPUT = 2


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="assay-audit", prog_name="assay")
def group() -> None:
    """Assay: a workbench for auditing benchmark answer keys."""


for _command in (
    demo,
    serve,
    fetch,
    formats,
    import_,
    outputs,
    score,
    grade,
    tasks,
    impact,
    patch,
    plan,
    audit,
    reviews,
    adjudicate,
    rubric,
    report,
    rerun,
    trials,
    evidence,
    verify,
):
    group.add_command(_command)
for _command in (team, assign, send_back, plant, checks, export_audit, import_audit):
    audit.add_command(_command)
for _command in (cite, target, root_cause, scale, response, records, withdraw):
    audit.add_command(_command)
for _command in (stop, history, carry, compare):
    audit.add_command(_command)
rubric.add_command(adopt)


def run(arguments: list[str] | None = None) -> int:
    """Run one command; its exit status.

    0 done; 1 the check found something, or some rows were rejected; 2 the user's input is at
    fault and nothing was done (one line on stderr); 3 an outside service failed.
    """
    try:
        status = group.main(args=arguments, prog_name="assay", standalone_mode=False)
    except AuditError as error:
        click.echo(f"error: {brief(str(error))}", err=True)
        return error.exit_status
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message())
        return EXIT_INPUT
    except click.ClickException as error:
        click.echo(f"error: {brief(error.format_message())}", err=True)
        return EXIT_INPUT
    except click.Abort:
        click.echo("stopped", err=True)
        return 130
    except BrokenPipeError:
        stop_printing()
        return 0
    except OSError as error:  # such as standard output on a full disk
        what = error.filename or "the output"
        click.echo(f"error: {what} cannot be written or read: {error.strerror}", err=True)
        return EXIT_INPUT
    return status if isinstance(status, int) else 0


def main() -> None:
    """Entry point of ``assay``."""
    sys.exit(run())
