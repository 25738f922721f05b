"""The everyday world: 23 apps with invented data of people who know each other."""

from functools import cache

from benchloom.core.errors import RunError
from benchloom.worlds.everyday.apps import APPS
from benchloom.worlds.tool import App
from benchloom.worlds.world import World, world_of

NOW = "2027-03-15T09:00:00+00:00"
"""A Monday morning."""
START = "{}"
"""The name of the only initial state."""


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
                f"these apps need each other, or an app that does not exist: {', '.join(pending)}"
            )
        ordered += [pending.pop(name) for name in ready]
        done.update(ready)
    return ordered
