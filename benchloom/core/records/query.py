"""A text about a row of another table, generated or imported, and its origin."""

import msgspec

GIVEN = "given"
"""The generator of texts that people or other tools wrote."""


class Query(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """One text that a model, a template, a person or another tool wrote.

    `target_id` is the id of the row it is about. `kind` is query, instruction, category,
    parameters, nested or dialogue. `kept` combines its verdicts: all must keep it if no person
    read it, else most of the people who did. `judged` is whether a judge of faithfulness gave a
    verdict about it: if not, `kept` depends on rules and people alone. `split` is that of the
    target; None if the target has none. All three are filled when a release is built.
    `category` is the one a category text gives its target. `style` is the manner in which a
    request was to be worded (terse, polite, indirect, with_reason, spoken); None for texts
    without one. `structured` is JSON with content that the text alone does not carry; in an
    imported text its member `answer` is the result of the whole plan. `prompt_digest` addresses
    the request in the completion log and `completion_digest` its reply; both are null if no
    model wrote it. `generator` is llm, template, or given for texts of people and other tools.
    Tokens and `usd` count every request the row needed.
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
