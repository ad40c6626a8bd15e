"""Commands about what stands beside the sample, as a person would type them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Assay

REVIEWS = "task_id,reviewer,reviewed_at,judgement,effects,cause,severity,state\n"


@pytest.fixture
def audit(assay: Assay, tmp_path: Path) -> str:
    """Ten of sixty tasks sampled and judged, the first three defective."""
    _import(assay, tmp_path, "key")
    made = assay("audit", "new", "a", "--benchmark", "b", "--size", 10, "--seed", "s", "--json")
    tasks = [t for draw in made.json["draw"] for t in draw["task_ids"]]
    rows = [
        f"{t},ada,2026-09-01T10:00:00Z,{'defect,FN,K3,2,confirmed' if i < 3 else 'clean,,,,'}"
        for i, t in enumerate(tasks)
    ]
    (tmp_path / "r.csv").write_text(REVIEWS + "\n".join(rows))
    assert assay("reviews", "import", "a", tmp_path / "r.csv").status == 0
    return str(tasks[0])


def _import(assay: Assay, folder: Path, key: str) -> None:
    rows = [{"id": f"t{i}", "prompt": "Do.", "key": f"{key} {i // 40}"} for i in range(60)]
    rows[59]["key"] = key
    (folder / "t.jsonl").write_text("\n".join(map(json.dumps, rows)))
    assert assay("import", "table", folder / "t.jsonl", "--benchmark", "b").status == 0


def test_evidence_beside_the_sample(assay: Assay, audit: str) -> None:
    cited = assay(
        *("audit", "cite", "a", "--source", "https://x.example", "--examined", 138),
        *("--confirmed", 82, "--of", 500, "--note", "flagged tasks"),
    )
    assert "at least 82 of 500 = 16.4 %, a floor and no rate" in cited.out
    bad = assay(
        *("audit", "cite", "a", "--source", "https://x.example", "--examined", 1),
        *("--confirmed", 2, "--of", 3, "--note", "x"),
    )
    assert bad.status == 2
    assert "do not go together" in bad.err
    assay("audit", "root-cause", "add", "a", "k", "--title", "Units", "--cause", "T1")
    linked = assay("audit", "root-cause", "link", "a", "k", "--task", audit, "--json").json
    assert linked["root_causes"][0]["tasks"] == [audit]
    assert "Units (1 tasks" in assay("audit", "root-cause", "list", "a").out
    assay("audit", "root-cause", "unlink", "a", "k", "--task", audit)
    assert assay("audit", "scale", "a", "--text", "All", "--root-cause", "k").status == 0
    answer = ("--task", audit, "--status", "fixed", "--version", "2", "--date", "2026-09-03")
    assert assay("audit", "response", "a", *answer).status == 0
    status = assay("audit", "status", "a", "--json").json
    assert (status["rate"], status["evidence_mode"]) == (0.3, "random")
    assert status["outside"][0]["floor"] == pytest.approx(0.164)
    assert status["scale_issues"] == ["All"]
    records = assay("audit", "records", "a", "--json").json["records"]
    kinds = [r["kind"] for r in records]
    assert kinds[0] == "outside_evidence"
    gone = assay("audit", "withdraw", "a", records[0]["id"], "--reason", "twice", "--json").json
    assert "outside_evidence" not in [r["kind"] for r in gone["records"]]


def test_targets_stop_and_history(assay: Assay, tmp_path: Path) -> None:
    _import(assay, tmp_path, "key")
    made = assay("audit", "new", "a", "--benchmark", "b", "--size", 10, "--seed", "s", "--json")
    drawn = {t for draw in made.json["draw"] for t in draw["task_ids"]}
    other = next(f"t{i}" for i in range(60) if f"t{i}" not in drawn)
    target = assay("audit", "target", "a", "--task", other, "--reason", "suspect", "--json")
    assert target.json == {"added": [other], "targeted": [other]}
    (tmp_path / "r.csv").write_text(REVIEWS + f"{other},ada,2026-09-01T10:00:00Z,clean,,,,\n")
    assert assay("reviews", "import", "a", tmp_path / "r.csv").status == 0
    status = assay("audit", "status", "a", "--json").json
    assert (status["reviewed"], status["targeted"][0]["judgement"]) == (0, "clean")
    stopped = assay("audit", "stop", "a", "--reason", "out of time", "--json").json
    assert stopped["not_reviewed"] == [t for d in made.json["draw"] for t in d["task_ids"]]
    assert "by ada, with 0 of 10 sampled tasks reviewed: out of time." in (
        assay("audit", "status", "a").out
    )
    assert assay("audit", "stop", "a", "--resume", "--reason", "go on").status == 0
    assert assay("audit", "history", "a").out == "no verdict yet\n"
    assay("rubric", "set", "a", "access", "insufficient")
    history = assay("audit", "history", "a", "--json").json["history"]
    assert [(h["outcome"], h["numbers"]["reviewed"]) for h in history] == [("nei", 0)]


def test_an_audit_is_carried_to_a_new_version_and_compared(
    assay: Assay, audit: str, tmp_path: Path
) -> None:
    _import(assay, tmp_path, "other key")
    refused = assay("audit", "carry", "a", "--to", "nothing", "--new", "c")
    assert refused.status == 2
    carried = assay("audit", "carry", "a", "--to", "b", "--new", "c", "--json").json
    assert (carried["audit"], carried["from"]) == ("c", "a")
    assert len(carried["changed"]) == 10
    compared = assay("audit", "compare", "a", "c")
    assert "3 of 10 = 30.0 %" in compared.out
    assert "not defined: nothing is reviewed" in compared.out
    both = assay("audit", "compare", "a", "c", "--json").json["audits"]
    assert [a["reviewed"] for a in both] == [10, 0]


def test_another_rubric_from_the_command_line(assay: Assay, tmp_path: Path) -> None:
    _import(assay, tmp_path, "key")
    new = ("audit", "new", "m", "--benchmark", "b", "--size", 20, "--seed", "s")
    assert assay(*new, "--rubric", "minimal").status == 0
    shown = assay("rubric", "show", "m", "--json").json
    assert (shown["rubric"], shown["not_reviewed"]) == ("minimal", ["keys_open", "defects"])
    assert assay("rubric", "set", "m", "keys_open", "no", "--json").json["verdict"] == "nei"
    nothing = assay("rubric", "adopt", "m", "--reason", "why")
    assert nothing.status == 2
    assert "nothing to adopt" in nothing.err
    adopted = assay("rubric", "adopt", "m", "--reason", "the whole review", "--rubric", "epoch")
    assert "section 'reviewability' is new" in adopted.out
    status = assay("audit", "status", "m", "--json").json
    assert (status["verdict"], status["threshold"]) == ("in_progress", 0.2)
    missing = assay(
        "audit",
        "new",
        "n",
        "--benchmark",
        "b",
        "--size",
        9,
        "--seed",
        "s",
        "--rubric",
        "nowhere.toml",
    )
    assert missing.status == 2
    assert "give a file, or one of epoch, minimal" in missing.err
