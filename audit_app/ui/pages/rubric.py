"""Rubric: one answer an item, and the verdict they come to with its trace."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import streamlit as st

from audit_app.domain.estimates import NextStep
from audit_app.domain.record import Json
from audit_app.domain.rubric import NOT_REVIEWED, Item, Section, ValueType
from audit_app.domain.verdict import proposed_status
from audit_app.errors import AuditError
from audit_app.services.audits import AuditView
from audit_app.services.context import Services
from audit_app.ui import state
from audit_app.ui.components.blocks import text, trace_list, verdict_block
from audit_app.ui.components.dossier_panel import dossier_panel
from audit_app.ui.components.estimates import defect_rate_block
from audit_app.ui.components.notices import notice
from audit_app.ui.components.rubric_file_note import rubric_file_note
from audit_app.ui.context import chosen_audit, page_services, run_page, say_no_audit
from audit_app.ui.frame import page_frame

_LANGUAGES = {"en": "English", "ja": "日本語"}
_VALUE_LABEL = {
    ValueType.TEXT: "Text",
    ValueType.INTEGER: "Runs per model",
    ValueType.RANGE: "Floor, ceiling",
}
Part = Literal["status", "value", "note"]


def render(services: Services) -> None:
    """Lay the rubric out beside the verdict."""
    name = chosen_audit(services.audits.names())
    if name is None:
        page_frame(services, "Rubric")
        say_no_audit("Draw a sample first, on the page Sample.")
        return
    view = services.audits.view(name)
    blind = services.planted(name).blind_note()
    if blind:  # counts that stand still after a judgement would tell a planted check
        view = replace(view, reviews=())
    rubric = view.audit.rubric
    page_frame(services, "Rubric", f"{rubric.id}, version {rubric.version}")
    error = st.session_state.pop(state.FLASH, None)
    if error:
        notice("error", error)
    left, right = st.columns([62, 38], gap="medium")
    with left:
        language = st.segmented_control(
            "Language",
            list(_LANGUAGES),
            default="en",
            format_func=lambda key: _LANGUAGES[key],
            key="rubric_language",
            label_visibility="collapsed",
        )
        st.html(f'<p class="meta">{text(rubric.source.text(language or "en"))}</p>')
        for section in rubric.sections:
            _section(view, section, language or "en")
    with right:
        rubric_file_note(services, view)
        _verdict(view, blind)
    if not blind:
        dossier_panel(services, view)


def _section(view: AuditView, section: Section, language: str) -> None:
    st.html(
        f'<h2 class="h">{text(section.number)} {text(section.label.text(language))}'
        f'<span class="meta">{text(section.intro.text(language))}</span></h2>'
    )
    for item in section.items:
        _item(view, item, language)


def _item(view: AuditView, item: Item, language: str) -> None:
    answer = view.current_answers.get(item.id)
    question, status, note = st.columns([46, 22, 32], gap="small")
    with question:
        threshold = item.threshold.text.text(language) if item.threshold else ""
        st.html(
            f'<div class="ritem"><span class="no">{text(item.number)}</span><div>'
            f"<b>{text(item.label.text(language))}</b><div class=meta>"
            f"{text(threshold or item.guidance.text(language))}</div>"
            f"{_examples(item, language)}</div></div>"
        )
    ids = [s.id for s in item.statuses]
    labels = {s.id: s.label.text(language) for s in item.statuses}
    with status:
        _shown(item, "status", answer.status if answer else NOT_REVIEWED)
        st.selectbox(
            f"Status of {item.number}",
            ids,
            format_func=lambda id_: labels.get(id_, id_),
            key=_key(item, "status"),
            label_visibility="collapsed",
            on_change=_save,
            args=(view.audit.name, item.id, "status"),
        )
        if item.value is not ValueType.NONE:
            _shown(item, "value", _value_text(answer.value if answer else None))
            st.text_input(
                _VALUE_LABEL[item.value],
                key=_key(item, "value"),
                placeholder=_VALUE_LABEL[item.value],
                label_visibility="collapsed",
                on_change=_save,
                args=(view.audit.name, item.id, "value"),
            )
    with note:
        _shown(item, "note", answer.note if answer else "")
        st.text_area(
            f"Note on {item.number}",
            key=_key(item, "note"),
            placeholder=_proposal(view, item) or "Note",
            label_visibility="collapsed",
            height="content",
            on_change=_save,
            args=(view.audit.name, item.id, "note"),
        )


def _key(item: Item, part: Part) -> str:
    return f"{state.RUBRIC}_{item.id}_{part}"


def _shown(item: Item, part: Part, value: str) -> None:
    """Show what is stored, also where another window changed it."""
    st.session_state[_key(item, part)] = value


def _save(audit: str, item_id: str, part: Part) -> None:
    """Append what was changed; a refusal is said above the rubric."""
    changed = str(st.session_state[f"{state.RUBRIC}_{item_id}_{part}"])
    try:
        with page_services() as services:
            standing = services.audits.view(audit).current_answers.get(item_id)
            kept = standing.status if standing else NOT_REVIEWED
            if part == "note" and standing and standing.value is not None:
                kept = _value_text(standing.value)
            given = kept if part == "note" else changed.strip() or NOT_REVIEWED
            services.rubrics.set(audit, item_id, given, note=changed if part == "note" else None)
    except AuditError as error:
        st.session_state[state.FLASH] = str(error)


def _value_text(value: Json) -> str:
    if value is None:
        return ""
    if isinstance(value, list):
        return ",".join("" if end is None else f"{end:g}" for end in value)
    return str(value)


def _proposal(view: AuditView, item: Item) -> str:
    """What the numbers propose for the scoring item: shown, never set."""
    proposed = proposed_status(item, view.status, view.grounds)
    status = item.status(proposed) if proposed else None
    s = view.status
    if status is None:
        return ""
    if view.grounds.scale and s.next is not NextStep.ISSUE:
        return f"An issue at scale is stated: it proposes {status.label.text()}"
    return f"{s.defective} of {s.reviewed} defective: the numbers propose {status.label.text()}"


def _examples(item: Item, language: str) -> str:
    if not item.examples:
        return ""
    rows = "".join(
        f"<li>{text(example.text.text(language))}"
        f"{' <span class=tag>our reconstruction</span>' if example.ours else ''}</li>"
        for example in item.examples
    )
    return (
        '<details class="fold"><summary>Examples</summary>'
        f'<ul class="examples">{rows}</ul></details>'
    )


def _verdict(view: AuditView, blind: str) -> None:
    verdict = view.verdict
    label = view.audit.rubric.outcomes[verdict.outcome].text()
    pinned = f"{view.benchmark.name}, version {view.benchmark.version}"
    st.html(verdict_block(verdict, label, pinned))
    st.html(f'<h2 class="h">Why</h2>{trace_list(verdict)}')
    if blind:
        notice("mind", blind)
        return
    strict = view.audit.rubric.counting.strict_severity
    defect_rate_block(view.status, strict_severity=strict)


run_page(render)
