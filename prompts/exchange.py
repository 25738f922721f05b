"""Typed requests to an endpoint and replies from it, identified by digests."""

from typing import Literal

import msgspec

from benchloom.core.identity import tagged_digest

Role = Literal["system", "user", "assistant"]
Status = Literal[
    "answered", "truncated", "refused", "filtered", "too_long", "not_accepted", "unreadable"
]
"""answered; cut at the token limit; refused by the model; stopped by a content filter; longer
than the model's context; not accepted by the endpoint for another reason of this request; sent in
a form that is not a chat completion."""

FaultName = Literal[
    "rate_limited",
    "server_error",
    "timeout",
    "broken",
    "unreadable_body",
    "not_connected",
    "not_accepted",
]
"""The fault of an attempt without a reply; `prompts.endpoint.faults` explains each."""
BatchEnd = Literal["completed", "failed", "expired", "cancelled"]


Effort = Literal["none", "minimal", "low", "medium", "high"]
"""How long a reasoning model thinks before it replies."""


_OWN_FIELDS = frozenset(
    {
        *("model", "messages", "response_format", "max_tokens", "max_completion_tokens"),
        *("temperature", "seed", "reasoning_effort"),
    }
)
_COSTLY_FIELDS = frozenset(
    {"n", "best_of", "service_tier", "stream", "tools", "web_search_options"}
)
"""Fields that change the price of a reply or its form."""


def request_fields_fault(text: str) -> str | None:
    """Return why a text is not a JSON object of further request fields, or None if it is."""
    try:
        fields = msgspec.json.decode(text, type=dict[str, object])
    except (msgspec.DecodeError, RecursionError) as error:
        return f"not a JSON object: {error}"
    if own := sorted(_OWN_FIELDS & fields.keys()):
        return f"'{own[0]}' is set by the run, not here"
    if costly := sorted(_COSTLY_FIELDS & fields.keys()):
        return f"'{costly[0]}' would change what a reply costs or looks like"
    return None


class Message(msgspec.Struct, frozen=True, gc=False):
    """One message of a prompt."""

    role: Role
    content: str


class Parameters(msgspec.Struct, frozen=True, gc=False):
    """All settings that affect a reply, except model and messages.

    `reply_schema` is the JSON schema of the reply in canonical form; with None, structured
    outputs are off, and the prompt itself must describe the form of the reply. `request_fields`
    is a JSON object of further fields that the endpoint understands.
    """

    max_tokens: int
    temperature: float | None = None
    seed: int | None = None
    reply_name: str = ""
    reply_schema: str | None = None
    # Left out of the canonical form unless set: earlier requests keep their digests.
    reasoning_effort: Effort | msgspec.UnsetType = msgspec.UNSET
    request_fields: str | msgspec.UnsetType = msgspec.UNSET


MAX_CANDIDATES = 8
"""Maximum number of texts about one row."""
Purpose = Literal["step", "candidate", "repair", "judge"]
"""Reason for a paid request: a step's question about a row; another text about the same row;
the text once more with its missing values; a judge's choice among several texts."""


class Request(msgspec.Struct, frozen=True):
    """One request; equal requests have equal digests, and only the first is paid.

    `purpose` is for the ledger alone, and no part of the digest.
    """

    model: str
    messages: tuple[Message, ...]
    parameters: Parameters
    purpose: Purpose = "step"

    def body(self) -> bytes:
        """Return the canonical form: JSON with model, messages and parameters in this order."""
        return msgspec.json.encode(
            {"model": self.model, "messages": self.messages, "parameters": self.parameters}
        )

    def digest(self) -> str:
        """Return the digest that identifies the request in the completion log."""
        return tagged_digest("request", self.body())


class Repair(Request, frozen=True):
    """A request that follows an unreadable reply; apart from its type it is an ordinary request."""


class Reply(msgspec.Struct, frozen=True, gc=False):
    """The endpoint's reply to one request, and its cost.

    `usd_nano` is billionths of a US dollar. `served_model` is the model the endpoint names.
    `tokens_cached` counts the prompt tokens that the endpoint read from its cache.
    """

    status: Status
    content: str
    tokens_in: int = 0
    tokens_out: int = 0
    usd_nano: int = 0
    served_model: str = ""
    tokens_cached: int = 0

    def digest(self, request_digest: str) -> str:
        """Return the id of the completion: a digest of its request and content.

        The price and what decides it alone, cached tokens, are not part of the id.
        """
        parts = (request_digest, self.status, self.content, self.tokens_in, self.tokens_out)
        return tagged_digest("completion", msgspec.json.encode((*parts, self.served_model)))


class Answer(msgspec.Struct, frozen=True, gc=False):
    """A reply together with the two digests that identify it in the log."""

    request_digest: str
    completion_digest: str
    reply: Reply


def answer_to(request_digest: str, reply: Reply) -> Answer:
    """Return the answer for a logged reply."""
    return Answer(request_digest, reply.digest(request_digest), reply)


class Dialect(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The protocol features that an endpoint has accepted."""

    structured: bool = True
    limit_field: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    temperature: bool = True
    seed: bool = True
