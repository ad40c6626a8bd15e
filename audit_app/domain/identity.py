"""Who a person is: the rule for names, the claims of a sign-in, and who is admitted."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Self

from audit_app.errors import InputError, NotAdmittedError, NotSignedInError

LONGEST_NAME = 200

_NAMING_CLAIMS = ("email", "preferred_username", "sub")
"""Claims that may name a person, the first that is there does."""

_DOMAIN = re.compile(r"[^\s@]+\.[^\s@]+|localhost")


def person_name(name: str) -> str:
    """The name without space around it, if it can name a person.

    Raises:
        InputError: It is empty, too long, or holds what cannot be printed.
    """
    bare = name.strip()
    if not 1 <= len(bare) <= LONGEST_NAME or not bare.isprintable():
        raise InputError(
            f"{bare[:80]!r} cannot name a person: use 1 to {LONGEST_NAME} printable characters"
        )
    return bare


@dataclass(frozen=True)
class Admission:
    """Who of those who can sign in is admitted; empty for everyone.

    Attributes:
        emails: Whole addresses, in lower case.
        domains: What follows the ``@`` of an address, in lower case; subdomains are others.
    """

    emails: frozenset[str] = frozenset()
    domains: frozenset[str] = frozenset()

    @classmethod
    def of(cls, text: str) -> Self:
        """The addresses and domains of a list with commas or spaces between them.

        Raises:
            InputError: An entry is neither an address nor a domain.
        """
        emails, domains = set(), set()
        for entry in re.split(r"[,\s]+", text.strip().lower()):
            local, _, domain = entry.rpartition("@")
            if entry and (not _DOMAIN.fullmatch(domain) or "@" in local):
                raise InputError(
                    f"ASSAY_ALLOWED: {entry[:80]!r} is neither an e-mail address nor a domain"
                )
            if local:
                emails.add(entry)
            elif domain:
                domains.add(domain)
        return cls(frozenset(emails), frozenset(domains))

    @property
    def is_limited(self) -> bool:
        """Whether anybody is named; then all others stay out."""
        return bool(self.emails or self.domains)

    def admits(self, email: str) -> bool:
        """Whether the owner of the address is admitted; none without an address, if limited."""
        local, _, domain = email.rpartition("@")
        is_named = email in self.emails or (bool(local) and domain in self.domains)
        return is_named or not self.is_limited


ANYONE = Admission()
"""Everyone who can sign in."""


def signed_in_person(
    claims: Mapping[str, Any], admission: Admission, *, now: datetime, lasts: timedelta
) -> str:
    """The name of a signed-in person: the e-mail address, else the user name, else the subject.

    An address is taken in lower case, so that one person is not two reviewers.

    Args:
        claims: Claims of the identity token (OpenID Connect Core 1.0, sections 2 and 5.1).
        admission: Who is admitted.
        now: The time.
        lasts: How long a sign-in stands from when the token was issued (``iat``). The token's own
            end (``exp``) bounds its use at the provider, often to minutes, not the work here.

    Raises:
        NotSignedInError: Nobody is signed in, or it is too long ago.
        NotAdmittedError: The address is not verified or not admitted, or nothing names the person.
    """
    if claims.get("is_logged_in") is not True:
        raise NotSignedInError("Sign in to see this workspace.")
    if now - _issued(claims) >= lasts:
        hours = lasts // timedelta(hours=1)
        raise NotSignedInError(f"You signed in more than {hours} h ago. Sign in again to go on.")
    email = _text(claims, "email").lower()
    # Some providers send the truth value as text, and some none at all.
    if email and str(claims.get("email_verified", True)).lower() != "true":
        raise NotAdmittedError(f"The address {email} is not verified at your provider.")
    if not admission.admits(email):
        who = email or "Your account, which bears no e-mail address,"
        raise NotAdmittedError(f"{who} is not among those admitted to this workspace.")
    name = email or next(filter(None, (_text(claims, claim) for claim in _NAMING_CLAIMS)), "")
    try:
        return person_name(name)
    except InputError as error:
        raise NotAdmittedError(f"The name in your account is of no use here: {error}.") from error


def _text(claims: Mapping[str, Any], name: str) -> str:
    value = claims.get(name)
    return value.strip() if isinstance(value, str) else ""


def _issued(claims: Mapping[str, Any]) -> datetime:
    """When the token was issued; the beginning of time where it does not say so."""
    issued = claims.get("iat")
    try:
        return datetime.fromtimestamp(float(issued if issued is not None else 0), UTC)
    except (TypeError, ValueError, OverflowError, OSError):
        return datetime.fromtimestamp(0, UTC)
