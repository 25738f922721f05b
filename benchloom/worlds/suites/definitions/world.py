"""Build the world of an app, in which APIs are tools that read and change tables of entities.

The initial state of the world is JSON with the definitions of the app's APIs.
"""

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

import msgspec

from benchloom.core.errors import RunError
from benchloom.core.records import ApiDefinition
from benchloom.core.records.values import Plain
from benchloom.normalise.redaction.cells import CellRedactor
from benchloom.worlds.suite import decode_start
from benchloom.worlds.suites.definitions.methods import methods_of
from benchloom.worlds.suites.definitions.tables import entities_of, fill, schema_of
from benchloom.worlds.suites.definitions.tools import DefinedTool
from benchloom.worlds.world import World

NOW = "2027-03-15T08:00:00+00:00"
"""The time of the clock in all worlds, a Monday morning."""
_UNUSED = {
    "source_uri": "",
    "source_digest": "",
    "sources": (),
    "origins": (),
    "oddities": (),
    "summaries": (),
    "availability": (),
    "notes": (),
    "keywords": (),
    "unknown": (),
}
"""Fields of definitions that worlds do not need, each with its empty value."""


class Start(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An initial state, which contains the definitions of an app's APIs.

    `app` is the app, or the URI of a file whose definitions do not name an app.
    """

    app: str
    definitions: tuple[ApiDefinition, ...]


_DECODER = msgspec.json.Decoder(Start)
_REDACTOR = CellRedactor()
"""The redactor of definitions, which may come from a private Mac; tasks publish initial states."""
_ENCODER = msgspec.json.Encoder(order="deterministic")


def read_start(text: str) -> Start:
    """Decode the JSON of an initial state; raise `RunError` if the state is invalid."""
    return decode_start(text, _DECODER, "a world of definitions")


def starts_of(definitions: Iterable[ApiDefinition]) -> Mapping[str, str]:
    """Return a mapping from apps to initial states.

    Definitions that do not name an app are grouped by file, and the URI of the file is the key.
    """
    by_app: dict[str, dict[str, ApiDefinition]] = {}
    for definition in definitions:
        app = definition.app or definition.source_uri
        by_app.setdefault(app, {}).setdefault(definition.api, definition)
    return {
        app: _write(app, [members[api] for api in sorted(members)])
        for app, members in sorted(by_app.items())
    }


def _write(app: str, definitions: Sequence[ApiDefinition]) -> str:
    bare = (msgspec.structs.replace(definition, **_UNUSED) for definition in definitions)
    content = {"app": app, "definitions": [_without_defaults(definition) for definition in bare]}
    return _REDACTOR.json(_ENCODER.encode(content).decode())[0]


def _without_defaults(value: object) -> Plain:
    if isinstance(value, msgspec.Struct):
        return {
            field.name: _without_defaults(getattr(value, field.name))
            for field in msgspec.structs.fields(value)
            if getattr(value, field.name) != field.default
        }
    if isinstance(value, tuple):
        return [_without_defaults(member) for member in value]
    plain: Plain = msgspec.to_builtins(value)
    return plain


@lru_cache(maxsize=8)
def world(start: str) -> World:
    """Build a world from the JSON of an initial state; raise `RunError` if the state is invalid."""
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
        raise RunError(f"the definitions of {app.app} give no valid tables: {error}") from error
    return app_world
