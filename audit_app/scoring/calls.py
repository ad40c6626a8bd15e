"""One expected call, prepared once for many outputs: name, required, given and left-out arguments.

Order and codes are the benchmark's; the first failure decides.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from audit_app.scoring.arguments import ArgumentRule
from audit_app.scoring.dicts import ValueFault
from audit_app.scoring.languages import Language
from audit_app.scoring.rules import RuleSet

RULE = "simple_function_checker"
WRONG_NAME, MISSING_REQUIRED = f"{RULE}:wrong_func_name", f"{RULE}:missing_required"
UNEXPECTED, MISSING_OPTIONAL = f"{RULE}:unexpected_param", f"{RULE}:missing_optional"


class CallFailure(msgspec.Struct, frozen=True):
    """Why a call does not fit an expected one.

    Attributes:
        code: The benchmark's code.
        function: The expected function.
        argument: The argument at which the verdict fell, None for the name.
        given: What the call has there.
        accepted: What would have been accepted there.
        may_omit: Whether the argument could have been left out.
        known: Whether the schema has the argument.
        fault: What is wrong inside the value, for a given argument.
        fitting: Arguments that had passed before.
    """

    code: str
    function: str
    argument: Any = None
    given: Any = None
    accepted: tuple[Any, ...] = ()
    may_omit: bool = False
    known: bool = True
    fault: ValueFault | None = None
    fitting: int = 0


class CallRule:
    """The rule for one expected call: a schema and the accepted values of its arguments.

    Attributes:
        function: The name that the output must use.
        accepted: The key's lists of accepted values by argument.
        arguments: The rules of the arguments that both schema and key have.
        required: Arguments that the schema requires.
    """

    __slots__ = ("_known", "_must_stay", "accepted", "arguments", "function", "required")

    def __init__(
        self,
        tool: Mapping[str, Any],
        accepted: Any,
        *,
        language: Language,
        rules: RuleSet,
        dots_to_underscores: bool = False,
    ) -> None:
        """Prepare the rule.

        A malformed tool or key raises here what the benchmark's checker would raise: TypeError,
        KeyError or AttributeError.
        """
        name = tool["name"]
        self._known = tool["parameters"]["properties"]
        self.required = tool["parameters"]["required"]
        self.function: str = name.replace(".", "_") if dots_to_underscores else name
        self.accepted = accepted
        self.arguments = {
            argument: ArgumentRule(self._known[argument], values, language, rules)
            for argument, values in accepted.items()
            if argument in self._known
        }
        self._must_stay = tuple([a for a, v in accepted.items() if not _surely_omissible(v)])

    def failure(self, call: Mapping[str, Any]) -> CallFailure | None:
        """Why the call does not fit; None where it does.

        Raises:
            CheckerStopError: The benchmark's checker would stop. A malformed key raises what it
                raises there.
        """
        if self.function not in call:
            given = next(iter(call), None)
            return CallFailure(WRONG_NAME, self.function, None, given, (self.function,))
        arguments = call[self.function]
        for name in self.required:
            if name not in arguments:
                return self._missing(MISSING_REQUIRED, name)
        rules = self.arguments
        for name, value in arguments.items():
            rule = rules.get(name)
            if rule is None:
                return self._unexpected(name, value)
            if not rule.passes(value):
                fault = rule.fault(value)
                if fault is not None:
                    return self._refused(name, value, fault, arguments)
        for name in self._must_stay:
            if name not in arguments and "" not in self.accepted[name]:
                return self._missing(MISSING_OPTIONAL, name)
        return None

    def _missing(self, code: str, name: str) -> CallFailure:
        rule = self.arguments.get(name)
        accepted = rule.accepted if rule is not None else ()
        return CallFailure(code, self.function, name, accepted=accepted, known=name in self._known)

    def _unexpected(self, name: Any, value: Any) -> CallFailure:
        return CallFailure(
            UNEXPECTED,
            self.function,
            name,
            value,
            may_omit=name not in self.required,
            known=name in self._known,
        )

    def _refused(
        self, name: str, value: Any, fault: ValueFault, arguments: Mapping[str, Any]
    ) -> CallFailure:
        return CallFailure(
            fault.code,
            self.function,
            name,
            value,
            self.arguments[name].accepted,
            may_omit=name not in self.required and "" in self.accepted[name],
            fault=fault,
            fitting=1 + list(arguments).index(name),
        )


def _surely_omissible(values: Any) -> bool:
    return isinstance(values, list) and "" in values
