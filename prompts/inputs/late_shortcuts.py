"""Shortcuts whose input is made late: of most, a run before has written already."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

import msgspec
import pyarrow as pa
import pyarrow.compute as pc

from benchloom.built_in_actions import RUN_SHORTCUT
from benchloom.records import Rejected
from benchloom.tables.digests import DIGEST_BYTES, row_digests
from prompts.inputs.definitions import read_facts
from prompts.inputs.shared import Shared
from prompts.inputs.shortcuts import (
    MAX_LENGTH,
    TABLE,
    ShortcutInput,
    ShortcutRow,
    fault_of,
    shortcut_input,
)
from prompts.language.sayable.definitions import ApiFacts
from prompts.reading import iter_batches, records_of


class LateShortcut(NamedTuple):
    """A shortcut that may be written about: `told` is the digest of all its input is made of."""

    shortcut_id: str
    source_uri: str
    told: bytes
    make: Callable[[], ShortcutInput]


class _Recipe:
    """Makes the input of a shortcut that stands in a batch of rows."""

    def __init__(
        self, rows: pa.RecordBatch, at: int, definitions: Shared[Mapping[str, ApiFacts]]
    ) -> None:
        self._rows = rows
        self._at = at
        self._definitions = definitions

    def __call__(self) -> ShortcutInput:
        return _made(_row(self._rows, self._at), self._definitions)

    def __reduce__(self) -> tuple[type[partial[ShortcutInput]], tuple[object, ...]]:
        """To another process goes the row alone."""
        return partial, (_made, _row(self._rows, self._at), self._definitions)


def late_shortcuts(folder: Path) -> Iterator[LateShortcut | Rejected]:
    """Every shortcut as `read_shortcuts` has it, in its order."""
    definitions: Shared[Mapping[str, ApiFacts]] = Shared(read_facts(folder))
    common = blake2b(msgspec.msgpack.encode(definitions.value), digest_size=DIGEST_BYTES)
    for batch in iter_batches(folder, TABLE, ShortcutRow):
        idents, places = (batch.column(name).to_pylist() for name in ("shortcut_id", "source_uri"))
        rare = _rarely_written(batch)
        for at, digest in enumerate(row_digests(batch)):
            fault = fault_of(_row(batch, at)) if at in rare else None
            if fault is not None:
                yield Rejected("generate", places[at], *fault, idents[at])
                continue
            told = common.copy()
            told.update(digest)
            make = _Recipe(batch, at, definitions)
            yield LateShortcut(idents[at], places[at], told.digest(), make)


def _made(row: ShortcutRow, definitions: Shared[Mapping[str, ApiFacts]]) -> ShortcutInput:
    return shortcut_input(row, definitions.value)


def _row(batch: pa.RecordBatch, at: int) -> ShortcutRow:
    return next(records_of(batch.slice(at, 1), TABLE, ShortcutRow))


def _rarely_written(batch: pa.RecordBatch) -> set[int]:
    """The rows that may have a fault: of others it is not asked."""
    lengths = batch.column("length")
    long = pc.or_(pc.equal(lengths, 0), pc.greater(lengths, MAX_LENGTH))
    actions = batch.column("actions")
    running = pc.equal(pc.struct_field(actions.flatten(), "identifier"), RUN_SHORTCUT)
    owners = pc.list_parent_indices(actions).filter(running)
    return {*pc.indices_nonzero(long).to_pylist(), *owners.to_pylist()}
