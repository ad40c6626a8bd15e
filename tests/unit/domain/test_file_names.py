from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit_app.domain.file_names import file_name, file_names

texts = st.text(st.characters(), max_size=200)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        pytest.param("multi_turn_base_23", True, id="plain"),
        pytest.param("prüfung 3", True, id="letters of other scripts"),
        pytest.param("a/b", False, id="slash"),
        pytest.param("../../etc/passwd", False, id="way up"),
        pytest.param(".hidden", False, id="hidden"),
        pytest.param("a:b", False, id="colon"),
        pytest.param("nul", False, id="a device of Windows"),
        pytest.param("COM1.txt", False, id="a device with an ending"),
        pytest.param("a\0b", False, id="NUL"),
        pytest.param("\u202etxt.exe", False, id="direction mark"),
        pytest.param("x" * 300, False, id="long"),
        pytest.param("", False, id="empty"),
        pytest.param("\ud800", False, id="half a surrogate pair"),
    ],
)
def test_a_text_is_kept_where_it_can_name_a_file(text: str, kept: bool) -> None:
    assert (file_name(text, otherwise="task") == text) is kept


@given(texts)
def test_any_text_gives_a_name_that_is_one_file_in_its_folder(text: str) -> None:
    name = file_name(text, otherwise="task")
    assert name.isprintable()
    assert not set(name) & set('/\\:*?"<>|\0')
    assert name.strip(" .") == name != ""
    assert len(name.encode()) <= 120


@given(st.lists(texts, unique=True, max_size=8))
def test_different_texts_get_different_names_even_where_case_is_not_told(texts: list[str]) -> None:
    names = file_names(texts, otherwise="task")
    assert list(names) == texts
    assert len({name.casefold() for name in names.values()}) == len(texts)


def test_names_that_differ_in_case_alone_are_told_apart() -> None:
    names = file_names(["Task", "task"], otherwise="task")
    assert names["Task"] == "Task"
    assert names["task"].startswith("task-")
