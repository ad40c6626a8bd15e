"""Reproducible chance: every roll is a hash of what it is rolled for, the same on any machine."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import TypeVar

SEED = "toolshop-1"

T = TypeVar("T")


def rank(*what: object) -> int:
    """A number below 2^64 that looks random and depends on the seed and ``what`` alone."""
    text = "\x1f".join((SEED, *map(str, what)))
    return int.from_bytes(sha256(text.encode()).digest()[:8], "big")


def roll(*what: object) -> float:
    """A number in [0, 1) that looks random and depends on the seed and ``what`` alone."""
    return (rank(*what) >> 11) / (1 << 53)


def pick(options: Sequence[T], *what: object) -> T:
    """One of the options, each equally likely."""
    return options[rank(*what) % len(options)]


def shuffled(options: Sequence[T], *what: object) -> list[T]:
    """The options in an order that looks random."""
    order = sorted(range(len(options)), key=lambda index: rank(*what, index))
    return [options[index] for index in order]
