"""Languages that a key can be in: type tables, conversion of values, decoding of prompt texts.

A language differs from another in three things, so it is a value with three parts. Java and
JavaScript come from modules of their own, which provide::

    java.decode_java(text: str) -> Json                     javascript.decode_javascript(text)
        The calls of a prompting-mode text: ``[{name: {argument: text}}]``, or whatever else the
        benchmark's decoder would return (Java: {} for no call; JavaScript: None). ``text`` is
        already stripped and bracketed as in ``[f(a=1)]``: the decoder drops the first and the
        last character itself. A positional identifier is filed under the name None.
        Raises DecodeError where the benchmark's decoder would raise.

    java.convert_java(value: str, declared: str, item: str | None) -> Json
    javascript.convert_javascript(value: str, declared: str, item: str | None) -> Json
        The native value of an argument's text; ``declared`` is the schema's type word, ``item``
        the type word of its items where it is ``Array``, ``ArrayList`` or ``array``. Text that
        does not fit stays text. The value is known to be text, and the type words to be in the
        tables below.
        Raises CheckerStopError (from faults) where the benchmark's converter would raise.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

import msgspec

from audit_app.domain.record import Json
from audit_app.errors import InputError

PYTHON_TYPES: Mapping[str, type] = {
    "string": str,
    "integer": int,
    "float": float,
    "boolean": bool,
    "array": list,
    "tuple": list,
    "dict": dict,
    "any": str,
}
JAVA_TYPES: Mapping[str, type] = {
    "byte": int,
    "short": int,
    "integer": int,
    "float": float,
    "double": float,
    "long": int,
    "boolean": bool,
    "char": str,
    "Array": list,
    "ArrayList": list,
    "Set": set,
    "HashMap": dict,
    "Hashtable": dict,
    "Queue": list,
    "Stack": list,
    "String": str,
    "any": str,
}
JAVASCRIPT_TYPES: Mapping[str, type] = {
    "String": str,
    "integer": int,
    "float": float,
    "Bigint": int,
    "Boolean": bool,
    "dict": dict,
    "array": list,
    "any": str,
}

_SEQUENCES = frozenset({"Array", "ArrayList", "array"})


class Language(msgspec.Struct, frozen=True, kw_only=True):
    """One language.

    Attributes:
        name: python, java or javascript.
        types: Type word of a schema → Python type that a value of it has here.
        sequences: Type words whose ``items`` are looked at.
        convert: Native value of an argument's text; None where values are native already.
        decode: Calls of a bracketed text; None for Python.
        not_text: Reason code of a value that should be text and is not.
    """

    name: str
    types: Mapping[str, type]
    sequences: frozenset[str]
    convert: Callable[[str, str, str | None], Json] | None = None
    decode: Callable[[str], Json] | None = None
    not_text: str = ""


PYTHON = Language(name="python", types=PYTHON_TYPES, sequences=frozenset({"array", "tuple"}))


@cache
def language(name: str) -> Language:
    """The language of that name; the parsers of Java and JavaScript load on first use.

    Raises:
        InputError: There is no such language.
    """
    if name == "python":
        return PYTHON
    if name == "java":
        from audit_app.scoring.java import convert_java, decode_java

        return Language(
            name=name,
            types=JAVA_TYPES,
            sequences=_SEQUENCES,
            convert=convert_java,
            decode=decode_java,
            not_text="type_error:java",
        )
    if name == "javascript":
        from audit_app.scoring.javascript import convert_javascript, decode_javascript

        return Language(
            name=name,
            types=JAVASCRIPT_TYPES,
            sequences=_SEQUENCES,
            convert=convert_javascript,
            decode=decode_javascript,
            not_text="type_error:js",
        )
    raise InputError(f"there is no language {name!r}; known: python, java, javascript")


def language_of_category(category: str) -> str:
    """The language that the benchmark takes a category to be in: by its name."""
    if "javascript" in category:
        return "javascript"
    return "java" if "java" in category else "python"
