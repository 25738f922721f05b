"""Checks the table [review]: the configured answers of reviewers can be read."""

from collections.abc import Iterator

from benchloom.core.errors import RunError
from benchloom.release.review.readers import readers_of
from flows.configuration.checks import CheckContext
from flows.configuration.faults import Problem


def problems(context: CheckContext) -> Iterator[Problem]:
    """Yield a problem if the configured answers cannot be read; an empty folder is no problem."""
    answers = context.configuration.answers(context.base, context.base)
    if answers is None or context.configuration.review.answers is None:
        return
    try:
        readers_of(answers)
    except (RunError, OSError) as error:
        yield Problem("review.answers", str(error))
