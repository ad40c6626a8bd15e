"""The sign-in in a secrets file: what is missing is named, what is there never shown."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from audit_app.errors import InputError
from audit_app.services.sign_in import find_sign_in, is_loopback, read_sign_in

FIELDS = {
    "redirect_uri": "https://assay.example.org/oauth2callback",
    "cookie_secret": "c00kie" * 8,
    "client_id": "assay",
    "client_secret": "cl13nt-s3cr3t",
    "server_metadata_url": "https://id.example.org/.well-known/openid-configuration",
}


def _write(path: Path, fields: dict[str, str], table: str = "auth") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [f'{name} = "{value}"' for name, value in fields.items()]
    path.write_text("\n".join([f"[{table}]", *lines]) + "\n")
    return path


def test_a_whole_sign_in_tells_where_the_app_is(tmp_path: Path) -> None:
    sign_in = read_sign_in(_write(tmp_path / "s.toml", FIELDS))
    assert (sign_in.origin, sign_in.host) == ("https://assay.example.org", "assay.example.org")
    assert sign_in.providers == ("",)
    assert not sign_in.is_in_clear
    assert FIELDS["client_secret"] not in repr(sign_in)


def test_named_providers_are_found(tmp_path: Path) -> None:
    path = tmp_path / "s.toml"
    shared = {name: FIELDS[name] for name in ("redirect_uri", "cookie_secret")}
    own = {name: value for name, value in FIELDS.items() if name not in shared}
    _write(path, shared)
    text = path.read_text()
    _write(path, own, "auth.keycloak")
    path.write_text(text + path.read_text())
    assert read_sign_in(path).providers == ("keycloak",)
    path.write_text(text + '[auth.keycloak]\nclient_id = "assay"\n')
    with pytest.raises(InputError, match=r"client_secret in \[auth\.keycloak\]"):
        read_sign_in(path)


@pytest.mark.parametrize("missing", FIELDS)
def test_a_missing_field_is_named_and_no_value_shown(tmp_path: Path, missing: str) -> None:
    path = _write(tmp_path / "s.toml", {**FIELDS, missing: " "})
    with pytest.raises(InputError, match=rf"{missing} in \[auth\] missing") as refused:
        read_sign_in(path)
    assert not [v for n, v in FIELDS.items() if n != missing and v in str(refused.value)]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        pytest.param({"cookie_secret": "xxx"}, "fewer than 32", id="a secret that can be guessed"),
        pytest.param({"redirect_uri": "https://a.example/"}, "/oauth2callback", id="no callback"),
        pytest.param(
            {"redirect_uri": "https://a.example/sub/oauth2callback"}, "followed by", id="a path"
        ),
        pytest.param({"redirect_uri": "a.example/oauth2callback"}, "followed by", id="no scheme"),
        pytest.param(
            {"redirect_uri": "http://localhost:{port}/oauth2callback"}, "followed by", id="a gap"
        ),
    ],
)
def test_what_cannot_work_is_refused(tmp_path: Path, change: dict[str, str], says: str) -> None:
    with pytest.raises(InputError, match=re.escape(says)):
        read_sign_in(_write(tmp_path / "s.toml", FIELDS | change))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        pytest.param(b"[other]\n", "no table [auth]", id="nothing about sign-in"),
        pytest.param(b"[auth\nclient_secret = 's3cr3t'", "not valid TOML", id="no TOML"),
        pytest.param(b"\xff", "cannot be read", id="no text"),
        pytest.param(None, "cannot be read", id="no file"),
    ],
)
def test_a_file_without_a_sign_in_is_refused(tmp_path: Path, text: bytes | None, says: str) -> None:
    path = tmp_path / "s.toml"
    if text is not None:
        path.write_bytes(text)
    with pytest.raises(InputError, match=re.escape(says)) as refused:
        read_sign_in(path)
    assert "s3cr3t" not in str(refused.value)


def test_without_authlib_what_to_install_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("audit_app.services.sign_in.version", lambda _: "1.2.9")
    with pytest.raises(InputError, match=r"assay-audit\[auth\]"):
        read_sign_in(_write(tmp_path / "s.toml", FIELDS))


def test_streamlit_s_own_places_are_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    work, home = tmp_path / "work", tmp_path / "home"
    work.mkdir()
    monkeypatch.chdir(work)
    monkeypatch.setenv("HOME", str(home))
    assert find_sign_in(None) is None
    at_home = _write(home / ".streamlit" / "secrets.toml", FIELDS)
    _write(work / ".streamlit" / "secrets.toml", {"key": "of another app"}, "other")
    found = find_sign_in(None)
    assert found is not None
    assert found.secrets == at_home


@pytest.mark.parametrize(
    ("host", "is_own"),
    [
        ("127.0.0.1", True),
        ("127.8.0.1", True),
        ("::1", True),
        ("localhost", True),
        ("0.0.0.0", False),
        ("::", False),
        ("", False),
        ("192.168.0.2", False),
        ("localhost.example.org", False),
    ],
)
def test_what_only_this_machine_can_reach(host: str, is_own: bool) -> None:
    assert is_loopback(host) is is_own
