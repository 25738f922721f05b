"""Read all files of an API-Bank dataset: first the descriptions of tools, then the dialogues."""

import re
from collections.abc import Iterator, Sequence
from typing import Literal

import msgspec

from benchloom.core.errors import RejectedInputError
from benchloom.core.records import ApiDefinition, Rejected
from benchloom.exchange.examples import Example
from benchloom.exchange.examples.message_calls import ExampleOrigin
from benchloom.exchange.foreign.catalogue import stem_of
from benchloom.exchange.foreign.records import Record, faults, records_of, rejected_file
from benchloom.exchange.formats.api_bank.call_text import read_calls
from benchloom.exchange.formats.api_bank.declared import KIND, definition_of
from benchloom.exchange.formats.api_bank.library import is_library, read_library
from benchloom.exchange.formats.api_bank.lines import read_talk
from benchloom.exchange.formats.api_bank.plans import read_plan
from benchloom.exchange.formats.api_bank.rows import LONGEST_CALL, ReadRow, continues, read_row
from benchloom.exchange.formats.api_bank.talks import Talk, split_of
from benchloom.exchange.formats.api_bank.tools import Library
from benchloom.storage.inputs import SourceObject

_FIRST = re.compile(r"^\s*First Utter[ae]nce\s*:\s*(.*\S)\s*$", re.MULTILINE | re.IGNORECASE)

_CALLS = re.compile(r"^[-\s]*(?:GT )?API Calls?\s*:", re.MULTILINE | re.IGNORECASE)

LONGEST_SCENE = 256 * 1024

Shape = Literal["library", "errors", "scene", "dialogue", "plans", "rows"]
_LINE = re.compile(rb'"role"\s*:\s*"(?:User|AI|API)"')
_PLAN = re.compile(rb'"requirement"\s*:')
_APIS = re.compile(rb'"apis"\s*:')
_ROW = re.compile(rb'"instruction"\s*:')
_ROW_CALL = re.compile(rb"API-Request:|API descriptions?:")
_ERRORS = msgspec.json.Decoder(dict[str, list[str]])
ReadResult = Example | ApiDefinition | Rejected


def shape_of(name: str, head: bytes) -> Shape | None:
    """Return the kind of an API-Bank file from its name and first bytes, None for other files."""
    if is_library(head):
        return "library"
    if is_scene(head):
        return "scene"
    if name.rpartition("/")[2] == "exceptions.json":
        return "errors"
    if _LINE.search(head) and (b'"text"' in head or b'"api_name"' in head):
        return "dialogue"
    if _PLAN.search(head) and _APIS.search(head):
        return "plans"
    if _ROW.search(head) and _ROW_CALL.search(head):
        return "rows"
    return None


def read_all(objects: Sequence[SourceObject]) -> Iterator[ReadResult]:
    """Yield the definitions and then the examples in all files, with rejected rows among them."""
    library = Library()
    shaped: list[tuple[SourceObject, Shape]] = []
    for source in objects:
        try:
            data = source.read()
        except RejectedInputError as error:
            yield rejected_file(source.source_uri, error)
            continue
        shape = shape_of(source.source_uri, data)
        if shape is not None:
            shaped.append((source, shape))
        elif data.strip():
            fault = RejectedInputError(
                "wrong_shape", "the file has none of the forms of API-Bank's files"
            )
            yield rejected_file(source.source_uri, fault)
    order: tuple[Shape, ...] = ("errors", "library", "scene", "dialogue", "plans", "rows")
    for next_shape in order:
        for source, shape in shaped:
            if shape == next_shape:
                yield from _tools(source, shape, library)
    for name in library.names_without_definition():
        fault = RejectedInputError(
            "no_definition", f"{name}: there are error texts of this API, but no definition"
        )
        yield rejected_file(f"exceptions.json#{name}", fault)
    for source, shape in shaped:
        for talk in _talks(source, shape):
            yield talk if isinstance(talk, Rejected) else talk[0].example(library, talk[1])


def _tools(source: SourceObject, shape: Shape, library: Library) -> Iterator[ReadResult]:
    if shape in {"library", "errors"}:
        try:
            if shape == "errors":
                with faults():
                    for name, texts in _ERRORS.decode(source.read()).items():
                        library.add_errors(name, texts)
                return
            for entry in read_library(source.read(), source.source_uri):
                if isinstance(entry, ApiDefinition):
                    definition = library.with_errors(entry)
                    if library.add(definition):
                        yield definition
                else:
                    yield rejected_file(f"{source.source_uri}#row {entry[0]}", entry[1])
        except RejectedInputError as error:
            yield rejected_file(source.source_uri, error)
        return
    for talk in _talks(source, shape):
        if isinstance(talk, Rejected):
            continue
        for tool in talk[0].tools:
            try:
                definition = definition_of(tool, source.source_uri)
            except RejectedInputError:
                continue  # reported as a finding of the dialogue
            if library.add(definition):
                yield definition


