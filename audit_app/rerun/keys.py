"""Keys: where they come from, and how they are kept out of everything that is shown or stored."""

from __future__ import annotations

import base64
import json
import logging
import os
from collections.abc import Mapping
from urllib.parse import quote

import msgspec
from pydantic import SecretStr

from audit_app.domain.conditions import Endpoint
from audit_app.domain.record import Json
from audit_app.errors import InputError
from audit_app.rerun.addresses import Address

MIN_LENGTH = 8
"""A shorter key cannot be told from ordinary text, and so not be kept out of it."""
REMOVED = "[key removed]"

_VENDOR_VARIABLES = {
    "api.openai.com": "OPENAI_API_KEY",
    "api.anthropic.com": "ANTHROPIC_API_KEY",
}
_LOGGERS = (
    "httpx",
    "httpcore.connection",
    "httpcore.http11",
    "httpcore.proxy",
    "httpcore.socks",
)


def find_key(
    endpoint: Endpoint, address: Address, environment: Mapping[str, str] | None = None
) -> SecretStr | None:
    """The endpoint's key from the environment, None where there is none.

    A vendor's usual variable is read for the vendor's own host alone, so that its key goes
    nowhere else.

    Raises:
        InputError: The key cannot be one.
    """
    env = os.environ if environment is None else environment
    names = [endpoint.key_variable]
    if address.scheme == "https" and address.host in _VENDOR_VARIABLES:
        names.append(_VENDOR_VARIABLES[address.host])
    for name in names:
        if value := env.get(name, "").strip():
            return checked_key(SecretStr(value), name)
    return None


def needs_key(address: Address) -> bool:
    """Whether an address is of a vendor that answers nobody without a key."""
    return address.host in _VENDOR_VARIABLES


def checked_key(key: SecretStr, source: str) -> SecretStr:
    """The key, where it can be sent and be kept out of what comes back.

    Raises:
        InputError: It cannot; the key is not repeated.
    """
    value = key.get_secret_value()
    if len(value) < MIN_LENGTH:
        raise InputError(
            f"the key in {source} has fewer than {MIN_LENGTH} characters, too few to keep it out "
            "of stored text; leave it unset where the endpoint asks for none"
        )
    if not value.isascii() or not value.isprintable() or " " in value:
        raise InputError(f"the key in {source} holds a space, or characters that keys do not have")
    return key


class Scrubber(logging.Filter):
    """Takes a key out of texts, in the ways in which a server may write it back.

    As a logging filter it does the same to what the HTTP library logs.
    """

    def __init__(self, key: SecretStr | None) -> None:
        super().__init__()
        self._forms: tuple[str, ...] = ()
        if key is not None:
            value = key.get_secret_value()
            encoded = base64.b64encode(value.encode()).decode().rstrip("=")
            quoted = json.dumps(value)[1:-1]
            forms = {value, quote(value, safe=""), encoded, quoted, quoted.replace("/", "\\/")}
            self._forms = tuple(sorted(forms, key=len, reverse=True))
            for name in _LOGGERS:
                logging.getLogger(name).addFilter(self)

    def close(self) -> None:
        """Leave the loggers alone again."""
        for name in _LOGGERS:
            logging.getLogger(name).removeFilter(self)

    def text(self, text: str) -> str:
        """The text without the key."""
        for form in self._forms:
            if form in text:
                text = text.replace(form, REMOVED)
        return text

    def value(self, value: Json) -> Json:
        """A JSON value without the key in any of its texts or names."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, list):
            return [self.value(item) for item in value]
        if isinstance(value, dict):
            return {self.text(name): self.value(item) for name, item in value.items()}
        return value

    def answer(self, text: str, value: Json) -> tuple[str, Json]:
        """An answer's text and the value it was decoded to, both without the key.

        Args:
            text: Scrubbed already.
            value: Decoded from it; what was written with escapes comes to light here.
        """
        if not self._forms or "\\" not in text:
            return text, value
        clean = self.value(value)
        return (text, value) if clean == value else (msgspec.json.encode(clean).decode(), clean)

    def filter(self, record: logging.LogRecord) -> bool:
        """Every record passes, without the key."""
        said = record.getMessage()
        clean = self.text(said)
        if clean != said:
            record.msg, record.args = clean, ()
        return True

    def __repr__(self) -> str:
        return "Scrubber()"
