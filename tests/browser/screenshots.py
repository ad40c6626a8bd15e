"""Makes the pictures under docs/screenshots: ``python -m tests.browser.screenshots``."""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from playwright.sync_api import Browser, Page, sync_playwright

from audit_app.services.context import open_services
from audit_app.services.demo import ensure_demo
from audit_app.services.resources import resource
from audit_app.settings import Settings
from tests.browser.conftest import FLAGS, ROOT, chromium_path, free_port, served

OUT = ROOT / "docs" / "screenshots"
SIZES = ((1440, 900), (1920, 1080))
PAGES = ("review", "benchmarks", "sample", "rubric", "report")
JUDGED = 31
SETTLE_MS = 2500


def _judge(settings: Settings) -> None:
    """Judge most of the sample as its answer sheet says, as a careful reviewer would."""
    sheet_file = resource("samples", "toolshop", "answer_sheet.jsonl")
    sheet = {
        row["task_id"]: row
        for row in map(json.loads, sheet_file.read_text(encoding="utf-8").splitlines())
    }
    with open_services(settings) as services:
        desk = services.reviewing("toolshop")
        for item in desk.desk().queue[:JUDGED]:
            action: dict[str, Any] = {
                "id": str(uuid5(NAMESPACE_URL, item.task_id)),
                "kind": "clean",
                "task_id": item.task_id,
            }
            planted = sheet.get(item.task_id)
            if planted:
                action["kind"] = "defect"
                action["findings"] = [
                    {
                        "effects": planted["effects"],
                        "cause": planted["cause"],
                        "severity": planted["severity"],
                        "note": planted["explanation"],
                    }
                ]
            desk.apply([action])
        services.rubrics.set("toolshop", "access", "full", note="Everything is in the repository.")


def _shoot(page: Page, name: str, width: int, height: int, suffix: str = "") -> None:
    page.wait_for_timeout(SETTLE_MS)
    page.screenshot(path=OUT / f"{name}{suffix}_{width}x{height}.png")


def _pages(browser: Browser, address: str, width: int, height: int) -> None:
    page = browser.new_page(viewport={"width": width, "height": height})
    for name in PAGES:
        page.goto(address if name == "review" else f"{address}/{name}")
        _shoot(page, name, width, height)
    page.close()


def _defect(browser: Browser, address: str, width: int, height: int) -> None:
    page = browser.new_page(viewport={"width": width, "height": height})
    page.goto(address)
    page.locator("h1.mono").wait_for()
    for key in ("1", "5", "3", "Shift+Digit1"):
        page.keyboard.press(key)
    _shoot(page, "review_defect", width, height)
    page.close()


def main() -> None:
    """Make every picture anew."""
    path = chromium_path()
    if path is None:
        sys.exit("no Chromium on this machine")
    OUT.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary, sync_playwright() as playwright:
        settings = Settings(db=Path(temporary) / "assay.db", reviewer="ada", cache=Path(temporary))
        ensure_demo(settings)
        _judge(settings)
        port = free_port()
        command = [sys.executable, "-m", "audit_app", "serve", "--port", str(port)]
        env = {"ASSAY_DB": str(settings.db), "ASSAY_REVIEWER": settings.reviewer}
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        with served(command, port, env):
            for width, height in SIZES:
                _pages(browser, f"http://127.0.0.1:{port}", width, height)
            dark = browser.new_page(viewport={"width": 1440, "height": 900}, color_scheme="dark")
            dark.goto(f"http://127.0.0.1:{port}")
            _shoot(dark, "review", 1440, 900, "_dark")
            for width, height in SIZES:  # last: the open form is kept as a draft
                _defect(browser, f"http://127.0.0.1:{port}", width, height)
        browser.close()


if __name__ == "__main__":
    main()
