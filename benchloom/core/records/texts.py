"""Texts about rows of other tables, the verdicts on them, and exchanges with models."""

import msgspec

GIVEN = "given"
"""The generator of texts that people or other tools wrote."""


class Query(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A text about a row, written by a model, a template, a person or another tool.

    `target_id` is the id of the row that the text is about. `kind` is query, instruction,
    category, parameters, nested or dialogue. `kept` combines the verdicts on the text: if no
    person read it, all verdicts must keep it, else most of the people who read it must.
    `judged` says whether a judge of faithfulness gave a verdict on it; if not, `kept` depends
    on rules and people alone. `split` is that of the target; None if the target has none. These
    three fields are filled when a release is built. `category` is the category that a category
    text assigns to its target. `style` is the requested manner of a request (terse, polite,
    indirect, with_reason, spoken); None for texts without a style. `structured` is JSON with
    content that the text alone does not carry; in an imported text its member `answer` is the
    result of the whole plan. `prompt_digest` addresses the request in the completion log and
    `completion_digest` its reply; both are null if no model wrote the text. `generator` is llm,
    template, or given for texts of people and other tools. Tokens and `usd` count every request
    that the row needed.
    """

    query_id: str
    target_id: str
    kind: str
    text: str
    kept: bool = True
    judged: bool = False
    split: str | None = None
    category: str | None = None
    style: str | None = None
    structured: str | None
    prompt_digest: str | None
    completion_digest: str | None
    model: str | None
    generator: str
    tokens_in: int
    tokens_out: int
    usd: float


REQUEST_KINDS = frozenset({"query", "instruction"})
"""Kinds of texts that ask for a shortcut or a plan."""
JUDGEMENT = "faithfulness:"
"""Prefix of a faithfulness judge's check; the name of the model follows."""
HUMAN = "human:"
"""Prefix of a person's check; a pseudonym follows, in a release a number."""


class Verdict(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The decision of a check to accept or reject a text.

    A text that no person read is kept if all its verdicts keep it; a text that people read is
    kept if most of these people keep it (`benchloom.release.query_splits`). `target_id` is the
    `query_id` of the text. `reason` is "ok" or a stable snake_case word. `score` is 1-10 if the
    check grades. `evidence` says what the check saw, in one line.
    """

    target_id: str
    check: str
    kept: bool
    reason: str
    score: float | None
    evidence: str


def is_judgement(check: str) -> bool:
    """Whether this check is a model's judgement of the meaning of a text."""
    return check.startswith(JUDGEMENT)


def is_human(check: str) -> bool:
    """Whether this check is a person's judgement."""
    return check.startswith(HUMAN)


class PromptMessage(msgspec.Struct, frozen=True, gc=False):
    """A message of a prompt to a model."""

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
