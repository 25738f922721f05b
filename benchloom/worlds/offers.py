"""Offer the tools of a world to clients, under names that chat interfaces accept."""

import re
from collections.abc import Collection, Mapping
from typing import Any

import msgspec

from benchloom.core.errors import RunError
from benchloom.core.records.values import Plain
from benchloom.worlds.session import Outcome
from benchloom.worlds.task import Task
from benchloom.worlds.tool import Schema
from benchloom.worlds.world import World

_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
_ARGUMENTS = msgspec.json.Decoder(dict[str, Any])
FAULTS = (msgspec.DecodeError, UnicodeError, RecursionError)
"""The exceptions that decoding the JSON of a client can raise."""


class OfferedTool(msgspec.Struct, frozen=True):
    """A tool that a client may call, by its short `name` instead of its full name (`app.tool`).

    `tool` is the full name, and `about` describes the tool. `arguments` and `result` are JSON
    Schemas without references (`$ref`). `reads` is true if the tool never changes anything.
    """

    name: str
    tool: str
    about: str
    arguments: Schema
    result: Schema
    reads: bool

    def described(self, schema_key: str = "parameters") -> dict[str, Plain]:
        """Return the tool's name, description and arguments as chat interfaces expect them.

        `schema_key` is the key of the arguments' JSON Schema.
        """
        return {"name": self.name, "description": self.about, schema_key: dict(self.arguments)}


class Offer(msgspec.Struct, frozen=True, kw_only=True):
    """A world (apps with data) in its initial state, and the tools that a client may call.

    `tools` maps short names to tools. `task` is the task that the client solves, or None.
    """

    world: World
    tools: Mapping[str, OfferedTool]
    task: Task | None = None


def offer_of(world: World, tool_names: Collection[str] = (), task: Task | None = None) -> Offer:
    """Return an offer of tools of a world: those named in `tool_names`, or all if it is empty.

    The names are full names (`app.tool`).

    Raises:
        RunError: a tool does not exist, or chat interfaces do not accept its name.
    """
    missing = sorted(set(tool_names) - world.tools.keys())
    if missing:
        raise RunError(
            f"{world.name} has no tool '{missing[0]}'; pass the full name of a tool (app.tool)"
        )
    tools: dict[str, OfferedTool] = {}
    for full, tool in sorted(world.tools.items()):
        if tool_names and full not in tool_names:
            continue
        name = full.replace(".", "__")
        if not _NAME.fullmatch(name) or name in tools:
            raise RunError(
                f"{world.name}: chat interfaces do not accept the tool name '{name}', or another "
                "tool has the same name; rename the tool"
            )
        tools[name] = OfferedTool(
            name, full, tool.about, tool.schema(), tool.result_schema, tool.reads
        )
    return Offer(world=world, tools=tools, task=task)


def decode_arguments(text: bytes | str) -> dict[str, Plain] | None:
    """Return the arguments of a call, or None if the text is not a JSON object."""
    try:
        return _ARGUMENTS.decode(text)
    except FAULTS:
        return None


def refusal_message(outcome: Outcome) -> dict[str, Plain]:
    """Return the JSON object that tells the caller why a call was refused."""
    return {"refused": outcome.refused, "message": outcome.message}
