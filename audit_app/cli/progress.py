"""How far a long command is, on one line of stderr; nothing where stderr is no terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Protocol

import click

_BETWEEN_S = 0.1
_WIDTH = 24


class ShowBar(Protocol):
    """Shows how far work is."""

    def __call__(self, done: int, total: int, more: str = "") -> None:
        """Show it, with what else there is to say."""
        ...


def progress_bar(what: str) -> ShowBar:
    """Shows a bar for work whose size is known; ``what`` is what is counted."""
    write = _writer()

    def show(done: int, total: int, more: str = "") -> None:
        filled = _WIDTH * done // max(total, 1)
        bar = "█" * filled + "·" * (_WIDTH - filled)
        note = f"{'  ' + more if more and done < total else '':<24}"
        write(f"{bar} {done:,} of {total:,} {what}{note}", is_last=done >= total)

    return show


@contextmanager
def progress_count(what: str) -> Iterator[Callable[[int], None]]:
    """Shows a count for work whose size is not known, and leaves its line in the end."""
    write, shown = _writer(), 0

    def show(done: int) -> None:
        nonlocal shown
        shown = done
        write(f"{done:,} {what}", is_last=False)

    try:
        yield show
    finally:
        if shown:
            write(f"{shown:,} {what}", is_last=True)


def _writer() -> Callable[..., None]:
    is_terminal = sys.stderr.isatty()
    shown_at = -_BETWEEN_S

    def write(text: str, *, is_last: bool) -> None:
        nonlocal shown_at
        if not is_terminal or (monotonic() - shown_at < _BETWEEN_S and not is_last):
            return
        shown_at = monotonic()
        click.echo(f"\r{text}", err=True, nl=is_last)

    return write
