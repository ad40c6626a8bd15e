"""The independent reason of a piece of evidence: what supports a finding whatever models answer."""

from __future__ import annotations

import re

from audit_app.domain.review import MAX_TEXT
from audit_app.errors import InputError

SHORTEST_REASON = 20
"""Characters of a reason: less cannot name a source, a rule of the task or a calculation."""

_LEAST_OWN = 10
"""Letters and digits of a reason besides the words that speak of agreement alone."""

_WORD = re.compile(r"\w+")
_AGREEMENT_WORDS = frozenset(
    _WORD.findall(
        "a agree agreed agreement agrees all alike always an and answer answered answers are as "
        "attempt attempts because both by different each every everyone everything five four "
        "gave give gives have identical in independent independently is it llm llms majority "
        "many matching model models most must of on other out output outputs reason reasons "
        "result results right run runs said same say says several so strong ten that the their "
        "them these they this three time times to trial trials two unanimous unanimously was "
        "were with correct consistent consistently wrong key"
    )
)


def independent_reason(text: str) -> str:
    """The reason without white space around it.

    Raises:
        InputError: It is too short, or says no more than that models agree.
    """
    reason = text.strip()
    wanted = (
        "say what supports the finding whatever the models answer: a source, a sentence of the "
        "task, a calculation"
    )
    if len(reason) < SHORTEST_REASON:
        raise InputError(
            f"the independent reason has {len(reason)} characters and needs {SHORTEST_REASON} "
            f"at least: {wanted}"
        )
    own = [word for word in _WORD.findall(reason.casefold()) if word not in _AGREEMENT_WORDS]
    if sum(map(len, own)) < _LEAST_OWN:
        raise InputError(f"that models agree confirms nothing by itself: {wanted}")
    if len(reason) > MAX_TEXT:
        raise InputError(f"the independent reason is longer than {MAX_TEXT:,} characters")
    return reason
