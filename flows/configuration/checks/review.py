"""Answers of people that cannot be read."""

from collections.abc import Iterator
from pathlib import Path

from benchloom.core.errors import RunError
from benchloom.review.readers import readers_of
from flows.configuration.faults import Problem
from flows.configuration.model import Configuration


def problems(configuration: Configuration, base: Path, *, online: bool) -> Iterator[Problem]:  # noqa: ARG001  # as of `TableCheck`
    """Yield a problem if configured answers cannot be read; an empty folder has no problem."""
    answers = configuration.answers(base, base)
    if answers is None or configuration.review.answers is None:
        return
    try:
        readers_of(answers)
    except (RunError, OSError) as error:
        yield Problem("review.answers", str(error))
