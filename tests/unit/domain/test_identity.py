"""Names of people, claims of a sign-in, and who is admitted."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit_app.domain.identity import ANYONE, Admission, person_name, signed_in_person
from audit_app.errors import InputError, NotAdmittedError, NotSignedInError

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
ISSUED = NOW.timestamp() - 3600
LASTS = timedelta(hours=12)
ADA = {"is_logged_in": True, "iat": ISSUED, "sub": "248289", "email": "Ada@Example.org"}


def _name(claims: dict[str, Any], admission: Admission = ANYONE) -> str:
    return signed_in_person(claims, admission, now=NOW, lasts=LASTS)


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        pytest.param("  Ada Lovelace ", "Ada Lovelace", id="space around it"),
        pytest.param("عائشة", "عائشة", id="right to left"),
        pytest.param("<img src=x> **b** $x$", "<img src=x> **b** $x$", id="markup is text"),
        pytest.param("a" * 200, "a" * 200, id="longest"),
    ],
)
def test_a_name_is_kept_as_written(name: str, kept: str) -> None:
    assert person_name(name) == kept


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(" ", id="empty"),
        pytest.param("a" * 201, id="too long"),
        pytest.param("a\nb", id="two lines"),
        pytest.param("a\u202eb", id="turns the direction"),
        pytest.param("a\x00", id="control character"),
        pytest.param("\ud800", id="half a character"),
    ],
)
def test_what_names_nobody_is_refused(name: str) -> None:
    with pytest.raises(InputError, match="cannot name a person"):
        person_name(name)


@pytest.mark.parametrize(
    ("change", "name"),
    [
        pytest.param({}, "ada@example.org", id="address in lower case"),
        pytest.param({"email_verified": True}, "ada@example.org", id="verified"),
        pytest.param({"email_verified": "true"}, "ada@example.org", id="verified, as text"),
        pytest.param({"email": "", "preferred_username": "ada"}, "ada", id="no address"),
        pytest.param({"email": None}, "248289", id="neither address nor user name"),
    ],
)
def test_the_person_is_the_address_else_the_user_name_else_the_subject(
    change: dict[str, Any], name: str
) -> None:
    assert _name(ADA | change) == name


@pytest.mark.parametrize("unverified", [False, "false", 0, None, "no"])
def test_an_address_that_is_not_verified_is_refused(unverified: object) -> None:
    with pytest.raises(NotAdmittedError, match=r"ada@example\.org is not verified"):
        _name(ADA | {"email_verified": unverified})


@pytest.mark.parametrize("flag", [None, False, "true", 1])
def test_nobody_is_signed_in_unless_it_is_said_so(flag: object) -> None:
    with pytest.raises(NotSignedInError):
        _name(ADA | {"is_logged_in": flag})


@pytest.mark.parametrize(
    "issued",
    [
        pytest.param(NOW.timestamp() - 12 * 3600, id="just over"),
        pytest.param(0, id="long ago"),
        pytest.param(None, id="not said"),
        pytest.param("yesterday", id="no number"),
        pytest.param(1e300, id="out of every calendar"),
        pytest.param(float("nan"), id="not a number"),
    ],
)
def test_a_sign_in_ends_after_its_time(issued: object) -> None:
    with pytest.raises(NotSignedInError, match="more than 12 h ago"):
        _name(ADA | {"iat": issued})


def test_the_end_of_the_token_itself_does_not_end_the_work() -> None:
    assert _name(ADA | {"exp": ISSUED + 300}) == "ada@example.org"


@pytest.mark.parametrize(
    ("allowed", "email", "admitted"),
    [
        pytest.param("", "x@anywhere.net", True, id="nobody named"),
        pytest.param("", "", True, id="nobody named, no address"),
        pytest.param("ADA@example.org", "ada@example.org", True, id="address, any case"),
        pytest.param("grace@example.org, ada@example.org", "ada@example.org", True, id="list"),
        pytest.param("grace@example.org", "ada@example.org", False, id="another address"),
        pytest.param("example.org", "ada@example.org", True, id="domain"),
        pytest.param("@example.org", "ada@example.org", True, id="domain with its mark"),
        pytest.param("example.org", "ada@dept.example.org", False, id="subdomain"),
        pytest.param("example.org", "ada@notexample.org", False, id="same ending"),
        pytest.param("example.org", "ada@example.org.evil.net", False, id="same beginning"),
        pytest.param("example.org", "@example.org", False, id="no local part"),
        pytest.param("example.org", "", False, id="no address"),
    ],
)
def test_who_is_admitted(allowed: str, email: str, admitted: bool) -> None:
    assert Admission.of(allowed).admits(email) is admitted


def test_without_an_address_nobody_passes_a_list() -> None:
    claims = ADA | {"email": None, "preferred_username": "ada@example.org"}
    with pytest.raises(NotAdmittedError, match="bears no e-mail address"):
        _name(claims, Admission.of("ada@example.org"))


@pytest.mark.parametrize("entry", ["ada", "ada@", "a@b@example.org", "@", "ada@example"])
def test_an_entry_that_admits_nobody_is_refused(entry: str) -> None:
    with pytest.raises(InputError, match="ASSAY_ALLOWED"):
        Admission.of(f"example.org {entry}")


_claims = st.dictionaries(
    st.sampled_from(["is_logged_in", "iat", "email", "email_verified", "sub", "name"]),
    st.none() | st.booleans() | st.floats() | st.integers() | st.text() | st.lists(st.text()),
)


@given(_claims)
def test_whatever_a_provider_says_gives_a_name_or_a_refusal(claims: dict[str, Any]) -> None:
    try:
        name = _name(claims)
    except (NotSignedInError, NotAdmittedError):
        return
    assert claims["is_logged_in"] is True
    assert person_name(name) == name
