"""Finding tasks of a benchmark by their text, and how their outputs fared.

The search reads every record: the 4,696 tasks of BFCL v4 (11 MB) take about 60 ms, so there is no
index to keep. Letters are compared without case in every alphabet, as Python's casefold does.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

import msgspec

from audit_app.domain.benchmark import encode
from audit_app.storage.grades import GradeRepository
from audit_app.storage.workspace import Workspace

_RIGHT = (
    "case o.status when 'answer' then "
    "coalesce(case g.status when 'graded' then g.passed end, o.passed) end"
)
"""Our own grade where the outputs were scored here, else the published one; none of an error."""


@dataclass(frozen=True)
class FoundTask:
    """A task that was found."""

    task_id: str
    category: str
    group: str


@dataclass(frozen=True)
class Outcome:
    """How the outputs of a task fared.

    Attributes:
        outputs: Its outputs.
        graded: Those with a grade, ours or a published one; failed requests have none.
        right: Those that pass.
    """

    outputs: int = 0
    graded: int = 0
    right: int = 0


class _Message(msgspec.Struct):
    content: msgspec.Raw


class _Searched(msgspec.Struct):
    """What of a stored task is searched, as the JSON text that is stored."""

    turns: tuple[tuple[_Message, ...], ...]
    tools: msgspec.Raw = msgspec.Raw(b"")
    key: msgspec.Raw = msgspec.Raw(b"")
    documents: dict[str, str] = msgspec.field(default_factory=dict)


_decoder = msgspec.json.Decoder(_Searched)


class TaskSearch:
    """Finds tasks of one benchmark version."""

    def __init__(self, workspace: Workspace, benchmark: int) -> None:
        self._workspace, self._benchmark = workspace, benchmark

    def find(
        self,
        words: Sequence[str],
        *,
        category: str = "",
        group: str = "",
        keys_hidden: Collection[str] = (),
    ) -> list[FoundTask]:
        """Tasks that hold every word in id, prompt, tools or key, in the order of the import.

        Args:
            words: What to look for; none finds every task.
            category: Only tasks of this category, where it is given.
            group: Only tasks of this group, where it is given.
            keys_hidden: Tasks whose key is not searched.
        """
        sql, parameters = "from tasks where benchmark = ?", [str(self._benchmark)]
        for column, value in (("category", category), ("grp", group)):
            if value:
                sql += f" and {column} = ?"
                parameters.append(value)
        columns = "select id, category, grp"
        if not words:
            rows = self._workspace.rows(f"{columns} {sql} order by key", parameters)
            return [FoundTask(*row) for row in rows]
        sought = self._sought(words)
        with self._workspace.decoding():
            return [
                FoundTask(id_, category, group)
                for id_, category, group, body in self._workspace.each(
                    f"{columns}, body {sql} order by key", parameters
                )
                if _holds(sought, id_, body, is_key_hidden=id_ in keys_hidden)
            ]

    def _sought(self, words: Sequence[str]) -> dict[str, frozenset[str]]:
        """Word as it stands in stored JSON → the shared tool documents that hold it."""
        rows = self._workspace.rows(
            "select id, body from documents where benchmark = ? and id like 'tools/%'",
            (self._benchmark,),
        )
        documents = {id_: f"{id_}\n{body}".casefold() for id_, body in rows}
        return {
            word: frozenset(id_ for id_, text in documents.items() if word in text)
            for word in map(_as_stored, words)
        }

    def outcomes(self, task_ids: Sequence[str]) -> dict[str, Outcome]:
        """Task id → how its outputs fared, for those of the tasks that have any."""
        run = GradeRepository(self._workspace, self._benchmark).latest()
        found = {}
        for task_id in task_ids:  # one look-up an id, as everywhere: ids may hold anything
            row = self._workspace.row(
                f"select count(*), count({_RIGHT}), coalesce(sum({_RIGHT}), 0) "
                "from tasks t cross join entries e on e.task = t.key "
                "cross join outputs o on o.entry = e.key "
                "left join grades g on g.run = ? and g.output = o.key "
                "where t.benchmark = ? and t.id = ?",
                (run.key if run else None, self._benchmark, task_id),
            )
            if row and row[0]:
                found[task_id] = Outcome(*row)
        return found

    def is_scored(self) -> bool:
        """Whether the outputs were graded here, so that their grades are ours."""
        return GradeRepository(self._workspace, self._benchmark).latest() is not None

    def audits(self) -> list[str]:
        """Names of the audits of this benchmark version, the latest first."""
        rows = self._workspace.rows(
            "select name from audits where benchmark = ? order by rowid desc", (self._benchmark,)
        )
        return [row[0] for row in rows]


def _as_stored(word: str) -> str:
    """A word as it stands in stored JSON, without case."""
    return encode(word.casefold()).decode()[1:-1]


def _holds(
    sought: Mapping[str, Collection[str]], id_: str, body: str, *, is_key_hidden: bool
) -> bool:
    whole = body.casefold()
    if not all(word in whole or documents for word, documents in sought.items()):
        return False  # most tasks, without being decoded
    task = _decoder.decode(body)
    text = "\n".join(_texts(id_, task, is_key_hidden=is_key_hidden)).casefold()
    return all(
        word in text or any(name in documents for name in task.documents)
        for word, documents in sought.items()
    )


def _texts(id_: str, task: _Searched, *, is_key_hidden: bool) -> Iterator[str]:
    yield encode(id_).decode()
    for turn in task.turns:
        for message in turn:
            yield bytes(message.content).decode()
    yield bytes(task.tools).decode()
    if not is_key_hidden:
        yield bytes(task.key).decode()
