"""Whole audits as folders: `assay audit export`, `assay audit import`, and back."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Assay

FINDING = "FN,K1,,2,confirmed,=the unit | `x` <b>\u202e,,"


def _reviews(ids: list[str], reviewer: str = "ada", hour: int = 8) -> str:
    header = (
        "task_id,reviewer,reviewed_at,judgement,effects,cause,causes,severity,state,note,"
        "evidence,proposed_key"
    )
    rows = [
        f"{task},{reviewer},2026-11-29T{hour:02}:00:{n:02}Z,"
        + (f"defect,{FINDING}" if n % 3 == 0 else "clean,,,,,,,,")
        for n, task in enumerate(ids)
    ]
    return "\r\n".join([header, *rows])


@pytest.fixture
def sampled(assay: Assay, tmp_path: Path) -> list[str]:
    """Ids of the demo audit's sample, ten of them judged."""
    assay("demo")
    assay("audit", "export", "toolshop", "--out", tmp_path / "bare")
    sample = json.loads((tmp_path / "bare" / "samples.jsonl").read_text("utf-8").splitlines()[0])
    ids = [row["task_id"] for row in sample["sample_tasks"]]
    (tmp_path / "r.csv").write_text(_reviews(ids[:10]), encoding="utf-8")
    assert assay("reviews", "import", "toolshop", tmp_path / "r.csv").status == 0
    assay("rubric", "set", "toolshop", "consistency", "pass", "--note", "\u202eabc\u0007 \x00end")
    assay("audit", "note", "toolshop", "lead", "| <script>alert(1)</script> = שלום")
    return ids


def _bytes(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_r34_export_import_export_gives_equal_bytes(
    assay: Assay, sampled: list[str], tmp_path: Path
) -> None:
    """R34, with outputs and their grades."""
    assert assay("score", "toolshop").status in (0, 1)
    first = assay("audit", "export", "toolshop", "--out", tmp_path / "one", "--json")
    assert first.json["files"][0] == str(tmp_path / "one" / "manifest.json")
    done = assay("audit", "import", tmp_path / "one", "--db", "two.db", "--json")
    assert (done.status, done.json["is_new"]) == (0, True)
    assert done.json["added"]["reviews"] == 10
    assay("audit", "export", "toolshop", "--out", tmp_path / "two", "--db", "two.db")
    assert _bytes(tmp_path / "one") == _bytes(tmp_path / "two")
    assert assay("verify", "--db", "two.db").status == 0
    for command in (("audit", "status"), ("impact",)):
        here, there = (assay(*command, "toolshop", "--db", db).out for db in ("assay.db", "two.db"))
        assert here == there
    content = b"".join(_bytes(tmp_path / "one").values())
    assert str(tmp_path).encode() not in content
    assert b"\r\n" not in content


def test_an_audit_that_is_there_stays(assay: Assay, sampled: list[str], tmp_path: Path) -> None:
    assay("audit", "export", "toolshop", "--out", tmp_path / "one")
    again = assay("audit", "import", tmp_path / "one", "--json")
    assert (again.json["added"], again.json["outputs"]) == ({}, 0)
    assert "is there already" in assay("audit", "import", tmp_path / "one").out


def test_two_halves_become_one(assay: Assay, sampled: list[str], tmp_path: Path) -> None:
    """What two people did apart is joined where it does not contradict."""
    assay("audit", "import", tmp_path / "bare", "--db", "two.db")
    (tmp_path / "s.csv").write_text(_reviews(sampled[10:14], "bob"), encoding="utf-8")
    assay("reviews", "import", "toolshop", tmp_path / "s.csv", "--db", "two.db")
    assay("audit", "export", "toolshop", "--out", tmp_path / "bob", "--db", "two.db")
    done = assay("audit", "import", tmp_path / "bob")
    assert done.out.strip() == "audit toolshop was there; added: 4 reviews"
    assert assay("audit", "status", "toolshop", "--json").json["reviewed"] == 14
    assert assay("verify").status == 0


def test_halves_that_contradict_are_refused(
    assay: Assay, sampled: list[str], tmp_path: Path
) -> None:
    assay("audit", "import", tmp_path / "bare", "--db", "two.db")
    (tmp_path / "s.csv").write_text(_reviews(sampled[9:12], hour=9), encoding="utf-8")
    assay("reviews", "import", "toolshop", tmp_path / "s.csv", "--db", "two.db")
    assay("audit", "export", "toolshop", "--out", tmp_path / "other", "--db", "two.db")
    before = assay("reviews", "export", "toolshop", "before.csv").status, Path("before.csv")
    done = assay("audit", "import", tmp_path / "other")
    assert done.status == 2
    assert (
        f"reviews.jsonl:1: of the reviews on {sampled[9]} by ada, what is stored here" in done.err
    )
    assay("reviews", "export", "toolshop", "after.csv")
    assert before[1].read_bytes() == Path("after.csv").read_bytes()


def test_an_older_answer_does_not_stand_over_a_later_one(
    assay: Assay, sampled: list[str], tmp_path: Path
) -> None:
    assay("audit", "import", tmp_path / "bare", "--db", "two.db")
    assay("rubric", "set", "toolshop", "consistency", "issue", "--db", "two.db")
    assay("rubric", "set", "toolshop", "consistency", "not_reviewed")
    assay("audit", "export", "toolshop", "--out", tmp_path / "other", "--db", "two.db")
    later = assay("audit", "import", tmp_path / "other")
    assert later.status == 2
    assert "what is here is later, and both cannot stand" in later.err


def _listed(folder: Path, change: Callable[[dict[str, Any]], None]) -> None:
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text("utf-8"))
    change(manifest)
    path.write_text(json.dumps(manifest), encoding="utf-8")


