"""Build a world from an initial state: the APIs of an app as tools over tables of its entities."""

import sqlite3
from functools import lru_cache

from benchloom.core.errors import RunError
from benchloom.worlds.suites.definitions.methods import methods_of
from benchloom.worlds.suites.definitions.start import read_start
from benchloom.worlds.suites.definitions.tables import entities_of, fill, schema_of
from benchloom.worlds.suites.definitions.tools import DefinedTool
from benchloom.worlds.world import World

NOW = "2027-03-15T08:00:00+00:00"
"""A Monday morning."""


@lru_cache(maxsize=8)
def world(start: str) -> World:
    """Build the world of an initial state in JSON; raise `RunError` if it is invalid."""
    app = read_start(start)
    methods = methods_of(app.definitions)
    entities = entities_of(methods)
    tools = [DefinedTool(method, entities) for method in methods]
    try:
        app_world = World(
            "definitions", NOW, schema_of(entities), lambda state: fill(state, entities), tools
        )
        _ = app_world.start  # SQLite refuses invalid tables here, not at the first call
    except (ValueError, sqlite3.Error) as error:
        raise RunError(f"no world can be made of {app.app}: {error}") from error
    return app_world
