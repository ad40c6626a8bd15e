"""Endpoints, and the condition of a run: all that must be equal for its numbers to be comparable.

Trials of different conditions are never counted together. What is not known is stored as the
word ``unknown``, and is then equal to nothing but itself. What grading adds (key, scorer, error
policy, number of trials) stands with the number, not here: one run is graded under many keys.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from enum import StrEnum
from hashlib import sha256
from typing import Self

from pydantic import Field, model_validator

from audit_app.domain.record import Json, Record

UNKNOWN = "unknown"
ANY_MODEL = "*"
"""Stands in a price list for every model that has no price of its own."""

_NOT_IN_VARIABLES = re.compile(r"[^A-Z0-9]+")


class EndpointKind(StrEnum):
    """What an endpoint speaks."""

    OPENAI = "openai"
    """Chat completions: hosted services, vLLM, Ollama, llama.cpp."""
    ANTHROPIC = "anthropic"
    """Messages."""
    RECORDED = "recorded"
    """A file of answers that were given before; nothing is sent."""


class Price(Record):
    """What a model costs, in USD per million tokens."""

    input: float = Field(ge=0)
    output: float = Field(ge=0)


class Endpoint(Record):
    """Where models answer.

    Attributes:
        name: What it is called on screens and in the name of its key's variable.
        url: Its base address, without credentials; of recorded answers the path of the file.
        kind: What it speaks.
        prices: Model → price; ``*`` for all others. Empty where nothing is known of costs.
    """

    name: str = Field(min_length=1, max_length=100)
    url: str = Field(min_length=1, max_length=2_000)
    kind: EndpointKind = EndpointKind.OPENAI
    prices: dict[str, Price] = Field(default_factory=dict)

    @property
    def key_variable(self) -> str:
        """Name of the environment variable that holds its key."""
        return f"ASSAY_ENDPOINT_KEY_{_NOT_IN_VARIABLES.sub('_', self.name.upper()).strip('_')}"

    @property
    def shown_url(self) -> str:
        """Its address as a condition states it: of recorded answers the name of the file alone."""
        if self.kind is not EndpointKind.RECORDED:
            return self.url
        return f"recorded:{self.url.replace(chr(92), '/').rpartition('/')[2]}"

    def cost(self, model: str, tokens_in: int | None, tokens_out: int | None) -> float | None:
        """What an answer costs in USD; None where price or tokens are not known."""
        price = self.prices.get(model) or self.prices.get(ANY_MODEL)
        if price is None or tokens_in is None or tokens_out is None:
            return None
        return (tokens_in * price.input + tokens_out * price.output) / 1_000_000


class ToolsMode(StrEnum):
    """How a model is told of its tools, and calls them."""

    NATIVE = "native"
    """Through the endpoint's own fields."""
    PROMPT = "prompt"
    """In the system prompt; calls are written as text."""


class SeedPolicy(StrEnum):
    """Which seed a trial is sampled with."""

    NONE = "none"
    """None is sent."""
    FIXED = "fixed"
    """The same for every trial."""
    PER_TRIAL = "per_trial"
    """The seed of the condition plus the number of the trial less one."""


class FollowUp(StrEnum):
    """What the harness replies when a turn of a tool task ends with a question."""

    NONE = "none"
    AGREE = "agree"
    """Plain agreement. Unsafe: it can authorise actions that were never asked for."""
    ONLY_ASKED = "only_what_was_asked"
    CUSTOM = "custom"


class Condition(Record):
    """Everything that must be equal for trials to be counted together.

    Attributes:
        model: As the endpoint calls it.
        endpoint: Its address without credentials, or ``recorded:FILE``.
        provider: What the endpoint speaks.
        temperature: As sent; None leaves it to the endpoint.
        top_p: As sent; None leaves it to the endpoint.
        max_tokens: Most tokens of one answer.
        seed: First seed; None where none is sent.
        seed_policy: Which seed each trial gets.
        tools: How tools are offered.
        system_prompt: Text put before whatever the task itself says to the system.
        follow_up: The reply to a turn that ends with a question.
        follow_up_text: The words of that reply.
        prompt_version: Name and digest of the wording with which tasks are put.
        top_logprobs: Alternatives asked for at each token (0: the chosen token alone); None where
            no log-probabilities are asked for.
        extra: Further fields of the request, sent as they are (reasoning effort, …).
        benchmark: Name of the benchmark.
        benchmark_version: Its content hash.
        subset_rule: How its tasks were chosen.
        runtime: What runs the model, for example ``llama.cpp``.
        runtime_version: Its version.
        hardware: What it runs on.
        context_length: Tokens that fit, as text.
    """

    model: str = Field(min_length=1, max_length=500)
    endpoint: str
    provider: EndpointKind
    temperature: float | None = Field(default=None, ge=0, le=10, allow_inf_nan=False)
    top_p: float | None = Field(default=None, gt=0, le=1)
    max_tokens: int = Field(default=2_048, ge=1, le=1_000_000)
    seed: int | None = Field(default=None, ge=0, le=2**53)
    seed_policy: SeedPolicy = SeedPolicy.NONE
    tools: ToolsMode = ToolsMode.NATIVE
    system_prompt: str = ""
    follow_up: FollowUp = FollowUp.NONE
    follow_up_text: str = ""
    prompt_version: str = UNKNOWN
    top_logprobs: int | None = Field(default=None, ge=0, le=20)
    extra: dict[str, Json] = Field(default_factory=dict)
    benchmark: str = UNKNOWN
    benchmark_version: str = UNKNOWN
    subset_rule: str = UNKNOWN
    runtime: str = UNKNOWN
    runtime_version: str = UNKNOWN
    hardware: str = UNKNOWN
    context_length: str = UNKNOWN

    @model_validator(mode="after")
    def _holds_together(self) -> Self:
        if (self.seed is None) is not (self.seed_policy is SeedPolicy.NONE):
            raise ValueError(f"the seed is {self.seed} and its policy {self.seed_policy.value}")
        if (self.follow_up is FollowUp.NONE) is not (not self.follow_up_text):
            raise ValueError("a follow-up policy and its words come together")
        return self

    @property
    def digest(self) -> str:
        """SHA-256 of its canonical JSON, hexadecimal: the id under which trials are counted."""
        return condition_digest(self.model_dump(mode="json"))

    def seed_of(self, trial: int) -> int | None:
        """The seed that a trial (from 1) is sampled with."""
        if self.seed is None or self.seed_policy is SeedPolicy.FIXED:
            return self.seed
        return self.seed + trial - 1


def condition_digest(fields: Mapping[str, Json]) -> str:
    """SHA-256 of JSON with sorted members and without white space, hexadecimal."""
    text = json.dumps(fields, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
