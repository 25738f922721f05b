"""Draw the candidates of suites, unchanged or with another shape (size and structure)."""

from collections.abc import Iterator, Sequence

from benchloom.storage.inputs import SourceObject
from benchloom.worlds.asking.composing import Shape, candidates
from benchloom.worlds.suite import Suite
from benchloom.worlds.task import Candidate


def own_candidates(
    name: str, suite: Suite, files: Sequence[SourceObject], seed: int
) -> Iterator[Candidate]:
    """Return the suite's candidates, from files or drawn."""
    del name
    return iter(()) if suite.candidates is None else suite.candidates(files, seed)


def drawn(name: str, suite: Suite, seed: int, shape: Shape) -> Iterator[Candidate]:
    """Draw an endless series of requests with the given shape."""
    requests = () if suite.requests is None else suite.requests()
    return candidates(suite.world(suite.start), name, suite.start, requests, seed, shape=shape)
