"""Benchmarks: tasks with their answer keys, the scored entries each key feeds, and outputs.

Tasks and outputs come by the hundred thousand, so they are msgspec structs: they encode to
canonical JSON (fields in the order below, object members in the order of the source) many times
faster than a validated model would, and that text is both what is stored and what is hashed.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from enum import StrEnum
from hashlib import sha256

import msgspec

from audit_app.domain.record import Json, Record


class KeyKind(StrEnum):
    """How an answer key is to be read."""

    CALLS = "calls"
    """A list with one object per expected call: ``{function: {argument: [accepted values]}}``;
    the empty string among the values means that the argument may be left out."""
    NO_CALL = "no_call"
    """The only right answer is to call nothing; ``key`` is None."""
    SOME_CALL = "some_call"
    """Any call is right; ``key`` is None."""
    CALL_TURNS = "call_turns"
    """A list of turns, each a list of call texts; an empty turn expects no call."""
    TEXTS = "texts"
    """A list of alternative texts, one of which must occur in the final message."""
    VALUE = "value"
    """A JSON value that the scorer compares with the output; a list holds alternatives."""
    MISSING = "missing"
    """The source gives no key: evidence is missing, and a verdict must not rest on it."""


class Message(msgspec.Struct, frozen=True):
    """One message of a prompt.

    Attributes:
        role: ``user``, ``system``, ``assistant`` or what the source says.
        content: The text, literally; other JSON content is kept as it is.
    """

    role: str
    content: Json


class Task(msgspec.Struct, frozen=True, kw_only=True):
    """One graded unit of a benchmark, complete enough to be judged.

    Attributes:
        id: Text, kept as written.
        category: The benchmark's own category; for BFCL the name of the file.
        group: The coarser class that audits are stratified by unless told otherwise.
        scorer: Name of the rule that compares an output with the key.
        turns: Prompt turns, each a tuple of messages; an empty turn has none.
        tools: Tool documents of this task alone, as the source gives them.
        key_kind: How ``key`` is to be read.
        key: The answer key, as the source gives it.
        documents: Shared documents the task rests on: document id → content hash.
        fields: Further text fields that a plan may stratify by.
        context: Everything else a reviewer needs (initial state, sources, choices, …).
    """

    id: str
    category: str
    group: str
    scorer: str
    turns: tuple[tuple[Message, ...], ...]
    tools: tuple[Json, ...] = ()
    key_kind: KeyKind = KeyKind.MISSING
    key: Json = None
    documents: dict[str, str] = msgspec.field(default_factory=dict)
    fields: dict[str, str] = msgspec.field(default_factory=dict)
    context: dict[str, Json] = msgspec.field(default_factory=dict)


class Entry(msgspec.Struct, frozen=True):
    """One scored line of a benchmark.

    Attributes:
        id: The id under which outputs and grades are filed.
        weight: Share of this entry in the overall score, in points of 100; 0 where it is shown
            but not counted, None where the benchmark defines no overall score.
    """

    id: str
    weight: float | None = None


class Document(msgspec.Struct, frozen=True):
    """Material that many tasks share, stored once.

    Attributes:
        id: ``kind/name``, for example ``tools/TradingBot`` or ``conversation/student``.
        body: The JSON content, as the source gives it.
    """

    id: str
    body: Json


class OutputStatus(StrEnum):
    """What an output is."""

    ANSWER = "answer"
    ERROR = "error"
    """The request failed: not an answer, never counted as a wrong one."""


class Output(msgspec.Struct, frozen=True, kw_only=True):
    """What one model said for one entry in one trial.

    Attributes:
        entry_id: The entry it answers.
        model: Name of the model, as the source gives it.
        body: The raw output: text, or JSON where the source gives a structure.
        trial: 1-based number of the repetition.
        status: Whether it is an answer at all.
        passed: The published grade, None where none was published.
        reason_code: The published reason code of the grade.
        reason: The published explanation of the grade.
    """

    entry_id: str
    model: str
    body: Json
    trial: int = 1
    status: OutputStatus = OutputStatus.ANSWER
    passed: bool | None = None
    reason_code: str = ""
    reason: str = ""


class BenchmarkVersion(Record):
    """A named, immutable set of tasks.

    Attributes:
        name: The name it is asked for by.
        content_hash: SHA-256 over all tasks, entries and shared documents, hexadecimal.
        format: The importer that read it.
        rules: Version of the benchmark's grading rules, or an empty string.
        source: Name of the file or folder it came from (no path).
        imported_at: When.
        imported_by: By whom.
        tasks: Number of tasks.
        entries: Number of scored entries.
    """

    name: str
    content_hash: str
    format: str
    rules: str
    source: str
    imported_at: datetime
    imported_by: str
    tasks: int
    entries: int

    @property
    def version(self) -> str:
        """The first 12 digits of the content hash: enough to name a version in a report."""
        return self.content_hash[:12]


class OutputSource(Record):
    """One import of outputs.

    Attributes:
        format: The importer that read them.
        source: Name of the file or folder they came from (no path).
        imported_at: When.
        imported_by: By whom.
        models: Names of the models.
        outputs: Number of outputs.
        simulated: Whether they are said to be simulated, not the words of real models.
    """

    format: str
    source: str
    imported_at: datetime
    imported_by: str
    models: tuple[str, ...]
    outputs: int
    simulated: bool = False


_encoder = msgspec.json.Encoder()


def encode(value: object) -> bytes:
    """Canonical JSON of a struct or a JSON value: members in their own order, no white space."""
    return _encoder.encode(value)


def content_digest(body: bytes) -> str:
    """SHA-256 of an encoded record, hexadecimal."""
    return sha256(body).hexdigest()


def benchmark_digest(
    tasks: Iterable[tuple[str, str]],
    entries: Iterable[tuple[str, str, float | None]],
    documents: Iterable[tuple[str, str]],
) -> str:
    """Content hash of a benchmark, whatever the order of its parts.

    Args:
        tasks: (task id, digest of its record).
        entries: (entry id, task id, weight).
        documents: (document id, digest of its record).
    """
    digest = sha256()
    for kind, rows in (("task", tasks), ("entry", entries), ("document", documents)):
        digest.update(encode([kind, sorted(rows, key=lambda row: row[0])]))
        digest.update(b"\n")
    return digest.hexdigest()
