"""Records of generated texts, of verdicts on these texts, and of exchanges with models."""

import msgspec

GIVEN = "given"
"""The `generator` of texts that people or other tools wrote."""


class Query(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A row of the table `queries`: a text about a shortcut, a plan or another row.

    A model, a template, a person or another tool wrote the text. `target_id` is the id of the row
    that it is about. `kind` is query, instruction, category, parameters, nested or dialogue.

    `kept` combines the verdicts on the text: if no person read it, all verdicts must keep it;
    otherwise most of the people who read it must keep it. Near duplicates have other rules (see
    `benchloom.release.query_splits`). `judged` says whether a judge of faithfulness gave a verdict
    on it; if not, `kept` depends on rules and people alone. `split` is that of the target; None if
    the target has none. These three fields are filled when a release is built.

    `category` is the category that a category text assigns to its target. `style` is the requested
    manner of a request (terse, polite, indirect, with_reason, spoken); None for texts without a
    style. `structured` is JSON with content that the text alone does not contain; in an imported
    text its member `answer` is the result of the whole plan. `prompt_digest` addresses the request
    in the completion log and `completion_digest` its reply; both are null if no model wrote the
    text. `generator` is llm, template, or given (a person or another tool wrote the text). Tokens
    and `usd` count every request that the row needed.
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
"""A text of one of these kinds is a user's request for what a shortcut or a plan does."""
JUDGEMENT = "faithfulness:"
"""Names of checks by a faithfulness judge begin so; the name of the model follows."""
HUMAN = "human:"
"""Names of checks by a person begin so; a pseudonym follows, which is a number in a release."""


class Verdict(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A row of the table `verdicts`: the decision of a check to accept or reject a text.

    A text that no person read is kept if all its verdicts keep it; a text that people read is kept
    if most of these people keep it (`benchloom.release.query_splits`). `target_id` is the
    `query_id` of the text. `reason` is "ok" or a stable snake_case word. `score` is 1-10 if the
    check grades. `evidence` says in one line on what the decision is based.
    """

    target_id: str
    check: str
    kept: bool
    reason: str
    score: float | None
    evidence: str


def is_judgement(check: str) -> bool:
    """Return whether a check with this name is a model's judgement of the meaning of a text."""
    return check.startswith(JUDGEMENT)


def is_human(check: str) -> bool:
    """Return whether a check with this name is a person's judgement."""
    return check.startswith(HUMAN)


class PromptMessage(msgspec.Struct, frozen=True, gc=False):
    """A message of a prompt to a chat model."""

    role: str
    content: str


class Completion(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A request to a model, and the reply that was used.

    `request_digest` is the digest of (model, messages, parameters); `completion_digest` also covers
    the reply. `parameters` is canonical JSON: token limit, temperature, seed and reply schema.
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
