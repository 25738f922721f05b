"""A text about a row of another table, generated or imported, and its origin."""

import msgspec

GIVEN = "given"
"""The generator of texts that people or other tools wrote."""


class Query(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """One text that a model, a template, a person or another tool wrote.

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
