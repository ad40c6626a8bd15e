from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit_app.domain.review import Effect, Finding, FindingState, Judgement, Review
from audit_app.domain.review_file import COLUMNS
from audit_app.errors import RowRejectedError
from audit_app.importers.reviews import read_reviews
from audit_app.reporting.review_rows import reviews_csv, reviews_jsonl
from audit_app.services.resources import resource

NOW = datetime(2026, 9, 10, 12, tzinfo=UTC)
HEADER = ",".join(COLUMNS)
CLEAN = "t1,ada,2026-09-10T12:00:00Z,clean,,,,,,,,"
DEFECT = "t2,ada,2026-09-10T12:00:00Z,defect,FN,K1,,2,confirmed,wrong city,,"
SHORT = "id,defective,false_negative,false_positive,stale"


def ids() -> Callable[[], str]:
    numbers = count(1)
    return lambda: f"00000000-0000-4000-8000-{next(numbers):012d}"


def read(content: str | bytes, source: str = "r.csv") -> tuple[list[Review], list[tuple[int, str]]]:
    found, rejected = read_reviews(content, source=source, new_id=ids(), now=NOW)
    assert {row.source for row in rejected} <= {source}
    return [review for review, _ in found], [(row.line, row.reason) for row in rejected]


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        pytest.param(DEFECT.replace("FN", "FX"), "effects 'FX' is none of", id="effect"),
        pytest.param(DEFECT.replace("FN", ""), "needs at least one of the effects", id="no effect"),
        pytest.param(
            DEFECT.replace("FN", "FN UNSURE"), "cannot stand beside another", id="effects clash"
        ),
        pytest.param(DEFECT.replace("defect", "bad"), "judgement 'bad'", id="judgement"),
        pytest.param(DEFECT.replace("defect", "withdrawn"), "'withdrawn'", id="withdrawn"),
        pytest.param(DEFECT.replace("K1", "key"), "cause 'key' is not a cause code", id="cause"),
        pytest.param(DEFECT.replace("K1", "K1 K2"), "belong in causes", id="two primary causes"),
        pytest.param(DEFECT.replace(",2,", ",4,"), "the severity '4'", id="severity"),
        pytest.param(DEFECT.replace("confirmed", "sure"), "state 'sure' is none of", id="state"),
        pytest.param(DEFECT.replace("city,,", "city,javascript:x,"), "is not a link", id="link"),
        pytest.param(DEFECT + '"{""a"":"', "proposed key is not valid JSON", id="proposed key"),
        pytest.param(DEFECT.replace("Z", ""), "has no time zone", id="no time zone"),
        pytest.param(DEFECT.replace("2026-09", "soon"), "is not a time", id="not a time"),
        pytest.param(
            CLEAN.replace("t1,ada,2026-09-10T12:00:00Z", "t2,ada,9999-12-31T23:59:59-01:00"),
            "is not a time",
            id="after the last year",
        ),
        pytest.param(
            CLEAN.replace("t1", "t2").removesuffix(",,") + "x" * 200_001 + ",,",
            "note: String should have at most 200000",
            id="long note on a clean task",
        ),
        pytest.param(DEFECT.removeprefix("t2"), "task_id is empty", id="no task"),
        pytest.param(DEFECT + ",", "13 cells where the header has 12", id="long row"),
        pytest.param("t2,ada", "2 cells where the header has 12", id="short row"),
        pytest.param(
            CLEAN.replace("t1", "t2").replace("clean,", "clean,FN"),
            "effects is given",
            id="clean with effects",
        ),
        pytest.param(
            CLEAN.replace("T12", "T13"), "is judged by 'ada' on line 2", id="judged twice"
        ),
    ],
)
def test_bad_row_is_named_and_good_rows_load(row: str, reason: str) -> None:
    reviews, rejected = read("\n".join([HEADER, CLEAN, row, DEFECT.replace("t2", "t3")]) + "\n")
    assert [r.task_id for r in reviews] == ["t1", "t3"]
    assert [line for line, _ in rejected] == [3]
    assert reason in rejected[0][1]


