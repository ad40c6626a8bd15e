"""Sample: the plan with its allocation before it is drawn, the draw, and widening it."""

from __future__ import annotations

import streamlit as st

from audit_app.domain.sampling import DrawKind, Frame, Sample
from audit_app.errors import AuditError
from audit_app.services.audits import AuditView, Preview
from audit_app.services.context import Services
from audit_app.services.plans import plan_from_page
from audit_app.services.rubric_files import chosen_rubric, rubric_names
from audit_app.ui import state
from audit_app.ui.components.blocks import code, heading, percent, table, text
from audit_app.ui.components.notices import notice
from audit_app.ui.components.planning import planning_block
from audit_app.ui.components.team_form import team_section
from audit_app.ui.context import chosen_audit, next_step, run_page, say_no_audit
from audit_app.ui.frame import page_frame
from audit_app.ui.labels import stratum_label

_KIND = {
    DrawKind.RANDOM: "Random sample",
    DrawKind.CENSUS: "Census: every task of the frame is read",
    DrawKind.SUPPLIED: "Drawn outside Assay, cannot be redrawn",
}


def render(services: Services) -> None:
    """Show the chosen audit's sample, then the form that starts a new audit."""
    page_frame(services, "Sample", "the plan, its allocation, the draw")
    message = st.session_state.pop(state.FLASH, None)
    if message:
        notice("done", message)
    names = services.audits.names()
    name = chosen_audit(names)
    if not services.benchmarks.names():
        st.info("No benchmark yet. Import a benchmark first, on the page Benchmarks.")
        next_step("Benchmarks")
        return
    if name is None:
        say_no_audit("Plan one below.", is_here=True)
    else:
        _audit(services, services.audits.view(name))
        team_section(services, name)
    st.html(heading("New audit"))
    _new(services)


def _audit(services: Services, view: AuditView) -> None:
    plan, sample = view.audit.plan, view.sample
    st.html(
        f'<p class="say">{_KIND[sample.kind]}, {len(sample.task_ids)} of {view.frame.size} tasks '
        f"in the frame, stage {sample.stage}; seed {code(plan.seed or '—')}, frame "
        f"{code(view.audit.frame_hash[:12])}</p>"
    )
    blind = services.planted(view.audit.name).blind_note()
    st.html(_allocation_table(view.frame, sample, None if blind else view))
    if blind:
        notice("mind", blind)
        return
    st.html(f'<p class="notice">{text(view.status.next_text)}</p>')
    with st.expander("Task ids in the order of the draw", key="drawn_ids"):
        for draw in sample.draws:
            st.code(f"{draw.stratum}\n" + "\n".join(draw.task_ids), language=None)
    if (
        sample.kind is DrawKind.RANDOM
        and sample.stage == 1
        and len(sample.task_ids) < view.frame.size
    ):
        _expand_form(services, view)


def _expand_form(services: Services, view: AuditView) -> None:
    with st.form(state.EXPAND_FORM, border=False):
        reason = st.text_input(
            f"Widen to {min(view.audit.plan.widen_to, view.frame.size)} tasks",
            key="expand_reason",
            placeholder="Reason, where the rule does not ask for it",
        )
        submitted = st.form_submit_button("Widen the sample")
    if not submitted:
        return
    try:
        services.audits.expand(view.audit.name, reason=reason)
    except AuditError as error:
        notice("error", str(error))
        return
    st.session_state[state.FLASH] = "The sample is widened; the tasks drawn first stay first."
    st.rerun()


def _allocation_table(frame: Frame, sample: Sample, view: AuditView | None = None) -> str:
    drawn = sample.allocation
    reviewed = {row.stratum: row.reviewed for row in view.status.by_stratum} if view else {}
    rows: list[tuple[object, ...]] = [
        (
            stratum_label(s.id if s.id.split("/")[0] == s.outer else f"{s.outer}/{s.id}"),
            s.population,
            percent(s.weight),
            drawn.get(s.id, 0),
            reviewed.get(s.id, 0),
        )
        for s in frame.strata
    ]
    rows += [
        (f"{v} (weight 0, outside the frame)", n, "—", "—", "—") for v, n in frame.outside.items()
    ]
    rows.append(("All", frame.size, "100.0 %", len(sample.task_ids), sum(reviewed.values())))
    headers = ["Stratum", "Tasks", "Weight", "Drawn", "Reviewed"]
    number = len(headers) if view else len(headers) - 1  # nothing of a preview is reviewed
    allocation = table(
        headers[:number],
        [row[:number] for row in rows],
        numeric=(1, 2, 3, 4),
        total=True,
        caption="Allocation by stratum",
    )
    return f'<div class="narrow">{allocation}</div>'


def _new(services: Services) -> None:
    benchmark = st.selectbox("Benchmark", services.benchmarks.names(), key="plan_benchmark")
    try:
        default = services.audits.default_plan(benchmark)
        columns = st.columns(4)
        size = columns[0].number_input("Size", 1, value=default.size, key="plan_size")
        seed = columns[1].text_input("Seed", value=default.seed, key="plan_seed")
        stratify = columns[2].text_input(
            "Stratify by", value=",".join(default.stratify_by), key="plan_stratify"
        )
        weights = columns[3].text_input(
            "Weights (a=1,b=2)",
            key="plan_weights",
            placeholder="the benchmark's own" if default.strata else "number of tasks",
        )
        ids = st.file_uploader(
            "Or a draw made elsewhere: a file with one task id a line", key="plan_ids"
        )
        preview = plan_from_page(
            services.audits,
            benchmark,
            default=default,
            size=int(size),
            seed=seed,
            stratify_by=stratify,
            weights=weights,
            ids=None if ids is None else (ids.name, ids.getvalue()),
        )
    except AuditError as error:
        notice("error", str(error))
        return
    st.html(_allocation_table(preview.frame, preview.sample))
    planning_block(preview)
    _create_form(services, benchmark, preview)


def _create_form(services: Services, benchmark: str, preview: Preview) -> None:
    with st.form(state.CREATE_FORM, border=False):
        columns = st.columns([3, 1])
        name = columns[0].text_input("Name of the audit", key="create_name")
        rubric = columns[1].selectbox("Rubric", rubric_names(), key="create_rubric")
        submitted = st.form_submit_button("Draw the sample", type="primary")
    if not submitted:
        return
    try:
        view = services.audits.create(name, benchmark, preview, chosen_rubric(rubric))
    except AuditError as error:
        notice("error", str(error))
        return
    st.session_state[state.FLASH] = f"{len(view.sample.task_ids)} tasks drawn."
    st.session_state[state.AUDIT] = view.audit.name
    st.query_params[state.AUDIT_PARAM] = view.audit.name
    st.rerun()


run_page(render)
