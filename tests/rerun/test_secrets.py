"""DESIGN rule 7: a key is in nothing that is shown, logged, stored or raised."""

from __future__ import annotations

import logging
import pickle

import pytest
from pydantic import SecretStr

from audit_app.domain.conditions import Endpoint, EndpointKind
from audit_app.domain.trials import Completion, CompletionStatus
from audit_app.errors import InputError
from audit_app.rerun.addresses import read_address
from audit_app.rerun.connect import open_provider
from audit_app.rerun.keys import REMOVED, Scrubber, find_key
from audit_app.rerun.retries import NO_RETRIES
from tests.rerun.conftest import ask, condition
from tests.rerun.faulty_server import _FAULTS, FaultyServer

SECRET = 'sk-very/secret"+key'
SLOW = {"silent", "slow-body", "slow-headers", "endless", "huge"}


def forms_of(secret: str) -> list[str]:
    return [secret, secret.replace('"', '\\"'), secret.replace("/", "\\/"), "very/secret"]


@pytest.mark.parametrize("kind", [EndpointKind.OPENAI, EndpointKind.ANTHROPIC])
def test_key_is_nowhere(
    server: FaultyServer, kind: EndpointKind, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    said: list[str] = []
    for fault in sorted(_FAULTS.keys() - SLOW):
        endpoint = Endpoint(name="faulty", url=server.url(fault), kind=kind)
        environment = {"ASSAY_ENDPOINT_KEY_FAULTY": SECRET}
        provider = open_provider(endpoint, environment=environment, policy=NO_RETRIES)
        sent = condition(endpoint)
        completion = provider.complete(ask(), sent)
        said += [repr(completion), repr(provider), str(vars(endpoint)), sent.model_dump_json()]
        said.append(repr(pickle.dumps(completion)))
        provider.close()
    logged = [record.getMessage() for record in caplog.records]
    assert any("echo" in message for message in logged)
    for text in [*said, *logged, caplog.text]:
        for form in forms_of(SECRET):
            assert form not in text
    assert not any(SECRET in str(body) for body in server.bodies)


def test_echoed_key_is_cut_out_of_the_answer(server: FaultyServer) -> None:
    endpoint = Endpoint(name="faulty", url=server.url("echo"))
    provider = open_provider(endpoint, key=SecretStr(SECRET), policy=NO_RETRIES)
    completion = provider.complete(ask(), condition(endpoint))
    provider.close()
    assert completion.status is CompletionStatus.OK
    assert completion.text == f"you sent Bearer {REMOVED}"
    assert completion.response_id == f"Bearer {REMOVED}"  # was written in escapes
    assert REMOVED in completion.body


def test_refusal_keeps_its_words_but_not_the_key(server: FaultyServer) -> None:
    completion = _complete(server, "echo-error")
    assert completion.status is CompletionStatus.REFUSED
    assert f"wrong key Bearer {REMOVED}" in completion.error


def test_redirect_says_where_but_not_the_key(server: FaultyServer) -> None:
    completion = _complete(server, "echo-redirect")
    assert completion.status is CompletionStatus.REDIRECTED
    assert f"https://elsewhere.example/?key={REMOVED}" in completion.error


def _complete(server: FaultyServer, fault: str) -> Completion:
    endpoint = Endpoint(name="faulty", url=server.url(fault))
    provider = open_provider(endpoint, key=SecretStr(SECRET), policy=NO_RETRIES)
    completion = provider.complete(ask(), condition(endpoint))
    provider.close()
    return completion


@pytest.mark.parametrize(
    ("url", "environment", "found"),
    [
        pytest.param(
            "https://api.openai.com/v1", {"OPENAI_API_KEY": SECRET}, True, id="vendor's own host"
        ),
        pytest.param(
            "http://127.0.0.1:8080/v1", {"OPENAI_API_KEY": SECRET}, False, id="goes nowhere else"
        ),
        pytest.param(
            "http://api.openai.com/v1", {"OPENAI_API_KEY": SECRET}, False, id="nor in the clear"
        ),
        pytest.param(
            "https://api.anthropic.com", {"ANTHROPIC_API_KEY": SECRET}, True, id="Anthropic"
        ),
        pytest.param(
            "https://x.example", {"ASSAY_ENDPOINT_KEY_MY_HOUSE": SECRET}, True, id="by name"
        ),
        pytest.param("https://x.example", {}, False, id="none"),
    ],
)
def test_where_keys_come_from(url: str, environment: dict[str, str], found: bool) -> None:
    key = find_key(Endpoint(name="my house", url=url), read_address(url), environment)
    assert (key is not None) is found
    assert SECRET not in repr(key)


@pytest.mark.parametrize("key", ["short", "with a space in it", "with\nline-feed", "schlüssel-99"])
def test_key_that_cannot_be_one_is_refused_unrepeated(key: str) -> None:
    endpoint = Endpoint(name="h", url="http://127.0.0.1:1/v1")
    with pytest.raises(InputError) as refusal:
        open_provider(endpoint, environment={"ASSAY_ENDPOINT_KEY_H": key})
    assert key not in str(refusal.value)
    assert "ASSAY_ENDPOINT_KEY_H" in str(refusal.value)


def test_without_a_key_nothing_is_touched() -> None:
    text = 'a "text" with \\u0041'
    scrubber = Scrubber(None)
    assert scrubber.text(text) == text
    assert scrubber.answer(text, [text]) == (text, [text])
