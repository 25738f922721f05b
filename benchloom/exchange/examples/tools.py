"""Convert API definitions to tools with JSON Schemas, and give them names that models accept."""

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import TypeAlias

import msgspec

from benchloom.core.errors import RunError
from benchloom.core.identity import digest_of_parts, hex_of
from benchloom.core.records import ApiDefinition
from benchloom.exchange.definition_schema import Schema, definition_schema
from benchloom.exchange.examples.inner_schemas import add_inner_schemas

LONGEST_NAME = 64
"""The maximum length of a function name in OpenAI's API, which may contain `[A-Za-z0-9_-]`."""
RETURNS = "Returns: "  # begins the last line of a description, which lists the outputs as JSON
_NOT_ALLOWED = re.compile(r"[^A-Za-z0-9_-]")
_NOT_DOTTED = re.compile(r"[^A-Za-z0-9_.-]")
_BETWEEN = "__"
_MARK = 8
_ENCODER = msgspec.json.Encoder()
Naming: TypeAlias = Callable[[str | None, str], str]
"""A function that combines app and API into a tool name that the target format accepts."""


class Tool(msgspec.Struct, frozen=True):
    """A tool as a model sees it; `parameters` is the JSON Schema of its arguments."""

    name: str
    description: str
    parameters: Schema


@lru_cache(maxsize=20_000)
def function_name(app: str | None, api: str) -> str:
    """Combine app and API into a tool name that OpenAI accepts.

    If the API begins with the name of its app, the app is not repeated. A name that is too long is
    cut and ends in a digest of the full name.
    """
    whole = _whole_name(app, api)
    name = _NOT_ALLOWED.sub("_", whole)
    if name and len(name) <= LONGEST_NAME:
        return name
    return _mark_name(name, digest_of_parts("name", [whole]))


@lru_cache(maxsize=20_000)
def dotted_name(app: str | None, api: str) -> str:
    """Combine app and API into a tool name that may contain dots and may have any length."""
    return _NOT_DOTTED.sub("_", _whole_name(app, api)) or function_name(app, api)


def names_of(
    functions: Iterable[tuple[str | None, str, str]], naming: Naming = function_name
) -> tuple[str, ...]:
    """Return a unique tool name for each function, which is a tuple of its app, API and id.

    Raises RunError if two functions get the same name because their ids are equal.
    """
    names: list[str] = []
    used_names: set[str] = set()
    for app, api, function_id in functions:
        name = naming(app, api)
        if name in used_names:
            name = _mark_name(name, digest_of_parts("name", [function_id]))
        if name in used_names:
            raise RunError(
                f"two tools have the same name {name}, because their definition ids are equal"
            )
        used_names.add(name)
        names.append(name)
    return tuple(names)


def app_and_api(name: str) -> tuple[str, str]:
    """Split a tool name that `function_name` made into app and API.

    The app is empty if the name does not contain it.
    """
    app, _, api = name.partition(_BETWEEN)
    return (app, api) if app and api else ("", name)


def title_of(app: str | None, api: str, name: str) -> str:
    """Return a tool title from which `app_and_api` can restore the tool's app and API.

    Returns an empty text if the name alone shows app and API, or if no title would let
    `app_and_api` restore them.
    """
    title = f"{app}{_BETWEEN}{api}" if app else api
    if name == _whole_name(app, api) or app_and_api(title) != (app or "", api):
        return ""
    return title if function_name(app, api) == name else ""


def named_by_title(name: str, title: object) -> tuple[str, str]:
    """Return the app and the API of a tool from its title, or from its name.

    The name is used if a tool with the title's app and API would have another name.
    """
    if isinstance(title, str) and title != name:
        app, api = app_and_api(title)
        if function_name(app or None, api) == name:
            return app, api
    return app_and_api(name)


def tool_of(definition: ApiDefinition, name: str) -> Tool:
    """Convert an API definition to a tool with the name `name`.

    Conditions between parameters are only in descriptions, because models ignore rules of schemas.
    The description ends with the names of the outputs. The schema has a title if app and API cannot
    be read from the name.
    """
    schema = definition_schema(definition)
    for rule in ("$schema", "allOf"):
        schema.pop(rule, None)
    schema.setdefault("required", [])
    add_inner_schemas(schema["properties"], definition.unknown)  # type: ignore[arg-type]  # the schema made here has an object
    title = title_of(definition.app, definition.api, name)
    if title:
        schema["title"] = title
    return Tool(name, _description(definition), schema)


def _whole_name(app: str | None, api: str) -> str:
    short = api[len(app) + 1 :] if app and api.startswith((f"{app}.", f"{app}_")) else ""
    return f"{app}{_BETWEEN}{short.lstrip('_') or api}" if app else api


def _description(definition: ApiDefinition) -> str:
    title, description = definition.title or "", definition.description or ""
    summary = (
        f"{title.rstrip('.')}. {description}" if title and description else title or description
    )
    outputs = [output.name for output in definition.returns if output.name]
    if not outputs:
        return summary
    line = RETURNS + _ENCODER.encode(outputs).decode()
    return f"{summary}\n{line}" if summary else line


def _mark_name(name: str, digest: str) -> str:
    return f"{name[: LONGEST_NAME - _MARK - 1]}_{hex_of(digest)[:_MARK]}"
