"""What an import gives: the values it read and the rows it could not use."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from audit_app.domain.benchmark import Document, Entry, Output, Task
from audit_app.errors import RowRejectedError


@dataclass(frozen=True)
class RejectedRow:
    """A row or a file that could not be used, while the others could.

    Attributes:
        source: File name, relative to what the user named.
        line: 1-based physical line (row number in a Parquet file); 0 means the whole file.
        reason: What is wrong, in one sentence that tells how to mend it.
    """

    source: str
    line: int
    reason: str

    @classmethod
    def of(cls, error: RowRejectedError) -> RejectedRow:
        """The row that an error speaks of."""
        return cls(error.source, error.line, error.reason)


@dataclass
class ParsedBenchmark:
    """Everything read from one benchmark.

    Attributes:
        tasks: Tasks in the order of the source.
        entries: (task id, entry) in the order of the tasks; each task has at least one.
        documents: Shared documents that the tasks name.
        rules: Version of the benchmark's grading rules, or an empty string.
        rejected: Rows and files that could not be used.
        ignored: Files of the benchmark that hold no tasks and were left alone on purpose.
    """

    tasks: list[Task] = field(default_factory=list)
    entries: list[tuple[str, Entry]] = field(default_factory=list)
    documents: list[Document] = field(default_factory=list)
    rules: str = ""
    rejected: list[RejectedRow] = field(default_factory=list)
    ignored: list[str] = field(default_factory=list)


@dataclass
class ParsedOutputs:
    """Outputs as a stream, so that memory does not grow with their number.

    Attributes:
        outputs: Read while iterated, once.
        rejected: Rows that could not be used; complete when ``outputs`` is exhausted.
        ignored: Files that hold no outputs to be graded and were left alone on purpose.
        absent_passed: Whether the source lists failures only, and ``outputs`` was completed with
            the passes that it leaves out.
    """

    outputs: Iterator[Output]
    rejected: list[RejectedRow] = field(default_factory=list)
    ignored: list[str] = field(default_factory=list)
    absent_passed: bool = False
