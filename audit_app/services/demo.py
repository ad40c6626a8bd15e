"""The bundled audit that a new workspace opens with."""

from __future__ import annotations

from audit_app.errors import WorkspaceError
from audit_app.sampling.plans import plan_from_toml
from audit_app.services.clock import Clock
from audit_app.services.context import Services, make_workspace, workspace_exists
from audit_app.services.files import read_text
from audit_app.services.resources import bundled_rubric, resource
from audit_app.settings import Settings

BENCHMARK = "toolshop"
AUDIT = "toolshop"


def ensure_demo(settings: Settings, *, clock: Clock | None = None) -> bool:
    """Fill the workspace with the bundled audit if its file does not exist yet.

    Returns:
        Whether it was made; an existing file is never touched.
    """
    if workspace_exists(settings):
        return False
    try:
        settings.db.parent.mkdir(parents=True, exist_ok=True)
        make_workspace(settings, fill_with_demo, clock=clock)
    except FileExistsError:
        return False  # another start was quicker
    except OSError as error:
        raise WorkspaceError(f"{settings.db} cannot be made: {error.strerror}") from error
    return True


def fill_with_demo(services: Services) -> None:
    """Import the bundled benchmark with its simulated outputs and draw its sample."""
    folder = resource("samples", BENCHMARK)
    services.benchmarks.import_tasks("table", folder / "tasks.jsonl", name=BENCHMARK)
    services.benchmarks.import_outputs(
        "table", folder / "outputs.jsonl", benchmark=BENCHMARK, simulated=True
    )
    plan = plan_from_toml(
        read_text(folder / "plan.toml"), source="plan.toml", rule=bundled_rubric().sampling
    )
    services.audits.create(AUDIT, BENCHMARK, services.audits.preview(BENCHMARK, plan))
