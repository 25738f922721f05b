"""Answers of people that are named and not there, or damaged."""

from collections.abc import Iterator
from pathlib import Path

from benchloom.errors import RunError
from benchloom.reviewing import readers_of
from flows.configuration.faults import Fault
from flows.configuration.reading import SoundPart


def review_faults(part: SoundPart, base: Path) -> Iterator[Fault]:
    """What keeps the answers from being read."""
    options = part.configuration.review
    if not options.use or options.answers is None:
        return
    try:
        readers_of(part.configuration.answers_place(base, base))
    except (RunError, OSError) as error:
        yield part.located(Fault(f"review.answers: {error}", ("review", "answers")))
