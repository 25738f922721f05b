"""Define typed requests to an endpoint, and its replies; digests identify both."""

from typing import Literal

import msgspec

from benchloom.core.identity import tagged_digest

Role = Literal["system", "user", "assistant"]
Status = Literal[
    "answered", "truncated", "refused", "filtered", "too_long", "not_accepted", "unreadable"
]
"""What happened to a request that got a reply. "answered" is the only success; "truncated" means
cut off at the token limit; the model "refused"; a content filter stopped the reply ("filtered");
the prompt was "too_long" for the model; "not_accepted" is another refusal of this request by the
endpoint; an "unreadable" reply is not in the form of a chat completion."""

FaultName = Literal[
    "rate_limited",
    "server_error",
    "timeout",
    "broken",
    "unreadable_body",
    "not_connected",
    "not_accepted",
]
"""Name of the fault of an attempt that got no reply; `prompts.endpoint.faults` explains each
name."""
BatchEnd = Literal["completed", "failed", "expired", "cancelled"]


Effort = Literal["none", "minimal", "low", "medium", "high"]
"""How much a reasoning model thinks before it replies."""


_OWN_FIELDS = frozenset(
    {
        *("model", "messages", "response_format", "max_tokens", "max_completion_tokens"),
        *("temperature", "seed", "reasoning_effort"),
    }
)
_COSTLY_FIELDS = frozenset(
    {"n", "best_of", "service_tier", "stream", "tools", "web_search_options"}
)
"""Request fields that would change the price of a reply or its form."""


def request_fields_fault(text: str) -> str | None:
    """Return why a text cannot be used as further request fields, or None if it can.

    The text must be a JSON object without fields that the run sets itself or that change the price.
    """
    try:
        fields = msgspec.json.decode(text, type=dict[str, object])
    except (msgspec.DecodeError, RecursionError) as error:
        return f"it is not a JSON object: {error}"
    if own := sorted(_OWN_FIELDS & fields.keys()):
        return f"'{own[0]}' is a field that the run itself sets; leave it out"
    if costly := sorted(_COSTLY_FIELDS & fields.keys()):
        return f"'{costly[0]}' would change what a reply costs or looks like; leave it out"
    return None


class Message(msgspec.Struct, frozen=True, gc=False):
    """One message of a chat prompt."""

    role: Role
    content: str


class Parameters(msgspec.Struct, frozen=True, gc=False):
    """All settings of a request that affect its reply, except model and messages.

    `reply_schema` is the JSON schema of the reply in canonical form. If it is None, structured
    outputs are off, and the prompt itself must describe the form of the reply. `request_fields` is
    a JSON object of further fields for the request body.
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
"""Maximum number of candidate texts about one row."""
Purpose = Literal["step", "candidate", "repair", "judge"]
"""What a paid request is for. A "step" writes a row's text; a "candidate" writes a further text
about the same row; a "repair" requests a text again that lacked values; a "judge" chooses one of
several candidates."""


class Request(msgspec.Struct, frozen=True):
    """One request to a model; requests with equal digests are sent and paid only once.

    `purpose` is only for the bookkeeping of costs and is not part of the digest.
    """

    model: str
    messages: tuple[Message, ...]
    parameters: Parameters
    purpose: Purpose = "step"

    def body(self) -> bytes:
        """Return the canonical form of the request: model, messages and parameters as JSON."""
        return msgspec.json.encode(
            {"model": self.model, "messages": self.messages, "parameters": self.parameters}
        )

    def digest(self) -> str:
        """Return the digest under which the completion log stores the request."""
        return tagged_digest("request", self.body())


class Repair(Request, frozen=True):
    """A request that is sent because the first reply was unreadable.

    Apart from its type it is an ordinary request.
    """


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
        """Return the id of the completion: a digest of its request and its content.

        The price and the number of cached tokens are not part of the id.
        """
        parts = (request_digest, self.status, self.content, self.tokens_in, self.tokens_out)
        return tagged_digest("completion", msgspec.json.encode((*parts, self.served_model)))


class Answer(msgspec.Struct, frozen=True, gc=False):
    """A reply, with the two digests that identify it in the completion log."""

    request_digest: str
    completion_digest: str
    reply: Reply


def answer_to(request_digest: str, reply: Reply) -> Answer:
    """Return the answer for a reply to the request with this digest."""
    return Answer(request_digest, reply.digest(request_digest), reply)


class Dialect(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The optional features of the chat API that an endpoint accepts for a model.

    All features are assumed until the endpoint refuses one.
    """

    structured: bool = True
    limit_field: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    temperature: bool = True
    seed: bool = True
