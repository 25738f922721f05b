"""Build the world of API-Bank for an initial state.

The world combines the tables, rows and tools of all parts, such as alarms and hotels.
"""

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import Any

from benchloom.core.errors import RunError
from benchloom.core.plain_words import NAME_WORD
from benchloom.core.records.values import Plain
from benchloom.worlds.state import RefusedError, State
from benchloom.worlds.suites.api_bank.databases import databases_of
from benchloom.worlds.suites.api_bank.part import APP, TEXTS, TEXTS_SCHEMA
from benchloom.worlds.suites.api_bank.tool import ApiBankTool
from benchloom.worlds.suites.api_bank.tools import PARTS
from benchloom.worlds.tool import Tool, read_tool, tools_of
from benchloom.worlds.world import World

_TOKEN = "token"
_LOGIN = "GetUserToken"
NAME = "api-bank"
NOW = "2023-03-31T00:00:00+00:00"
"""The time of the world's clock, on the day that recorded dialogues call today."""
_MAX_WORLDS = 4


@lru_cache(_MAX_WORLDS)
def world(start: str) -> World:
    """Build the world of an initial state; raise `RunError` if the state is invalid."""
    databases = databases_of(start)
    parts = tuple(PARTS.all().values())

    def fill(state: State) -> None:
        for tool_name, texts in databases.exceptions.items():
            for number, text in enumerate(texts):
                state.add(TEXTS, tool=tool_name, number=number, text=text)
        for part in parts:
            part.fill(state, databases)

    tools = [*_fixed_tools()]
    for part in parts:
        tools += tools_of(APP, part.looks_up(databases), ApiBankTool, part.descriptions)
    api_bank_world = World(
        NAME,
        NOW,
        "\n".join([TEXTS_SCHEMA, *(part.schema for part in parts)]),
        fill,
        [*tools, searcher(tools)],
        frozen=[TEXTS, *(table for part in parts for table in part.frozen)],
        sets=[column for part in parts for column in part.sets],
        goals={f"{APP}.{name}": goal for part in parts for name, goal in part.goals.items()},
    )
    try:
        _ = api_bank_world.start  # contradicting rows raise here, not at the first call
    except RefusedError as error:
        raise RunError(
            f"not an initial state of {NAME}: {' '.join(error.message.split())[:200]}"
        ) from error
    return api_bank_world


@cache
def _fixed_tools() -> tuple[Tool, ...]:
    return tuple(
        tool
        for part in PARTS.all().values()
        for tool in tools_of(APP, part.tools, ApiBankTool, part.descriptions)
    )


def searcher(tools: Sequence[Tool]) -> Tool:
    """Return the tool `ToolSearcher`, which finds the best of these tools for some keywords.

    The result also contains the login tool if the best tool needs a token.
    """
    by_name = {tool.name: tool for tool in tools}
    words = {name: _words(f"{name} {tool.about}") for name, tool in by_name.items()}

    @read_tool(keywords="words for the task.")
    def ToolSearcher(state: State, *, keywords: str) -> list[dict[str, Any]]:
        """Find the tool for a task, and the login tool if it needs a token."""
        del state
        query_words = _words(keywords)
        scores = {
            name: len(query_words & tool_words) / len(tool_words)
            for name, tool_words in words.items()
            if tool_words & query_words
        }
        if not scores:
            raise RefusedError("not_found", "no tool matches the keywords")
        best = max(sorted(scores), key=lambda name: (len(words[name] & query_words), scores[name]))
        names = [_LOGIN, best] if _TOKEN in by_name[best].parameters else [best]
        return [tool_description(by_name[name]) for name in names]

    return tools_of(APP, locals(), ApiBankTool)[0]


def tool_description(tool: Tool) -> dict[str, Plain]:
    """Return a tool's name, description and parameters in the JSON format of API-Bank."""
    properties: Mapping[str, Mapping[str, Plain]] = tool.schema().get("properties", {})
    return {
        "name": tool.name,
        "description": tool.about,
        "input_parameters": {
            name: {"type": _type(kind), "description": tool.parameters.get(name, "")}
            for name, kind in properties.items()
        },
        "output_parameters": {},
    }


def _type(kind: Mapping[str, Plain]) -> str:
    names = {"string": "str", "integer": "int", "number": "float", "boolean": "bool"}
    kind_name = str(kind.get("type", "list"))
    return names.get(kind_name, "list" if kind_name == "array" else kind_name)


def _words(text: str) -> frozenset[str]:
    return frozenset(word.lower() for word in NAME_WORD.findall(text))
