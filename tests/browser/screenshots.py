"""Makes the pictures under docs/screenshots: ``python -m tests.browser.screenshots``."""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from PIL import Image
from playwright.sync_api import Browser, Page, WebSocketRoute, sync_playwright

from audit_app.services.context import open_services
from audit_app.services.demo import ensure_demo
from audit_app.services.resources import resource
from audit_app.settings import Settings
from audit_app.ui.frame import PAGES
from tests.browser import confirm_cases, hostile_cases, screens, team_cases
from tests.browser.conftest import FLAGS, ROOT, chromium_path, free_port, served
from tests.browser.screens import State

OUT = ROOT / "docs" / "screenshots"
INDEX = ROOT / "docs" / "screens.md"
JUDGED = 31
COLOURS = 96
QUIET_MS = 500
HELD_MS = 1_500
MOST_WAITS = 40
READY = (
    "() => document.querySelector('.stApp')?.dataset.testScriptState === 'notRunning'"
    " && !document.querySelector('[data-testid=stSkeleton], [data-testid=stAppSkeleton]')"
)


@dataclass(frozen=True)
class Apps:
    """Addresses of the running apps, each on a workspace of its own."""

    demo: str
    team: str
    empty: str
    long: str
    scripts: str
    broken: str

    def of(self, page: str) -> str:
        """The usual app of a page: adjudication needs two reviewers."""
        return self.team if page == "Adjudicate" else self.demo


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
                        "proposed_key": _corrected(planted),
                    }
                ]
            desk.apply([action])
        services.rubrics.set("toolshop", "access", "full", note="Everything is in the repository.")


def _corrected(planted: dict[str, Any]) -> str | None:
    key = planted["corrected_key"]
    return None if key is None else json.dumps(key)


def _fill_demo(settings: Settings) -> None:
    ensure_demo(settings)
    _judge(settings)
    confirm_cases.run_trials(settings)


def _fill_broken(settings: Settings) -> None:
    settings.db.write_text(
        "a shopping list, long enough to be read as a file of another kind\n" * 9
    )


_FILLERS: dict[str, tuple[str, Callable[[Settings], object]]] = {
    "demo": ("ada", _fill_demo),
    "team": ("cleo", team_cases.reviewed_by_two),
    "empty": ("ada", lambda settings: None),
    "long": (
        hostile_cases.long_case().person,
        lambda settings: hostile_cases.fill(settings, hostile_cases.long_case()),
    ),
    "scripts": (
        hostile_cases.scripts_case().person,
        lambda settings: hostile_cases.fill(settings, hostile_cases.scripts_case()),
    ),
    "broken": ("ada", _fill_broken),
}


@contextmanager
def _apps(folder: Path) -> Iterator[Apps]:
    """Every workspace filled and served."""
    with ExitStack() as stack:
        addresses = {}
        for name, (person, fill) in _FILLERS.items():
            place = folder / name
            place.mkdir()
            settings = Settings(db=place / "assay.db", reviewer=person, cache=folder)
            fill(settings)
            port = free_port()
            command = [sys.executable, "-m", "audit_app", "serve", "--port", str(port)]
            env = {"ASSAY_DB": str(settings.db), "ASSAY_REVIEWER": person}
            stack.enter_context(served(command, port, env))
            addresses[name] = f"http://127.0.0.1:{port}"
        yield Apps(**addresses)


def _new_page(browser: Browser) -> Page:
    width, height = screens.SIZES[0]
    return browser.new_page(viewport={"width": width, "height": height}, color_scheme="light")


def _open(browser: Browser, address: str) -> Page:
    page = _new_page(browser)
    page.goto(address)
    _settle(page)
    return page


def _settle(page: Page) -> None:
    page.wait_for_function(READY, timeout=60_000)
    page.wait_for_timeout(QUIET_MS)


def _take(page: Page, name: str) -> None:
    """Keep a picture with few colours: flat screens lose nothing by it, and weigh a third."""
    file = OUT / name
    page.screenshot(path=file, animations="disabled")
    Image.open(file).convert("RGB").quantize(COLOURS).save(file)


def _usual(browser: Browser, apps: Apps, page: str) -> None:
    shown = _open(browser, apps.of(page) + screens.address(page))
    _take(shown, screens.usual(page, *screens.SIZES[0]))
    shown.emulate_media(color_scheme="dark")
    _settle(shown)
    _take(shown, screens.picture(page, State.DARK))
    shown.emulate_media(color_scheme="light")
    for width, height in screens.SIZES[1:]:
        shown.set_viewport_size({"width": width, "height": height})
        _settle(shown)
        _take(shown, screens.usual(page, width, height))
    shown.close()


