"""Every page in light and dark through axe-core: nothing serious in what is ours."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from audit_app.settings import Settings
from audit_app.ui.frame import PAGES
from tests.browser import confirm_cases, team_cases
from tests.browser.conftest import free_port, served
from tests.browser.screens import address as path_of

pytestmark = pytest.mark.browser

GRAVE = ("serious", "critical")
STREAMLIT_S_OWN: Mapping[str, Sequence[str]] = {}
"""Rule → parts of selectors in Streamlit's own chrome where it is not ours to mend; none today."""
SETTLED = "() => document.querySelector('.stApp')?.dataset.testScriptState === 'notRunning'"


@dataclass(frozen=True)
class Screen:
    """One screen.

    Attributes:
        page: The page.
        ready: What is there once it is drawn.
        query: What its address says besides.
        keys: Keys to press then.
    """

    page: str
    ready: str
    query: str = ""
    keys: tuple[str, ...] = ()


SCREENS = (
    Screen("Benchmarks", "text=Import model outputs"),
    Screen("Sample", "text=Draw the sample"),
    Screen("Browse", "text=1–50 of 249"),
    Screen("Browse", "article.group", "?task=choose_001"),
    Screen("Browse", "text=Open it on Review", "?task=choose_003"),
    Screen("Browse", "text=No task was found", "?q=zzzz"),
    Screen("Review", "article.group", "?task=choose_003"),
    Screen("Review", "article.group", "?task=choose_003", ("x",)),
    Screen("Review", "article.group", "?task=choose_003", ("h",)),
    Screen("Review", "article.group", "?task=choose_003", ("d",)),
    Screen("Review", "article.group", "?task=choose_003", ("q",)),
    Screen("Adjudicate", "article.group", "?as=cleo"),
    Screen("Adjudicate", "article.group", "?as=cleo", ("h",)),
    Screen("Confirm", ".stApp .bar1"),
    Screen("Confirm", "text=Without an answer"),
    Screen("Confirm", "text=Name an endpoint", "?task=choose_021"),
    Screen("Rubric", "text=Defect rate"),
    Screen("Report", "text=Texts of the report"),
)


@pytest.fixture(scope="module")
def app_address(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder: Path = tmp_path_factory.mktemp("axe")
    settings = Settings(db=folder / "assay.db", reviewer="ada", cache=folder)
    team_cases.reviewed_by_two(settings)
    confirm_cases.run_trials(settings)
    port = free_port()
    command = [sys.executable, "-m", "audit_app", "serve", "--port", str(port)]
    with served(command, port, {"ASSAY_DB": str(settings.db), "ASSAY_REVIEWER": "ada"}):
        yield f"http://127.0.0.1:{port}"


def test_every_page_is_looked_at() -> None:
    assert {screen.page for screen in SCREENS} == set(PAGES)


@pytest.mark.parametrize("screen", SCREENS, ids=lambda s: " ".join((s.page, s.query, *s.keys)))
def test_axe_finds_nothing_serious(app_address: str, chromium: Browser, screen: Screen) -> None:
    page = chromium.new_page(viewport={"width": 1440, "height": 900}, color_scheme="light")
    page.goto(f"{app_address}{path_of(screen.page)}{screen.query}")
    page.locator(screen.ready).first.wait_for(timeout=20_000)
    page.wait_for_function(SETTLED)
    for key in screen.keys:
        page.keyboard.press(key)
    schemes: tuple[Literal["light", "dark"], ...] = ("light", "dark")
    found = {scheme: _grave(page, scheme) for scheme in schemes}
    page.close()
    assert found == {"light": [], "dark": []}


def _grave(page: Page, scheme: Literal["light", "dark"]) -> list[str]:
    """What axe calls serious or worse in a colour scheme: rule, where, and why."""
    page.emulate_media(color_scheme=scheme)
    page.wait_for_timeout(300)
    result: dict[str, Any] = Axe().run(page).response
    assert len(result["passes"]) > 20, "axe saw next to nothing"
    return [
        f"{violation['id']} at {node['target']}: {node['failureSummary']}"
        for violation in result["violations"]
        if violation["impact"] in GRAVE
        for node in violation["nodes"]
        if not _is_excluded(violation["id"], str(node["target"]))
    ]


def _is_excluded(rule: str, target: str) -> bool:
    return any(part in target for part in STREAMLIT_S_OWN.get(rule, ()))
