from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit_app.external.simulator_calls import CallRefusedError, CallRunner


class Barn:
    """A back-end with one attribute to change and one to leave alone."""

    def __init__(self) -> None:
        self.hay = 0
        self.closed = False

    def put(self, hay: int, note: object = None) -> dict[str, object]:
        self.hay += hay
        return {"hay": self.hay, "note": note}

    def bales(self) -> list[int]:
        return [1, 2]

    def name(self) -> str:
        return "red barn"

    def odd(self) -> dict[str, object]:
        return {"at": {1, 2} - {2}}

    def fail(self) -> None:
        raise KeyError("hay")

    def _close(self) -> None:
        self.closed = True


class Mill:
    """Has a method of the same name as the barn's."""

    def name(self) -> str:
        return "mill"


def run(call: str) -> str:
    return CallRunner("model", {"Barn": Barn()}).run(call)


# Right-hand sides: what the public package's function gave for the same calls and classes, and
# what follows from Python's language reference for evaluation order.
@pytest.mark.parametrize(
    ("call", "result"),
    [
        pytest.param("put(hay=2)", '{"hay": 2, "note": null}', id="dict as JSON text"),
        pytest.param("put(2, 'x')", '{"hay": 2, "note": "x"}', id="positional"),
        pytest.param("put (hay=2)", '{"hay": 2, "note": null}', id="space before the bracket"),
        pytest.param("  put(hay=-1)", '{"hay": -1, "note": null}', id="leading space, sign"),
        pytest.param("bales()", "[1, 2]", id="list as text"),
        pytest.param("name()", "red barn", id="text as it is"),
        pytest.param("odd()", "{'at': {1}}", id="dict that is no JSON"),
        pytest.param("put(hay=1, note=bales())", '{"hay": 1, "note": [1, 2]}', id="inner call"),
        pytest.param("put(hay=len('ab'))", '{"hay": 2, "note": null}', id="pure function"),
        pytest.param("fail()", "Error during execution: 'hay'", id="error of the back-end"),
        pytest.param(
            "put()",
            "Error during execution: Barn.put() missing 1 required positional argument: 'hay'",
            id="argument missing",
        ),
        pytest.param(
            "fly(to=open)",
            "Error during execution: name 'fly' is not defined",
            id="unknown function, arguments not looked at",
        ),
        pytest.param(
            "Barn.put(hay=1)", "Error during execution: name 'Barn' is not defined", id="dotted"
        ),
        pytest.param(
            "put-hay(x=1)", "Error during execution: name 'put' is not defined", id="hyphen"
        ),
        pytest.param(
            "put(hay=x)", "Error during execution: name 'x' is not defined", id="unknown value"
        ),
        pytest.param(
            "put(hay=1, hay=2)",
            "Error during execution: keyword argument repeated: hay (<string>, line 1)",
            id="argument twice",
        ),
        pytest.param(
            "put(hay=1",
            "Error during execution: '(' was never closed (<string>, line 1)",
            id="syntax",
        ),
        pytest.param("'a'(1)", "Error during execution: 'str' object is not callable", id="text"),
        pytest.param(
            "name().put",
            "Error during execution: 'str' object has no attribute 'put'",
            id="attribute of a result",
        ),
        pytest.param(
            "os.remove(path='x')",
            "Error during execution: Function call remove is not allowed.",
            id="forbidden name after a dot",
        ),
        pytest.param(
            "exit()", "Error during execution: Function call exit is not allowed.", id="exit"
        ),
        pytest.param(
            "_close()", "Error during execution: name '_close' is not defined", id="private method"
        ),
        pytest.param(
            "put(hay=1, note='see (x) and name (y)')",
            '{"hay": 1, "note": "see(x) and model_Barn_instance.name(y)"}',
            id="text that looks like a call is rewritten too",
        ),
    ],
)
@pytest.mark.filterwarnings("ignore::SyntaxWarning")
def test_result(call: str, result: str) -> None:
    assert run(call) == result


@pytest.mark.parametrize(
    "call",
    [
        "open(file='x')",
        "eval('1')",
        "__import__('os')",
        "json.dumps({})",
        "put(hay=[n for n in (1,)])",
        "put(hay=(lambda: 1)())",
        "put(hay=1 + 1)",
        "put(hay=f'{1}')",
        "put(**{'hay': 1})",
        "put(*[1])",
        "put(hay=print)",
        "put(hay=1).keys()",
        "print",
        "model_Barn_instance._close()",
        "model_Barn_instance.hay",
        "model_Barn_instance",
        "put(hay=1).__class__",
        "bales()[0]",
    ],
)
@pytest.mark.filterwarnings("ignore::SyntaxWarning")
def test_refused_and_not_made(call: str) -> None:
    barn = Barn()
    with pytest.raises(CallRefusedError):
        CallRunner("model", {"Barn": barn}).run(call)
    assert not barn.closed


def test_of_two_methods_of_one_name_the_later_class_has_it() -> None:
    assert CallRunner("model", {"Barn": Barn(), "Mill": Mill()}).run("name()") == "mill"
    assert CallRunner("model", {"Mill": Mill(), "Barn": Barn()}).run("name()") == "red barn"


values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(alphabet="ab 'é\"\\\n"),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text("ab", max_size=2), inner, max_size=3)
    ),
    max_leaves=6,
)


@given(values)
def test_what_is_written_is_handed_over(value: object) -> None:
    seen: list[object] = []

    class Shelf:
        def lay(self, thing: object) -> None:
            seen.append(thing)

    assert CallRunner("model", {"Shelf": Shelf()}).run(f"lay(thing={value!r})") == "None"
    assert repr(seen) == repr([value])


@given(st.text(alphabet="put(hay=1,'\"[]{}.:;_+-*\n lambda", max_size=40))
@pytest.mark.filterwarnings("ignore::SyntaxWarning")
def test_any_text_gives_a_text_or_is_refused(call: str) -> None:
    with suppress(CallRefusedError):
        assert isinstance(run(call), str)
