from __future__ import annotations

from pathlib import Path

import pytest

from audit_app.domain.conditions import Endpoint, EndpointKind, Price
from audit_app.errors import InputError, NotFoundError
from audit_app.rerun.addresses import check_allowed
from audit_app.rerun.endpoints import allowed_addresses, find_endpoint, read_endpoints

FILE = """
[[endpoint]]
name = "house"
url = "https://Models.example.org/v1/"
[endpoint.prices."small"]
input = 0.15
output = 0.6

[[endpoint]]
name = "saved"
url = "answers.jsonl"
kind = "recorded"
"""


def test_list_of_addresses() -> None:
    found = read_endpoints("http://127.0.0.1:8080/v1, https://api.anthropic.com")
    assert [(e.name, e.kind) for e in found] == [
        ("127.0.0.1:8080", EndpointKind.OPENAI),
        ("api.anthropic.com", EndpointKind.ANTHROPIC),
    ]
    assert found[0].key_variable == "ASSAY_ENDPOINT_KEY_127_0_0_1_8080"


def test_file_with_names_and_prices(tmp_path: Path) -> None:
    (tmp_path / "endpoints.toml").write_text(FILE)
    house, saved = read_endpoints(str(tmp_path / "endpoints.toml"))
    assert (house.url, house.kind) == ("https://models.example.org/v1", EndpointKind.OPENAI)
    assert house.prices == {"small": Price(input=0.15, output=0.6)}
    assert (saved.kind, saved.shown_url) == (EndpointKind.RECORDED, "recorded:answers.jsonl")
    assert allowed_addresses([house, saved]) == (house.url,)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param("models.example.org", "does not begin with http", id="no scheme"),
        pytest.param("http://a.example, http://a.example/v1", "share the key variable", id="twice"),
        pytest.param("/nowhere/endpoints.toml", "cannot be read", id="no file"),
    ],
)
def test_settings_that_cannot_be(text: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        read_endpoints(text)


@pytest.mark.parametrize(
    ("toml", "said"),
    [
        pytest.param('api_key = "sk-12345678"', "'api_key' is not a field", id="a key"),
        pytest.param('kind = "telepathy"', "kind", id="unknown kind"),
        pytest.param("[endpoint.prices.m]\ninput = -1\noutput = 1", "input", id="negative price"),
    ],
)
def test_files_that_cannot_be(tmp_path: Path, toml: str, said: str) -> None:
    path = tmp_path / "e.toml"
    path.write_text(f'[[endpoint]]\nname = "e"\nurl = "https://e.example"\n{toml}\n')
    with pytest.raises(InputError, match=said) as refusal:
        read_endpoints(str(path))
    assert "sk-12345678" not in str(refusal.value)


HOUSE = Endpoint(
    name="house",
    url="https://models.example.org/v1",
    prices={"*": Price(input=1, output=1)},
)


def test_endpoint_by_name_or_address() -> None:
    assert find_endpoint("house", [HOUSE]) is HOUSE
    below = find_endpoint("https://models.example.org/v1/team", [HOUSE])
    assert (below.name, below.prices) == ("house", HOUSE.prices)
    assert find_endpoint("http://127.0.0.1:8080/v1", []).kind is EndpointKind.OPENAI


def test_endpoints_that_are_not_there() -> None:
    with pytest.raises(NotFoundError, match="there are: house"):
        find_endpoint("hous", [HOUSE])
    with pytest.raises(InputError, match="not among those allowed"):
        find_endpoint("http://127.0.0.1:8080/v1", [HOUSE])
    with pytest.raises(NotFoundError):
        find_endpoint("recorded:/etc/passwd", [])
    assert find_endpoint("recorded:a/b.jsonl", [], may_read_files=True).shown_url == (
        "recorded:b.jsonl"
    )


def test_recorded_answers_alone_allow_no_call() -> None:
    saved = Endpoint(name="saved", url="a.jsonl", kind=EndpointKind.RECORDED)
    with pytest.raises(InputError):
        check_allowed("http://127.0.0.1:8080/v1", allowed_addresses([saved]))
