"""Which rubric an audit goes by, and whether the file it came from still says the same."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from audit_app.domain.rubric import Rubric
from audit_app.domain.rubric_changes import rubric_differences
from audit_app.domain.rubric_file import rubric_from_toml
from audit_app.errors import InputError
from audit_app.services.files import read_text
from audit_app.services.resources import resource

DEFAULT_RUBRIC = "epoch"
_NO_RUBRIC = "taxonomy"
"""A file of the same folder that is none."""


class RubricChoice(NamedTuple):
    """A rubric with where it came from.

    Attributes:
        rubric: The rubric.
        path: Absolute path of a file of one's own; empty for one that travels with Assay.
    """

    rubric: Rubric
    path: str = ""


class FileState(NamedTuple):
    """How the file of an audit's rubric compares with the rubric that stands.

    Attributes:
        name: The file's name.
        differences: How the file differs now, a sentence each; empty where it does not.
        problem: Why it cannot be compared; empty where it can.
    """

    name: str
    differences: tuple[str, ...] = ()
    problem: str = ""

    @property
    def sentence(self) -> str:
        """What a reader must know; empty where file and audit say the same."""
        if self.problem:
            return f"The rubric file {self.name} cannot be compared with this audit: {self.problem}"
        if not self.differences:
            return ""
        return (
            f"The rubric file {self.name} has changed since: {'; '.join(self.differences)}. "
            "The rubric kept with this audit stands until the new one is adopted with a reason."
        )


def rubric_names() -> list[str]:
    """Names of the rubrics that travel with Assay, the usual one first."""
    found = {path.stem for path in resource("rubric").glob("*.toml")} - {_NO_RUBRIC}
    return sorted(found, key=lambda name: (name != DEFAULT_RUBRIC, name))


def chosen_rubric(given: str | None) -> RubricChoice:
    """The rubric of a name that travels with Assay, or of a file.

    Raises:
        InputError: There is neither, or the file holds no sound rubric.
    """
    name = given or DEFAULT_RUBRIC
    if name in rubric_names():
        return RubricChoice(_read(resource("rubric", f"{name}.toml")))
    path = Path(name).expanduser()
    if not path.is_file():
        known = ", ".join(rubric_names())
        raise InputError(f"there is no rubric {name!r}: give a file, or one of {known}")
    return RubricChoice(_read(path), str(path.resolve()))


def current_rubric(rubric: Rubric, own: str) -> RubricChoice | None:
    """The rubric as its file has it now; None where there is no file.

    Args:
        rubric: The rubric that stands.
        own: Path of a file of one's own, empty for one that travels with Assay.

    Raises:
        InputError: The file holds no sound rubric.
    """
    path = _file(rubric, own)
    return None if path is None else RubricChoice(_read(path), own)


def file_state(rubric: Rubric, own: str) -> FileState | None:
    """How the file compares with the rubric that stands; None where there is no file."""
    path = _file(rubric, own)
    if path is None:
        return None
    try:
        return FileState(path.name, rubric_differences(rubric, _read(path)))
    except InputError as error:
        return FileState(path.name, problem=str(error).replace(str(path), path.name))


def _file(rubric: Rubric, own: str) -> Path | None:
    if own:
        return Path(own)
    return resource("rubric", f"{rubric.id}.toml") if rubric.id in rubric_names() else None


def _read(path: Path) -> Rubric:
    try:
        facts = path.stat()
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from error
    return _parsed(path, facts.st_mtime_ns, facts.st_size)


@lru_cache(maxsize=8)
def _parsed(path: Path, modified_ns: int, size: int) -> Rubric:
    """The rubric of a file in a given state, parsed once."""
    return rubric_from_toml(read_text(path), source=path.name)
