from __future__ import annotations

import json
from pathlib import Path

import pytest

from audit_app.services.resources import resource
from tests.cli.conftest import Assay, in_process

TOOLSHOP = resource("samples", "toolshop")


@pytest.fixture
def demo(assay: Assay) -> Assay:
    assert assay("demo").status == 0
    return assay


def test_demo_fills_a_new_workspace_and_never_touches_an_old_one(
    assay: Assay, tmp_path: Path
) -> None:
    first = assay("demo", "--json").json
    assert first == {"path": str(tmp_path / "assay.db"), "made": True}
    before = (tmp_path / "assay.db").read_bytes()
    assert assay("demo", "--json").json["made"] is False
    assert (tmp_path / "assay.db").read_bytes() == before
    assert assay("audit", "list", "--json").json == {"audits": ["toolshop"]}
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".assay-")] == []


def test_demo_leaves_a_foreign_file_alone(assay: Assay, tmp_path: Path) -> None:
    (tmp_path / "assay.db").write_text("shopping list")
    assert assay("demo", "--json").json["made"] is False
    assert (tmp_path / "assay.db").read_text() == "shopping list"
    shown = assay("audit", "list")
    assert (shown.status, shown.err.count("\n")) == (2, 1)


@pytest.mark.parametrize(
    ("arguments", "status", "says"),
    [
        pytest.param(["audit", "status", "nope"], 2, "there are: toolshop", id="no such audit"),
        pytest.param(["import", "xml", "f", "--benchmark", "b"], 2, "bfcl, table", id="format"),
        pytest.param(
            ["import", "table", "nowhere.csv", "--benchmark", "b"], 2, "nowhere", id="file"
        ),
        pytest.param(["import", "table", ".", "--benchmark", "b"], 2, "error: ", id="folder"),
        pytest.param(
            ["outputs", "table", "x", "--benchmark", "b"], 2, "no benchmark 'b'", id="bench"
        ),
        pytest.param(["frobnicate"], 2, "No such command", id="command"),
        pytest.param(["plan", "--benchmark", "toolshop"], 2, "say how to draw", id="no plan"),
        pytest.param(
            ["plan", "--benchmark", "toolshop", "--size", "9"], 2, "--seed", id="size without seed"
        ),
        pytest.param(
            ["plan", "--benchmark", "toolshop", "--size", "0", "--seed", "s"],
            2,
            "error",
            id="size 0",
        ),
        pytest.param(
            ["plan", "--benchmark", "toolshop", "--size", "9", "--seed", "s", "--weights", "a"],
            2,
            "error: ",
            id="weights",
        ),
        pytest.param(
            [
                "plan",
                "--benchmark",
                "toolshop",
                "--size",
                "9",
                "--seed",
                "s",
                "--stratify-by",
                "hue",
            ],
            2,
            "hue",
            id="field",
        ),
        pytest.param(["audit", "expand", "toolshop"], 2, "does not ask to widen", id="expand"),
        pytest.param(["rubric", "set", "toolshop", "vibes", "pass"], 2, "items: ", id="item"),
        pytest.param(["rubric", "set", "toolshop", "scoring", "maybe"], 2, "maybe", id="status"),
        pytest.param(["rubric", "set", "toolshop", "range", "9,1"], 2, "above", id="range"),
        pytest.param(["reviews", "import", "toolshop", "no.csv"], 2, "no.csv", id="reviews"),
        pytest.param(["report", "toolshop", "--format", "docx"], 2, "docx", id="report format"),
        pytest.param(["audit", "note", "toolshop", "mood", "x"], 2, "mood", id="statement"),
        pytest.param(
            ["audit", "note", "toolshop", "original_link", "javascript:1"], 2, "link", id="link"
        ),
        pytest.param(
            ["audit", "new", "toolshop", "--benchmark", "toolshop", "--size", "5", "--seed", "s"],
            2,
            "choose another name",
            id="name taken",
        ),
    ],
)
def test_bad_input_is_one_line_and_changes_nothing(
    demo: Assay, tmp_path: Path, arguments: list[str], status: int, says: str
) -> None:
    before = demo("audit", "status", "toolshop", "--json").out
    printed = demo(*arguments)
    assert printed.status == status
    assert says in printed.err
    assert printed.err.count("\n") == 1
    assert printed.out == ""
    assert demo("audit", "status", "toolshop", "--json").out == before


def test_reading_a_missing_workspace_makes_none(assay: Assay, tmp_path: Path) -> None:
    printed = assay("audit", "list", "--db", tmp_path / "typo.db")
    assert printed.status == 2
    assert not (tmp_path / "typo.db").exists()


