"""Every page in every state, run without a browser."""

from __future__ import annotations

import shlex
import shutil
from base64 import b64encode
from html import unescape
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from audit_app.services.context import open_services
from audit_app.services.demo import ensure_demo
from audit_app.settings import Settings

APP = Path(__file__).resolve().parents[2] / "audit_app" / "app.py"
PAGES = ["benchmarks", "sample", "browse", "review", "adjudicate", "confirm", "rubric", "report"]
TIMEOUT_S = 60


@pytest.fixture(scope="session")
def demo_db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    db = tmp_path_factory.mktemp("demo") / "assay.db"
    ensure_demo(Settings(db=db, reviewer="ada", cache=db.parent))
    return db


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    monkeypatch.setenv("ASSAY_DB", str(tmp_path / "assay.db"))
    monkeypatch.setenv("ASSAY_REVIEWER", "ada")
    return Settings(db=tmp_path / "assay.db", reviewer="ada", cache=tmp_path)


@pytest.fixture
def demo(settings: Settings, demo_db: Path) -> Settings:
    shutil.copy(demo_db, settings.db)
    return settings


def _notices(at: AppTest, kind: str) -> str:
    """The text of all notices of a kind on the page."""
    blocks = [str(block.proto.body) for block in at.get("html")]
    return " ".join(unescape(b) for b in blocks if f'class="notice {kind}"' in b)


def _page(name: str) -> AppTest:
    at = AppTest.from_file(str(APP), default_timeout=TIMEOUT_S).run()
    return at.switch_page(f"ui/pages/{name}.py").run()


@pytest.mark.parametrize("name", PAGES)
def test_an_empty_workspace_says_what_to_do(settings: Settings, name: str) -> None:
    at = _page(name)
    assert not at.exception
    assert not _notices(at, "error")
    assert [info for info in at.info if "first" in info.value or "below" in info.value]


@pytest.mark.parametrize("name", PAGES)
def test_the_bundled_audit_shows_on_every_page(demo: Settings, name: str) -> None:
    at = _page(name)
    assert not at.exception
    assert not _notices(at, "error")


@pytest.mark.parametrize("name", PAGES)
def test_a_file_that_is_no_workspace_is_one_sentence(settings: Settings, name: str) -> None:
    settings.db.write_text("not a workspace, but long enough to be read as one" * 10)
    at = _page(name)
    assert not at.exception
    assert "is not a workspace of Assay" in _notices(at, "error")


def test_a_rubric_answer_is_kept_and_decides(demo: Settings) -> None:
    at = _page("rubric")
    at.selectbox(key="rubric_access_status").select("full").run()
    at.selectbox(key="rubric_scoring_status").select("issue").run()
    at.text_area(key="rubric_scoring_note").set_value("13 of 50 | `x`").run()
    at.text_input(key="rubric_range_value").set_value("0,92.5").run()
    assert not at.exception
    with open_services(demo) as services:
        view = services.audits.view("toolshop")
    assert view.verdict.outcome.value == "flawed"
    answers = view.current_answers
    assert (answers["scoring"].status, answers["scoring"].note) == ("issue", "13 of 50 | `x`")
    assert answers["range"].value == [0, 92.5]
    at.text_area(key="rubric_range_note").set_value("from the paper").run()
    with open_services(demo) as services:
        answer = services.audits.view("toolshop").current_answers["range"]
    assert (answer.value, answer.note) == ([0, 92.5], "from the paper")


def test_a_refused_rubric_value_is_said_and_not_kept(demo: Settings) -> None:
    at = _page("rubric")
    at.text_input(key="rubric_runs_value").set_value("many").run()
    assert not at.exception
    assert "runs" in _notices(at, "error")
    with open_services(demo) as services:
        assert "runs" not in services.audits.view("toolshop").current_answers


