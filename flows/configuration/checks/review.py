"""Answers of people that are named and not there, or damaged."""

from collections.abc import Iterator
from pathlib import Path

from benchloom.core.errors import RunError
from benchloom.review import readers_of
from flows.configuration.faults import Fault
from flows.configuration.file import SoundPart


def review_faults(part: SoundPart, base: Path) -> Iterator[Fault]:
    """What keeps the answers from being read; a folder in which nobody answered yet is none."""
    answers = part.configuration.answers(base, base)
    if answers is None or part.configuration.review.answers is None:
        return
    try:
        readers_of(answers)
    except (RunError, OSError) as error:
        yield part.located(Fault(f"review.answers: {error}", ("review", "answers")))
