"""The everyday world, which has 23 apps with invented data of people who know each other."""

from functools import cache
from graphlib import TopologicalSorter

from benchloom.worlds.everyday.apps import APPS
from benchloom.worlds.tool import App
from benchloom.worlds.world import World, world_of

NOW = "2027-03-15T09:00:00+00:00"
"""The time of the world's clock, a Monday morning."""
START = "{}"
"""The name of the only initial state."""


@cache
def everyday() -> World:
    """Build the everyday world, with all apps."""
    return world_of("everyday", NOW, apps_in_order())


def apps_in_order() -> list[App]:
    """Return all apps, each after the apps it needs; raise `CycleError` if apps need each other."""
    apps = APPS.all()
    sorter = TopologicalSorter({name: app.needs for name, app in apps.items()})
    sorter.prepare()
    ordered: list[App] = []
    while sorter.is_active():
        ready = sorted(sorter.get_ready())
        ordered += [apps[name] for name in ready]
        sorter.done(*ready)
    return ordered