def test_a_table_is_imported_from_the_page_and_an_audit_drawn(
    settings: Settings, tmp_path: Path
) -> None:
    table = "id,prompt,key\n" + "".join(f"{i:03},p{i},k\n" for i in range(60)) + "000,again,k\n"
    at = _page("benchmarks")
    at.selectbox(key="import_format").select("table")
    at.file_uploader(key="import_upload").upload("few.csv", table.encode(), "text/csv")
    at.text_input(key="import_name").input("few")
    at.button[0].click().run()
    assert not at.exception
    assert "60 tasks" in _notices(at, "done")
    assert "1 rejected" in _notices(at, "mind")

    at.switch_page("ui/pages/sample.py").run()
    at.text_input(key="plan_seed").set_value("s").run()
    at.text_input(key="create_name").input("mine")
    at.button[0].click().run()
    assert not at.exception
    with open_services(settings) as services:
        assert len(services.audits.view("mine").sample.task_ids) == 50


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        pytest.param({"import_path": "nowhere.csv", "import_name": "x"}, "nowhere.csv", id="path"),
        pytest.param({"import_name": "x"}, "either a path", id="nothing given"),
        pytest.param({"import_path": ".", "import_name": ""}, "cannot name", id="no name"),
        pytest.param(
            {"import_path": ".", "import_name": "x", "import_map": "id"}, "FIELD=COLUMN", id="map"
        ),
    ],
)
def test_what_cannot_be_imported_is_one_sentence(
    settings: Settings, fields: dict[str, str], says: str
) -> None:
    at = _page("benchmarks")
    for key, value in fields.items():
        at.text_input(key=key).input(value)
    at.button[0].click().run()
    assert not at.exception
    assert says in _notices(at, "error")


def test_widening_needs_a_reason_where_the_rule_does_not_ask(demo: Settings) -> None:
    at = _page("sample")
    widen = next(b for b in at.button if b.label == "Widen the sample")
    widen.click().run()
    assert "does not ask" in _notices(at, "error")
    at.text_input(key="expand_reason").input("a second look")
    next(b for b in at.button if b.label == "Widen the sample").click().run()
    assert not at.exception
    with open_services(demo) as services:
        assert len(services.audits.view("toolshop").sample.task_ids) == 100


def test_a_text_of_the_report_is_kept_and_shown(demo: Settings) -> None:
    at = _page("report")
    at.text_area(key="statement_lead").input("Toolshop is *invented* | <b>really</b>.")
    next(b for b in at.button if b.label == "Save the texts").click().run()
    assert not at.exception
    with open_services(demo) as services:
        assert services.rubrics.statements("toolshop")["lead"].startswith("Toolshop")
        assert b"<b>really" not in services.reports.files("toolshop")["report.md"]


@pytest.mark.parametrize("name", ["sample", "review", "adjudicate", "confirm", "rubric", "report"])
def test_a_link_to_an_audit_that_is_not_here_opens_no_other(demo: Settings, name: str) -> None:
    at = AppTest.from_file(str(APP), default_timeout=TIMEOUT_S)
    at.query_params["audit"] = "elsewhere"
    at.switch_page(f"ui/pages/{name}.py").run()
    assert not at.exception
    assert "no audit “elsewhere”" in _notices(at, "mind")
    assert "elsewhere" in at.query_params["audit"]
    at.selectbox(key="audit_choice").select("toolshop").run()
    assert not at.exception
    assert "toolshop" in at.query_params["audit"]
    assert not _notices(at, "mind")


def test_the_choice_of_the_audit_shows_the_one_on_the_page(demo: Settings) -> None:
    at = _page("sample")
    for name in ("second", "third"):
        at.text_input(key="create_name").input(name)
        next(b for b in at.button if b.label == "Draw the sample").click().run()
        assert at.selectbox(key="audit_choice").value == name
    at.query_params["audit"] = "second"
    at.run()
    assert not at.exception
    assert at.selectbox(key="audit_choice").value == "second"


@pytest.mark.parametrize("name", PAGES)
def test_a_workspace_that_goes_away_is_said_and_not_made_anew(demo: Settings, name: str) -> None:
    at = _page(name)
    demo.db.rename(demo.db.with_suffix(".away"))
    at.run()
    assert not at.exception
    assert "is gone" in _notices(at, "error")
    assert not demo.db.exists()


def test_the_command_of_a_report_can_be_pasted(demo: Settings) -> None:
    name = "it's $5 & more"
    at = _page("sample")
    at.text_input(key="create_name").input(name)
    next(b for b in at.button if b.label == "Draw the sample").click().run()
    at.switch_page("ui/pages/report.py").run()
    commands = [shlex.split(c.value) for c in at.code if c.value.startswith("assay ")]
    assert commands == [["assay", "report", name, "--db", str(demo.db)]]


def test_the_report_is_shown_as_the_files_that_are_downloaded(demo: Settings) -> None:
    with open_services(demo) as services:
        services.rubrics.state("toolshop", "lead", "http://x.example, www.x.example, a@x.example")
        files = services.reports.files("toolshop")
    at = _page("report")
    assert not at.exception
    (frame,) = at.get("iframe")
    address = f"data:text/html;base64,{b64encode(files['report.html']).decode()}"
    assert frame.proto.src == address
    assert b'href="http://x.example' not in files["report.html"]
    (source,) = [block.value for block in at.code if "x.example" in block.value]
    assert source == files["report.md"].decode().rstrip("\n")
