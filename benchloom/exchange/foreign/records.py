"""Read the records of JSON and JSON Lines files; damaged records are reported with a location.

A file that contains one object is one record. Locations count from 1: `line 3` in JSON lines,
`record 3` in a list.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

import msgspec

from benchloom.core.errors import RejectedInputError
from benchloom.core.identity import tagged_digest
from benchloom.core.records import Rejected
from benchloom.exchange.examples.imports import STAGE
from benchloom.storage.inputs import SourceObject
from benchloom.storage.inputs.json_nesting import MAX_DEPTH, may_nest_deeper

MAX_RECORD = 4 * 1024 * 1024  # maximum bytes of a record
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_TOKEN = re.compile(
    rb'"(?:[^"\\\n]|\\.)*"|[\[\]{},]'
)  # a string within one line, a bracket or a comma
T = TypeVar("T")
_RAW = msgspec.json.Decoder(msgspec.Raw)
_RAWS = msgspec.json.Decoder(list[msgspec.Raw])


@contextmanager
def faults() -> Iterator[None]:
    """Convert JSON errors in a `with` block to RejectedInputError.

    The reason is `bad_json`, `wrong_shape` or `too_deep`.
    """
    try:
        yield
    except msgspec.ValidationError as error:
        raise RejectedInputError("wrong_shape", str(error)) from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise RejectedInputError("bad_json", str(error)) from error
    except RecursionError as error:
        raise RejectedInputError(
            "too_deep", "the JSON of the record is nested too deeply"
        ) from error


def decode(content: bytes, decoder: "msgspec.json.Decoder[T]") -> T:
    """Decode the bytes of a record as an object of the decoder's type.

    Raises RejectedInputError if the record is not JSON, has another shape, is too large or nested
    too deeply.
    """
    with faults():
        if len(content) > MAX_RECORD:
            raise RejectedInputError("too_large", f"the record has more than {MAX_RECORD} bytes")
        if may_nest_deeper(content, MAX_DEPTH):
            raise RejectedInputError(
                "too_deep", f"the JSON of the record is nested more than {MAX_DEPTH} levels deep"
            )
        return decoder.decode(content)


class Record(msgspec.Struct, frozen=True, gc=False):
    """A record of a file before it is decoded.

    `number` counts the records of the file from 1. Messages name the record by its `location`, such
    as `line 3`.
    """

    source_uri: str
    number: int
    location: str
    content: bytes

    def decoded(self, decoder: "msgspec.json.Decoder[T]") -> T:
        """Decode the record as an object of the decoder's type.

        Raises RejectedInputError if this is impossible; see `decode`.
        """
        return decode(self.content, decoder)

    def rejected(self, error: RejectedInputError) -> Rejected:
        """Return the row of `rejected` for the record, with the reason why it could not be read."""
        return Rejected(
            STAGE,
            f"{self.source_uri}#{self.location}",
            error.reason,
            f"{self.location}: {error.message}",
            tagged_digest("record", self.content),
        )


def rejected_file(
    source_uri: str, error: RejectedInputError, digest: str | None = None
) -> Rejected:
    """Return the row of `rejected` for a file that could not be read."""
    return Rejected(STAGE, source_uri, error.reason, error.message, digest)


def iter_records(source: SourceObject) -> Iterator[Record]:
    """Yield the records of a file in order.

    Raises RejectedInputError if the file cannot be read.
    """
    return records_of(source.source_uri, source.read())


def read_each(
    objects: Iterable[SourceObject], read_one: Callable[[Record], T]
) -> Iterator[T | Rejected]:
    """Apply `read_one` to each record of the files, and yield the results.

    A record that `read_one` rejects, or a file that cannot be read, becomes a rejected row.
    """
    for source in objects:
        try:
            for record in iter_records(source):
                try:
                    yield read_one(record)
                except RejectedInputError as error:
                    yield record.rejected(error)
        except RejectedInputError as error:
            yield rejected_file(source.source_uri, error)


def records_of(source_uri: str, data: bytes) -> Iterator[Record]:
    """Yield the records in the bytes of a file, which is JSON or JSON Lines.

    A blank file has no records.
    """
    content = data.removeprefix(_BYTE_ORDER_MARK).strip()
    if content.startswith(b"[") and (_is_record(content) or not _has_lines(content)):
        for number, raw in enumerate(_elements(content), 1):
            yield Record(source_uri, number, f"record {number}", raw)
        return
    if _is_record(content):
        yield Record(source_uri, 1, "record 1", content)
        return
    for number, line in enumerate(data.removeprefix(_BYTE_ORDER_MARK).split(b"\n"), 1):
        if line.strip():
            yield Record(source_uri, number, f"line {number}", line.strip())


def _has_lines(content: bytes) -> bool:
    # In a JSON list with one record per line, each line but the last ends with a comma.
    lines = [line.strip() for line in content.split(b"\n") if line.strip()]
    whole = sum(line.startswith(b"{") and _is_record(line) for line in lines)
    return 2 * whole >= len(lines) and not lines[0].endswith(b",")


def _is_record(content: bytes) -> bool:
    try:
        _RAW.decode(content)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False
    return True


def _elements(content: bytes) -> Iterator[bytes]:
    """Yield the bytes of each element of a JSON list.

    A damaged list is split at its outermost commas, so that its sound elements can be read.
    """
    try:
        sound = _RAWS.decode(content)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        yield from _pieces(content)
    else:
        yield from map(bytes, sound)


def _pieces(content: bytes) -> Iterator[bytes]:
    depth, start = 0, 1
    for match in _TOKEN.finditer(content):
        token = match[0]
        if token in {b"[", b"{"}:
            depth += 1
        elif token in {b"]", b"}"}:
            depth -= 1
            if depth <= 0:
                yield from _piece(content[start : match.start()])
                start, depth = match.end(), 1
        elif token == b"," and depth == 1:
            yield from _piece(content[start : match.start()])
            start = match.end()
    yield from _piece(content[start:])


def _piece(content: bytes) -> Iterator[bytes]:
    if content.strip(b" \t\r\n,"):
        yield content.strip()