@pytest.mark.parametrize(
    ("content", "line", "reason"),
    [
        pytest.param(b"", 0, "empty", id="empty"),
        pytest.param(b"\xef\xbb\xbf \r\n", 0, "empty", id="only a byte order mark"),
        pytest.param(HEADER.encode("utf-16"), 0, "UTF-16", id="UTF-16"),
        pytest.param(b"task,verdict\nt1,clean\n", 1, "no review file", id="other columns"),
        pytest.param(b"task_id;judgement\nt1;clean\n", 1, "by commas", id="semicolons"),
        pytest.param(f"{HEADER},x\n".encode(), 1, "column 'x'", id="unknown column"),
        pytest.param(f"{HEADER},note\n".encode(), 1, "'note' stands twice", id="double column"),
        pytest.param(b'{"task_id": "t1"}\n', 1, "no review file", id="other JSON"),
    ],
)
def test_unusable_file_is_refused_whole(content: bytes, line: int, reason: str) -> None:
    with pytest.raises(RowRejectedError, match=reason) as refusal:
        read(content)
    assert refusal.value.line == line


@pytest.mark.parametrize(
    "encode",
    [
        pytest.param(lambda text: text, id="text"),
        pytest.param(lambda text: text.encode(), id="UTF-8"),
        pytest.param(lambda text: text.encode("utf-8-sig"), id="byte order mark"),
        pytest.param(lambda text: text.replace("\n", "\r\n").encode(), id="CRLF"),
        pytest.param(lambda text: text.replace("\n", "\n,,,,,,,,,,,\n\n"), id="blank rows"),
    ],
)
def test_layout_of_the_file_does_not_matter(encode: Callable[[str], str | bytes]) -> None:
    reviews, rejected = read(encode(f"{HEADER}\n{CLEAN}\n{DEFECT}\n"))
    assert [(r.task_id, r.judgement) for r in reviews] == [("t1", "clean"), ("t2", "defect")]
    assert not rejected


def test_lines_are_counted_as_an_editor_counts_them() -> None:
    note = DEFECT.replace("wrong city", '"one\ntwo\r\nthree, ""four"""')  # lines 2 to 4
    reviews, rejected = read(f"{HEADER}\n{note}\nt4,ada\n\nt5,ada\n")
    assert reviews[0].findings[0].note == 'one\ntwo\r\nthree, "four"'
    assert [line for line, _ in rejected] == [5, 7]


def test_open_quotation_mark_and_foreign_bytes_cost_their_own_rows() -> None:
    foreign = DEFECT.replace("city", "caf\xe9").encode("latin-1")
    content = b"\n".join([HEADER.encode(), foreign, CLEAN.encode(), b't3,"ada', DEFECT.encode()])
    reviews, rejected = read(content)
    assert [r.task_id for r in reviews] == ["t1"]
    assert rejected[0] == (2, "the byte 0xE9 is not UTF-8; save the file as UTF-8")
    assert rejected[1] == (4, "a quotation mark is never closed")


def test_rows_of_one_review_are_one_review() -> None:
    second = DEFECT.replace("FN,K1,,2", "FP,G2,K4 K3,")
    later = CLEAN.replace("ada", "bob")
    reviews, rejected = read("\n".join([HEADER, DEFECT, later, second]))
    assert not rejected
    assert [(r.task_id, r.reviewer, len(r.findings)) for r in reviews] == [
        ("t2", "ada", 2),
        ("t1", "bob", 0),
    ]
    assert reviews[0].findings[1] == Finding(
        effects=(Effect.FP,), cause="G2", causes=("K4", "K3"), note="wrong city"
    )


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        pytest.param(
            [DEFECT, DEFECT.replace("FN", "?")],
            [(2, "line 3, which belongs to the same review"), (3, "effects '?'")],
            id="one bad row takes its review along",
        ),
        pytest.param(
            [DEFECT, CLEAN.replace("t1", "t2")],
            [(2, "line 3, which belongs"), (3, "the task is clean here, but line 2")],
            id="clean and defect at once",
        ),
        pytest.param(
            [CLEAN, CLEAN],
            [(2, "line 3, which belongs"), (3, "the task is clean here, but line 2")],
            id="clean twice at once",
        ),
    ],
)
def test_review_loads_whole_or_not_at_all(rows: list[str], expected: list[tuple[int, str]]) -> None:
    reviews, rejected = read("\n".join([HEADER, *rows]))
    assert not reviews
    for (line, reason), (expected_line, part) in zip(rejected, expected, strict=True):
        assert line == expected_line
        assert part in reason


