"""What the keys of a benchmark accept elsewhere: the material of plausible mistakes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from audit_app.controls.turn_text import call_constants
from audit_app.domain.benchmark import KeyKind, Task
from audit_app.domain.record import Json

_ANSWERS = (KeyKind.VALUE, KeyKind.TEXTS)


class KeyPool:
    """Values by the function and argument, and answers by the category, in which keys have them.

    Args:
        tasks: Tasks of the benchmark, in any order.
    """

    def __init__(self, tasks: Iterable[Task]) -> None:
        self._values: dict[tuple[str, str], list[Json]] = {}
        self._answers: dict[tuple[str, str], list[tuple[str, Json]]] = {}
        for task in tasks:
            if task.key_kind is KeyKind.CALLS:
                self._add_calls(task.key)
            elif task.key_kind is KeyKind.CALL_TURNS:
                self._add_turns(task.key)
            elif task.key_kind in _ANSWERS:
                place = (task.category, task.scorer)
                self._answers.setdefault(place, []).append((task.id, task.key))

    def values(self, function: str, argument: str) -> Sequence[Json]:
        """What keys accept for an argument of a function, in the order of the tasks."""
        return self._values.get((function, argument), ())

    def answers(self, task: Task) -> list[Json]:
        """Keys of other tasks of the same category and scorer."""
        known = self._answers.get((task.category, task.scorer), ())
        return [key for id_, key in known if id_ != task.id]

    def _add_calls(self, key: Json) -> None:
        for call in key if isinstance(key, list) else ():
            for function, arguments in call.items() if isinstance(call, dict) else ():
                for name, values in arguments.items() if isinstance(arguments, dict) else ():
                    if isinstance(values, list):
                        self._values.setdefault((function, name), []).extend(values)

    def _add_turns(self, key: Json) -> None:
        for turn in key if isinstance(key, list) else ():
            for text in turn if isinstance(turn, list) else ():
                for constant in call_constants(text):
                    place = (constant.function, constant.argument)
                    self._values.setdefault(place, []).append(constant.value)