def test_rejected_rows_are_listed_and_the_good_ones_load(assay: Assay, tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text(
        '{"id": "1", "prompt": "a", "key": "x"}\n'
        '{"id": "1", "prompt": "b", "key": "y"}\n'
        '{"id": "2"',
        encoding="utf-8",
    )
    printed = assay("import", "table", path, "--benchmark", "b", "--json")
    assert printed.status == 1
    assert printed.json["tasks"] == 1
    assert [(row["source"], row["line"]) for row in printed.json["rejected"]] == [
        ("t.jsonl", 2),
        ("t.jsonl", 3),
    ]


def test_importing_the_same_content_again_is_recognised(assay: Assay, tmp_path: Path) -> None:
    for is_new in (True, False):
        printed = assay("import", "table", TOOLSHOP / "tasks.jsonl", "--benchmark", "t", "--json")
        assert (printed.status, printed.json["is_new"]) == (0, is_new)


def test_reviews_go_out_and_come_back_the_same(demo: Assay, tmp_path: Path) -> None:
    ids = [
        task
        for draw in demo(
            "plan", "--benchmark", "toolshop", "--plan", TOOLSHOP / "plan.toml", "--json"
        ).json["draw"]
        for task in draw["task_ids"]
    ]
    source = tmp_path / "r.csv"
    source.write_text(
        "task_id,reviewer,reviewed_at,judgement,effects,cause,causes,severity,state,note,evidence,"
        "proposed_key\n"
        f"{ids[0]},bo,2026-11-29T10:00:00+00:00,clean,,,,,,'=fine,,\n"
        f'{ids[1]},bo,2026-11-29T10:01:00+00:00,defect,FN FP,K3,T1,2,confirmed,"two\nlines, ""q""",'
        f'https://example.org,"{{""a"": [1]}}"\n'
        "nowhere_1,bo,2026-11-29T10:02:00+00:00,clean,,,,,,,,\n",
        encoding="utf-8",
    )
    imported = demo("reviews", "import", "toolshop", source, "--json")
    assert (imported.status, imported.json["accepted"]) == (1, 2)
    assert imported.json["rejected"][0]["line"] == 5
    first, second = tmp_path / "one.csv", tmp_path / "two.csv"
    demo("reviews", "export", "toolshop", first)
    assert demo("reviews", "import", "toolshop", first).status == 0
    demo("reviews", "export", "toolshop", second)
    assert first.read_bytes() == second.read_bytes()
    assert b"'=fine" in first.read_bytes()
    assert (
        demo("reviews", "export", "toolshop", tmp_path / "r.jsonl", "--json").json["reviews"] == 2
    )
    status = demo("audit", "status", "toolshop", "--json").json
    assert (status["reviewed"], status["defective"], status["strict"]) == (2, 1, 1)


def test_the_same_workspace_gives_the_same_report(
    demo: Assay, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1790000000")
    demo("rubric", "set", "toolshop", "access", "partial", "--note", "a | b")
    files = [
        demo("report", "toolshop", "--out", tmp_path / o, "--json").json["files"] for o in "ab"
    ]
    assert [Path(f).read_bytes() for f in files[0]] == [Path(f).read_bytes() for f in files[1]]
    report = Path(files[0][0]).read_text(encoding="utf-8")
    assert "in progress" in report.lower()
    assert "simulated" in report
    assert "report of 2026-09-21" in report  # 1790000000 s after 1970
    assert [Path(f).name for f in files[0][:3]] == ["report.md", "report.html", "report.json"]
    json.loads(Path(files[0][2]).read_text(encoding="utf-8"))


def test_a_census_needs_no_more_than_the_frame(assay: Assay, tmp_path: Path) -> None:
    path = tmp_path / "few.csv"
    path.write_text("id,prompt,key\n" + "".join(f"{i},p,k\n" for i in range(7)), encoding="utf-8")
    assay("import", "table", path, "--benchmark", "few")
    new = assay(
        *("audit", "new", "all", "--benchmark", "few", "--size", "50", "--seed", "s", "--json")
    ).json
    assert (new["kind"], sum(new["allocation"].values())) == ("census", 7)
    assert assay("audit", "expand", "all", "--reason", "more").status == 2


def test_the_command_prints_json_alone_and_no_traceback(tmp_path: Path) -> None:
    done = in_process("demo", "--json", cwd=tmp_path, ASSAY_DB=str(tmp_path / "x.db"))
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["made"] is True
    done = in_process("audit", "status", "nope", "--json", cwd=tmp_path, ASSAY_DB="x.db")
    assert (done.returncode, done.stdout) == (2, "")
    assert "Traceback" not in done.stderr
