"""Load the databases (from the folder `init_database`) and error texts of a copy of API-Bank."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from benchloom.core.errors import NothingReadError, RejectedInputError
from benchloom.core.records.values import rendered
from benchloom.exchange.foreign.records import faults, records_of
from benchloom.exchange.foreign.specifications import call_name
from benchloom.exchange.formats.api_bank.dataset import shape_of
from benchloom.exchange.formats.api_bank.lines import read_talk
from benchloom.storage.inputs import SourceObject
from benchloom.storage.inputs.json_nesting import MAX_DEPTH, may_nest_deeper
from benchloom.worlds.suite import Loaded
from benchloom.worlds.suites.api_bank.databases import Databases

START = "api-bank"
"""The name of the only initial state of a copy."""
_ANSWERS = "DocumentQA"
"""The tool that answers questions about documents."""
_HEAD = 64 * 1024
_TEXTS = "exceptions.json"
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_ENCODER = msgspec.json.Encoder(order="sorted")


def load(objects: Sequence[SourceObject]) -> Loaded:
    """Return an initial state with all readable databases, and the faults of unreadable files.

    Of several files with the same name, the first in a folder `init_database` is used, or else the
    first. A missing database is a fault, and is empty in the initial state.
    """
    sources, rejected = _files(objects)
    values: dict[str, Any] = {}
    for name, source in sorted(sources.items()):
        try:
            values[_KEYS[name]] = _read(source, name)
        except RejectedInputError as error:
            rejected[source.source_uri] = f"{error.reason}: {error.message}"
    for name in sorted(_KEYS.keys() - sources.keys()):
        rejected[name] = "missing: no file has this name, so the database is empty"
    if not values.keys() - {_EXCEPTIONS}:
        return Loaded({}, rejected)
    databases = Databases(**values)
    if text := _missing_answer(objects, databases):
        texts = {_ANSWERS: [text], **databases.exceptions}
        databases = msgspec.structs.replace(databases, exceptions=texts)
    return Loaded({START: _ENCODER.encode(databases).decode()}, rejected)


def is_dialogue(source_uri: str, data: bytes) -> bool:
    """Whether the beginning of a file looks like a recorded dialogue."""
    return shape_of(source_uri, data[:_HEAD]) == "dialogue"


def read_databases(objects: Sequence[SourceObject]) -> str:
    """Return API-Bank's databases as an initial state; raise `RunError` if none can be read."""
    loaded = load(objects)
    if START not in loaded.starts:
        faults = "; ".join(
            f"{location}: {fault}" for location, fault in sorted(loaded.rejected.items())
        )
        raise NothingReadError(
            "the files contain no readable database of API-Bank; pass the folder `init_database` "
            f"({faults[:500]})"
        )
    return loaded.starts[START]


def _missing_answer(objects: Sequence[SourceObject], databases: Databases) -> str:
    """Return the text that API-Bank returns for a question that no document answers, or "".

    No database contains this text. It is assumed to be the most frequent recorded answer that the
    database of documents does not contain.
    """
    answers = {
        qa_pair.answer for answers in databases.question_answering.values() for qa_pair in answers
    }
    said: Counter[str] = Counter()
    for source in objects:
        said.update(text for text in _outputs(source) if text not in answers)
    # Sorted, so that the order of the files does not decide between equally frequent texts.
    return max(sorted(said), key=said.__getitem__, default="")


def _outputs(source: SourceObject) -> list[str]:
    try:
        data = source.read()
        if _ANSWERS.encode() not in data or not is_dialogue(source.source_uri, data):
            return []
        calls = read_talk(records_of(source.source_uri, data), []).calls
    except RejectedInputError:
        return []  # the replay reports the damage
    outputs = (
        rendered(call.result.output, str)
        for call in calls
        if call_name(call.app, call.api) == _ANSWERS
        and call.result
        and call.result.exception is None
    )
    return [output for output in outputs if isinstance(output, str)]


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
"""A mapping from names of files to fields of `Databases`."""
