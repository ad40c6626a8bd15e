"""Names of files and folders made of texts that may hold anything."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256

_MOST_BYTES = 100
_DIGEST = 8
_RESERVED = frozenset(
    {"con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(10))}
)
"""Names that Windows keeps for devices, whatever their ending."""


def file_name(text: str, *, otherwise: str) -> str:
    """The text where it can name a file; else what can be of it, and a digest of it.

    Args:
        text: Any text.
        otherwise: Stands for a text of which nothing can be kept.
    """
    safe = "".join(c if c.isalnum() or c in "-_.+ " else "_" for c in text).strip(" .")
    short = safe.encode(errors="replace")[:_MOST_BYTES].decode(errors="ignore").strip(" .")
    if text and short == text and short.partition(".")[0].casefold() not in _RESERVED:
        return text
    return f"{short or otherwise}-{_digest(text)}"


def file_names(texts: Iterable[str], *, otherwise: str) -> dict[str, str]:
    """Text → its file name; different ones even where a disk tells no case."""
    names: dict[str, str] = {}
    taken: set[str] = set()
    for text in texts:
        name = file_name(text, otherwise=otherwise)
        if name.casefold() in taken:
            name = f"{name}-{_digest(text)}"
        taken.add(name.casefold())
        names[text] = name
    return names


def _digest(text: str) -> str:
    return sha256(text.encode(errors="surrogatepass")).hexdigest()[:_DIGEST]
