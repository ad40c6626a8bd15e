"""Forms for what stands beside the sample, on the pages Sample, Rubric and Report."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest

from audit_app.services.context import open_services
from audit_app.settings import Settings
from tests.services.records import judge, outside, sampled
from tests.ui.test_pages import APP, TIMEOUT_S, _notices, _page, demo, demo_db, settings

__all__ = ["demo", "demo_db", "settings"]

AUDIT = "toolshop"


def _submit(at: AppTest, label: str) -> AppTest:
    return next(b for b in at.button if b.label == label).click().run()


def _judged(settings: Settings) -> list[str]:
    with open_services(settings) as services:
        tasks = sampled(services, AUDIT)
        judge(services, AUDIT, tasks[:6], defective=tasks[:2])
        return tasks


def test_evidence_beside_the_sample_is_recorded_on_the_rubric_page(demo: Settings) -> None:
    tasks = _judged(demo)
    with open_services(demo) as services:
        other = outside(services, AUDIT)[0]
    at = _page("rubric")
    at.text_input(key="cite_source").set_value("https://example.org/a")
    at.number_input(key="cite_examined").set_value(138)
    at.number_input(key="cite_confirmed").set_value(82)
    at.number_input(key="cite_of").set_value(500)
    at.text_input(key="cite_note").set_value("flagged tasks")
    at = _submit(at, "Cite it")
    assert "a floor, and no rate" in _notices(at, "done")
    at.text_input(key="cause_key").set_value("units")
    at.text_input(key="cause_title").set_value("No unit")
    at = _submit(at, "Name the root cause")
    at.multiselect(key="link_tasks").set_value(tasks[:2])
    at = _submit(at, "Link")
    at.text_area(key="scale_text").set_value("Every second answer is lost")
    at.selectbox(key="scale_cause").set_value("units")
    at = _submit(at, "State the issue")
    at.text_area(key="target_tasks").set_value(other)
    at.text_input(key="target_reason").set_value("suspect")
    at = _submit(at, "Add to the queue")
    at.text_input(key="stop_reason").set_value("out of time")
    at = _submit(at, "Stop early")
    assert not at.exception
    assert not _notices(at, "error")
    with open_services(demo) as services:
        view = services.audits.view(AUDIT)
    assert view.dossier.linked == {"units": tuple(tasks[:2])}
    assert view.grounds.scale == ("Every second answer is lost",)
    assert [read.task.task_id for read in view.targeted] == [other]
    assert "by ada, with 6 of" in view.grounds.stop
    assert (view.status.reviewed, view.status.defective) == (6, 2)


def test_what_cannot_be_recorded_is_said_and_the_input_stays(demo: Settings) -> None:
    at = _page("rubric")
    at.text_input(key="cite_source").set_value("not a link")
    at.text_input(key="cite_note").set_value("n")
    at = _submit(at, "Cite it")
    assert "is not a link" in _notices(at, "error")
    assert at.text_input(key="cite_source").value == "not a link"


def test_a_response_and_a_comparison_on_the_report_page(demo: Settings) -> None:
    tasks = _judged(demo)
    with open_services(demo) as services:
        first = services.audits.view(AUDIT)
        preview = services.audits.preview(first.benchmark.name, first.audit.plan)
        services.audits.create("other", first.benchmark.name, preview)
        services.rubrics.set(AUDIT, "access", "insufficient")
    at = AppTest.from_file(str(APP), default_timeout=TIMEOUT_S)
    at.query_params["audit"] = AUDIT
    at = at.run().switch_page("ui/pages/report.py").run()
    at.selectbox(key="response_task").set_value(tasks[1])
    at.selectbox(key="response_status").set_value("disputed")
    at.text_area(key="response_text").set_value("Meant <b>so</b>")
    at = _submit(at, "Keep the response")
    assert not _notices(at, "error")
    at.multiselect(key="compare_with").set_value(["other"]).run()
    assert not at.exception
    html = " ".join(str(block.proto.body) for block in at.get("html"))
    assert "Meant &lt;b&gt;so" in html
    assert "not defined: nothing is reviewed" in html
    assert "History of the verdict" in html


def test_an_audit_by_the_small_rubric_is_drawn_and_answered(demo: Settings) -> None:
    at = _page("sample")
    at.text_input(key="create_name").input("small")
    at.selectbox(key="create_rubric").set_value("minimal")
    at = _submit(at, "Draw the sample")
    assert not at.exception
    at.switch_page("ui/pages/rubric.py").run()
    at.selectbox(key="rubric_keys_open_status").select("no").run()
    assert not at.exception
    with open_services(demo) as services:
        assert services.audits.view("small").verdict.outcome.value == "nei"
