from __future__ import annotations

from collections.abc import Iterator

import pytest

from audit_app.domain.conditions import Condition, Endpoint
from audit_app.domain.trials import ChatMessage, Request
from tests.rerun.faulty_server import FaultyServer, faulty_server
from tests.rerun.llama_server import running_llama


@pytest.fixture(scope="module")
def server() -> Iterator[FaultyServer]:
    with faulty_server() as running:
        yield running


def ask(text: str = "hello", *, trial: int = 1) -> Request:
    return Request(task_id="t", trial=trial, messages=(ChatMessage("user", text),))


def condition(endpoint: Endpoint, **fields: object) -> Condition:
    base = {"model": "m", "endpoint": endpoint.shown_url, "provider": endpoint.kind}
    return Condition.model_validate({**base, **fields})


@pytest.fixture(scope="session")
def llama_server() -> Iterator[Endpoint]:
    with running_llama() as endpoint:
        yield endpoint
