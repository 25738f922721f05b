"""The verdict of one check on one generated text."""

import msgspec

JUDGEMENT = "faithfulness:"
"""Prefix of the check of a judge of faithfulness, before the name of the model."""
HUMAN = "human:"
"""Prefix of the check of a person, before a pseudonym: in a release a number."""


class Verdict(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The decision of one check to keep or drop one text.

    A text that no person read is kept if all its verdicts keep it; a text that people read is
    kept if most of these people keep it (`benchloom.release.retention`). `target_id` is the
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
