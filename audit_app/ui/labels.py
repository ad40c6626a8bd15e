"""Names of strata as people read them."""

from __future__ import annotations

from collections.abc import Iterable

_GROUPS = {
    "non_live_ast": "Non-live AST",
    "live_ast": "Live AST",
    "irrelevance": "Irrelevance",
    "live_relevance": "Live relevance",
    "multi_turn": "Multi-turn",
    "memory": "Memory",
    "web_search": "Web search",
    "agentic": "Agentic",
}
"""Groups of BFCL, as its leaderboard writes them; other strata keep their ids."""


def stratum_label(stratum: str) -> str:
    """A stratum's name, part by part under a group of BFCL; any other id as it is."""
    parts = stratum.split("/")
    if parts[0] not in _GROUPS:
        return stratum
    return " / ".join(_GROUPS.get(part, part) for part in parts)


def stratum_labels(strata: Iterable[str]) -> dict[str, str]:
    """Id → name, for those whose name differs from the id."""
    named = {stratum: stratum_label(stratum) for stratum in strata}
    return {stratum: label for stratum, label in named.items() if label != stratum}
