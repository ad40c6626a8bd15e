"""The shared documents of BFCL v4: tool classes and memory conversations, read when first asked."""

from __future__ import annotations

from typing import Any

from audit_app.domain.benchmark import Document, content_digest, encode
from audit_app.errors import RowRejectedError
from audit_app.importers.bfcl_layout import (
    BACKENDS,
    CONVERSATION_FOLDER,
    TOOL_FILES,
    TOOL_FOLDER,
    Category,
)
from audit_app.importers.bfcl_task import involved_classes, scenario
from audit_app.importers.content import ShapeError
from audit_app.importers.lines import read_objects
from audit_app.importers.report import RejectedRow
from audit_app.importers.source import Source

_SINGLE_TURN: dict[str, str] = {}


class Documents:
    """Documents by id, each read and hashed once.

    A file that is absent or unreadable is reported once; the tasks that rest on it are still
    loaded, without it.
    """

    def __init__(self, source: Source, root: str, rejected: list[RejectedRow]) -> None:
        self._source, self._root, self._rejected = source, root, rejected
        self._digests: dict[str, str | None] = {}
        self._bundles: dict[tuple[str, ...], dict[str, str]] = {}
        self.read: list[Document] = []

    def of(self, category: Category, question: dict[str, Any]) -> dict[str, str]:
        """Id → digest of the documents that a question rests on.

        Raises:
            ShapeError: The question names a class that BFCL v4 does not have.
        """
        if category.section not in ("multi_turn", "agentic"):
            return _SINGLE_TURN
        wanted = [f"tools/{name}" for name in _tool_classes(question)]
        if category.name == "memory":
            wanted.insert(0, f"conversation/{scenario(question)}")
        names = tuple(wanted)
        if names not in self._bundles:
            found = ((name, self._digest(name)) for name in names)
            self._bundles[names] = {name: digest for name, digest in found if digest is not None}
        return self._bundles[names]

    def _digest(self, document_id: str) -> str | None:
        if document_id not in self._digests:
            self._digests[document_id] = self._load(document_id)
        return self._digests[document_id]

    def _load(self, document_id: str) -> str | None:
        kind, name = document_id.split("/", 1)
        file = (
            f"{self._root}{TOOL_FOLDER}/{TOOL_FILES[name]}.json"
            if kind == "tools"
            else f"{self._root}{CONVERSATION_FOLDER}/memory_{name}.json"
        )
        try:
            if file not in self._source.names():
                raise RowRejectedError(
                    file, 0, f"is absent; its tasks were imported without {document_id}"
                )
            with self._source.open(file) as stream:
                body = [record for _, record in read_objects(stream, file, self._rejected)]
        except RowRejectedError as error:
            self._rejected.append(RejectedRow.of(error))
            return None
        self.read.append(Document(document_id, body))
        return content_digest(encode(body))


def _tool_classes(question: dict[str, Any]) -> list[str]:
    classes = []
    for name in involved_classes(question):
        for concrete in BACKENDS.get(name, (name,)):
            if concrete not in TOOL_FILES:
                raise ShapeError(f"{name!r} is not a tool class of BFCL v4")
            classes.append(concrete)
    return classes
