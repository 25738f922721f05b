"""Build the world of a start from the tables, rows and tools of all parts."""

from collections.abc import Iterator
from functools import cache, lru_cache

from benchloom.core.errors import RunError
from benchloom.worlds.refusals import RefusedError
from benchloom.worlds.state import State
from benchloom.worlds.suites.api_bank import refusing
from benchloom.worlds.suites.api_bank.casting import ApiBankTool
from benchloom.worlds.suites.api_bank.databases import Databases, databases_of
from benchloom.worlds.suites.api_bank.tool_search import searcher
from benchloom.worlds.suites.api_bank.tools import PARTS
from benchloom.worlds.tool import Tool, tools_of
from benchloom.worlds.world import World

NAME = "api-bank"
NOW = "2023-03-31T00:00:00+00:00"
"""The day that recorded dialogues mean by today."""
_MAX_WORLDS = 4


@lru_cache(_MAX_WORLDS)
def world(start: str) -> World:
    """Build the world of a start; raise `RunError` if the start is invalid."""
    databases = databases_of(start)
    parts = tuple(PARTS.all().values())

    def fill(state: State) -> None:
        for tool, texts in databases.exceptions.items():
            for number, text in enumerate(texts):
                state.add(refusing.TABLE, tool=tool, number=number, text=text)
        for part in parts:
            part.fill(state, databases)

    tools = list(_tools(databases))
    api_bank_world = World(
        NAME,
        NOW,
        "\n".join([refusing.SCHEMA, *(part.schema for part in parts)]),
        fill,
        [*tools, searcher(tools)],
        frozen=[refusing.TABLE, *(table for part in parts for table in part.frozen)],
        sets=[column for part in parts for column in part.sets],
        goals={f"{part.app}.{name}": goal for part in parts for name, goal in part.goals.items()},
    )
    try:
        api_bank_world.start  # noqa: B018 - raises for contradicting rows here, not at the first call
    except RefusedError as error:
        raise RunError(f"not a start of {NAME}: {' '.join(error.message.split())[:200]}") from error
    return api_bank_world


def _tools(databases: Databases) -> Iterator[Tool]:
    yield from _fixed()
    for part in PARTS.all().values():
        yield from tools_of(part.app, part.looks_up(databases), ApiBankTool)


@cache
def _fixed() -> tuple[Tool, ...]:
    parts = PARTS.all().values()
    return tuple(tool for part in parts for tool in tools_of(part.app, part.tools, ApiBankTool))
