"""The everyday suite: apps of people who know each other; one module each, which offers `APP`."""

from functools import cache

from benchloom.errors import RunError
from benchloom.kinds import Kind
from benchloom.worlds.app import App, world_of
from benchloom.worlds.world import World

APPS = Kind("app", __name__, App, attribute="APP")
NOW = "2027-03-15T09:00:00+00:00"
"""A Monday morning."""


@cache
def everyday() -> World:
    """The world of all apps.

    Raises:
        RunError: two apps need each other, or one needs an app that is not there.
    """
    pending = dict(APPS.all())
    ordered: list[App] = []
    done: set[str] = set()
    while pending:
        ready = [name for name, app in pending.items() if done.issuperset(app.needs)]
        if not ready:
            raise RunError(f"apps that need what is not there: {', '.join(pending)}")
        ordered += [pending.pop(name) for name in ready]
        done.update(ready)
    return world_of("everyday", NOW, ordered)