def _replace(folder: Path, name: str, old: bytes, new: bytes, *, listed: bool = True) -> None:
    """Change a file, and let the manifest say so."""
    path = folder / name
    content = path.read_bytes()
    assert old in content
    path.write_bytes(content := content.replace(old, new, 1))
    if not listed:
        return

    def relist(manifest: dict[str, Any]) -> None:
        file = next(f for f in manifest["files"] if f["name"] == name)
        file |= {"bytes": len(content), "sha256": sha256(content).hexdigest()}

    _listed(folder, relist)


def _link(folder: Path) -> None:
    (folder / "reviews.jsonl").rename(folder.parent / "elsewhere.jsonl")
    (folder / "reviews.jsonl").symlink_to(folder.parent / "elsewhere.jsonl")


def _renamed(name: str) -> Callable[[Path], None]:
    return lambda folder: _listed(folder, lambda m: m["files"][0].update(name=name))


BAD: dict[str, tuple[Callable[[Path], None], str]] = {
    "a changed byte": (
        lambda f: _replace(f, "reviews.jsonl", b'"clean"', b'"cleaN"', listed=False),
        "its hash differs from the manifest",
    ),
    "a changed size": (
        lambda f: _replace(f, "reviews.jsonl", b"clean", b"cleans", listed=False),
        "its size differs from the manifest",
    ),
    "a review changed with its hash": (
        lambda f: _replace(f, "reviews.jsonl", b"FN", b"FP"),
        "is not what was sealed",
    ),
    "a task changed with its hash": (
        lambda f: _replace(f, "tasks.jsonl", b'"category":"', b'"category":"x'),
        "does not have the hash that it was exported with",
    ),
    "a sampled task moved with its hash": (
        lambda f: _replace(f, "samples.jsonl", b'"position":0', b'"position":99'),
        "is not what was sealed",
    ),
    "a missing file": (lambda f: (f / "tasks.jsonl").unlink(), "tasks.jsonl is missing"),
    "no manifest": (lambda f: (f / "manifest.json").unlink(), "manifest.json is missing"),
    "a newer format": (
        lambda f: _listed(f, lambda m: m.update(format_version=2)),
        "has format version 2, and this version of Assay reads up to 1",
    ),
    "another format": (
        lambda f: _listed(f, lambda m: m.update(format="x")),
        "is no manifest of an exported audit",
    ),
    "a path as a name": (_renamed("../../assay.db"), "lists '../../assay.db', which is no file"),
    "an absolute name": (_renamed("/etc/passwd"), "lists '/etc/passwd', which is no file"),
    "a link": (_link, "cannot be read: it is a link"),
    "an unknown member": (
        lambda f: _replace(f, "marks.jsonl", b'"kind"', b'"kinD"'),
        "marks.jsonl:1 is no record of marks",
    ),
    "half a character": (
        lambda f: _replace(f, "marks.jsonl", b'"ada"', b'"\\ud800"'),
        "marks.jsonl:1 is no record of marks",
    ),
    "a number for a text": (
        lambda f: _replace(f, "marks.jsonl", b'"skipped"', b"1e400"),
        "marks.jsonl:1",
    ),
    "another audit's name": (
        lambda f: _listed(f, lambda m: m["audit"].update(name="other")),
        "does not hold the audit 'other' of the manifest",
    ),
}