def _states(browser: Browser, apps: Apps, page: str) -> None:
    place = screens.address(page)
    made = {
        State.EMPTY: _open(browser, apps.empty + place),
        State.LOADING: _loading(browser, apps.of(page) + place, page in screens.FULL_BLEED),
        State.LONG: _open(browser, apps.long + place + screens.LONG_QUERY.get(page, "")),
        State.SCRIPTS: _open(browser, apps.scripts + place + screens.SCRIPTS_QUERY.get(page, "")),
        State.ERROR: _error(browser, apps, page),
    }
    for state, shown in made.items():
        _take(shown, screens.picture(page, state))
        shown.close()


def _loading(browser: Browser, address: str, is_full_bleed: bool) -> Page:
    """A page whose answer stays away once its frame is drawn."""
    page = _new_page(browser)
    drawn = b'class="a-foot"' if is_full_bleed else b'class="bar1"'

    held: list[bool] = []

    def hold(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        socket.on_message(server.send)

        def pass_on(message: str | bytes) -> None:
            if not held:
                socket.send(message)
            if isinstance(message, bytes) and drawn in message:
                held.append(True)

        server.on_message(pass_on)

    page.route_web_socket("**/_stcore/stream", hold)
    page.goto(address)
    for _ in range(MOST_WAITS):
        if held:
            break
        page.wait_for_timeout(QUIET_MS)
    page.wait_for_timeout(HELD_MS)
    return page


def _error(browser: Browser, apps: Apps, page: str) -> Page:
    """What the person meets where something went wrong on this page."""
    place = screens.address(page)
    if page == "Benchmarks":
        shown = _open(browser, apps.demo + place)
        shown.get_by_label("Folder or file on this machine").fill("data/bfcl_v5")
        shown.get_by_label("Name", exact=True).fill("bfcl-v5")
        shown.get_by_role("button", name="Import", exact=True).click()
    elif page == "Sample":
        shown = _open(browser, apps.demo + place)
        shown.get_by_label("Stratify by").fill("difficulty")
        shown.keyboard.press("Enter")
    elif page == "Browse":
        shown = _open(browser, f"{apps.demo}{place}?audit=toolshop&task=single_999")
    elif page == "Confirm":
        shown = _open(browser, apps.demo + place)
        shown.get_by_label("Endpoint", exact=True).fill("https://models.example.org/v1")
        shown.keyboard.press("Tab")
    elif page == "Rubric":
        shown = _open(browser, apps.demo + place)
        shown.get_by_label("Runs per model").fill("many")
        shown.keyboard.press("Enter")
    else:
        shown = _open(browser, apps.broken + place)
    shown.wait_for_timeout(1_000)
    shown.mouse.move(0, 0)
    shown.evaluate("document.querySelector('[data-testid=stMain]').scrollTo(0, 0)")
    _settle(shown)
    return shown


def _extra(browser: Browser, apps: Apps) -> None:
    task = _open(browser, f"{apps.demo}/browse?audit=toolshop&task=choose_001")
    _take(task, "browse_task.png")
    shown = _open(browser, apps.demo)
    shown.keyboard.press("h")
    _settle(shown)
    _take(shown, "review_help.png")
    shown.keyboard.press("h")
    for key in ("1", "5", "3", "Shift+Digit1"):  # last: the open form is kept as a draft
        shown.keyboard.press(key)
    _settle(shown)
    _take(shown, "review_defect.png")


def main() -> None:
    """Make every picture anew, and the index of them."""
    path = chromium_path()
    if path is None:
        sys.exit("no Chromium on this machine")
    folder = tempfile.TemporaryDirectory(dir=Path.home(), prefix="audits-")  # /tmp is warned of
    with folder as temporary, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        with _apps(Path(temporary)) as apps:
            for page in PAGES:
                _usual(browser, apps, page)
                _states(browser, apps, page)
            _extra(browser, apps)
        browser.close()
    wanted = {*screens.files()}
    for old in OUT.glob("*.png"):
        if old.name not in wanted:
            old.unlink()
    INDEX.write_text(screens.index(), encoding="utf-8")


if __name__ == "__main__":
    main()
