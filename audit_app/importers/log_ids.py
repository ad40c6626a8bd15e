"""Ids of tasks and entries that evaluation logs yield.

A log names a sample within its suite (one evaluation task), and grades it by one or several
rules. A sample is one task. Its id is the sample's own, with the suite in front where a benchmark
joins several suites; an entry is a scored line, so a sample that several rules grade has one
entry a rule, ``id/rule``. Outputs that are imported later find the same ids even where their
source holds fewer suites or rules: the entries that the benchmark has decide.
"""

from __future__ import annotations

from collections.abc import Collection


class LogIds:
    """Names samples and their entries."""

    def __init__(self, suites: Collection[str], entries: Collection[str] | None = None) -> None:
        self._several = len(set(suites)) > 1
        self._entries = entries

    def task(self, suite: str, sample: str) -> str:
        """Id of a sample's task, when tasks are read."""
        return f"{suite}/{sample}" if self._several else sample

    def entry(self, suite: str, sample: str, rule: str, rules: Collection[str]) -> str:
        """Id of the entry that a rule grades.

        Args:
            suite: The suite.
            sample: The sample's id in it.
            rule: The rule.
            rules: All rules of the suite.
        """
        task = self.task(suite, sample)
        chosen = f"{task}/{rule}" if len(rules) > 1 else task
        if self._entries is not None and chosen not in self._entries:
            whole = f"{suite}/{sample}"
            for other in (f"{whole}/{rule}", whole, f"{sample}/{rule}", sample):
                if other in self._entries:
                    return other
        return chosen
