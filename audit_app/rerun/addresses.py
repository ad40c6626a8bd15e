"""Which addresses may be called: exact scheme, host and port, and the path below an allowed one.

An address is taken only in the one way of writing it that leaves no doubt what it means. Numbers
that some resolvers take for an IPv4 address, names in other scripts, percent signs, dots at the
end and the like are refused, not interpreted.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address
from urllib.parse import urlsplit

from audit_app.errors import InputError

_PORTS = {"http": 80, "https": 443}
_NAME = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?<!-)(\.(?!-)[a-z0-9_-]{1,63}(?<!-))*")
_NUMBER = re.compile(r"(0x[0-9a-f]*|[0-9]+)")
_PATH = re.compile(r"(/[A-Za-z0-9._~!$&'()*+,;=:@-]+)*")
_MOST = 2_000


@dataclass(frozen=True)
class Address:
    """A base address in its one form.

    Attributes:
        scheme: ``http`` or ``https``.
        host: In lower case; IP addresses as the standard writes them, IPv6 without brackets.
        port: Always given.
        path: Without a slash at its end; empty for the root.
    """

    scheme: str
    host: str
    port: int
    path: str

    @property
    def is_loopback(self) -> bool:
        """Whether it leads to this machine and no other."""
        ip = _ip(self.host)
        return self.host == "localhost" if ip is None else ip.is_loopback

    def covers(self, other: Address) -> bool:
        """Whether the other is this address or lies below its path."""
        same = (self.scheme, self.host, self.port) == (other.scheme, other.host, other.port)
        return same and (other.path == self.path or other.path.startswith(f"{self.path}/"))

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        port = "" if self.port == _PORTS[self.scheme] else f":{self.port}"
        return f"{self.scheme}://{host}{port}{self.path}"


def read_address(url: str) -> Address:
    """The address that a text means.

    Raises:
        InputError: It is not an address, or one that leaves doubt. A text that holds credentials
            is not repeated.
    """
    if "@" in url:
        raise InputError(
            "an endpoint's address holds a name or password (or an @); put the key in the "
            "environment instead"
        )
    shown = repr(url[:120])
    if not url.isascii() or not url.isprintable() or " " in url or "\\" in url or len(url) > _MOST:
        raise InputError(
            f"the address {shown} holds characters that addresses do not have; write a name in "
            "another script in its ASCII form (xn--…)"
        )
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise InputError(f"the address {shown} cannot be read: {error}") from error
    if parts.scheme not in _PORTS or not parts.hostname:
        raise InputError(f"the address {shown} does not begin with http:// or https:// and a host")
    if "?" in url or "#" in url:
        raise InputError(f"the address {shown} holds a ? or #; give the base address alone")
    if port == 0 or parts.netloc.endswith(":"):
        raise InputError(f"the address {shown} has no usable port")
    return Address(
        scheme=parts.scheme,
        host=_host(parts.hostname, shown, in_brackets="[" in parts.netloc),
        port=port or _PORTS[parts.scheme],
        path=_path(parts.path, shown),
    )


def check_allowed(url: str, allowed: Collection[str]) -> Address:
    """The address, where it may be called.

    Args:
        url: What is to be called.
        allowed: Base addresses that may be; where there are none, any on this machine.

    Raises:
        InputError: It may not be called, or is no address.
    """
    address = read_address(url)
    if allowed:
        if any(read_address(base).covers(address) for base in allowed):
            return address
        raise InputError(
            f"the endpoint {address} is not among those allowed here; whoever runs Assay can add "
            "it to ASSAY_ENDPOINTS"
        )
    if address.is_loopback:
        return address
    raise InputError(
        f"the endpoint {address} is not on this machine; whoever runs Assay can allow it with "
        "ASSAY_ENDPOINTS"
    )


def _ip(host: str) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(host)
    except ValueError:
        return None


def _host(host: str, shown: str, *, in_brackets: bool) -> str:
    host = host.lower()
    if in_brackets:
        ip = None if "%" in host else _ip(host)
        if isinstance(ip, IPv6Address):
            return str(ip)
        raise InputError(f"the address {shown} has no IPv6 address between its brackets")
    if isinstance(_ip(host), IPv4Address):
        return host
    if _NUMBER.fullmatch(host.rpartition(".")[2]):
        raise InputError(f"the address {shown} has a number for a host that is no plain IPv4 one")
    if len(host) > 253 or not _NAME.fullmatch(host):
        raise InputError(f"the address {shown} has no usable host name")
    return host


def _path(path: str, shown: str) -> str:
    path = path.removesuffix("/")
    if not _PATH.fullmatch(path) or {".", ".."} & set(path.split("/")):
        raise InputError(f"the address {shown} has a path that leaves doubt where it leads")
    return path