def _talks(source: SourceObject, shape: Shape) -> Iterator[tuple[Talk, ExampleOrigin] | Rejected]:
    uri, split = source.source_uri, split_of(source.source_uri)
    try:
        data = source.read()
        if shape == "scene":
            yield read_scene(data), ExampleOrigin(KIND, uri, stem_of(uri), split)
        elif shape == "dialogue":
            rejected: list[Rejected] = []
            talk = read_talk(records_of(uri, data), rejected)
            yield from rejected
            yield talk, ExampleOrigin(KIND, uri, stem_of(uri), split)
        elif shape == "plans":
            yield from _plans(records_of(uri, data), uri, split)
        elif shape == "rows":
            yield from _rows(records_of(uri, data), uri, split)
    except RejectedInputError as error:
        yield rejected_file(uri, error)


def _plans(
    records: Iterator[Record], uri: str, split: str
) -> Iterator[tuple[Talk, ExampleOrigin] | Rejected]:
    for record in records:
        try:
            talk, plan = read_plan(record)
        except RejectedInputError as error:
            yield record.rejected(error)
            continue
        own = f"{stem_of(uri)}/{record.number}" if plan.sample_id is None else str(plan.sample_id)
        yield talk, ExampleOrigin(KIND, uri, own, split if plan.split is None else plan.split)


def _rows(
    records: Iterator[Record], uri: str, split: str
) -> Iterator[tuple[Talk, ExampleOrigin] | Rejected]:
    """Yield one dialogue for each sequence of training rows that continue each other.

    This is the dialogue in the last row, because the last row contains all earlier rows.
    """
    pending: tuple[Talk, ExampleOrigin] | None = None
    for record in records:
        try:
            row, talk = read_row(record)
        except RejectedInputError as error:
            yield record.rejected(error)
            continue
        location = ExampleOrigin(
            KIND, uri, _id_of(row, record), split if row.split is None else row.split
        )
        if pending is not None and continues(pending[0], talk):
            talk.oddities |= pending[0].oddities
            pending = talk, pending[1]
            continue
        if pending is not None:
            yield pending
        pending = talk, location
    if pending is not None:
        yield pending


def _id_of(row: ReadRow, record: Record) -> str:
    """Return the id of the dialogue that a training row belongs to.

    This is the file that the row names, or else the id or the number of the row.
    """
    if row.file is not None:
        return f"{row.file.removesuffix('.jsonl')}#{'' if row.id is None else row.id}"
    if row.sample_id is not None and isinstance(row.sample_id, str):
        return row.sample_id
    if row.sample_id is not None:
        return f"{stem_of(record.source_uri)}/{row.sample_id}"
    return f"{stem_of(record.source_uri)}/{record.number}"


def is_scene(head: bytes) -> bool:
    """Whether a file begins like a scene, API-Bank's description of a user with a dialogue."""
    return head.removeprefix(b"\xef\xbb\xbf").lstrip()[:6].lower() == b"scene:"


def read_scene(data: bytes) -> Talk:
    """Return the dialogue in a scene, without the scene's facts about the user.

    Raises RejectedInputError if the data are not a scene, or one of its calls cannot be read.
    """
    if len(data) > LONGEST_SCENE:
        raise RejectedInputError("too_large", f"the scene has more than {LONGEST_SCENE} bytes")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise RejectedInputError("not_utf8", str(error)) from error
    first, calls = _FIRST.search(text), _CALLS.search(text)
    if first is None or calls is None:
        raise RejectedInputError("wrong_shape", "the scene has no first utterance or no calls")
    talk = Talk()
    talk.say("user", first[1])
    for line in text[calls.end() :].splitlines():
        if not line.strip():
            continue
        if len(line) > LONGEST_CALL:
            raise RejectedInputError(
                "too_large", f"a call is longer than {LONGEST_CALL} characters"
            )
        line_calls, end = read_calls(line)
        if line[end:].strip():
            talk.oddities.add("text_behind_call")
        for call in line_calls:
            talk.oddities.update(call.tolerated)
            talk.call(call.api, call.arguments, None)
    return talk
