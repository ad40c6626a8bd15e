"""Rule versions of the function-calling checker, and the settings in which they differ.

``v4`` is the checker at commit 6ea57973 (March 2026), ``2024-08`` that of August 2024, under which
the first version of the benchmark was scored. Read off the two checkers and confirmed on the
published score files of fourteen models (19,460 outputs):

===========================  ==============================  ==================================
setting                      v4                              2024-08
===========================  ==============================  ==================================
``multiple_is_parallel``     one expected call of several    graded by the parallel rule, with
                             tools has a rule of its own     its reason codes
``names_by_containment``     tool found by the exact name    by the first tool whose name occurs
                             of the key                      in the key's (numbered) name
``dict_sizes_must_agree``    fields may be left out where    every alternative of another size
                             the key says so                 is refused: ``value_error:dict_items``
``bare_call``                a call without brackets counts  only a list does
``empty_call_as_text``       a call without keywords is a    it becomes its source text: the
                             call without arguments          shape test refuses it
``abstention_code``          names the label                 one code for both labels
===========================  ==============================  ==================================
"""

from __future__ import annotations

import msgspec

from audit_app.errors import InputError


class RuleSet(msgspec.Struct, frozen=True, kw_only=True):
    """One version of the checker; the fields are explained in the module's table."""

    version: str
    multiple_is_parallel: bool = False
    names_by_containment: bool = False
    dict_sizes_must_agree: bool = False
    bare_call: bool = True
    empty_call_as_text: bool = False
    abstention_code: str = "irrelevance_error:decoder_success"


V4 = RuleSet(version="v4")
AUGUST_2024 = RuleSet(
    version="2024-08",
    multiple_is_parallel=True,
    names_by_containment=True,
    dict_sizes_must_agree=True,
    bare_call=False,
    empty_call_as_text=True,
    abstention_code="relevance_error:decoder_success",
)
RULE_SETS = {rules.version: rules for rules in (V4, AUGUST_2024)}


def rule_set(version: str) -> RuleSet:
    """The rule set of that name; an empty name means the newest.

    Raises:
        InputError: There is no such version.
    """
    rules = RULE_SETS.get(version or V4.version)
    if rules is None:
        raise InputError(f"there is no rule version {version!r}; known: {', '.join(RULE_SETS)}")
    return rules
