"""JavaScript: the call in a prompting-mode text, and the Python values of its arguments."""

from __future__ import annotations

import tree_sitter_javascript
from tree_sitter import Language, Node

from audit_app.domain.record import Json
from audit_app.scoring.faults import DecodeError
from audit_app.scoring.javascript_values import convert_javascript
from audit_app.scoring.treesitter import syntax_tree

__all__ = ["convert_javascript", "decode_javascript"]

_JAVASCRIPT = Language(tree_sitter_javascript.language())
_UNNAMED = frozenset({"identifier", "true"})
_QUOTES = ('"', "'")


def decode_javascript(text: str) -> Json:
    """The first call that is a statement of its own: ``[{name: {argument: text}}]``.

    Only assignments count as arguments, and identifiers and ``true``, which are filed under the
    name None; other positional arguments are dropped, later calls too.

    Args:
        text: The output, stripped and in brackets.

    Returns:
        None where no statement is a call: a declaration, an assignment or an awaited call is none.

    Raises:
        DecodeError: Syntax error, or an argument given twice.
    """
    root = syntax_tree(_JAVASCRIPT, text[1:-1])
    for statement in root.children:
        if statement.type == "expression_statement":
            for expression in map(_first_statement, statement.children):
                if expression.type == "call_expression":
                    name, given = expression.children[:2]
                    return [{_text(name): _arguments(given)}]
    return None


def _first_statement(expression: Node) -> Node:
    """What the benchmark's older grammar takes for the statement.

    It ends one at a line break before a template; the present grammar goes on to a tagged one.
    """
    while expression.type == "call_expression":
        name, given = expression.children[:2]
        if given.type != "template_string" or given.start_point.row == name.end_point.row:
            break
        expression = name
    return expression


def _arguments(node: Node) -> dict[str | None, str]:
    given: dict[str | None, str] = {}
    for child in node.children:
        if child.type == "assignment_expression":
            name: str | None = _text(child.children[0])
            value = _unquoted(_text(child.children[2]))
        elif child.type in _UNNAMED:
            name, value = None, _text(child)
        else:
            continue
        if name in given:
            raise DecodeError(f"the argument {name or 'without a name'} is given twice")
        given[name] = value
    return given


def _unquoted(text: str) -> str:
    return text[1:-1] if any(text.startswith(q) and text.endswith(q) for q in _QUOTES) else text


def _text(node: Node) -> str:
    return (node.text or b"").decode()
