"""Sign-in through a real OpenID Connect provider: who sees what, and who is recorded."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, WebSocket, expect

from audit_app.services.context import open_services
from audit_app.services.demo import ensure_demo
from audit_app.settings import Settings
from tests.browser.conftest import free_port, served

pytestmark = pytest.mark.browser

CLIENT_SECRET = "client-secret-7f3a9c"
COOKIE_SECRET = "cookie-secret-" + "5e1d" * 10
PEOPLE: dict[str, dict[str, object]] = {
    "ada": {"email": "Ada@example.org", "email_verified": True},
    "grace": {"email": "grace@example.org"},
    "mallory": {"email": "ada@example.org", "email_verified": False},
}


TOKEN_MARKS = ("eyJhbGciOi", "eyJ0eXAiOi", "access_token", "id_token", "callback?")
"""What tokens begin with (a JSON header in base64), and the names under which they travel."""


class Served(NamedTuple):
    """The running app."""

    address: str
    settings: Settings
    log: Path


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The bundled audit behind a sign-in, and a provider that knows three people."""
    folder = tmp_path_factory.mktemp("served")
    settings = Settings(db=folder / "assay.db", reviewer="local", cache=folder)
    ensure_demo(settings)
    app, provider, log = free_port(), free_port(), folder / "app.log"
    people = [json.dumps({"sub": sub, **claims}) for sub, claims in PEOPLE.items()]
    with ExitStack() as running:
        command = [*(sys.executable, "-W", "ignore", "-m", "oidc_provider_mock", "-p")]
        command += [str(provider), *(a for p in people for a in ("--user-claims", p))]
        metadata = "/.well-known/openid-configuration"
        running.enter_context(served(command, provider, {}, health=metadata))
        secrets = folder / "secrets.toml"
        secrets.write_text(
            f'[auth]\nredirect_uri = "http://127.0.0.1:{app}/oauth2callback"\n'
            f'cookie_secret = "{COOKIE_SECRET}"\nclient_id = "assay"\n'
            f'client_secret = "{CLIENT_SECRET}"\n'
            f'server_metadata_url = "http://127.0.0.1:{provider}{metadata}"\n'
        )
        environment = {
            "ASSAY_DB": str(settings.db),
            "ASSAY_REVIEWER": settings.reviewer,
            "ASSAY_SECRETS": str(secrets),
            "ASSAY_ALLOWED": "example.org",
        }
        serve = [sys.executable, "-m", "audit_app", "serve", "--port", str(app)]
        running.enter_context(served(serve, app, environment, log=log))
        yield Served(f"http://127.0.0.1:{app}", settings, log)


@pytest.fixture
def context(chromium: Browser) -> Iterator[BrowserContext]:
    context = chromium.new_context(viewport={"width": 1280, "height": 800})
    yield context
    context.close()


def _sign_in(page: Page, site: Served, person: str, path: str = "/") -> None:
    page.goto(f"{site.address}{path}")
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("button", name=person, exact=True).click()
    page.wait_for_url(f"{site.address}/**")


def _judge(page: Page) -> str:
    """Judge the task on screen as clean; its id."""
    title = page.locator("h1.mono")
    expect(title).to_be_visible(timeout=15_000)
    task = title.inner_text()
    page.keyboard.press("a")
    expect(page.locator(".strata .n.all")).to_have_text("1/50", timeout=15_000)
    return task


def _reviewers(site: Served) -> set[tuple[str, str]]:
    with open_services(site.settings) as services:
        return {(r.task_id, r.reviewer) for r in services.audits.view("toolshop").reviews}


def test_who_is_not_signed_in_gets_nothing_of_the_workspace(
    site: Served, context: BrowserContext
) -> None:
    page, frames = context.new_page(), list[bytes]()

    def listen(socket: WebSocket) -> None:
        socket.on("framereceived", lambda data: frames.append(_bytes(data)))

    page.on("websocket", listen)
    for path in ("/?audit=toolshop&task=choose_003&as=local", "/benchmarks"):
        page.goto(f"{site.address}{path}")
        expect(page.get_by_role("button", name="Sign in")).to_be_visible(timeout=15_000)
        assert "toolshop" not in page.locator("body").inner_text()
    received = b"".join(frames)
    assert b"Sign in to see this workspace" in received
    with open_services(site.settings) as services:
        tasks = services.audits.view("toolshop").sample.task_ids
    for word in (*tasks, "pottery", "simulated", site.settings.db.name):
        assert word.encode() not in received, word


def _bytes(data: str | bytes) -> bytes:
    return data.encode() if isinstance(data, str) else data


def test_two_people_judge_under_their_addresses_and_leave_no_secret(
    site: Served, chromium: Browser
) -> None:
    judged = set()
    for person, name in (("ada", "ada@example.org"), ("grace", "grace@example.org")):
        context = chromium.new_context(viewport={"width": 1280, "height": 800})
        page = context.new_page()
        _sign_in(page, site, person)
        expect(page.locator(".a-who")).to_have_text(name, timeout=15_000)
        if person == "grace":
            page.goto(f"{site.address}/?as=ada")  # names nobody here
            expect(page.locator(".a-who")).to_have_text(name, timeout=15_000)
        judged.add((_judge(page), name))
        if person == "ada":
            _sign_out_and_look_into_another_tab(page, site)
        context.close()
    assert _reviewers(site) == judged
    _assert_no_secret_is_kept(site)


def _sign_out_and_look_into_another_tab(page: Page, site: Served) -> None:
    other = page.context.new_page()
    other.goto(f"{site.address}/sample")
    expect(other.locator(".a-who")).to_be_visible(timeout=15_000)
    page.get_by_role("button", name="Sign out").click()
    page.get_by_role("button", name="End session").click()  # at the provider
    expect(page.get_by_role("button", name="Sign in")).to_be_visible(timeout=15_000)
    other.get_by_role("link", name="Report").click()
    expect(other.locator(".gate")).to_contain_text("You signed out", timeout=15_000)


def _assert_no_secret_is_kept(site: Served) -> None:
    """Neither the log, nor the store, nor an export holds a secret, a token or a cookie."""
    folder = site.settings.db.parent
    with open_services(site.settings) as services:
        exports = services.reports.files("toolshop").values()
    kept = {
        path.name: path.read_bytes() for path in folder.iterdir() if path.name != "secrets.toml"
    }
    assert {"assay.db", "app.log"} <= set(kept)
    for content in (*kept.values(), *exports):
        for secret in (CLIENT_SECRET, COOKIE_SECRET, *TOKEN_MARKS):
            assert secret.encode() not in content, secret


def test_who_is_not_admitted_gets_a_sentence_and_a_way_out(
    site: Served, context: BrowserContext
) -> None:
    page = context.new_page()
    _sign_in(page, site, "mallory")
    says = "ada@example.org is not verified"
    expect(page.locator(".gate")).to_contain_text(says, timeout=15_000)
    assert "toolshop" not in page.locator("body").inner_text()
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("button", name="End session")).to_be_visible(timeout=15_000)


def test_under_another_address_the_right_one_is_shown(
    site: Served, context: BrowserContext
) -> None:
    page = context.new_page()
    page.goto(f"http://localhost:{urlsplit(site.address).port}/")
    link = page.get_by_role("link", name="Go there")
    expect(link).to_have_attribute("href", site.address, timeout=15_000)
