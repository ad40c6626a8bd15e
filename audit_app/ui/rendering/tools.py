"""Tool documents, folded to their signatures."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from audit_app.domain.record import Json
from audit_app.ui.rendering.text import (
    bounded,
    code,
    compact_json,
    counted,
    fitting,
    folded,
    literal,
    name,
)

_DESCRIPTION = 3_000
_KNOWN = frozenset({"type", "description", "enum", "default", "items", "properties", "required"})
_DEEPEST = 5
_SHORT = 28
_FEW = 2


def tool_body(tool: Json) -> Mapping[str, Json]:
    """The function document itself, also where it is wrapped as ``{"function": …}``."""
    if not isinstance(tool, Mapping):
        return {}
    inner = tool.get("function")
    return inner if isinstance(inner, Mapping) else tool


def tool_name(tool: Json) -> str:
    """The name of a tool, empty where it has none."""
    return str(tool_body(tool).get("name", ""))


def tools(documents: Sequence[Json], used: Collection[str], *, open_used: bool = True) -> str:
    """The tools of a task, the key's own ones open; all open where they are few and none is used.

    Args:
        documents: Tool documents as the source gives them.
        used: Names of functions that the key calls.
        open_used: Whether those start unfolded.
    """
    shown = open_used and not used and len(documents) <= _FEW
    return "".join(_tool(document, used, open_used, shown) for document in documents)


def _tool(document: Json, used: Collection[str], open_used: bool, shown: bool) -> str:
    body = tool_body(document)
    if not body:
        return f'<div class="desc">{code(document, 4_000)}</div>'
    is_used = tool_name(document) in used
    tag = ' <span class="tag key">used by key</span>' if is_used else ""
    return folded(
        f"<code>{_signature(body)}</code>{tag}",
        _details(body),
        is_open=shown or (is_used and open_used),
    )


def _schema(body: Mapping[str, Json]) -> Mapping[str, Json]:
    schema = body.get("parameters", body.get("input_schema", {}))
    return schema if isinstance(schema, Mapping) else {}


def _fields(schema: Mapping[str, Json]) -> tuple[Mapping[str, Json], frozenset[str]]:
    properties = schema.get("properties", {})
    required = schema.get("required", [])
    names = required if isinstance(required, list) else []
    return (
        properties if isinstance(properties, Mapping) else {},
        frozenset(str(required_name) for required_name in names),
    )


def _signature(body: Mapping[str, Json]) -> str:
    properties, required = _fields(_schema(body))
    parts = [
        f"<b>{bounded(str(field), 200)}</b>"
        if field in required
        else f"{bounded(str(field), 200)}?"
        for field in properties
    ]
    title = bounded(str(body.get("name", "unnamed tool")), 200)
    return f"<bdi><b>{title}</b>({', '.join(parts)})</bdi>"


def _details(body: Mapping[str, Json]) -> str:
    description = str(body.get("description", ""))
    text = f'<div class="desc" dir="auto">{bounded(description, _DESCRIPTION)}</div>'
    rows = "".join(_rows(_schema(body), ""))
    table = (
        f'<table class="params">{rows}</table>' if rows else '<div class="desc">No argument.</div>'
    )
    response = body.get("response")
    returns = ""
    if isinstance(response, Mapping) and response.get("properties"):
        answer = "".join(_rows(response, ""))
        returns = folded("Returns", f'<table class="params">{answer}</table>', css="tool inner")
    return text + table + returns


def _rows(schema: Mapping[str, Json], prefix: str, depth: int = 0) -> Iterable[str]:
    properties, required = _fields(schema)
    for field, spec in properties.items():
        path = f"{prefix}{field}"
        details = spec if isinstance(spec, Mapping) else {}
        words = type_words(details)
        yield (
            f"<tr><td{fitting(path, _SHORT)}>{name(path)}</td>"
            f"<td{fitting(words, _SHORT)}>{literal(words)}</td>"
            f'<td class="nw">{_presence(details, field in required)}</td>'
            f"<td>{_meaning(details)}</td></tr>"
        )
        if depth < _DEEPEST:
            yield from _nested(details, path, depth)


def _nested(details: Mapping[str, Json], path: str, depth: int) -> Iterable[str]:
    if isinstance(details.get("properties"), Mapping):
        yield from _rows(details, f"{path}.", depth + 1)
    items = details.get("items")
    if isinstance(items, Mapping) and isinstance(items.get("properties"), Mapping):
        yield from _rows(items, f"{path}[].", depth + 1)


def type_words(details: Mapping[str, Json]) -> str:
    """The type of an argument in words, items of arrays included."""
    kind = details.get("type", "")
    words = str(kind) if isinstance(kind, str) else compact_json(kind)
    items = details.get("items")
    if isinstance(items, Mapping) and items.get("type"):
        words += f" of {type_words(items)}"
    return words[:200] or "any"


def _presence(details: Mapping[str, Json], is_required: bool) -> str:
    if is_required:
        return "required"
    return f"default {code(details['default'], 300)}" if "default" in details else "optional"


def _meaning(details: Mapping[str, Json]) -> str:
    parts = []
    if details.get("description"):
        parts.append(
            f'<span dir="auto">{bounded(str(details["description"]), _DESCRIPTION)}</span>'
        )
    items = details.get("items")
    for source in (details, items if isinstance(items, Mapping) else {}):
        if isinstance(source.get("enum"), list):
            parts.append("one of " + ", ".join(code(value, 300) for value in source["enum"]))
    parts += [
        f"{literal(str(key))} {code(value, 300)}"
        for key, value in details.items()
        if key not in _KNOWN
    ]
    return "<br>".join(parts)


def tool_classes(classes: Mapping[str, Json], used: Collection[str]) -> str:
    """Tools of several classes, folded by class.

    Args:
        classes: Class name → its tool documents.
        used: Names of functions that the key calls.
    """
    return "".join(
        folded(
            f"<b>{bounded(title, 200)}</b> {counted(len(documents), 'tool')}"
            f"{_used_words(documents, used)}",
            f'<div class="indent">{tools(documents, used, open_used=False)}</div>',
        )
        for title, body in classes.items()
        for documents in [body if isinstance(body, list) else [body]]
    )


def _used_words(documents: Sequence[Json], used: Collection[str]) -> str:
    number = sum(tool_name(document) in used for document in documents)
    return f' <span class="tag key">{number} used by key</span>' if number else ""
