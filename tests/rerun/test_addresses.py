from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit_app.errors import InputError
from audit_app.rerun.addresses import check_allowed, read_address

HOUSE = "https://models.example.org/v1"


@pytest.mark.parametrize(
    ("url", "means"),
    [
        pytest.param("http://127.0.0.1:8080/v1", "http://127.0.0.1:8080/v1", id="as written"),
        pytest.param("HTTPS://Models.Example.ORG/v1", HOUSE, id="case of scheme and host"),
        pytest.param("https://models.example.org:443/v1/", HOUSE, id="usual port, slash at end"),
        pytest.param("http://[0:0::1]:8080", "http://[::1]:8080", id="IPv6 in its one form"),
        pytest.param(
            "https://xn--bcher-kva.example/A", "https://xn--bcher-kva.example/A", id="IDN"
        ),
    ],
)
def test_one_form(url: str, means: str) -> None:
    assert str(read_address(url)) == means
    assert read_address(means) == read_address(url)


@pytest.mark.parametrize(
    "url",
    [
        *("", "models.example.org/v1", "ftp://models.example.org", "file:///etc/passwd"),
        *(
            "https://",
            "https:///v1",
            "https://models.example.org:0",
            "https://h:99999",
            "https://h:",
        ),
        pytest.param("https://user:pass@models.example.org/v1", id="userinfo"),
        pytest.param("https://models.example.org@evil.example/v1", id="host as userinfo"),
        pytest.param("https://models.example.org\\@evil.example", id="backslash"),
        pytest.param("https://models.example.org./v1", id="dot at the end"),
        pytest.param("https://bücher.example", id="another script"),
        pytest.param("https://models.example.org/v1/../admin", id="dots in the path"),
        pytest.param("https://models.example.org/v1/%2e%2e/admin", id="percent signs"),
        pytest.param("https://models.example.org//v1", id="two slashes"),
        pytest.param("https://models.example.org/v1?key=1", id="query"),
        pytest.param("https://models.example.org/v1?", id="empty query"),
        pytest.param("https://models.example.org/v1#x", id="fragment"),
        pytest.param("http://2130706433/", id="decimal IP"),
        pytest.param("http://0x7f.0.0.1/", id="number with a hexadecimal part before the last"),
        pytest.param("http://0x7f000001/", id="hexadecimal IP"),
        pytest.param("http://127.1/", id="short IP"),
        pytest.param("http://0177.0.0.1/", id="octal IP"),
        pytest.param("http://127.0.0.1.:80/", id="IP with a dot at the end"),
        pytest.param("http://[::1%25eth0]/", id="IPv6 zone"),
        pytest.param("http://[v1.a]/", id="IP of the future"),
        pytest.param("http://[models.example.org]/", id="name in brackets"),
        pytest.param("https://models.exa\tmple.org", id="tab, which some parsers drop"),
        pytest.param("https://models.example.org/v1\n", id="line feed"),
        pytest.param(" https://models.example.org", id="space in front"),
    ],
)
def test_doubtful_addresses_are_refused(url: str) -> None:
    with pytest.raises(InputError) as refusal:
        read_address(url)
    assert "pass" not in str(refusal.value).replace("password", "").replace("/etc/passwd", "")


@pytest.mark.parametrize(
    ("url", "allowed", "is_allowed"),
    [
        pytest.param("http://localhost:8080/v1", (), True, id="this machine by default"),
        pytest.param("http://127.9.9.9/v1", (), True, id="all of 127/8"),
        pytest.param("http://[::1]:1/v1", (), True, id="IPv6 loopback"),
        pytest.param(HOUSE, (), False, id="nothing else by default"),
        pytest.param("http://169.254.169.254/latest", (), False, id="metadata service"),
        pytest.param("http://0.0.0.0:8080", (), False, id="any address is not loopback"),
        pytest.param("http://[::ffff:127.0.0.1]:8080", (HOUSE,), False, id="mapped IPv6"),
        pytest.param("http://localhost.example:80", (), False, id="a name that begins the same"),
        pytest.param("http://127.0.0.1:8080", (HOUSE,), False, id="a list replaces the default"),
        pytest.param(HOUSE, (HOUSE,), True, id="the very address"),
        pytest.param("https://MODELS.example.org:443/v1/", (HOUSE,), True, id="in another form"),
        pytest.param(f"{HOUSE}/chat", (HOUSE,), True, id="below its path"),
        pytest.param("https://models.example.org/v10", (HOUSE,), False, id="path begins the same"),
        pytest.param("https://models.example.org", (HOUSE,), False, id="above its path"),
        pytest.param("http://models.example.org/v1", (HOUSE,), False, id="another scheme"),
        pytest.param("https://models.example.org:8443/v1", (HOUSE,), False, id="another port"),
        pytest.param("https://a.models.example.org/v1", (HOUSE,), False, id="below its name"),
        pytest.param("https://models.example.org.evil.net/v1", (HOUSE,), False, id="as a prefix"),
    ],
)
def test_only_allowed_addresses(url: str, allowed: tuple[str, ...], is_allowed: bool) -> None:
    if is_allowed:
        check_allowed(url, allowed)
    else:
        with pytest.raises(InputError, match="ASSAY_ENDPOINTS"):
            check_allowed(url, allowed)


@given(st.text(max_size=60) | st.from_regex(r"https?://[a-z0-9.:@/\\\[\]%?#-]{0,40}"))
def test_any_text_is_refused_or_has_one_form(text: str) -> None:
    try:
        address = read_address(text)
    except InputError:
        return
    assert read_address(str(address)) == address
    assert address.host == address.host.lower()
