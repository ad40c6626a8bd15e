"""Save-and-next in a real browser: from the key press until the next task is painted, and saved."""

from __future__ import annotations

import json
import sys
import tempfile
import time
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from audit_app.domain.sampling import SamplingPlan
from audit_app.services.context import open_services
from audit_app.services.judging import TaskState
from audit_app.settings import Settings
from tests.browser.conftest import FLAGS, chromium_path, free_port, served

TASKS = 40
PRESSES = 30
GAP_MS = 400
TASK_BYTES = 100_000
MODELS = 6

_WATCH = """(deep) => {
  const heading = () => deep
    ? document.querySelector('[data-testid="stBidiComponentIsolated"]')
        .shadowRoot.querySelector('h1').textContent
    : document.querySelector('h1.count').textContent;
  window.painted = [];
  window.addEventListener('keydown', (event) => {
    if (event.key !== 'a') return;
    const start = performance.now(), before = heading();
    const look = () => {
      if (heading() === before) return requestAnimationFrame(look);
      // The frame after the one that changed the page: by then it is painted.
      requestAnimationFrame(() => window.painted.push(performance.now() - start));
    };
    requestAnimationFrame(look);
  }, true);
}"""


def _workspace(folder: Path) -> Settings:
    """Tasks of 100 KB each: half in the prompt, half in the outputs of six models."""
    half = TASK_BYTES // 2
    line = "The vents of bay three stay open until the evening reading is below nineteen. "
    prompt = (line * (half // len(line) + 1))[:half]
    answer = (line * (half // MODELS // len(line) + 1))[: half // MODELS]
    tasks, outputs = folder / "tasks.jsonl", folder / "outputs.jsonl"
    ids = [f"vent_{i:03}" for i in range(TASKS)]
    tasks.write_text(
        "\n".join(json.dumps({"id": i, "prompt": f"{i} {prompt}", "key": "open"}) for i in ids)
    )
    outputs.write_text(
        "\n".join(
            json.dumps({"id": i, "model": f"m{m}", "output": f"{m} {answer}", "passed": m % 2})
            for i in ids
            for m in range(MODELS)
        )
    )
    settings = Settings(db=folder / "assay.db", reviewer="bench", cache=folder)
    with open_services(settings) as services:
        services.benchmarks.import_tasks("table", tasks, name="vents")
        services.benchmarks.import_outputs("table", outputs, benchmark="vents")
        plan = SamplingPlan(size=TASKS, widen_to=TASKS, seed="bench", census_at_or_below=TASKS)
        services.audits.create("bench", "vents", services.audits.preview("vents", plan))
    return settings


def _press(page: Page, *, deep: bool) -> list[float]:
    page.evaluate(_WATCH, deep)
    for _ in range(PRESSES):
        page.keyboard.press("a")
        page.wait_for_timeout(GAP_MS)
    painted: list[float] = page.evaluate("window.painted")
    return painted


def _desk_times(browser: Browser, folder: Path) -> tuple[list[float], int]:
    settings, port = _workspace(folder), free_port()
    command = [sys.executable, "-m", "audit_app", "serve", "--port", str(port)]
    env = {"ASSAY_DB": str(settings.db), "ASSAY_REVIEWER": settings.reviewer}
    with served(command, port, env):
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.goto(f"http://127.0.0.1:{port}")
        page.locator("h1.mono").wait_for()
        page.wait_for_timeout(1500)
        painted = _press(page, deep=True)
        time.sleep(1)
        page.close()
    with open_services(settings) as services:
        queue = services.reviewing("bench").desk().queue
    return painted, sum(item.state is TaskState.CLEAN for item in queue)


def _trivial_times(browser: Browser) -> list[float]:
    port, script = free_port(), str(Path(__file__).with_name("trivial_page.py"))
    command = [sys.executable, "-m", "streamlit", "run", script]
    options: dict[str, Any] = {"server.port": port, "server.headless": "true"}
    options |= {"server.address": "127.0.0.1", "browser.gatherUsageStats": "false"}
    with served([*command, *(f"--{k}={v}" for k, v in options.items())], port, {}):
        page = browser.new_page()
        page.goto(f"http://127.0.0.1:{port}")
        page.locator("h1.count").wait_for()
        page.wait_for_timeout(1500)
        painted = _press(page, deep=False)
        page.close()
    return painted


def run() -> None:
    """Print the times, and the ratio to the least page there can be."""
    path = chromium_path()
    if path is None:
        sys.stdout.write("save-and-next: skipped, no Chromium on this machine\n")
        return
    with tempfile.TemporaryDirectory() as temporary, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        desk, saved = _desk_times(browser, Path(temporary))
        trivial = _trivial_times(browser)
        browser.close()
    ninety_five = quantiles(desk, n=20)[-1]
    sys.stdout.write(
        f"save-and-next on {TASK_BYTES // 1000} KB tasks, press to painted: "
        f"median {median(desk):.0f} ms, 95th percentile {ninety_five:.0f} ms "
        f"(goal: median below 200 ms); {saved} of {PRESSES} presses saved\n"
        f"  ratio to a page with one button: {median(desk) / median(trivial):.2f} "
        f"(that page: median {median(trivial):.0f} ms)\n"
    )
