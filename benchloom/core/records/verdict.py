"""What one check says about one generated text."""

import msgspec

JUDGEMENT = "faithfulness:"
"""How the check of a judge of faithfulness begins; the model that judged follows."""
HUMAN = "human:"
"""How the check of a person begins; a pseudonym follows: in a release a number, never a name."""


class Verdict(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """Keep or drop, by one check.

    A text that nobody read is kept when all its verdicts keep it; of one that people read most of
    them decide (`benchloom.release.retention`). `target_id` is the `query_id` of the text.
    `reason` is "ok" or a stable snake_case word. `score` is 1-10 where the check grades.
    `evidence` tells what the check found, in one line.
    """

    target_id: str
    check: str
    kept: bool
    reason: str
    score: float | None
    evidence: str


def is_judgement(check: str) -> bool:
    """Whether a verdict of this check is what a model said about the meaning of a text."""
    return check.startswith(JUDGEMENT)


def is_human(check: str) -> bool:
    """Whether a verdict of this check is what a person said."""
    return check.startswith(HUMAN)
