"""Chits: one record per line with a wish, a tool and the arguments of its call."""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from benchloom.exchange.examples import Example
from benchloom.exchange.examples.conversation import SpokenMessage
from benchloom.exchange.examples.message_calls import (
    ExampleOrigin,
    ForeignCall,
    ForeignCalls,
    ForeignTool,
    example_of_messages,
)
from benchloom.exchange.formats.base import Read, Reading
from benchloom.exchange.formats.records import read_records
from benchloom.storage.inputs import SourceObject


class _Chit(msgspec.Struct, frozen=True):
    chit: str
    tool: ForeignTool
    given: dict[str, Any]


class Chits(Reading):
    """A format of wishes with one call each."""

    title = "Chits of one call"

    def recognises(self, name: str, head: bytes) -> bool:
        """Return whether a file contains chits."""
        del name
        return b'"chit"' in head

    def read(self, objects: Sequence[SourceObject]) -> Iterator[Read]:
        """Yield the definitions and examples of all files."""
        return read_records(objects, "chits", _example)


def _example(record: Any, origin: ExampleOrigin) -> Example:
    row = msgspec.convert(record, _Chit)
    calls = ForeignCalls((ForeignCall(row.tool.name, row.given),))
    return example_of_messages(origin, [SpokenMessage("user", row.chit), calls], [row.tool])


FORMAT = Chits()
