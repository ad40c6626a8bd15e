"""Files that travel with the program: rubrics and bundled benchmarks."""

from __future__ import annotations

from pathlib import Path

from audit_app.domain.rubric import Rubric, Taxonomy
from audit_app.domain.rubric_file import rubric_from_toml, taxonomy_from_toml
from audit_app.errors import NotFoundError

_PACKAGE = Path(__file__).resolve().parents[1]


def resource(*parts: str) -> Path:
    """A file or folder of ``rubric/`` or ``samples/``.

    They lie inside the package where it is installed from a wheel, beside it in a checkout.

    Raises:
        NotFoundError: It is in neither place.
    """
    for root in (_PACKAGE, _PACKAGE.parent):
        found = root.joinpath(*parts)
        if found.exists():
            return found
    raise NotFoundError("bundled file", "/".join(parts))


def bundled_rubric(name: str = "epoch") -> Rubric:
    """A rubric of ``rubric/``."""
    path = resource("rubric", f"{name}.toml")
    return rubric_from_toml(path.read_text(encoding="utf-8"), source=path.name)


def bundled_taxonomy() -> Taxonomy:
    """The defect taxonomy of ``rubric/``."""
    path = resource("rubric", "taxonomy.toml")
    return taxonomy_from_toml(path.read_text(encoding="utf-8"), source=path.name)