@pytest.mark.parametrize(("damage", "said"), BAD.values(), ids=BAD)
def test_a_bad_folder_is_refused_in_one_sentence_and_nothing_is_imported(
    assay: Assay, tmp_path: Path, exported: Path, damage: Callable[[Path], None], said: str
) -> None:
    folder = tmp_path / "bad"
    shutil.copytree(exported, folder)
    damage(folder)
    done = assay("audit", "import", folder, "--db", "two.db")
    assert done.status == 2
    assert said in done.err
    assert done.err.count("\n") == 1
    assert not Path("two.db").exists()


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo audit with reviews and a mark, exported once."""
    from audit_app.services.context import open_services
    from audit_app.services.demo import ensure_demo
    from audit_app.settings import Settings

    place = tmp_path_factory.mktemp("exported")
    settings = Settings(db=place / "assay.db", reviewer="ada", cache=place)
    ensure_demo(settings)
    with open_services(settings) as services:
        ids = list(services.audits.view("toolshop").sample.task_ids)
        (place / "r.csv").write_text(_reviews(ids[:5]), encoding="utf-8")
        services.review_files.import_file("toolshop", place / "r.csv")
        services.reviewing("toolshop").apply(
            [{"id": services.clock.new_id(), "kind": "skip", "task_id": ids[7]}]
        )
        services.transfers.export("toolshop", place / "out", with_outputs=False)
    return place / "out"


def test_a_line_without_end_is_not_read_into_memory(
    assay: Assay, tmp_path: Path, exported: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("audit_app.services.audit_folder.MAX_LINE", 20_000)
    folder = tmp_path / "long"
    shutil.copytree(exported, folder)
    done = assay("audit", "import", folder, "--db", "two.db")
    assert done.status == 2
    assert "the line is longer than" in done.err


def test_another_benchmark_of_the_name_is_not_mixed_in(
    assay: Assay, tmp_path: Path, exported: Path
) -> None:
    (tmp_path / "t.jsonl").write_text(
        '{"id": "a", "prompt": "Do.", "key": "1"}\n', encoding="utf-8"
    )
    assay("import", "table", "t.jsonl", "--benchmark", "toolshop", "--db", "two.db")
    done = assay("audit", "import", exported, "--db", "two.db")
    assert done.status == 2
    assert "the benchmark 'toolshop' here has other content" in done.err
    assert assay("audit", "list", "--db", "two.db", "--json").json["audits"] == []
    assert assay("audit", "import", exported, "--db", "two.db", "--as-version").status == 0


def test_another_audit_of_the_name_is_refused(assay: Assay, tmp_path: Path, exported: Path) -> None:
    assay("demo")
    done = assay("audit", "import", exported)
    assert done.status == 2
    assert "there is another audit 'toolshop' here" in done.err


def test_a_folder_of_other_things_is_not_replaced(assay: Assay, sampled: list[str]) -> None:
    Path("mine").mkdir()
    Path("mine/thesis.txt").write_text("years", encoding="utf-8")
    done = assay("audit", "export", "toolshop", "--out", "mine")
    assert done.status == 2
    assert "holds 'thesis.txt'" in done.err
    assert Path("mine/thesis.txt").read_text("utf-8") == "years"


def test_r17_who_has_yet_to_judge_gets_no_whole_audit(
    assay: Assay, sampled: list[str], tmp_path: Path
) -> None:
    """R17: a whole audit holds everybody's judgements."""
    team = (
        "--mode",
        "worst_wins",
        "--reviews-per-task",
        "2",
        "--reviewer",
        "ada",
        "--reviewer",
        "bob",
    )
    assert assay("audit", "team", "toolshop", *team).status == 0
    refused = assay("audit", "export", "toolshop", "--as", "bob", "--out", "x")
    assert refused.status == 2
    assert "10 reviews of tasks that you have yet to judge" in refused.err
    assert not Path("x").exists()
    assert assay("audit", "export", "toolshop", "--as", "lea", "--out", "x").status == 0
