"""The everyday suite, whose world has apps with invented data of people who know each other."""

from collections.abc import Iterator, Sequence

from benchloom.core.errors import RunError
from benchloom.storage.inputs import SourceObject
from benchloom.worlds.everyday import START, everyday
from benchloom.worlds.requests.combinations import candidates as compose
from benchloom.worlds.requests.wants import Requests
from benchloom.worlds.suite import Suite
from benchloom.worlds.suites.everyday.requests import REQUESTS
from benchloom.worlds.task import Candidate
from benchloom.worlds.world import World


def world(start: str) -> World:
    """Return the everyday world; raise `RunError` unless `start` is its only initial state."""
    if start != START:
        raise RunError(f"suite 'everyday' has only the initial state {START}; omit --start")
    return everyday()


def candidates(files: Sequence[SourceObject], seed: int) -> Iterator[Candidate]:
    """Yield an endless series of candidate tasks, drawn by the seed; input files are ignored."""
    del files
    return compose(everyday(), "everyday", START, all_requests(), seed)


def all_requests() -> tuple[Requests, ...]:
    """Return the requests that users can make, one collection for each app or subject."""
    return tuple(REQUESTS.all().values())


SUITE = Suite(
    about="Apps with invented data of people who know each other: mail, money, travel, home.",
    world=world,
    candidates=candidates,
    requests=all_requests,
    start=START,
)
