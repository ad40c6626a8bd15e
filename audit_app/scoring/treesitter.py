"""Syntax trees of Java and JavaScript texts; nothing is ever run."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Language, Node, Parser

from audit_app.scoring.faults import DecodeError


def syntax_tree(language: Language, text: str) -> Node:
    """The root of the syntax tree of ``text``.

    A token that the parser had to add (a missing bracket, say) is no error here, as it is none in
    the benchmark's decoder.

    Raises:
        DecodeError: The text has a syntax error, or characters that UTF-8 cannot carry.
    """
    try:
        source = text.encode()
    except UnicodeEncodeError as error:
        raise DecodeError("the text holds half a surrogate pair, which is no character") from error
    root = Parser(language).parse(source).root_node
    for node in _faulty(root):
        if node.is_error:
            line, column = node.start_point
            raise DecodeError(f"syntax error at line {line + 1}, column {column + 1} of the text")
    return root


def preorder(root: Node) -> Iterator[Node]:
    """Every node from ``root`` on, parents before children, in the order of the text."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        yield node
        waiting.extend(reversed(node.children))


def _faulty(root: Node) -> Iterator[Node]:
    """The nodes at or above a fault: few, however large the tree is."""
    waiting = [root] if root.has_error else []
    while waiting:
        node = waiting.pop()
        yield node
        waiting.extend(child for child in reversed(node.children) if child.has_error)
