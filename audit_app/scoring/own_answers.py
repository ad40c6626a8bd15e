"""An accepted value as an output would have to give it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from audit_app.domain.record import Json


def renderings(value: Json, language: str, declared: str, item: str | None) -> Iterator[Any]:
    """Ways to give an accepted value: the plain one first.

    Args:
        value: One member of the key's list.
        language: Language of the call; in Java and JavaScript every argument is source text.
        declared: The schema's type word.
        item: The type word of its items.
    """
    plain = _unwrapped(value)
    if language == "python":
        yield plain
    elif language == "java":
        yield from _java(plain, declared, item)
    else:
        yield from _javascript(plain)


def _unwrapped(value: Json) -> Any:
    """A key's value as a call has it: fields of a dict by their first accepted value."""
    if isinstance(value, list):
        return [_unwrapped(member) for member in value]
    if isinstance(value, dict):
        fields = {name: _first(values) for name, values in value.items()}
        return {name: field for name, field in fields.items() if field is not _LEFT_OUT}
    return value


_LEFT_OUT = object()


def _first(values: Json) -> Any:
    if not isinstance(values, list):
        return values
    return next((value for value in values if value != ""), _LEFT_OUT)


def _scalar(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def _java(value: Any, declared: str, item: str | None) -> Iterator[str]:
    if isinstance(value, list):
        yield from _java_list(value, declared, item)
        return
    if isinstance(value, dict):
        puts = " ".join([f'put("{name}", {_java_literal(v)});' for name, v in value.items()])
        yield f"new HashMap<String, Object>() {{{{ {puts} }}}}"
        yield "new HashMap<>()"
        return
    text = _scalar(value)
    yield text
    yield from (f"{text}L", f"{text}f", f"{text}.0", f'"{text}"', f"'{text}'")


def _java_list(value: list[Any], declared: str, item: str | None) -> Iterator[str]:
    suffix = {"long": "L", "float": "f"}.get(item or "", "")
    bare = ", ".join([f"{_scalar(member)}{suffix}" for member in value])
    quoted = ", ".join([_java_literal(member) for member in value])
    if declared == "Array":
        yield f"new {item}[]{{{bare}}}"
        yield f"new {item}[]{{{quoted}}}"
    if not value:
        yield "new ArrayList<>()"
    for members in (quoted, bare):
        yield f"new ArrayList<>(Arrays.asList({members}))"
    adds = " ".join([f"add({_java_literal(member)});" for member in value])
    yield f"new ArrayList<String>() {{{{ {adds} }}}}"
    yield bare


def _java_literal(value: Any) -> str:
    return f'"{value}"' if isinstance(value, str) else _scalar(value)


def _javascript(value: Any) -> Iterator[str]:
    if isinstance(value, list | dict):
        yield _javascript_literal(value)
        return
    text = _scalar(value)
    yield text
    yield from (f"{text}n", f"'{text}'", f'"{text}"', f"{text}.0")


def _javascript_literal(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join([_javascript_literal(member) for member in value])}]"
    if isinstance(value, dict):
        fields = [f"'{name}': {_javascript_literal(field)}" for name, field in value.items()]
        return f"{{{', '.join(fields)}}}"
    return f"'{value}'" if isinstance(value, str) else _scalar(value)
