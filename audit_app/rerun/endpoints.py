"""The endpoints that may be used: the setting ``ASSAY_ENDPOINTS``, and finding one in it.

The setting is a list of base addresses, or the path of a TOML file with names, kinds and prices:

    [[endpoint]]
    name = "house"
    url = "https://models.example.org/v1"
    kind = "openai"                       # or anthropic, recorded
    [endpoint.prices."some-model"]        # "*" stands for every other model
    input = 0.15                          # USD per million tokens
    output = 0.60
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from audit_app.domain.conditions import Endpoint, EndpointKind
from audit_app.domain.record import Json, Record
from audit_app.domain.toml_file import parse_toml, validated
from audit_app.errors import InputError, NotFoundError
from audit_app.rerun.addresses import Address, check_allowed, read_address

RECORDED = "recorded:"
"""In front of the path of a file of recorded answers."""
_ANTHROPIC_HOST = "api.anthropic.com"


class _File(Record):
    endpoint: tuple[Endpoint, ...]


def read_endpoints(setting: str) -> tuple[Endpoint, ...]:
    """The endpoints that the setting names; none where it is empty.

    Raises:
        InputError: The file cannot be read, an address is none, or two endpoints would be taken
            for each other.
    """
    text = setting.strip()
    if text.endswith(".toml"):
        found = _read_file(Path(text).expanduser())
    else:
        found = [_of_address(read_address(url)) for url in text.replace(",", " ").split()]
    _check_distinct(found)
    return tuple(found)


def allowed_addresses(endpoints: Sequence[Endpoint]) -> tuple[str, ...]:
    """What `check_allowed` takes: addresses of the endpoints that are called over HTTP.

    Where only recorded answers are listed nothing may be called, this machine included.
    """
    addresses = tuple(e.url for e in endpoints if e.kind is not EndpointKind.RECORDED)
    return addresses or (("http://nowhere.invalid",) if endpoints else ())


def find_endpoint(
    given: str, listed: Sequence[Endpoint], *, may_read_files: bool = False
) -> Endpoint:
    """The endpoint that a name or an address means.

    Args:
        given: Name of a listed endpoint, an address, or ``recorded:`` with the path of a file.
        listed: What the setting names.
        may_read_files: Whether the person may name files of the machine that Assay runs on: on
            the command line, but not in the app.

    Raises:
        InputError: It is not allowed, or no address.
        NotFoundError: It is neither a name nor an address.
    """
    given = given.strip()
    for endpoint in listed:
        if given in (endpoint.name, endpoint.url):
            return endpoint
    if may_read_files and given.startswith(RECORDED):
        path = given.removeprefix(RECORDED)
        return Endpoint(name=Path(path).name or path, url=path, kind=EndpointKind.RECORDED)
    if "://" not in given:
        names = ", ".join(endpoint.name for endpoint in listed)
        hint = (
            f"there are: {names}" if names else "give an address such as http://127.0.0.1:8080/v1"
        )
        raise NotFoundError("endpoint", given[:200], hint)
    address = check_allowed(given, allowed_addresses(listed))
    for endpoint in listed:
        if endpoint.kind is not EndpointKind.RECORDED and read_address(endpoint.url).covers(
            address
        ):
            return endpoint.model_copy(update={"url": str(address)})
    return _of_address(address)


def _of_address(address: Address) -> Endpoint:
    host = f"[{address.host}]" if ":" in address.host else address.host
    is_usual = address.port == {"http": 80, "https": 443}[address.scheme]
    return Endpoint(
        name=(host if is_usual else f"{host}:{address.port}") + address.path.removesuffix("/v1"),
        url=str(address),
        kind=(EndpointKind.ANTHROPIC if address.host == _ANTHROPIC_HOST else EndpointKind.OPENAI),
    )


def _read_file(path: Path) -> list[Endpoint]:
    source = f"ASSAY_ENDPOINTS {path.name}"
    try:
        data = parse_toml(path.read_text(encoding="utf-8"), source=source)
    except (OSError, UnicodeError) as error:
        raise InputError(f"{source} cannot be read: {error}") from error
    _check_fields(data, source)
    return [_checked(endpoint) for endpoint in validated(_File, data, source=source).endpoint]


def _check_fields(data: dict[str, Json], source: str) -> None:
    """Refuse fields that are not known without repeating what they hold: it may be a key.

    Raises:
        InputError: There are some.
    """
    tables = data.get("endpoint")
    for table in tables if isinstance(tables, list) else ():
        for name in table if isinstance(table, dict) else ():
            if name not in Endpoint.model_fields:
                raise InputError(
                    f"{source}: {name[:40]!r} is not a field of an endpoint; keys belong in the "
                    "environment (ASSAY_ENDPOINT_KEY_NAME), never in a file"
                )


def _checked(endpoint: Endpoint) -> Endpoint:
    if endpoint.kind is EndpointKind.RECORDED:
        return endpoint
    return endpoint.model_copy(update={"url": str(read_address(endpoint.url))})


def _check_distinct(endpoints: Sequence[Endpoint]) -> None:
    seen: dict[str, str] = {}
    for endpoint in endpoints:
        other = seen.setdefault(endpoint.key_variable, endpoint.name)
        if other != endpoint.name or sum(e.name == other for e in endpoints) > 1:
            raise InputError(
                f"ASSAY_ENDPOINTS: {other!r} and {endpoint.name!r} would share the key variable "
                f"{endpoint.key_variable}; give them names of their own"
            )
