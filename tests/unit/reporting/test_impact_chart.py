from __future__ import annotations

import re
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit_app.reporting.impact_chart import MOST_MODELS, Slope, impact_chart

SVG = "{http://www.w3.org/2000/svg}"
shares = st.floats(0, 1)


def _parsed(slopes: list[Slope], title: str = "Impact") -> ElementTree.Element:
    return ElementTree.fromstring(impact_chart(slopes, title=title))


def _labels(root: ElementTree.Element) -> list[tuple[float, float, str]]:
    """(x, y, text) of the labels, headings left out."""
    texts = [
        (float(t.attrib["x"]), float(t.attrib["y"]), t.text or "")
        for t in root.iter()
        if t.tag == f"{SVG}text"
    ]
    return [label for label in texts if "%" in label[2]]


def test_names_are_text_whatever_they_hold() -> None:
    hostile = '</text><script>alert(1)</script>&"\x00\u202e'
    root = _parsed([Slope(hostile, 0.5, 0.6)], title=hostile)
    assert {child.tag for child in root.iter()} <= {
        f"{SVG}{tag}" for tag in ("svg", "title", "desc", "g", "path", "circle", "text")
    }
    title = root.find(f"{SVG}title")
    assert title is not None
    assert title.text == '</text><script>alert(1)</script>&"⟨U+0000⟩⟨U+202E⟩'


def test_the_chart_has_a_name_and_says_its_figures() -> None:
    root = _parsed([Slope("ann", 0.5, 0.625, swaps=True), Slope("bob", 0.55, 0.6)])
    ids = {element.attrib.get("id"): element.text for element in root.iter()}
    named = [ids[name] for name in root.attrib["aria-labelledby"].split()]
    assert named == [
        "Impact",
        "bob: 55.0 % before, 60.0 % after; ann: 50.0 % before, 62.5 % after, changes places.",
    ]


def test_colours_are_those_of_the_text() -> None:
    svg = impact_chart([Slope("ann", 0.5, 0.6)], title="Impact")
    assert set(re.findall(r'(?:fill|stroke)="([^"]+)"', svg)) == {"currentColor", "none"}


@pytest.mark.parametrize("number", [1, MOST_MODELS, MOST_MODELS + 1])
def test_at_most_so_many_models_are_drawn(number: int) -> None:
    root = _parsed([Slope(f"m{i:02}", 0.9 - i / 100, 0.5) for i in range(number)])
    assert len(_labels(root)) == 2 * min(number, MOST_MODELS)
    rest = [t.text for t in root.iter(f"{SVG}text") if (t.text or "").startswith("and ")]
    assert rest == (["and 1 more model with lower scores"] if number > MOST_MODELS else [])


def test_without_a_model_there_is_a_sentence() -> None:
    assert impact_chart([], title="Impact").startswith("<p>No model has a score")


@given(st.lists(st.tuples(shares, shares), min_size=1, max_size=45))
def test_labels_never_overlap_and_stay_in_the_picture(rows: list[tuple[float, float]]) -> None:
    root = _parsed([Slope(f"m{i}", before, after) for i, (before, after) in enumerate(rows)])
    height = float(root.attrib["viewBox"].split()[3])
    for side in {x for x, _, _ in _labels(root)}:
        heights = sorted(y for x, y, _ in _labels(root) if x == side)
        assert all(b - a >= 14.8 for a, b in pairwise(heights))
        assert heights[0] > 20
        assert heights[-1] < height
