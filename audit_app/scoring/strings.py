"""How the call checker compares text."""

from __future__ import annotations

_DELETED = str.maketrans("", "", " ,./-_*^")


def standardise(text: str) -> str:
    """The text without plain spaces and ``,./-_*^``, in lower case, single quotes as double ones.

    Tabs, line feeds, other punctuation, accents and typographic marks stay.
    """
    return text.translate(_DELETED).lower().replace("'", '"')
