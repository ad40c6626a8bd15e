"""Text against text: exact, normalised, contained, and by pattern."""

from __future__ import annotations

import re
import unicodedata

from audit_app.domain.record import Json
from audit_app.scoring.value_scorer import Comparison, KeyUnusableError, text_of

_ARTICLES = re.compile(r"\b(?:a|an|the)\b")
_NOT_WORD = re.compile(r"[^\w\s]")


def exact(output: Json, accepted: Json, given: Comparison) -> bool:
    """Whether both are the same text, but for white space around it; other JSON by equality."""
    if isinstance(output, str) or isinstance(accepted, str):
        return text_of(output).strip() == text_of(accepted).strip()
    return type(output) is type(accepted) and bool(output == accepted)


def normalised_text(output: Json, accepted: Json, given: Comparison) -> bool:
    """Whether both are the same words: without case, punctuation, articles and extra space.

    Source: the normalisation of SQuAD's evaluation (Rajpurkar et al. 2016), after NFKC.
    """
    return normalised(text_of(output)) == normalised(text_of(accepted))


def normalised(text: str) -> str:
    """Words of a text, without case, punctuation and articles."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(_ARTICLES.sub(" ", _NOT_WORD.sub("", folded)).split())


def contains(output: Json, accepted: Json, given: Comparison) -> bool:
    """Whether the accepted text occurs in the output; option ``case_sensitive``, on by default.

    Raises:
        KeyUnusableError: The accepted text is empty, which every output would contain.
    """
    part, text = text_of(accepted), text_of(output)
    if not part:
        raise KeyUnusableError("an empty text occurs in every output")
    if given.options.get("case_sensitive", True):
        return part in text
    return part.casefold() in text.casefold()


def matches(output: Json, accepted: Json, given: Comparison) -> bool:
    """Whether the accepted pattern occurs in the output; options ``full`` and ``ignore_case``.

    Patterns are run by RE2 in time linear in the text, so none can hang; look-around and
    back-references do not exist there.

    Raises:
        KeyUnusableError: RE2 refuses the pattern.
    """
    import pyarrow  # type: ignore[import-untyped]
    from pyarrow import compute

    pattern, text = _valid_unicode(text_of(accepted)), _valid_unicode(text_of(output))
    if given.options.get("full", False):
        pattern = rf"\A(?:{pattern})\z"
    try:
        found = compute.match_substring_regex(
            pyarrow.array([text]),
            pattern,
            ignore_case=bool(given.options.get("ignore_case", False)),
        )
    except pyarrow.ArrowInvalid as error:
        raise KeyUnusableError(f"the pattern {pattern!r} is refused: {error}") from error
    return bool(found[0].as_py())


def _valid_unicode(text: str) -> str:
    return text.encode("utf-8", "replace").decode()
