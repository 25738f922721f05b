"""The everyday suite: the apps of people who know each other, with invented data."""

from collections.abc import Iterator, Sequence
from functools import cache

from benchloom.core.errors import RunError
from benchloom.storage.inputs import SourceObject
from benchloom.worlds.asking.composing import candidates as compose
from benchloom.worlds.asking.wants import Requests
from benchloom.worlds.suite import Suite
from benchloom.worlds.suites.everyday.apps import APPS
from benchloom.worlds.suites.everyday.requests import REQUESTS
from benchloom.worlds.task import Candidate
from benchloom.worlds.tool import App
from benchloom.worlds.world import World, world_of

NOW = "2027-03-15T09:00:00+00:00"
"""A Monday morning."""
START = "{}"
"""The only start."""


@cache
def everyday() -> World:
    """Build the world of all apps."""
    return world_of("everyday", NOW, apps_in_order())


def apps_in_order() -> list[App]:
    """Return all apps, each after the apps it needs.

    Raises:
        RunError: two apps need each other, or an app needs one that does not exist.
    """
    pending = dict(APPS.all())
    ordered: list[App] = []
    done: set[str] = set()
    while pending:
        ready = [name for name, app in pending.items() if done.issuperset(app.needs)]
        if not ready:
            raise RunError(
                f"apps that need apps which the world does not have: {', '.join(pending)}"
            )
        ordered += [pending.pop(name) for name in ready]
        done.update(ready)
    return ordered


def world(start: str) -> World:
    """Return the world; raise `RunError` if `start` is not its start."""
    if start != START:
        raise RunError(f"everyday has one start, {START}")
    return everyday()


def candidates(files: Sequence[SourceObject], seed: int) -> Iterator[Candidate]:
    """Compose requests without end; no files are read."""
    del files
    return compose(everyday(), "everyday", START, requests(), seed)


def requests() -> tuple[Requests, ...]:
    """Return what the apps can be asked for."""
    return tuple(REQUESTS.all().values())


SUITE = Suite(
    about="Apps of people who know each other: mail, money, travel, home.",
    world=world,
    candidates=candidates,
    requests=requests,
    start=START,
)
