"""What outputs of any source have in common: bounds on their bodies, and grades of failed requests.

A failed request is not an answer, so its output has no grade (``passed`` is None), though
benchmarks grade its error text like any other. What they made of it is not lost: it stands in
``reason_code`` and ``reason``, and ``published_verdict`` reads it back.
"""

from __future__ import annotations

from audit_app.domain.benchmark import Output, OutputStatus
from audit_app.domain.record import Json
from audit_app.importers.content import ShapeError

MAX_DEPTH = 200
"""Nesting of a body. Real ones stay below 20; what is deeper could not be shown or stored."""
PASSED = "valid"
"""Reason code of a failed request that the benchmark let pass."""


def checked_body(body: Json) -> Json:
    """The body, if it can be stored and shown.

    Raises:
        ShapeError: It is nested too deeply.
    """
    level = [body]
    for _ in range(MAX_DEPTH):
        level = [
            item
            for value in level
            if isinstance(value, (list, dict))
            for item in (value.values() if isinstance(value, dict) else value)
            if isinstance(item, (list, dict))
        ]
        if not level:
            return body
    raise ShapeError(f"the output is nested more than {MAX_DEPTH} levels deep")


def failed_request(
    entry_id: str, model: str, body: Json, *, passed: bool | None, code: str = "", reason: str = ""
) -> Output:
    """The output of a failed request, with the published grade in words.

    Args:
        entry_id: The entry it was meant for.
        model: Name of the model.
        body: What stands where the answer should.
        passed: The published grade, None where there is none.
        code: The published reason code.
        reason: The published reason.
    """
    if passed is not None:
        verdict = "passed" if passed else "failed"
        said = f"the request failed; the benchmark graded its error text as {verdict}"
        reason = f"{said}: {reason}" if reason else said
    return Output(
        entry_id=entry_id,
        model=model,
        body=body,
        status=OutputStatus.ERROR,
        reason_code=PASSED if passed else code or ("failed" if passed is False else ""),
        reason=reason,
    )


def published_verdict(output: Output) -> bool | None:
    """The published grade, also where it stands on a failed request; None where there is none.

    Only for outputs of sources that grade failed requests (result trees of BFCL).
    """
    if output.passed is None and output.status is OutputStatus.ERROR and output.reason_code:
        return output.reason_code == PASSED
    return output.passed
