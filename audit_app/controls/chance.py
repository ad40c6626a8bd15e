"""Choices that look random and are determined by a seed, whatever the order of what is given."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from hashlib import sha256
from typing import TypeVar

from audit_app.domain.benchmark import encode

T = TypeVar("T")


def shuffled(items: Iterable[T], *parts: str, name: Callable[[T], object]) -> list[T]:
    """The items by SHA-256 of the parts and of each item's name, digests ascending.

    Args:
        items: In any order.
        parts: The seed and what else sets this choice apart from others under the same seed.
        name: JSON value that names an item; items of the same name keep their order.
    """
    prefix = b"\x1f".join(part.encode("utf-8", "surrogatepass") for part in parts) + b"\x1f"
    return sorted(items, key=lambda item: sha256(prefix + encode(name(item))).digest())
