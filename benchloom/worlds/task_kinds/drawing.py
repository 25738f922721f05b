"""Candidates of suites that draw requests, in another shape."""

from collections.abc import Iterator, Sequence

from benchloom.core.errors import RunError
from benchloom.storage.inputs import SourceObject
from benchloom.worlds.asking.composing import Shape, candidates
from benchloom.worlds.asking.wants import Requests
from benchloom.worlds.suite import Suite
from benchloom.worlds.task import Candidate


def recorded_or_drawn(
    name: str, suite: Suite, files: Sequence[SourceObject], seed: int
) -> Iterator[Candidate]:
    """Return a suite's own candidates.

    Raises:
        RunError: the suite has none.
    """
    if suite.candidates is None:
        raise RunError(f"no tasks are made of {name}")
    return suite.candidates(files, seed)


def requests_of(name: str, suite: Suite) -> Sequence[Requests]:
    """Return what can be asked for in a suite.

    Raises:
        RunError: the suite does not draw requests.
    """
    if suite.requests is None:
        raise RunError(f"no tasks of this kind are made of {name}; try everyday")
    return suite.requests()


def drawn(name: str, suite: Suite, seed: int, shape: Shape) -> Iterator[Candidate]:
    """Draw requests of a shape without end.

    Raises:
        RunError: the suite does not draw requests.
    """
    requests = requests_of(name, suite)
    return candidates(suite.world(suite.start), name, suite.start, requests, seed, shape=shape)
