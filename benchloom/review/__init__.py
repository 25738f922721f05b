"""Human review of texts: a sample to read, and a log of answers that survives killed runs."""

from benchloom.review.answers import (
    REASONS,
    Answer,
    AnswerLog,
    in_force,
    read_answers,
    sample_of,
)
from benchloom.review.readers import Reader, ReviewError, readers_of

__all__ = [
    "REASONS",
    "Answer",
    "AnswerLog",
    "Reader",
    "ReviewError",
    "in_force",
    "read_answers",
    "readers_of",
    "sample_of",
]
