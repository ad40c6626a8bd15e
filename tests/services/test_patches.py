"""Key patches against the benchmark's own files: they apply, and other files are refused."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from audit_app.domain.review import Effect, Finding
from audit_app.errors import InputError
from audit_app.reporting.key_patch import PatchStatus
from audit_app.services.context import Services
from tests.services.leaderboards import review
from tests.unit.reporting.patches import apply_diff

CSV = 'nr,question,gold\n1,What is it?,kiln\n2,And this?,"a ""ferry"""\n3,Why?,\n'
V4, V1 = "possible_answer/BFCL_v4_multiple.json", "gorilla_openfunctions_v1_test_simple.json"


def _audit(services: Services, ids: list[str], findings: dict[str, Finding | None]) -> None:
    services.audits.create(
        "a",
        "board",
        services.audits.preview_supplied("board", "\n".join(ids), source="ids.txt"),
    )
    review(services, findings)


def _table(services: Services, tmp_path: Path) -> Path:
    path = tmp_path / "gold.csv"
    path.write_text(CSV, encoding="utf-8")
    services.benchmarks.import_tasks(
        "table", path, name="board", columns={"id": "nr", "key": "gold"}
    )
    return path


def _proposing(key: str | None) -> Finding:
    return Finding(effects=(Effect.FN,), severity=2, proposed_key=key)


def test_a_table_is_patched_in_its_own_form(services: Services, tmp_path: Path) -> None:
    path = _table(services, tmp_path)
    _audit(services, ["1", "2"], {"1": _proposing('["kiln", "oven"]'), "2": _proposing(None)})
    written = services.patches.write(
        "a", tmp_path / "out", source=path, columns={"id": "nr", "key": "gold"}
    )
    names = [file.relative_to(tmp_path / "out").as_posix() for file in written.files]
    assert names == ["key_patch.json", "key_patch.diff", "patched/gold.csv"]
    new = (tmp_path / "out" / "patched" / "gold.csv").read_bytes()
    assert new.decode() == CSV.replace(",kiln\n", ',"[""kiln"", ""oven""]"\n')
    diff = (tmp_path / "out" / "key_patch.diff").read_bytes()
    assert apply_diff(path.read_bytes(), diff) == new
    assert [t.change.task_id for t in written.patch.of(PatchStatus.NO_PROPOSAL)] == ["2"]
    document = json.loads((tmp_path / "out" / "key_patch.json").read_text("utf-8"))
    assert [change["task_id"] for change in document["changes"]] == ["1"]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        pytest.param(CSV.replace("kiln", "stove"), "the key of '1' is not the one", id="differs"),
        pytest.param(CSV.replace("2,And", "9,And"), "no key of '2'", id="is missing"),
        pytest.param("a,b\n1,2\n", "no column", id="another table"),
    ],
)
def test_files_with_other_keys_are_refused_and_nothing_is_written(
    services: Services, tmp_path: Path, content: str, says: str
) -> None:
    _table(services, tmp_path)
    _audit(services, ["1"], {"1": _proposing('["oven"]')})
    other = tmp_path / "other.csv"
    other.write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=says):
        services.patches.write(
            "a", tmp_path / "out", source=other, columns={"id": "nr", "key": "gold"}
        )
    assert not (tmp_path / "out").exists()


def test_without_a_source_the_files_are_made_from_the_stored_keys(
    services: Services, tmp_path: Path
) -> None:
    _table(services, tmp_path)
    _audit(services, ["1"], {"1": _proposing('["oven"]')})
    written = services.patches.write("a", tmp_path / "out")
    assert written.source == ""
    patched = (tmp_path / "out" / "patched" / "keys.jsonl").read_text("utf-8")
    assert patched.splitlines()[0] == '{"id": "1", "key": ["oven"]}'


def test_bfcl_v4_is_patched_in_folder_and_package(
    services: Services, tmp_path: Path, bfcl_v4: Path
) -> None:
    keys = (bfcl_v4 / V4).read_text("utf-8").splitlines()
    record = json.loads(keys[3])
    call = record["ground_truth"][0]
    next(iter(next(iter(call.values())).values())).append("?")
    services.benchmarks.import_tasks("bfcl", bfcl_v4, name="board")
    finding = _proposing(json.dumps(record["ground_truth"]))
    _audit(services, [record["id"]], {record["id"]: finding})
    package = shutil.make_archive(str(tmp_path / "package"), "zip", bfcl_v4)
    for number, source in enumerate((bfcl_v4, Path(package), None)):
        out = tmp_path / str(number)
        written = services.patches.write("a", out, source=source)
        (done,) = written.patch.of(PatchStatus.PATCHED)
        assert (done.change.task_id, done.file) == (record["id"], V4)
        new = (out / "patched" / V4).read_text("utf-8").splitlines()
        assert json.loads(new[3]) == record
        if source is not None:
            assert [*new[:3], *new[4:]] == [*keys[:3], *keys[4:]]


