"""API definitions as tools with a JSON Schema for their arguments, and names that models accept."""

import re
from collections.abc import Iterable
from functools import lru_cache

import msgspec

from benchloom.errors import RunError
from benchloom.identity import digest_of_parts, hex_of
from benchloom.records import ApiDefinition
from benchloom.rendering.definition_schema import Schema, definition_schema

LONGEST_NAME = 64
"""The longest name of a function that OpenAI's interface takes; it allows `[A-Za-z0-9_-]`."""
RETURNS = "Returns: "
"""Begins the last line of a description, which tells the outputs as a list in JSON."""
_NOT_ALLOWED = re.compile(r"[^A-Za-z0-9_-]")
_BETWEEN = "__"
_MARK = 8
_ENCODER = msgspec.json.Encoder()


class Tool(msgspec.Struct, frozen=True):
    """A function as it is told to a model; `parameters` is the JSON Schema of its arguments."""

    name: str
    description: str
    parameters: Schema


@lru_cache(maxsize=20_000)
def function_name(app: str | None, api: str) -> str:
    """A name within OpenAI's rules; one that is cut ends in a digest of the whole.

    An API that begins with the name of its app is not told the name twice.
    """
    short = api[len(app) + 1 :] if app and api.startswith((f"{app}.", f"{app}_")) else ""
    whole = f"{app}{_BETWEEN}{short.lstrip('_') or api}" if app else api
    name = _NOT_ALLOWED.sub("_", whole)
    if name and len(name) <= LONGEST_NAME:
        return name
    return _marked(name, digest_of_parts("name", [whole]))


def names_of(functions: Iterable[tuple[str | None, str, str]]) -> tuple[str, ...]:
    """The names of functions, each an app, an API and an id; no two are alike.

    Raises:
        RunError: two ids are alike.
    """
    names: list[str] = []
    taken: set[str] = set()
    for app, api, ident in functions:
        name = function_name(app, api)
        if name in taken:
            name = _marked(name, digest_of_parts("name", [ident]))
        if name in taken:
            raise RunError(f"two tools would be called {name}")
        taken.add(name)
        names.append(name)
    return tuple(names)


def app_and_api(name: str) -> tuple[str, str]:
    """What `function_name` made a name of; the app is empty where the name tells none."""
    app, _, api = name.partition(_BETWEEN)
    return (app, api) if app and api else ("", name)


def tool_of(definition: ApiDefinition, name: str) -> Tool:
    """A definition as a tool of this name.

    Conditions between parameters are told in descriptions alone: tool callers ignore rules. The
    description ends with the outputs, because a reference names them.
    """
    schema = definition_schema(definition)
    for rule in ("$schema", "allOf"):
        schema.pop(rule, None)
    schema.setdefault("required", [])
    return Tool(name, _description(definition), schema)


def _description(definition: ApiDefinition) -> str:
    title, description = definition.title or "", definition.description or ""
    told = f"{title.rstrip('.')}. {description}" if title and description else title or description
    outputs = [one.name for one in definition.returns if one.name]
    if not outputs:
        return told
    line = RETURNS + _ENCODER.encode(outputs).decode()
    return f"{told}\n{line}" if told else line


def _marked(name: str, digest: str) -> str:
    return f"{name[: LONGEST_NAME - _MARK - 1]}_{hex_of(digest)[:_MARK]}"