def test_json_lines_take_lists_texts_and_json_keys() -> None:
    content = (
        '{"task_id":"t1","judgement":"defect","effects":["FN","FP"],"severity":3,'
        '"evidence":["https://a.example/x"],"proposed_key":{"a":["b"]}}\r\n'
        '{"task_id":"t2","judgement":"defect","effects":"FN FP","proposed_key":"[1]"}\n'
        '{"task_id":3,"judgement":"clean"}\n'
        '{"task_id":"t4","judgement":"clean","colour":"red"}\n'
        '{"task_id":"t5","judge'
    )
    reviews, rejected = read(content, source="folder/r.jsonl")
    assert [r.reviewer for r in reviews] == ["imported: r.jsonl"] * 2
    assert [r.findings[0].effects for r in reviews] == [(Effect.FN, Effect.FP)] * 2
    assert [r.findings[0].proposed_key for r in reviews] == ['{"a":["b"]}', "[1]"]
    assert [line for line, _ in rejected] == [3, 4, 5]
    assert "task_id is 3 where a text is expected" in rejected[0][1]
    assert "'colour'" in rejected[1][1]


@pytest.mark.parametrize(
    ("flags", "reason"),
    [
        pytest.param("1,0,0,0", "neither false_negative nor false_positive", id="no effect"),
        pytest.param("1,0,0,1", "neither false_negative nor false_positive", id="only stale"),
        pytest.param("0,1,0,0", "defective is 0, but another flag is 1", id="FN on clean"),
        pytest.param("0,0,0,1", "defective is 0, but another flag is 1", id="stale on clean"),
        pytest.param("yes,1,0,0", "defective is 'yes', not 0 or 1", id="not a flag"),
        pytest.param("1,,0,0", "false_negative is '', not 0 or 1", id="empty flag"),
    ],
)
def test_contradicting_flags_are_rejected(flags: str, reason: str) -> None:
    reviews, rejected = read(f"{SHORT}\na,{flags}\nb,0,0,0,0\n")
    assert [r.task_id for r in reviews] == ["b"]
    assert rejected[0][0] == 2
    assert reason in rejected[0][1]


def test_short_form_gives_confirmed_findings_without_severity() -> None:
    content = f"{SHORT},note,stratum,reviewer\na,1,1,1,1,'=moved,x,bob\nb,0,0,0,0,fine,,\n"
    reviews, rejected = read(content, source="some/where/list.csv")
    assert not rejected
    assert reviews[0].findings == (
        Finding(effects=(Effect.FN, Effect.FP), cause="K2", note="=moved\nstratum: x"),
    )
    assert reviews[0].findings[0].state is FindingState.CONFIRMED
    assert [(r.reviewer, r.reviewed_at) for r in reviews] == [
        ("bob", NOW),
        ("imported: list.csv", NOW),
    ]
    assert (reviews[1].judgement, reviews[1].note) == (Judgement.CLEAN, "fine")


def test_short_form_in_twice_is_a_duplicate() -> None:
    reviews, rejected = read(f"{SHORT}\na,1,1,0,0\na,1,0,1,0\n")
    assert len(reviews) == 1
    assert rejected == [(3, "task 'a' is judged by 'imported: r.csv' on line 2 already")]


