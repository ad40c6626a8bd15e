"""`assay grade`: single cases from a file, for trying a key without a workspace."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from audit_app.errors import InputError
from audit_app.external.simulators import find_simulators
from audit_app.importers.lines import read_objects
from audit_app.importers.report import RejectedRow
from audit_app.importers.source import open_regular
from audit_app.scoring.cases import CaseResult, grade_case


@dataclass
class GradedCases:
    """What became of a file of cases.

    Attributes:
        results: One a case, in the order of the file, skipped ones left out.
        agree: Cases whose expected outcome is ours.
        disagree: Ids of those whose expected outcome is not.
        skipped: Ids of those that need simulators which are not there.
        rejected: Lines that are no case.
    """

    results: list[CaseResult] = field(default_factory=list)
    agree: int = 0
    disagree: list[str] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)
    rejected: list[RejectedRow] = field(default_factory=list)


def grade_cases(path: Path, cache: Path) -> GradedCases:
    """Grade every case of a JSON-lines file.

    Args:
        path: The file.
        cache: Where the fetched package with the simulators may lie.

    Raises:
        InputError: The file cannot be read, or holds no case.
    """
    graded = GradedCases()
    with ExitStack() as stack:
        simulators = find_simulators(cache)
        if simulators is not None:
            stack.enter_context(simulators)
        stream = stack.enter_context(open_regular(path, path.name))
        for line, case in read_objects(stream, path.name, graded.rejected):
            try:
                result = grade_case(case, simulators)
            except InputError as error:
                graded.rejected.append(RejectedRow(path.name, line, str(error)))
                continue
            _file(graded, result)
    if not graded.results and not graded.skipped:
        first = f": line {graded.rejected[0].line}: {graded.rejected[0].reason}"
        raise InputError(f"{path} holds no case{first if graded.rejected else ''}")
    return graded


def _file(graded: GradedCases, result: CaseResult) -> None:
    if result.verdict == "skipped":
        graded.skipped.append(result.case_id)
        return
    graded.results.append(result)
    graded.agree += result.agrees is True
    if result.agrees is False:
        graded.disagree.append(result.case_id)
