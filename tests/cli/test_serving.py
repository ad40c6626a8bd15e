"""``assay serve``: what it refuses, what it says, and how it starts the app."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from audit_app.cli import run

SECRET = "s3cr3t-" * 6
FIELDS = f"""
[auth]
redirect_uri = "https://assay.example.org/oauth2callback"
cookie_secret = "{SECRET}"
client_id = "assay"
client_secret = "{SECRET}"
server_metadata_url = "https://id.example.org/.well-known/openid-configuration"
"""


@dataclass
class Started:
    """What would have been started."""

    arguments: list[str] = field(default_factory=list)
    environment: dict[str, str] = field(default_factory=dict)

    def given(self, option: str) -> list[str]:
        pairs = zip(self.arguments, self.arguments[1:], strict=False)
        return [value for name, value in pairs if name == option]


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Started:
    start = Started()

    def execve(_: str, arguments: Sequence[str], environment: dict[str, str]) -> None:
        start.arguments, start.environment = list(arguments), environment

    monkeypatch.setattr("os.execve", execve)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for name in ("ASSAY_SECRETS", "ASSAY_ALLOWED", "ASSAY_KEYS", "ASSAY_DB"):
        monkeypatch.delenv(name, raising=False)
    return start


@pytest.fixture
def secrets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "secrets.toml"
    path.write_text(FIELDS)
    monkeypatch.setenv("ASSAY_SECRETS", str(path))
    return path


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "localhost"])
def test_on_this_machine_alone_nobody_needs_to_sign_in(started: Started, host: str) -> None:
    assert run(["serve", "--host", host]) == 0
    assert started.given("--server.address") == [host]
    assert "--secrets.files" not in started.arguments


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "", "192.168.0.2", "assay.example.org"])
def test_where_others_can_reach_it_it_does_not_start_without_a_sign_in(
    started: Started, host: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["serve", "--host", host]) == 2
    assert not started.arguments
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "ASSAY_SECRETS" in said


def test_with_a_sign_in_it_starts_and_shows_no_secret(
    started: Started, secrets: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["serve", "--host", "0.0.0.0"]) == 0
    assert started.given("--secrets.files") == [str(secrets)]
    assert "assay.example.org" in started.given("--server.allowedHosts")
    assert started.environment["ASSAY_SECRETS"] == str(secrets)
    printed = "".join(capsys.readouterr())
    assert "open https://assay.example.org" in printed
    assert "ASSAY_ALLOWED" in printed
    assert SECRET not in printed + " ".join(started.arguments)


def test_a_list_of_the_admitted_quiets_the_note(
    started: Started,
    secrets: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("ASSAY_ALLOWED", "example.org")
    assert run(["serve"]) == 0
    assert "whoever has an account" not in capsys.readouterr().err


@pytest.mark.parametrize(
    ("variable", "value", "says"),
    [
        pytest.param("ASSAY_ALLOWED", "example.org", "no sign-in is set up", id="list alone"),
        pytest.param("ASSAY_ALLOWED", "ada", "'ada'", id="entry"),
        pytest.param("ASSAY_SECRETS", "nowhere.toml", "nowhere.toml", id="no such file"),
        pytest.param("ASSAY_SIGN_IN_HOURS", "0", "1 to 720", id="hours"),
        pytest.param("ASSAY_SIGN_IN_HOURS", "ten", "'ten'", id="hours as a word"),
    ],
)
def test_a_setting_that_cannot_be_is_one_sentence(
    started: Started,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    variable: str,
    value: str,
    says: str,
) -> None:
    monkeypatch.setenv(variable, value)
    assert run(["serve"]) == 2
    assert not started.arguments
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert says in said


@pytest.mark.parametrize(
    ("keys", "says"),
    [
        pytest.param('clean = "J"\njump = "K"', "", id="another key"),
        pytest.param('clean = "X"', "'clean' and 'defect'", id="two actions on one key"),
        pytest.param('skip = "Ctrl+R"', "belongs to the browser", id="the browser's"),
        pytest.param('cleen = "J"', "no action 'cleen'", id="no such action"),
        pytest.param("clean = ", "not valid TOML", id="no TOML"),
        pytest.param(None, "cannot be read", id="no file"),
    ],
)
def test_a_key_file_with_a_clash_is_refused_at_the_start(
    started: Started,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    keys: str | None,
    says: str,
) -> None:
    path = tmp_path / "keys.toml"
    if keys is not None:
        path.write_text(keys)
    monkeypatch.setenv("ASSAY_KEYS", "keys.toml")
    assert run(["serve"]) == (2 if says else 0)
    assert says in capsys.readouterr().err
    assert started.environment.get("ASSAY_KEYS") == (None if says else str(path))


def test_streamlit_s_own_place_counts(
    started: Started, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / ".streamlit").mkdir()
    place = tmp_path / ".streamlit" / "secrets.toml"
    place.write_text(FIELDS.replace("https:", "http:"))
    assert run(["serve", "--host", "0.0.0.0"]) == 0
    assert started.given("--secrets.files") == [str(place)]
    assert "not encrypted" in capsys.readouterr().err


def test_a_name_for_a_proxy_without_a_sign_in_is_minded(
    started: Started, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["serve", "--allow-host", "assay.example.org"]) == 0
    assert "can judge in any name" in capsys.readouterr().err


def test_r08_a_temporary_place_is_said_at_the_start(
    started: Started, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["serve", "--db", "/dev/shm/assay.db"]) == 0
    said = capsys.readouterr().err
    assert "/dev/shm/assay.db" in said
    assert "may be lost" in said
    assert run(["serve", "--db", "/home/ada/assay.db"]) == 0
    assert "may be lost" not in capsys.readouterr().err
