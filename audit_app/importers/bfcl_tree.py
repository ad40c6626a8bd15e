"""Result and score trees of BFCL: which file holds which category of which model.

The model is the folder above the benchmark's own groups, named as it stands in the tree. Result
files are told by their names, at any depth; ``memory_snapshot`` folders hold none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from audit_app.importers.bfcl_generations import V4, Layout
from audit_app.importers.bfcl_v1 import V1
from audit_app.importers.report import RejectedRow
from audit_app.importers.source import Source

_GROUPS = frozenset(
    {
        "non_live",
        "live",
        "multi_turn",
        "agentic",
        "format_sensitivity",
        "memory",
        "kv",
        "vector",
        "rec_sum",
    }
)
_PREREQUISITE = "_prereq"
_NAME = re.compile(r"(BFCL_v4_|gorilla_openfunctions_v1_test_|)(.+)_(result|score)\.json")
_LAYOUTS = {V4.prefix: V4, V1.prefix: V1}
CATEGORIES = {
    layout.name: frozenset(
        column for c in layout.categories.values() for column in (c.columns or (c.name,))
    )
    for layout in (V4, V1)
}
"""Layout → its categories as the leaderboard counts them: memory three times, web search twice."""


@dataclass(frozen=True, order=True)
class TreeFile:
    """One result or score file.

    Attributes:
        model: Name of the model's folder.
        category: The category as the leaderboard counts it.
        name: Where it lies in the tree.
        layout: ``v4`` or ``v1``.
    """

    model: str
    category: str
    name: str
    layout: str


@dataclass
class Tree:
    """What a tree holds.

    Attributes:
        files: By model, then category.
        ignored: Files that hold nothing to be graded by task.
        rejected: Files whose category is unknown.
    """

    files: list[TreeFile] = field(default_factory=list)
    ignored: list[str] = field(default_factory=list)
    rejected: list[RejectedRow] = field(default_factory=list)


def read_tree(source: Source, path: Path, kind: str) -> Tree:
    """The files of one kind in a tree.

    Args:
        source: The tree.
        path: Where it is, which names the model when no folder in it does.
        kind: ``result`` or ``score``.
    """
    tree = Tree()
    for name, layout, category in sorted(_named(source, kind), key=lambda found: found[0]):
        if category == "format_sensitivity" or category.endswith(_PREREQUISITE):
            tree.ignored.append(name)
        elif category in CATEGORIES[layout.name]:
            tree.files.append(TreeFile(_model(name, path), category, name, layout.name))
        elif not layout.is_ignored(category):
            reason = f"{category!r} is not a category of BFCL {layout.name}"
            tree.rejected.append(RejectedRow(name, 0, reason))
        else:
            tree.ignored.append(name)
    tree.files.sort()
    return tree


def _named(source: Source, kind: str) -> Iterator[tuple[str, Layout, str]]:
    for name in source.names():
        match = _NAME.fullmatch(PurePosixPath(name).name)
        if match is None or match[3] != kind:
            continue
        if match[1]:
            yield name, _LAYOUTS[match[1]], match[2]
        elif match[2] in CATEGORIES[V1.name]:  # the score files of 2024 bear the category alone
            yield name, V1, match[2]


def _model(name: str, path: Path) -> str:
    above = [path.name.removesuffix(".zip"), *PurePosixPath(name).parts[:-1]]
    if path.is_dir():
        above = [*path.resolve().parts, *above[1:]]
    while len(above) > 1 and above[-1] in _GROUPS:
        above.pop()
    return above[-1]
