"""`score`, `grade`, `impact` and `patch` on the bundled benchmark, and with bad input."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from audit_app.services.resources import resource
from tests.cli.conftest import Assay, in_process

TOOLSHOP = Path(str(resource("samples", "toolshop")))
HEADER = (
    "task_id,reviewer,reviewed_at,judgement,effects,cause,causes,severity,state,note,evidence,"
    "proposed_key\n"
)


@pytest.fixture
def demo(assay: Assay) -> Assay:
    assert assay("demo").status == 0
    return assay


@pytest.fixture
def reviewed(demo: Assay, tmp_path: Path) -> Assay:
    """The bundled audit read whole: one task corrected, one left out, the rest found right."""
    plan = ("--benchmark", "toolshop", "--plan", TOOLSHOP / "plan.toml", "--json")
    ids = [t for draw in demo("plan", *plan).json["draw"] for t in draw["task_ids"]]
    keys = {
        task["id"]: task["key"]
        for task in map(json.loads, (TOOLSHOP / "tasks.jsonl").read_text("utf-8").splitlines())
    }
    calls = [task_id for task_id in ids if keys[task_id]]
    looser = json.loads(json.dumps(keys[calls[0]]))
    next(iter(next(iter(looser[0].values())).values())).append("anything")
    quoted = json.dumps(looser).replace('"', '""')
    stamp = "2026-11-29T10:00:00+00:00"
    rows = {task_id: f"{task_id},bo,{stamp},clean,,,,,,,," for task_id in ids}
    rows[calls[0]] = f'{calls[0]},bo,{stamp},defect,FN,K1,,2,confirmed,n,,"{quoted}"'
    rows[calls[1]] = f"{calls[1]},bo,{stamp},defect,FP,K1,,2,confirmed,n,,"
    (tmp_path / "r.csv").write_text(HEADER + "\n".join(rows.values()) + "\n", encoding="utf-8")
    assert demo("reviews", "import", "toolshop", tmp_path / "r.csv").status == 0
    return demo


def test_score_reproduces_the_published_grades(demo: Assay) -> None:
    printed = demo("score", "toolshop", "--json", "--workers", "1")
    assert (printed.status, printed.err) == (0, "")
    data = printed.json
    assert (data["rules"], data["key_set"], len(data["models"])) == ("v4", "published", 6)
    for model in data["models"]:
        assert model["agree"] == model["published"] == 249 - model["errors"]
        assert model["disagree"] == []
        # The invented failed requests were graded by nobody: they are no wrong answers.
        assert model["total"] == 249 - model["errors"]
    again = demo("score", "toolshop", "--json", "--workers", "2").json
    assert again["models"] == data["models"]
    assert "agreement" in demo("score", "toolshop", "--workers", "1").out


def test_score_under_the_keys_of_an_audit(reviewed: Assay) -> None:
    faithful = reviewed("score", "toolshop", "--json", "--workers", "1").json
    data = reviewed(
        *("score", "toolshop", "--key-set", "toolshop", "--json", "--workers", "1")
    ).json
    assert data["key_set"] == "toolshop"
    assert (len(data["corrected"]), len(data["left_out"])) == (1, 1)
    for before, model in zip(faithful["models"], data["models"], strict=True):
        total = 249 - before["errors"]
        assert model["faithful"] == {"passed": before["passed"], "total": total}
        assert model["reviewed"]["left_out"] in ((1,) if not before["errors"] else (0, 1))
        assert model["reviewed"]["total"] == total - model["reviewed"]["left_out"]
        assert (model["passed"], model["total"]) == (
            model["reviewed"]["passed"],
            model["reviewed"]["total"],
        )
        assert before["passed"] - 1 <= model["passed"] <= before["passed"] + 1
    text = reviewed("score", "toolshop", "--key-set", "toolshop", "--workers", "1").out
    assert "Under the keys of audit toolshop: 1 tasks corrected, 1 left out" in text


def test_impact_has_scores_ranks_pairs_and_denominators(reviewed: Assay) -> None:
    reviewed("score", "toolshop", "--workers", "1")
    data = reviewed("impact", "toolshop", "--json").json
    denominators = data["denominators"]
    assert (denominators["tasks"], denominators["defects"]) == (50, 2)
    assert (denominators["corrected"], denominators["excluded"]) == (1, 1)
    assert len(data["models"]) == 6
    assert len(data["pairs"]) == 6 * 5 // 2
    assert {"sentence", "tau", "intervals", "method", "notes", "undefined"} <= data.keys()
    for model in data["models"]:
        assert model["shift"] == pytest.approx(model["after"] - model["before"])
        assert model["interval"]["lower"] <= model["shift"] <= model["interval"]["upper"]
    assert reviewed("impact", "toolshop", "--json").json == data
    assert data["sentence"] in reviewed("impact", "toolshop").out
    other = reviewed("impact", "toolshop", "--json", "--seed", "x").json
    assert (other["tau"], other["seed"]) == (data["tau"], "x")
    assert reviewed("impact", "toolshop", "--json", "--weighting", "score").json["undefined"]


def test_impact_without_outputs_is_one_sentence(assay: Assay) -> None:
    assay("import", "table", TOOLSHOP / "tasks.jsonl", "--benchmark", "b")
    assay("audit", "new", "a", "--benchmark", "b", "--size", "5", "--seed", "s")
    printed = assay("impact", "a")
    assert (printed.status, printed.out, printed.err.count("\n")) == (2, "", 1)
    assert "has no outputs" in printed.err


def test_patch_writes_files_that_fit_the_source(reviewed: Assay, tmp_path: Path) -> None:
    source = TOOLSHOP / "tasks.jsonl"
    printed = reviewed("patch", "toolshop", "--source", source, "--json")
    assert printed.status == 0
    files = [Path(file) for file in printed.json["files"]]
    assert files[0].parent == tmp_path / "exports" / "toolshop" / "patch"
    assert all(file.is_absolute() and file.exists() for file in files)
    assert [len(printed.json[k]) for k in ("patched", "without_proposal")] == [1, 1]
    assert printed.json["label_changes"] == printed.json["not_patched"] == []
    old, new = (f.read_text("utf-8").splitlines() for f in (source, files[2]))
    assert sum(a != b for a, b in zip(old, new, strict=True)) == 1
    text = reviewed("patch", "toolshop", "--out", tmp_path / "p").out
    assert "1 keys changed in 1 key files" in text
    assert "--source" in text


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        pytest.param(["score", "nope"], "no benchmark 'nope'", id="benchmark"),
        pytest.param(["score", "toolshop", "--rules", "v9"], "rule version 'v9'", id="rules"),
        pytest.param(["score", "toolshop", "--key-set", "nope"], "no audit 'nope'", id="key set"),
        pytest.param(["score", "toolshop", "--workers", "0"], "workers", id="workers"),
        pytest.param(["impact", "nope"], "no audit 'nope'", id="impact audit"),
        pytest.param(["impact", "toolshop", "--weighting", "luck"], "luck", id="weighting"),
        pytest.param(["patch", "nope"], "no audit 'nope'", id="patch audit"),
        pytest.param(["patch", "toolshop", "--source", "no.csv"], "no.csv", id="patch source"),
        pytest.param(["patch", "toolshop", "--map", "x"], "FIELD=COLUMN", id="patch map"),
        pytest.param(["grade", "no.jsonl"], "no.jsonl", id="grade file"),
    ],
)
def test_bad_input_is_one_line(demo: Assay, arguments: list[str], says: str) -> None:
    printed = demo(*arguments)
    assert (printed.status, printed.out, printed.err.count("\n")) == (2, "", 1)
    assert says in printed.err


def test_grade_names_what_differs_and_what_is_no_case(assay: Assay, tmp_path: Path) -> None:
    case = {
        "case_id": "one",
        "category": "simple_python",
        "output_kind": "calls",
        "functions": [
            {
                "name": "f",
                "description": "",
                "parameters": {
                    "type": "dict",
                    "properties": {"a": {"type": "integer", "description": ""}},
                    "required": ["a"],
                },
            }
        ],
        "key": [{"f": {"a": [1]}}],
        "output": [{"f": {"a": 1}}],
        "expected": "valid",
    }
    path = tmp_path / "cases.jsonl"
    other = case | {"case_id": "two", "output": [{"f": {"a": 2}}]}
    path.write_text(f"{json.dumps(case)}\n{json.dumps(other)}\n{{\n", encoding="utf-8")
    printed = assay("grade", path, "--json")
    assert printed.status == 1
    assert (printed.json["agree"], printed.json["disagree"]) == (1, ["two"])
    assert [row["verdict"] for row in printed.json["cases"]] == ["valid", "invalid"]
    assert [row["line"] for row in printed.json["rejected"]] == [3]


def test_score_needs_no_main_module_of_its_own(demo: Assay, tmp_path: Path) -> None:
    """Workers start from the command as it is installed, not from the test's process."""
    done = in_process("score", "toolshop", "--json", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert len(json.loads(done.stdout)["models"]) == 6


def test_score_names_the_keys_that_no_output_can_satisfy(assay: Assay, tmp_path: Path) -> None:
    tool = {
        "name": "vent.open",
        "parameters": {
            "type": "dict",
            "properties": {"bay": {"type": "integer"}},
            "required": ["bay"],
        },
    }
    rows = [
        {"id": "sound", "key": [{"vent.open": {"bay": [3]}}]},
        {"id": "lacking", "key": [{"vent.open": {"bay": [3], "speed": ["slow"]}}]},
        {"id": "empty", "key": [{"vent.open": {"bay": []}}]},
    ]
    tasks = tmp_path / "tasks.jsonl"
    more = {"prompt": "Open bay three.", "tools": [tool], "key_kind": "calls"}
    tasks.write_text("\n".join(json.dumps(row | more) for row in rows), encoding="utf-8")
    said = tmp_path / "outputs.jsonl"
    said.write_text('{"id": "sound", "model": "m", "output": "[vent.open(bay=3)]"}', "utf-8")
    assay("import", "table", tasks, "--benchmark", "vents")
    assay("outputs", "table", said, "--benchmark", "vents")
    found = assay("score", "vents", "--json", "--workers", "1").json["unwinnable"]
    assert {row["task_id"]: row["where"] for row in found} == {"lacking": "speed", "empty": "bay"}
    assert "2 keys that no output can satisfy" in assay("score", "vents", "--workers", "1").out
