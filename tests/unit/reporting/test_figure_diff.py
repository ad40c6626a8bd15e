from __future__ import annotations

import json

import pytest

from audit_app.reporting.figure_diff import json_differences, line_differences
from audit_app.reporting.figure_places import html_lines, markdown_lines
from tests.golden.write_report import FOLDER

MARKDOWN = """# Toy

In 3 of 10 (30.0 %) tasks a defect was found.

## Strata

| Stratum | Tasks | Defective |
| --- | ---: | ---: |
| `a\\|b` | 5 | 1 of 5 |
| web | 5 | 2 of 5 |
"""
HTML = """<h1>Toy</h1><p>In <b>3</b> of 10 (30.0&nbsp;%) tasks a defect was found.</p>
<h2>Strata</h2><style>p{margin:1px}</style>
<table><thead><tr><th>Stratum</th><th>Tasks</th><th>Defective</th></tr></thead>
<tbody><tr><td>a|b</td><td>5</td><td>1 of 5</td></tr>
<tr><td>web</td><td>5</td><td>2 of <em>5</em></td></tr></tbody></table>"""
CHANGES = [
    pytest.param(
        ("3", "4"),
        "Toy: In […] of 10 (30.0 %) tasks a defect was",
        ("4", "3"),
        id="sentence",
    ),
    pytest.param(("30.0", "30.1"), "Toy: In 3 of 10 ([…]", ("30.1", "30.0"), id="percentage"),
    pytest.param(
        ("2 of", "3 of"), "Strata, web, Defective", ("3 of 5", "2 of 5"), id="cell of a table"
    ),
]


@pytest.mark.parametrize(("change", "figure", "values"), CHANGES)
def test_a_figure_is_named_by_its_place(
    change: tuple[str, str], figure: str, values: tuple[str, str]
) -> None:
    changed = MARKDOWN.replace(*change, 1)
    (found,) = line_differences(markdown_lines(changed), markdown_lines(MARKDOWN))
    assert found.figure.startswith(figure)
    assert (found.printed, found.recomputed) == values


def test_html_is_read_as_a_reader_sees_it() -> None:
    lines = html_lines(HTML)
    assert [line.text for line in lines] == [
        "Toy",
        "In 3 of 10 (30.0 %) tasks a defect was found.",
        "Strata",
        "Stratum | Tasks | Defective",
        "a|b | 5 | 1 of 5",
        "web | 5 | 2 of 5",
    ]
    (found,) = line_differences(html_lines(HTML.replace("2 of", "3 of")), lines)
    assert found == ("Strata, web, Defective", "3 of 5", "2 of 5")


def test_rows_are_compared_by_name() -> None:
    """A row that is too many does not make those after it differ."""
    shorter = MARKDOWN.replace("| `a\\|b` | 5 | 1 of 5 |\n", "")
    (found,) = line_differences(markdown_lines(shorter), markdown_lines(MARKDOWN))
    assert (found.figure, found.printed) == ("Strata, `a\\|b`", None)


def test_every_digit_of_a_report_is_looked_at() -> None:
    """Whatever single digit of the golden report is changed, that and nothing else is named."""
    text = (FOLDER / "report.md").read_text("utf-8")
    lines = markdown_lines(text)
    for place, digit in enumerate(text):
        if digit.isascii() and digit.isdigit():
            other = str((int(digit) + 1) % 10)
            changed = markdown_lines(text[:place] + other + text[place + 1 :])
            found = list(line_differences(changed, lines))
            assert len(found) in (1, 2), text[place - 40 : place + 1]
            assert all(d.printed != d.recomputed for d in found)


def test_every_number_of_a_document_is_looked_at() -> None:
    document = json.loads((FOLDER / "report.json").read_text("utf-8"))
    numbers = 0
    for holder, key in _numbers(document):
        value = holder[key]
        holder[key] = value + 1
        changed = json.loads(json.dumps(document))
        holder[key] = value
        (found,) = json_differences(changed, document)
        assert (found.printed, found.recomputed) == (repr(value + 1), repr(value))
        numbers += 1
    assert numbers > 100


def _numbers(value: object) -> list[tuple[dict[str, float], str]]:
    """(object or list, key) of every number of a document."""
    found: list[tuple[dict[str, float], str]] = []
    pairs = value.items() if isinstance(value, dict) else enumerate(value)  # type: ignore[arg-type]
    for key, member in pairs:
        if isinstance(member, dict | list):
            found += _numbers(member)
        elif isinstance(member, int | float) and not isinstance(member, bool):
            found.append((value, key))  # type: ignore[arg-type]
    return found


@pytest.mark.parametrize(
    ("printed", "recomputed", "expected"),
    [
        pytest.param(
            {"strata": [{"stratum": "a", "n": 1}]},
            {"strata": [{"stratum": "b", "n": 2}, {"stratum": "a", "n": 1}]},
            [("strata[b]", None, '{"stratum": "b", "n": 2}')],
            id="rows by name",
        ),
        pytest.param({"a": 1}, {"a": None}, [("a", "1", "null")], id="not defined"),
        pytest.param({"a": 1}, {"a": 1.0}, [("a", "1", "1.0")], id="another kind"),
        pytest.param(
            {"a": ["x", "y", "z"]}, {"a": ["y", "z"]}, [("a[x]", "x", None)], id="a name too many"
        ),
        pytest.param({"a": ["x 1"]}, {"a": ["x 2"]}, [("a[0]", "x 1", "x 2")], id="another text"),
        pytest.param({"a": [1, 2]}, {"a": [1]}, [("a[1]", "2", None)], id="too many"),
        pytest.param(
            [{"id": "a"}, {"id": "b"}],
            [{"id": "b"}, {"id": "a"}],
            [(" (order)", "[a], [b]", "[b], [a]")],
            id="another order",
        ),
    ],
)
def test_documents(printed: object, recomputed: object, expected: list[object]) -> None:
    assert list(json_differences(printed, recomputed)) == expected
