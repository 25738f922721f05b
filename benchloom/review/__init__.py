"""Human review of texts: a sample to read, and a log of answers that survives killed runs."""

from benchloom.review.answers import REASONS, Answer, AnswerLog, sample_of
from benchloom.review.readers import Reader, readers_of

__all__ = [
    "REASONS",
    "Answer",
    "AnswerLog",
    "Reader",
    "readers_of",
    "sample_of",
]