def test_the_layout_of_2024_keeps_its_numbered_names(
    services: Services, tmp_path: Path, bfcl_v1: Path
) -> None:
    data = bfcl_v1 / "data"
    name = "possible_answer/gorilla_openfunctions_v1_test_parallel_function.json"
    record = json.loads((data / name).read_text("utf-8").splitlines()[0])
    services.benchmarks.import_tasks("bfcl", data, name="board")
    # The key as a task has it: one object a call, without numbers.
    key = [
        {label.rsplit("_", 1)[0] if label[-1].isdigit() else label: arguments}
        for label, arguments in record["ground_truth"].items()
    ]
    next(iter(next(iter(key[0].values())).values())).append("?")
    finding = _proposing(json.dumps(key))
    assert services.benchmarks.summary("board").version.rules == "2024-08"
    _audit(services, [record["id"]], {record["id"]: finding})
    written = services.patches.write("a", tmp_path / "out", source=data)
    assert [t.file for t in written.patch.of(PatchStatus.PATCHED)] == [name]
    new = json.loads((tmp_path / "out" / "patched" / name).read_text("utf-8").splitlines()[0])
    assert list(new["ground_truth"]) == list(record["ground_truth"])
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="no key file of BFCL v1"):
        services.patches.write("a", tmp_path / "other", source=tmp_path / "empty")


def test_a_label_change_is_named_and_no_file_is_touched(
    services: Services, tmp_path: Path, bfcl_v4: Path
) -> None:
    services.benchmarks.import_tasks("bfcl", bfcl_v4, name="board")
    _audit(services, ["irrelevance_0"], {"irrelevance_0": _proposing('"some_call"')})
    written = services.patches.write("a", tmp_path / "out", source=bfcl_v4)
    assert [f.name for f in written.files] == ["key_patch.json"]
    assert len(written.patch.of(PatchStatus.LABEL_CHANGE)) == 1


def test_proposals_that_come_to_no_key_are_named_with_the_reason(
    services: Services, tmp_path: Path
) -> None:
    _table(services, tmp_path)
    _audit(services, ["1", "2"], {"1": _proposing("null"), "2": _proposing('"a \\"ferry\\""')})
    written = services.patches.write("a", tmp_path / "out")
    reasons = {t.change.task_id: t.reason for t in written.patch.of(PatchStatus.NOT_PATCHED)}
    assert reasons == {
        "1": "the proposed key cannot be used: null accepts nothing",
        "2": "the proposed key equals the published one",
    }
    assert written.patch.of(PatchStatus.NO_PROPOSAL) == []


@pytest.mark.parametrize(
    ("category", "reason"),
    [
        # Only in parallel categories does import take the number of a second name off again.
        pytest.param("simple", "the file can hold one call of a function only", id="one call"),
        pytest.param("parallel_function", "", id="several calls"),
    ],
)
@pytest.mark.parametrize("has_source", [True, False], ids=["source", "stored"])
def test_a_second_call_of_a_function_in_the_layout_of_2024(
    services: Services,
    tmp_path: Path,
    bfcl_v1: Path,
    category: str,
    reason: str,
    *,
    has_source: bool,
) -> None:
    data, task = bfcl_v1 / "data", f"{category}_2"
    services.benchmarks.import_tasks("bfcl", data, name="board")
    key = json.dumps([{"f": {"x": [1]}}, {"f": {"x": [2]}}])
    _audit(services, [task], {task: _proposing(key)})
    written = services.patches.write("a", tmp_path / "out", source=data if has_source else None)
    assert [t.reason for t in written.patch.tasks] == [reason]
    assert len(written.patch.files) == (not reason)


def test_another_order_of_calls_is_no_change_in_the_layout_of_2024(
    services: Services, tmp_path: Path, bfcl_v1: Path
) -> None:
    data, task = bfcl_v1 / "data", "parallel_multiple_function_107"
    name = "possible_answer/gorilla_openfunctions_v1_test_parallel_multiple_function.json"
    records = map(json.loads, (data / name).read_text("utf-8").splitlines())
    stored = next(record for record in records if record["id"] == task)["ground_truth"]
    services.benchmarks.import_tasks("bfcl", data, name="board")
    key = json.dumps([{label: stored[label]} for label in reversed(stored)])
    _audit(services, [task], {task: _proposing(key)})
    written = services.patches.write("a", tmp_path / "out", source=data)
    assert [t.status for t in written.patch.tasks] == [PatchStatus.NOT_PATCHED]
    assert "in another order" in written.patch.tasks[0].reason
