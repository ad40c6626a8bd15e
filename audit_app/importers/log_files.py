"""The files of a log, whether one file was named or a folder of them."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from io import BufferedReader
from pathlib import Path

from audit_app.errors import InputError
from audit_app.importers.source import Source, open_regular, open_source, why


class _OneFile:
    """A single file as a source."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def names(self) -> tuple[str, ...]:
        return (self._path.name,)

    def open(self, name: str) -> BufferedReader:
        return open_regular(self._path, name)


def open_logs(path: Path) -> AbstractContextManager[Source]:
    """A folder with all it holds, or one file of it.

    Raises:
        InputError: There is nothing that can be opened.
    """
    try:
        if path.is_dir():
            return open_source(path)
        if not path.exists():
            raise InputError(f"there is no file or folder {path}")
    except OSError as error:
        raise InputError(f"{path} cannot be opened ({why(error)})") from error
    return nullcontext(_OneFile(path))


def log_names(source: Source, path: Path, is_log: Callable[[str], bool], what: str) -> list[str]:
    """The names of the logs in a source, in order; a file that was named itself is one.

    Raises:
        InputError: There is none.
    """
    names = sorted(name for name in source.names() if not path.is_dir() or is_log(name))
    if not names:
        raise InputError(f"{path} holds no {what}")
    return names
