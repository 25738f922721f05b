"""Load a user's copy of API-Bank: the databases of `init_database` and the error texts."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from benchloom.core.errors import NothingReadError, RejectedInputError
from benchloom.exchange.foreign.records import faults
from benchloom.storage.inputs import SourceObject
from benchloom.storage.inputs.json_nesting import MAX_DEPTH, may_nest_deeper
from benchloom.worlds.suite import Loaded
from benchloom.worlds.suites.api_bank.databases import Databases
from benchloom.worlds.suites.api_bank.unanswered import TOOL, unanswered

START = "api-bank"
"""The name of the only start of a copy."""
_TEXTS = "exceptions.json"
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_ENCODER = msgspec.json.Encoder(order="sorted")


def load(objects: Sequence[SourceObject]) -> Loaded:
    """Load an initial state with all readable databases; report unreadable ones by location.

    If two files have the same name, the first is used, preferably in a folder `init_database`. A
    missing database is empty, and reported.
    """
    sources, rejected = _files(objects)
    values: dict[str, Any] = {}
    for name, source in sorted(sources.items()):
        try:
            values[_KEYS[name]] = _read(source, name)
        except RejectedInputError as error:
            rejected[source.source_uri] = f"{error.reason}: {error.message}"
    for name in sorted(_KEYS.keys() - sources.keys()):
        rejected[name] = "missing: there is no file of this name, so the database is empty"
    if not values.keys() - {_EXCEPTIONS}:
        return Loaded({}, rejected)
    databases = Databases(**values)
    if text := unanswered(objects, databases):
        texts = {TOOL: [text], **databases.exceptions}
        databases = msgspec.structs.replace(databases, exceptions=texts)
    return Loaded({START: _ENCODER.encode(databases).decode()}, rejected)


def read_databases(objects: Sequence[SourceObject]) -> str:
    """Return a copy's databases as an initial state; raise `RunError` if none can be read."""
    loaded = load(objects)
    if START not in loaded.starts:
        faults = "; ".join(
            f"{location}: {fault}" for location, fault in sorted(loaded.rejected.items())
        )
        raise NothingReadError(
            f"no readable database of API-Bank; pass the folder of the databases ({faults[:500]})"
        )
    return loaded.starts[START]


def _files(
    objects: Sequence[SourceObject],
) -> tuple[dict[str, SourceObject], dict[str, str]]:
    sources: dict[str, SourceObject] = {}
    rejected: dict[str, str] = {}
    for source in sorted(
        objects, key=lambda source_object: (not _is_own(source_object), source_object.source_uri)
    ):
        name = source.source_uri.replace("!", "/").rpartition("/")[2]
        if name not in _KEYS:
            continue
        if name in sources:
            rejected[source.source_uri] = f"repeated: {sources[name].source_uri} is used instead"
        else:
            sources[name] = source
    return sources, rejected


def _is_own(source: SourceObject) -> bool:
    return "init_database/" in source.source_uri.replace("!", "/")


def _read(source: SourceObject, name: str) -> Any:
    data = source.read().removeprefix(_BYTE_ORDER_MARK)
    with faults():
        if may_nest_deeper(data, MAX_DEPTH):
            raise RejectedInputError("too_deep", "the JSON is nested too deeply")
        field = _FIELDS[_KEYS[name]]
        return msgspec.json.decode(data, type=field.type)


_FIELDS = {field.name: field for field in msgspec.structs.fields(Databases)}
_EXCEPTIONS = "exceptions"
_KEYS: Mapping[str, str] = {
    (_TEXTS if name == _EXCEPTIONS else f"{field.encode_name}.json"): name
    for name, field in _FIELDS.items()
}
"""The fields of `Databases`, by file name."""
