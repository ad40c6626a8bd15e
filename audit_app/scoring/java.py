"""Java: the call in a prompting-mode text, and the Python values of its arguments."""

from __future__ import annotations

import tree_sitter_java
from tree_sitter import Language, Node

from audit_app.domain.record import Json
from audit_app.scoring.faults import DecodeError
from audit_app.scoring.java_values import convert_java
from audit_app.scoring.treesitter import preorder, syntax_tree

__all__ = ["convert_java", "decode_java"]

_JAVA = Language(tree_sitter_java.language())
_QUOTED = frozenset({"string_literal", "character_literal"})
_VERBATIM = frozenset({"identifier", "class_literal", "type_identifier", "method_invocation"})
_UNNAMED = frozenset({"identifier", "class_literal"})
_PUNCTUATION = frozenset({",", "(", ")"})


def decode_java(text: str) -> Json:
    """The first call in a text, arguments as text: ``[{name: {argument: text}}]``.

    Only assignments count as arguments, and identifiers, which are filed under the name None;
    other positional arguments are dropped, later calls too.

    Args:
        text: The output, stripped and in brackets.

    Returns:
        ``{}`` where there is no call.

    Raises:
        DecodeError: Syntax error, an argument given twice, or an array without elements.
    """
    source = _Source(text[1:-1])
    call = next((n for n in preorder(source.root) if n.type == "method_invocation"), None)
    if call is None:
        return {}
    try:
        return [{source.function_name(call): source.arguments(call)}]
    except RecursionError as error:
        raise DecodeError("an argument is nested too deeply") from error


class _Source:
    """A text with its syntax tree.

    Nodes know their place in bytes, and the benchmark's decoder cuts the text at these numbers as
    if they counted characters: after a character beyond ASCII the cuts are off. So are ours.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self.root = syntax_tree(_JAVA, text)

    def function_name(self, call: Node) -> str:
        name = self._cut(_field(call, "name"))
        target = call.child_by_field_name("object")
        return name if target is None else f"{self._cut(target)}.{name}"

    def arguments(self, call: Node) -> dict[str | None, str]:
        given: dict[str | None, str] = {}
        for node in _field(call, "arguments").children:
            if node.type == "assignment_expression":
                name: str | None = self._cut(node.children[0])
                value = node.children[2]
            elif node.type in _UNNAMED:
                name, value = None, node
            else:
                continue
            if name in given:
                raise DecodeError(f"the argument {name or 'without a name'} is given twice")
            given[name] = self._value(value)
        return given

    def _value(self, node: Node) -> str:
        return self._cut(node)[1:-1] if node.type in _QUOTED else self._inner(node)

    def _inner(self, node: Node) -> str:
        """The text of a node less the white space between its parts.

        Of a constructor the type and the arguments remain, of an array the type and the elements.
        """
        if node.type in _QUOTED or node.type in _VERBATIM:
            return self._cut(node)
        if node.type == "array_creation_expression":
            elements = node.child_by_field_name("value")
            if elements is None:
                raise DecodeError("an array is made without its elements")
            return f"new {self._inner(_field(node, 'type'))}[]{self._inner(elements)}"
        if node.type == "object_creation_expression":
            given = node.child_by_field_name("arguments")
            parts = given.children if given is not None else []
            inner = ", ".join(self._inner(n) for n in parts if n.type not in _PUNCTUATION)
            return f"new {self._inner(_field(node, 'type'))}({inner})"
        if node.child_count:
            return "".join(self._inner(child) for child in node.children)
        return self._cut(node)

    def _cut(self, node: Node) -> str:
        return self._text[node.start_byte : node.end_byte]


def _field(node: Node, name: str) -> Node:
    child = node.child_by_field_name(name)
    if child is None:
        raise DecodeError(f"the {node.type.replace('_', ' ')} has no {name}")
    return child
