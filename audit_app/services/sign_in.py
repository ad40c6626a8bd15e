"""The sign-in of a served app: where it is configured, what is missing; values are never told."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from ipaddress import ip_address
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from audit_app.domain.toml_file import parse_toml
from audit_app.errors import InputError

CALLBACK = "/oauth2callback"
"""Where Streamlit takes the answer of the provider."""

_SHARED = ("redirect_uri", "cookie_secret")
_PROVIDER = ("client_id", "client_secret", "server_metadata_url")
_LEAST_AUTHLIB = (1, 3, 2)
_SHORTEST_SECRET = 32
"""Characters of the secret that signs the cookies; who guesses it can be anybody."""


@dataclass(frozen=True)
class SignIn:
    """A configured sign-in, without its secrets.

    Attributes:
        secrets: The file.
        origin: Address under which browsers reach the app, without a path.
        providers: Names of the providers; empty for the one without a name.
    """

    secrets: Path
    origin: str
    providers: tuple[str, ...]

    @property
    def host(self) -> str:
        """Name of the host in the address."""
        return urlsplit(self.origin).hostname or ""

    @property
    def is_in_clear(self) -> bool:
        """Whether the sign-in travels unencrypted over a network."""
        return self.origin.startswith("http:") and not is_loopback(self.host)


def is_loopback(host: str) -> bool:
    """Whether a host is this machine's own, which nobody else can reach."""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def find_sign_in(given: Path | None) -> SignIn | None:
    """The sign-in in the given file, else in Streamlit's own places, else none.

    Raises:
        InputError: The given file has none, or one that cannot work.
    """
    if given is not None:
        return read_sign_in(given)
    # As Streamlit has it, the file of the working folder wins over that of the home folder.
    for path in _places():
        if path.is_file() and "auth" in parse_toml(_text(path), source=str(path)):
            return read_sign_in(path)
    return None


def _places() -> Iterator[Path]:
    yield Path(".streamlit", "secrets.toml").resolve()
    try:
        yield Path.home() / ".streamlit" / "secrets.toml"
    except RuntimeError:  # a user without a home
        return


def read_sign_in(path: Path) -> SignIn:
    """The sign-in that a secrets file configures.

    Raises:
        InputError: The file cannot be read, a field is missing or cannot be what it is, or
            Authlib is not installed. Fields are named, their values never are.
    """
    if path.suffix != ".toml":
        raise InputError(f"{path}: the name of a secrets file ends in .toml")
    auth = parse_toml(_text(path), source=str(path)).get("auth")
    if not isinstance(auth, Mapping):
        raise InputError(f"{path} has no table [auth], so nobody could sign in; see docs/team.md")
    providers = _providers(auth)
    missing = [*_missing(auth, _SHARED, "auth")]
    for provider in providers:
        table = auth[provider] if provider else auth
        missing += _missing(table, _PROVIDER, f"auth.{provider}" if provider else "auth")
    if missing:
        raise InputError(f"{path}: {', '.join(missing)} missing; see docs/team.md")
    _refuse_weak(path, auth)
    _refuse_without_authlib()
    address = urlsplit(auth["redirect_uri"])
    return SignIn(path.resolve(), f"{address.scheme}://{address.netloc}", providers)


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not text in UTF-8"
        raise InputError(f"the secrets file {path} cannot be read: {reason}") from error


def _providers(auth: Mapping[str, Any]) -> tuple[str, ...]:
    """The tables ``[auth.NAME]``; without one, the provider whose fields stand in ``[auth]``."""
    named = [name for name, table in auth.items() if isinstance(table, Mapping)]
    return tuple(name for name in named if name != "client_kwargs") or ("",)


def _missing(table: Mapping[str, Any], fields: tuple[str, ...], where: str) -> list[str]:
    return [f"{field} in [{where}]" for field in fields if not _is_text(table.get(field))]


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _refuse_weak(path: Path, auth: Mapping[str, Any]) -> None:
    address = urlsplit(auth["redirect_uri"])
    is_address = address.scheme in ("http", "https") and "{" not in address.netloc
    is_address = is_address and bool(address.hostname)
    if not is_address or address.path != CALLBACK or address.query or address.fragment:
        raise InputError(
            f"{path}: redirect_uri is the address of the app followed by {CALLBACK}, such as "
            f"https://assay.example.org{CALLBACK}"
        )
    if len(auth["cookie_secret"]) < _SHORTEST_SECRET:
        raise InputError(
            f"{path}: cookie_secret has fewer than {_SHORTEST_SECRET} characters, so it could be "
            "guessed; make one with: python3 -c 'import secrets; print(secrets.token_hex(32))'"
        )
    bad = next((name for name in _providers(auth) if "_" in name), None)
    if bad is not None:
        raise InputError(f"{path}: [auth.{bad}] may have no underscore in its name")


def _refuse_without_authlib() -> None:
    try:
        installed = version("authlib")
    except PackageNotFoundError:
        installed = ""
    numbers = tuple(int(part) for part in installed.split(".")[:3] if part.isdigit())
    if numbers < _LEAST_AUTHLIB:
        raise InputError(
            "sign-in needs the package Authlib 1.3.2 or newer; "
            "install it with: pip install 'assay-audit[auth]'"
        )
