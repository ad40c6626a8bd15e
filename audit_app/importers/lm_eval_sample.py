"""One line of a samples file: requests, responses, the pick of a multiple choice, the figures."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from audit_app.domain.benchmark import Output
from audit_app.domain.record import Json
from audit_app.importers.bodies import checked_body
from audit_app.importers.content import ShapeError
from audit_app.importers.lines import json_type
from audit_app.importers.log_values import binary, shown
from audit_app.importers.table_tasks import row_id

NO_FILTER = "none"


@dataclass(frozen=True)
class Sample:
    """A document under one filter.

    Attributes:
        id: The document's id in its suite.
        filter: Name of the filter.
        doc: The row of the data set.
        target: The key, which the harness writes as text.
        requests: What was sent: prompt, and continuation or settings.
        responses: The raw responses, a list a request.
        filtered: What the filter made of them.
        figures: Metric → value, in the harness's order.
    """

    id: str
    filter: str
    doc: Json
    target: Json
    requests: list[tuple[Json, Json]]
    responses: list[Json]
    filtered: list[Json]
    figures: dict[str, Json]

    def prompt(self) -> Json:
        """The prompt that all requests share, None where they differ."""
        prompts = [prompt for prompt, _ in self.requests]
        same = bool(prompts) and all(prompt == prompts[0] for prompt in prompts)
        return prompts[0] if same else None

    def choices(self) -> list[str] | None:
        """The choices of a multiple choice, None where it is none.

        They are the continuations, or the prompts where every continuation is the same.
        """
        if len(self.requests) < 2:
            return None
        prompts = [prompt for prompt, _ in self.requests]
        endings = [ending for _, ending in self.requests]
        texts = prompts if all(ending == endings[0] for ending in endings) else endings
        if not all(isinstance(text, str) for text in (*texts, *endings)):
            return None
        return [text.strip() for text in texts]

    def further_requests(self) -> Json:
        """All requests where one prompt does not say it all and they are no choices."""
        if self.prompt() is not None or not self.requests or self.choices() is not None:
            return None
        return [list(request) for request in self.requests]

    def outputs(self, entry_id: str, model: str) -> list[Output]:
        """One output a repetition; the figures belong to the first.

        Raises:
            ShapeError: There is no response, or one that cannot be kept.
        """
        passed, figures = self._grade()
        choices = self.choices()
        if choices is not None and (picked := self._pick(choices)) is not None:
            body, said = picked
            return [_output(entry_id, model, 1, body, passed, _joined(figures, said))]
        if len(self.requests) > 1:
            return [_output(entry_id, model, 1, self.responses, passed, figures)]
        repeats = self.responses[0] if self.responses else None
        bodies = repeats if isinstance(repeats, list) else [repeats]
        if not bodies or bodies == [None]:
            raise ShapeError("the record has no response")
        reason = _joined(figures, self._taken(bodies))
        first = _output(entry_id, model, 1, bodies[0], passed, reason)
        rest = enumerate(bodies[1:], start=2)
        return [first, *(_output(entry_id, model, n, body, None, "") for n, body in rest)]

    def _grade(self) -> tuple[bool | None, str]:
        """The first metric that says passed or failed, and all figures in words."""
        verdicts = [binary(value) for value in self.figures.values()]
        passed = next((verdict for verdict in verdicts if verdict is not None), None)
        return passed, ", ".join(f"{name} {shown(v)}" for name, v in self.figures.items())

    def _taken(self, bodies: list[Json]) -> str:
        """What the filter took from the response, where that is not the response itself."""
        if not self.filtered or self.filtered[0] in (bodies[0], bodies):
            return ""
        took = shown(self.filtered[0])
        several = f", {len(bodies)} responses were graded together" if len(bodies) > 1 else ""
        return f"filter {self.filter} took {took!r}{several}"

    def _pick(self, choices: list[str]) -> tuple[str, str] | None:
        """The likeliest choice and how likely each was; None without a likelihood for each."""
        likelihoods = [_likelihood(value) for value in self.filtered]
        if len(likelihoods) != len(choices) or any(math.isnan(value) for value in likelihoods):
            return None
        index = likelihoods.index(max(likelihoods))
        is_index = isinstance(self.target, str) and self.target.isdecimal()
        figures = ", ".join(f"{value:g}" for value in likelihoods)
        said = f"picked choice {index}, {choices[index]!r} (log-likelihoods {figures})"
        return (str(index) if is_index else choices[index]), said


def sample_of(record: dict[str, Any]) -> Sample:
    """The sample of a record.

    Raises:
        ShapeError: It is none: no document id, or parts of another shape.
    """
    if "doc_id" not in record:
        raise ShapeError("the record has no doc_id, so it is no sample of lm-evaluation-harness")
    name = record.get("filter", NO_FILTER)
    if not isinstance(name, str):
        raise ShapeError(f"the filter is {json_type(name)}, not text")
    return Sample(
        id=row_id(record["doc_id"]),
        filter=name,
        doc=record.get("doc"),
        target=record.get("target"),
        requests=_requests(record.get("arguments")),
        responses=_list(record.get("resps"), "resps"),
        filtered=_list(record.get("filtered_resps"), "filtered_resps"),
        figures=_figures(record),
    )


def _figures(record: dict[str, Any]) -> dict[str, Json]:
    """Metric → value; older files do not list the metrics, so that every further number is one."""
    metrics = record.get("metrics")
    if isinstance(metrics, list):
        return {m: record[m] for m in metrics if isinstance(m, str) and m in record}
    numbers = {m: v for m, v in record.items() if isinstance(v, (bool, int, float))}
    numbers.pop("doc_id", None)
    return numbers


def _list(value: Json, what: str) -> list[Json]:
    if value is None:
        return []
    if not isinstance(value, list):
        raise ShapeError(f"{what} is {json_type(value)}, not a list")
    return value


def _requests(arguments: Json) -> list[tuple[Json, Json]]:
    """(prompt, continuation or settings) of each request, in the newer and the older form."""
    items = list(arguments.values()) if isinstance(arguments, dict) else arguments
    requests: list[tuple[Json, Json]] = []
    for item in _list(items, "arguments"):
        if isinstance(item, dict):
            requests.append((_prompt(item.get("arg_0")), item.get("arg_1")))
        elif isinstance(item, list):
            ending = item[1] if len(item) > 1 else None
            requests.append((_prompt(item[0]) if item else None, ending))
        else:
            requests.append((item, None))
    return requests


def _prompt(value: Json) -> Json:
    """The prompt; a chat is written as a list that holds its JSON text."""
    return value[0] if isinstance(value, list) and len(value) == 1 else value


def _joined(*parts: str) -> str:
    return "; ".join(part for part in parts if part)


def _likelihood(value: Json) -> float:
    """The log-likelihood in ``[likelihood, is greedy]``, not a number where there is none."""
    first = value[0] if isinstance(value, list) and value else value
    try:
        return float(first) if isinstance(first, (str, int, float)) else math.nan
    except (ValueError, OverflowError):
        return math.nan


def _output(
    entry_id: str, model: str, trial: int, body: Json, passed: bool | None, reason: str
) -> Output:
    return Output(
        entry_id=entry_id,
        model=model,
        body=checked_body(body),
        trial=trial,
        passed=passed,
        reason=reason,
    )
