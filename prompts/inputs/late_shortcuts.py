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


def late_shortcuts(folder: Path) -> Iterator[LateShortcut | Rejected]:
    """Every shortcut as `read_shortcuts` has it, in its order."""
    definitions = read_facts(folder)
    common = blake2b(msgspec.msgpack.encode(definitions), digest_size=DIGEST_BYTES)
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
            make = partial(_made, batch, at, definitions)
            yield LateShortcut(idents[at], places[at], told.digest(), make)


def _made(batch: pa.RecordBatch, at: int, definitions: Mapping[str, ApiFacts]) -> ShortcutInput:
    return shortcut_input(_row(batch, at), definitions)


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
