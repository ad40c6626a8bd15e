"""Tables that list failures only: what they leave out has passed, where that can be known.

The table is given with ``--map absent=passed``. Each model (and trial) that it names is completed
with a pass for every entry that it does not list. That rests on having read every row: one that
could not be read may be a failure, so that nothing is completed then, and the reason is named.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterator, Mapping

from audit_app.domain.benchmark import Output
from audit_app.errors import InputError
from audit_app.importers.report import RejectedRow

ABSENT = "absent"
_PASSED = "passed"
SECOND = "a second output of "
"""How the reason begins for a row that repeats another: nothing is lost by it."""


def split_map(columns: Mapping[str, str] | None) -> tuple[dict[str, str], bool]:
    """The column map without ``absent``, and whether it says that what is absent has passed.

    Raises:
        InputError: It says anything else of what is absent.
    """
    rest = dict(columns or {})
    absent = rest.pop(ABSENT, None)
    if absent not in (None, _PASSED):
        raise InputError(f"--map {ABSENT}={absent} is not known; write {ABSENT}={_PASSED}")
    return rest, absent is not None


def completed(
    outputs: Iterator[Output],
    entries: Collection[str],
    rejected: list[RejectedRow],
    *,
    source: str,
) -> Iterator[Output]:
    """The outputs, then a pass for every entry that a model and trial does not list.

    Args:
        outputs: The listed ones.
        entries: Ids of all entries of the benchmark.
        rejected: Rows of the table that could not be used, complete when ``outputs`` ends.
        source: Name of the table in messages.
    """
    number = {entry: index for index, entry in enumerate(dict.fromkeys(entries))}
    listed: dict[tuple[str, int], array[int]] = {}
    for output in outputs:
        index = number.get(output.entry_id)
        run = listed.setdefault((output.model, output.trial), array("L"))
        if index is not None:
            run.append(index)
        yield output
    unread = [row for row in rejected if not row.reason.startswith(SECOND)]
    if unread:
        what = f"{len(unread)} rows could not be read, so that what is absent"
        rejected.append(RejectedRow(source, 0, f"{what} is not taken as passed"))
        return
    for (model, trial), indices in listed.items():
        there = set(indices)
        for entry, index in number.items():
            if index not in there:
                yield Output(entry_id=entry, model=model, body=None, trial=trial, passed=True)
