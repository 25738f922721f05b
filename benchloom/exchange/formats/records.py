"""Read the records of files, which are JSON lines, elements of a JSON list, or rows of Parquet."""

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any, ClassVar

import msgspec

from benchloom.core.errors import RejectedInputError, RunError
from benchloom.core.records import Rejected
from benchloom.core.records.values import MAX_DEPTH, depth_of
from benchloom.exchange.examples.example import Example
from benchloom.exchange.examples.imports import STAGE
from benchloom.exchange.examples.message_calls import ExampleOrigin
from benchloom.exchange.foreign.records import records_of
from benchloom.exchange.formats.base import CARD, LOSSES, Read, Reading, split_of
from benchloom.storage.inputs import SourceObject
from benchloom.storage.tables import open_parquet

_PARQUET = b"PAR1"
_ROWS = 256
_ANY: "msgspec.json.Decoder[Any]" = msgspec.json.Decoder()


class RecordReading(Reading):
    """A format that can be read record by record, because each record is one example."""

    source: ClassVar[str]
    """The value of the field `source` of examples in this format."""

    @abstractmethod
    def example(self, record: Any, location: ExampleOrigin) -> Example:
        """Build the example in a record; see `read_records` for the errors."""

    def read(self, objects: Sequence[SourceObject]) -> Iterator[Read]:
        """Yield the definitions and examples in the records of all files."""
        return read_records(objects, self.source, self.example)


def read_records(
    objects: Sequence[SourceObject], source: str, read_one: Callable[[Any, ExampleOrigin], Example]
) -> Iterator[Read]:
    """Apply `read_one` to each record, and yield the example that it returns.

    A definition is yielded before the first example that uses it. `read_one` raises
    `msgspec.ValidationError` if a record has another shape, and `RejectedInputError` if it is not
    an example; the record then becomes a rejected row with its file and the number of the record.
    """
    definition_ids: set[str] = set()
    for source_object in objects:
        if PurePosixPath(source_object.source_uri).name in {CARD, LOSSES}:
            continue
        split = split_of(source_object.source_uri)
        for number, record in _records(source_object):
            if isinstance(record, Rejected):
                yield record
                continue
            location = ExampleOrigin(
                source, source_object.source_uri, _id_of(record, number), split
            )
            if depth_of(record) > MAX_DEPTH:
                yield _rejection(source_object, number, "too_deep", "the record is nested too deep")
                continue
            try:
                example = read_one(record, location)
            except msgspec.ValidationError as error:
                yield _rejection(source_object, number, "unexpected_shape", str(error))
                continue
            except RejectedInputError as error:
                yield _rejection(source_object, number, error.reason, str(error))
                continue
            for definition in example.definitions:
                if definition.definition_id not in definition_ids:
                    definition_ids.add(definition.definition_id)
                    yield definition
            yield example


def _id_of(record: object, number: int) -> str:
    own = record.get("id") if isinstance(record, Mapping) else None
    is_number = isinstance(own, int) and not isinstance(own, bool)
    return str(own) if is_number or (isinstance(own, str) and own) else str(number)


def _records(source_object: SourceObject) -> Iterator[tuple[int, Any]]:
    try:
        data = source_object.read()
    except RejectedInputError as error:
        yield 0, Rejected(STAGE, source_object.source_uri, error.reason, str(error))
        return
    if data.startswith(_PARQUET):
        yield from _rows(source_object, data)
        return
    for record in records_of(source_object.source_uri, data):
        try:
            yield record.number, record.decoded(_ANY)
        except RejectedInputError as error:
            yield (
                record.number,
                _rejection(source_object, record.number, error.reason, error.message),
            )


def _rows(source_object: SourceObject, data: bytes) -> Iterator[tuple[int, Any]]:
    number = 0
    try:
        with open_parquet(Path(source_object.source_uri), data=data) as file:
            for batch in file.iter_batches(_ROWS):
                for row in batch.to_pylist():
                    number += 1
                    yield number, row
            if number != file.metadata.num_rows:
                message = f"{number} of {file.metadata.num_rows} rows can be read"
                yield number, _rejection(source_object, number + 1, "damaged_parquet", message)
    except RunError as error:
        yield number, _rejection(source_object, number + 1, "damaged_parquet", str(error))


def _rejection(source_object: SourceObject, number: int, reason: str, message: str) -> Rejected:
    return Rejected(STAGE, f"{source_object.source_uri}#{number}", reason, message)