def test_published_review_of_bfcl_v4_loads_completely() -> None:
    path = resource("samples", "bfcl_v4_review", "reviews.csv")
    reviews, rejected = read(path.read_bytes(), source=str(path))
    findings = [f for r in reviews for f in r.findings]
    # The published figures: 24 of 50 defective, FN in 22, FP in 6, one stale.
    assert (len(reviews), len(rejected)) == (50, 0)
    assert sum(r.is_defective() for r in reviews) == 24
    assert sum(Effect.FN in f.effects for f in findings) == 22
    assert sum(Effect.FP in f.effects for f in findings) == 6
    assert [f.cause for f in findings if f.cause] == ["K2"]
    assert {r.reviewer for r in reviews} == {"imported: reviews.csv"}


# Only lone surrogates cannot stand in a file (they are no text, and the domain refuses them);
# line breaks and control characters, the null character included, stand in a quoted cell.
texts = st.text(
    st.one_of(
        st.sampled_from("=+-@'\"\t\r\n,; \0\x1b\u202e\u05d0\u2028\ufeff"),
        st.characters(exclude_categories=["Cs"]),
    ),
    max_size=12,
)
codes = st.sampled_from(["K1", "K2", "G6", "T5"])
links = st.sampled_from(["https://a.example/=x", "http://b.example/?q=1,2", "https://c.example/ü"])
findings = st.builds(
    Finding,
    effects=st.sampled_from(
        [(Effect.FN,), (Effect.FP,), (Effect.FN, Effect.FP), (Effect.NEUTRAL,), (Effect.UNSURE,)]
    ),
    cause=st.none() | codes,
    causes=st.lists(codes, max_size=2).map(tuple),
    severity=st.none() | st.integers(0, 3),
    state=st.sampled_from(FindingState),
    note=texts,
    evidence=st.lists(links, max_size=2).map(tuple),
    proposed_key=st.sampled_from([None, '{"a":\n ["b"]}', '"=x"', "-1", " [1]"]),
)


@st.composite
def review_lists(draw: st.DrawFn) -> list[Review]:
    who = draw(st.lists(st.tuples(texts.filter(bool), texts.filter(bool)), max_size=5, unique=True))
    reviews = []
    for number, (task, reviewer) in enumerate(who):
        found = draw(st.lists(findings, max_size=3).map(tuple))
        seconds = draw(st.integers(0, 10**8))
        reviews.append(
            Review(
                id=str(number),
                task_id=task,
                reviewer=reviewer,
                reviewed_at=NOW + timedelta(microseconds=seconds * 997),
                judgement=Judgement.DEFECT if found else Judgement.CLEAN,
                findings=found,
                note="" if found else draw(texts),
            )
        )
    return reviews


def without_ids(reviews: list[Review]) -> list[Review]:
    ordered = sorted(reviews, key=lambda r: (r.task_id, r.reviewer))
    return [review.model_copy(update={"id": ""}) for review in ordered]


@given(review_lists())
def test_export_import_export_gives_equal_bytes(reviews: list[Review]) -> None:
    for write in (reviews_csv, reviews_jsonl):
        exported = write(reviews).encode()
        if not exported:
            continue
        again, rejected = read(exported)
        assert not rejected
        assert write(again).encode() == exported
        assert without_ids(again) == without_ids(reviews)


def test_long_note_survives() -> None:
    note = "x" * 199_999 + "\n"
    review = Review(
        id="1", task_id="t", reviewer="ada", reviewed_at=NOW, judgement=Judgement.CLEAN, note=note
    )
    assert read(reviews_csv([review]))[0][0].note == note


def test_withdrawn_judgements_have_no_row() -> None:
    review = Review(
        id="1", task_id="t", reviewer="ada", reviewed_at=NOW, judgement=Judgement.WITHDRAWN
    )
    assert reviews_csv([review]) == HEADER + "\r\n"
