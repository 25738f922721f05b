"""Check that the reviewers' answers can be read."""

from collections.abc import Iterator

from benchloom.core.errors import RunError
from benchloom.release.review.readers import readers_of
from flows.configuration.checks import Checked
from flows.configuration.faults import Problem


def problems(checked: Checked) -> Iterator[Problem]:
    """Yield a problem if configured answers cannot be read; an empty folder is accepted."""
    answers = checked.configuration.answers(checked.base, checked.base)
    if answers is None or checked.configuration.review.answers is None:
        return
    try:
        readers_of(answers)
    except (RunError, OSError) as error:
        yield Problem("review.answers", str(error))
