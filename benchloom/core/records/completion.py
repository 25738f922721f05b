"""One logged exchange with a model."""

import msgspec


class PromptMessage(msgspec.Struct, frozen=True, gc=False):
    """One message of a prompt."""

    role: str
    content: str


class Completion(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A request to a model, and the reply that was used.

    `request_digest` is the digest of (model, messages, parameters); `completion_digest` also
    covers the reply. `parameters` is canonical JSON: token limit, temperature, seed and reply
    schema.
    """

    completion_digest: str
    request_digest: str
    model: str
    served_model: str
    messages: tuple[PromptMessage, ...]
    parameters: str
    status: str
    content: str
    tokens_in: int
    tokens_out: int
    usd: float
    tokens_cached: int = 0
