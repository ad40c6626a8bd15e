"""The shape of the repository: sizes, documents, what travels in the wheel."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from audit_app.cli import group
from audit_app.ui.frame import PAGES
from tests.browser import screens

ROOT = Path(__file__).resolve().parents[1]
MODULES = sorted((ROOT / "audit_app").rglob("*.py"))
MOST_PICTURES_BYTES = 6_000_000
TEXTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def _commands(command: click.Command, path: str) -> Iterator[str]:
    if isinstance(command, click.Group):
        for name, child in command.commands.items():
            yield from _commands(child, f"{path} {name}")
    else:
        yield path


@pytest.mark.parametrize("module", MODULES, ids=lambda m: str(m.relative_to(ROOT)))
def test_no_module_grows_past_400_lines(module: Path) -> None:
    assert len(module.read_text(encoding="utf-8").splitlines()) <= 400


@pytest.mark.parametrize(
    "page", sorted((ROOT / "audit_app/ui/pages").glob("*.py")), ids=lambda p: p.name
)
def test_a_page_only_lays_out(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for foreign in ("sqlite", "pandas", "audit_app.storage", "unsafe_allow_html"):
        assert foreign not in text


@pytest.mark.parametrize("command", sorted(_commands(group, "assay")))
def test_every_command_is_documented(command: str) -> None:
    assert command in (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("page", PAGES)
def test_every_page_is_documented(page: str) -> None:
    assert f". {page}\n" in (ROOT / "docs" / "tutorial.md").read_text(encoding="utf-8")


def test_every_page_is_pictured_in_every_state() -> None:
    """Made anew by ``python -m tests.browser.screenshots``."""
    assert (ROOT / "docs" / "screens.md").read_text(encoding="utf-8") == screens.index()
    pictures = {file.name: file.stat().st_size for file in (ROOT / "docs/screenshots").iterdir()}
    assert set(pictures) == set(screens.files())
    assert sum(pictures.values()) < MOST_PICTURES_BYTES


@pytest.mark.parametrize("text", TEXTS, ids=lambda t: t.name)
def test_links_between_documents_lead_somewhere(text: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", text.read_text(encoding="utf-8")):
        if "://" not in target:
            assert (text.parent / target).exists(), target


def test_every_package_and_data_folder_travels_in_the_wheel() -> None:
    setuptools = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"]
    packages = set(setuptools["packages"])
    code = {".".join(m.parent.relative_to(ROOT).parts) for m in MODULES if m.name == "__init__.py"}
    data = {
        ".".join(("audit_app", *file.parent.relative_to(ROOT).parts))
        for folder in ("rubric", "samples")
        for file in (ROOT / folder).rglob("*")
        if file.suffix in (".toml", ".jsonl", ".csv", ".txt") and "__pycache__" not in file.parts
    }
    assert code <= packages
    assert data <= packages
    globs = setuptools["package-data"]["*"]
    for file in (ROOT / "audit_app").rglob("*"):
        if file.is_file() and file.suffix != ".py" and "__pycache__" not in file.parts:
            home = next(p for p in file.parents if (p / "__init__.py").exists())
            assert any(file in home.glob(pattern) for pattern in globs), file


def test_no_setting_of_the_environment_is_undocumented() -> None:
    settings = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
    used = {
        name
        for module in MODULES
        for name in re.findall(r'"((?:ASSAY|SOURCE)_[A-Z_]+)"', module.read_text("utf-8"))
    }
    assert used
    assert {name for name in used if f"`{name}`" not in settings} == set()
