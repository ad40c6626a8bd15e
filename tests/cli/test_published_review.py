"""The published BFCL v4 review, reproduced from its list of ids and flags by the commands alone.

Expected values: spec of the review, section 1.5 (counted by hand from the published tables).
"""

from __future__ import annotations

import json
import random
import shutil
from pathlib import Path

import pytest

from tests.cli.conftest import Assay

SAMPLES = Path(__file__).resolve().parents[2] / "samples" / "bfcl_v4_review"
PLAN = SAMPLES / "plan.toml"
ALLOCATION = {
    "non_live_ast": 5,
    "live_ast": 5,
    "irrelevance": 5,
    "multi_turn": 15,
    "memory": 10,
    "web_search": 10,
}


@pytest.fixture
def with_bfcl(assay: Assay, bfcl_v4: Path) -> Assay:
    assert assay("import", "bfcl", bfcl_v4, "--benchmark", "bfcl-v4").status == 0
    return assay


def test_the_import_counts_keys_entries_and_weighted_entries(assay: Assay, bfcl_v4: Path) -> None:
    printed = assay("import", "bfcl", bfcl_v4, "--benchmark", "bfcl-v4", "--json")
    assert printed.status == 0
    data = printed.json
    questions = {
        path.stem.removeprefix("BFCL_v4_"): sum(
            bool(line.strip()) for line in path.read_text(encoding="utf-8").splitlines()
        )
        for path in bfcl_v4.glob("BFCL_v4_*.json")
        if "format_sensitivity" not in path.name
    }
    assert data["by_category"] == questions
    assert (data["tasks"], data["entries"], data["weighted_entries"]) == (4696, 5106, 5090)
    assert data["rejected"] == []


def test_the_published_review_comes_out_of_the_commands(with_bfcl: Assay, tmp_path: Path) -> None:
    assay = with_bfcl
    new = assay(
        *("audit", "new", "epoch", "--benchmark", "bfcl-v4", "--ids", SAMPLES / "ids.txt", "--json")
    )
    assert new.json["allocation"] == ALLOCATION
    imported = assay("reviews", "import", "epoch", SAMPLES / "reviews.csv", "--json")
    assert (imported.status, imported.json) == (0, {"accepted": 50, "rejected": []})
    status = assay("audit", "status", "epoch", "--json").json
    assert (status["sampled"], status["reviewed"], status["defective"]) == (50, 50, 24)
    assert status["rate"] == pytest.approx(0.48)
    assert status["effects"] == {"fn": 22, "fp": 6, "both": 4}
    assert status["stale"] == 1
    assert status["strict_rate"] is None
    assert "severity" in status["undefined"]["strict_rate"]
    assert {row["stratum"]: round(100 * row["rate"], 1) for row in status["by_stratum"]} == {
        "non_live_ast": 20.0,
        "live_ast": 40.0,
        "irrelevance": 40.0,
        "multi_turn": 53.3,
        "memory": 70.0,
        "web_search": 40.0,
    }
    ends = {i["name"]: (i["lower"], i["upper"]) for i in status["intervals"]}
    assert {k: tuple(round(100 * end, 1) for end in v) for k, v in ends.items()} == {
        "wilson": (34.8, 61.5),
        "clopper_pearson": (33.7, 62.6),
        "jeffreys": (34.6, 61.6),
    }
    weighted = {
        e["estimand"]: e for e in status["estimates"] if e["counted"] == "confirmed"
    }  # fmt: skip
    named = weighted["score_weighted"]["standard_errors"]
    assert {error["name"]: round(error["value"], 4) for error in named} == {
        "outer": 0.0727,
        "cells": 0.0721,
        "cells_corrected": 0.0707,
    }
    # 0.2·1150 + 0.4·(1351 + 1124) + 8/15·800 + 0.7·155 + 0.4·100 of 4680.
    assert weighted["task_weighted"]["rate"] == pytest.approx(0.38358, abs=1e-5)
    assert weighted["score_weighted"]["probability_at_least_threshold"] > 0.999
    assert "Korn–Graubard 18.2–62.0 % (task-weighted)" in status["warnings"][0]
    assert status["verdict"] == "in_progress"
    assay("rubric", "set", "epoch", "access", "full")
    verdict = assay("rubric", "set", "epoch", "scoring", "issue", "--json").json
    assert (verdict["verdict"], verdict["partial"]) == ("flawed", True)
    assert [step["item"] for step in verdict["trace"] if step["decides"]] == ["scoring"]
    written = assay("report", "epoch", "--out", tmp_path / "out", "--json").json["files"]
    assert Path(written[0]).name == "report.md"
    report = Path(written[0]).read_text(encoding="utf-8")
    for text in (
        "24 of 50 (48.0 %)",
        "| 11 of 20 | 55.0 % |",
        "| 8 of 15 | 53.3 % |",
        "Wilson 34.8–61.5 %, Clopper–Pearson 33.7–62.6 %, Jeffreys 34.6–61.6 %",
        "0.0727 (outer strata), 0.0721 (strata), 0.0707 (strata, corrected)",
        "drawn outside Assay",
        "**Verdict: Flawed.**",
        "found right in 26 of 50",
    ):
        assert text in report
    errors = report.split("## Errors")[1].split("The answer key was found right")[0]
    assert sum(line.startswith("| `") for line in errors.splitlines()) == 24
    assert "NaN" not in json.dumps(status)


def test_the_shipped_plan_allocates_as_published_and_widens(with_bfcl: Assay) -> None:
    assay = with_bfcl
    new = assay("audit", "new", "a", "--benchmark", "bfcl-v4", "--plan", PLAN, "--json").json
    assert new["allocation"] == ALLOCATION
    assert new["outside"] == {"live_relevance": 16}
    refused = assay("audit", "expand", "a")
    assert (refused.status, refused.err.count("\n")) == (2, 1)
    wide = assay("audit", "expand", "a", "--reason", "a second look", "--json").json
    assert wide["allocation"] == {stratum: 2 * n for stratum, n in ALLOCATION.items()}
    for first, then in zip(new["draw"], wide["draw"], strict=True):
        assert then["task_ids"][: len(first["task_ids"])] == first["task_ids"]
    assert assay("audit", "expand", "a", "--reason", "again").status == 2
    assert assay("verify").status == 0


def test_shuffled_files_give_the_same_draw(assay: Assay, bfcl_v4: Path, tmp_path: Path) -> None:
    folder = tmp_path / "shuffled"
    shutil.copytree(bfcl_v4, folder)
    shuffle = random.Random(7)
    for path in folder.glob("**/BFCL_v4_*.json"):
        if "format_sensitivity" in path.name:
            continue
        lines = path.read_text(encoding="utf-8").splitlines()
        shuffle.shuffle(lines)
        path.chmod(0o644)
        path.write_text("\n".join(lines), encoding="utf-8")
    draws, hashes = [], []
    for name, source in (("straight", bfcl_v4), ("shuffled", folder)):
        hashes.append(
            assay("import", "bfcl", source, "--benchmark", name, "--json").json["content_hash"]
        )
        draws.append(assay("plan", "--benchmark", name, "--plan", PLAN, "--json").json)
    assert draws[0]["draw"] == draws[1]["draw"]
    assert draws[0]["frame_hash"] == draws[1]["frame_hash"]
    assert hashes[0] == hashes[1]
