"""What people say about texts: a sample to read, and a log of answers that outlives kills."""

from benchloom.reviewing.answers import (
    REASONS,
    Answer,
    AnswerLog,
    in_force,
    read_answers,
)
from benchloom.reviewing.sample import sample_of

__all__ = ["REASONS", "Answer", "AnswerLog", "in_force", "read_answers", "sample_of"]
