"""JSON text edited in place: only what differs is written anew, in the style of what is there."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from itertools import pairwise
from typing import NamedTuple

import msgspec

from audit_app.domain.record import Json

_SPACE = re.compile(r"[ \t\r\n]*")
_LEAF = re.compile(r'"(?:[^"\\]|\\.)*"|[^\s,\]}:]+')
_ESCAPE = re.compile(r"\\u(?!00[0-7])[0-9a-fA-F]{4}")


class Style(NamedTuple):
    """How a text writes JSON.

    Attributes:
        comma: What parts two items, for example a comma and a space.
        colon: What parts a name from its value.
        ascii_only: Whether other letters are escaped.
    """

    comma: str = ", "
    colon: str = ": "
    ascii_only: bool = True


@dataclass
class Node:
    """A value and where it stands.

    Attributes:
        start: Position of its first character.
        end: Position after its last one.
        value: What it reads as.
        items: Members or items, for a container.
        keys: Names of the members of an object, in order; a name may stand there twice.
        names: Where the names stand.
    """

    start: int
    end: int
    value: Json
    items: list[Node] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    names: list[tuple[int, int]] = field(default_factory=list)

    @property
    def starts(self) -> list[int]:
        """Where each item begins; that of a member is where its name does."""
        return [s for s, _ in self.names] or [item.start for item in self.items]


def parse_nodes(text: str) -> Node:
    """The nodes of a text that is JSON already.

    Raises:
        ValueError: It is not.
        RecursionError: It is nested too deeply.
    """
    return _parse(text, _skip(text, 0))


def member(node: Node, name: str) -> Node | None:
    """A member of an object; of several of that name the last, which readers take."""
    found = [item for key, item in zip(node.keys, node.items, strict=False) if key == name]
    return found[-1] if found else None


def edited(text: str, node: Node, new: Json, style: Style) -> str:
    """Text of ``new``, with every part kept that ``node`` holds already."""
    if is_same(node.value, new):
        return text[node.start : node.end]
    if isinstance(node.value, list) and isinstance(new, list):
        return _edited_list(text, node, new, style)
    is_object = isinstance(node.value, dict) and isinstance(new, dict)
    if is_object and len(node.value) == len(node.items):
        return _edited_object(text, node, new, style)
    return dump(new, style)


def is_same(one: Json, other: Json) -> bool:
    """Whether two values are equal with their kinds: 1, 1.0 and true differ, order of members not.

    The order of accepted values matters: the first may set the type that is checked.
    """
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(is_same(one[name], other[name]) for name in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(is_same, one, other))
    return type(one) is type(other) and bool(one == other)


def dump(value: Json, style: Style) -> str:
    """The value on one line, in a style."""
    separators = (style.comma, style.colon)
    return json.dumps(value, ensure_ascii=style.ascii_only, separators=separators)


def style_of(text: str, node: Node, *, ascii_only: bool = True) -> Style:
    """The style that a text is mostly written in.

    Args:
        text: The text.
        node: Its nodes.
        ascii_only: What holds where the text has no letter beyond ASCII, written or escaped.
    """
    commas, colons = Counter[str](), Counter[str]()
    for each in _walk(node):
        commas.update(_gaps(text, each))
        for (_, end), item in zip(each.names, each.items, strict=False):
            colons[text[end : item.start]] += 1
    default = Style()
    return Style(
        comma=_usual(commas, default.comma),
        colon=_usual(colons, default.colon),
        ascii_only=writes_ascii(text, otherwise=ascii_only),
    )


def writes_ascii(text: str, *, otherwise: bool = True) -> bool:
    """Whether letters beyond ASCII are escaped in a text, ``otherwise`` where it has none."""
    if not text.isascii():
        return False
    return True if _ESCAPE.search(text) else otherwise


def _usual(found: Counter[str], default: str) -> str:
    """The most frequent one on one line."""
    flat = [(count, gap) for gap, count in found.items() if "\n" not in gap]
    return max(flat)[1] if flat else default


def _walk(node: Node) -> Iterator[Node]:
    yield node
    for item in node.items:
        yield from _walk(item)


def _gaps(text: str, node: Node) -> list[str]:
    """What stands between neighbours in a container."""
    ends = [item.end for item in node.items]
    return [text[end:start] for end, start in zip(ends, node.starts[1:], strict=False)]


def _skip(text: str, position: int) -> int:
    match = _SPACE.match(text, position)
    return match.end() if match else position


def _parse(text: str, start: int) -> Node:
    opening = text[start : start + 1]
    if opening in ("{", "["):
        return _parse_container(text, start, is_object=opening == "{")
    match = _LEAF.match(text, start)
    if match is None:
        raise ValueError(f"no JSON value at character {start}")
    return Node(start, match.end(), msgspec.json.decode(match[0]))


def _parse_container(text: str, start: int, *, is_object: bool) -> Node:
    closing = "}" if is_object else "]"
    node = Node(start, start, None)
    position = _skip(text, start + 1)
    while text[position : position + 1] != closing:
        if is_object:
            name = _parse(text, position)
            node.keys.append(name.value)
            node.names.append((name.start, name.end))
            position = _skip(text, _expect(text, _skip(text, name.end), ":"))
        node.items.append(_parse(text, position))
        position = _skip(text, node.items[-1].end)
        if text[position : position + 1] != closing:
            position = _skip(text, _expect(text, position, ","))
    values = [item.value for item in node.items]
    node.value = dict(zip(node.keys, values, strict=True)) if is_object else values
    node.end = position + 1
    return node


def _expect(text: str, position: int, sign: str) -> int:
    if text[position : position + 1] != sign:
        raise ValueError(f"no {sign!r} at character {position}")
    return position + 1


class _Piece(NamedTuple):
    """One item of the new container; ``origin`` is its position in the old one, or None."""

    text: str
    origin: int | None


def _edited_list(text: str, node: Node, new: Sequence[Json], style: Style) -> str:
    old = [_fingerprint(item.value) for item in node.items]
    matcher = SequenceMatcher(None, old, [_fingerprint(value) for value in new], autojunk=False)
    pieces: list[_Piece] = []
    for _, start, end, new_start, new_end in matcher.get_opcodes():
        for offset, value in enumerate(new[new_start:new_end]):
            if start + offset < end:
                item = node.items[start + offset]
                pieces.append(_Piece(edited(text, item, value, style), start + offset))
            else:
                pieces.append(_Piece(dump(value, style), None))
    return _joined(text, node, pieces, style)


def _edited_object(text: str, node: Node, new: dict[str, Json], style: Style) -> str:
    positions = {name: i for i, name in enumerate(node.value)}
    kept = [name for name in node.value if name in new]
    in_order = [name for name in new if name in positions] == kept
    names = list(new) if in_order else kept + [name for name in new if name not in positions]
    pieces = []
    for name in names:
        if (origin := positions.get(name)) is None:
            label = json.dumps(name, ensure_ascii=style.ascii_only)
            pieces.append(_Piece(f"{label}{style.colon}{dump(new[name], style)}", None))
        else:
            item = node.items[origin]
            label = text[node.starts[origin] : item.start]
            pieces.append(_Piece(label + edited(text, item, new[name], style), origin))
    return _joined(text, node, pieces, style)


def _joined(text: str, node: Node, pieces: Sequence[_Piece], style: Style) -> str:
    """The container around its pieces, with the gaps there were."""
    if not node.items or not pieces:
        ends = text[node.start], text[node.end - 1]
        return style.comma.join([piece.text for piece in pieces]).join(ends)
    gaps = _gaps(text, node)
    parts = [text[node.start : node.starts[0]], pieces[0].text]
    for before, piece in pairwise(pieces):
        parts += [_gap(gaps, before.origin, piece.origin) or style.comma, piece.text]
    return "".join([*parts, text[node.items[-1].end : node.end]])


def _gap(gaps: Sequence[str], before: int | None, after: int | None) -> str:
    """The gap that stood between two items if they were neighbours, else the first there is."""
    if before is not None and after == before + 1:
        return gaps[before]
    return gaps[0] if gaps else ""


def _fingerprint(value: Json) -> str:
    return json.dumps(value, sort_keys=True)
