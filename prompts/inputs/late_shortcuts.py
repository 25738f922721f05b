"""Build the inputs of steps about shortcuts, each only when a step needs it.

Earlier runs already wrote about most shortcuts, so most inputs are never needed.
"""

import hashlib
from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from pathlib import Path
from typing import NamedTuple

import msgspec
import pyarrow as pa
import pyarrow.compute as pc

from benchloom.core.built_in_actions import RUN_SHORTCUT
from benchloom.core.errors import RunError
from benchloom.core.records import Rejected
from benchloom.storage.tables import records_of
from benchloom.storage.tables.arrays import DIGEST_BYTES, row_digests
from prompts.columns import (
    DefinitionRow,
    ParameterRow,
    about,
    definitions_folder,
    iter_batches,
    iter_definitions,
)
from prompts.data_block import clean_text
from prompts.inputs.shortcuts import (
    MAX_LENGTH,
    TABLE,
    ShortcutInput,
    ShortcutRow,
    shortcut_input,
)
from prompts.language.value_texts.labels import ApiFacts, ParameterFacts

MAX_TITLE = 80
MAX_ABOUT = 240


class LateShortcut(NamedTuple):
    """A shortcut to write about; `make` builds its input, `input_digest` identifies the input."""

    shortcut_id: str
    source_uri: str
    input_digest: bytes
    make: Callable[[], ShortcutInput]


class _Row:
    """One row of a batch of shortcuts; the row is pickled without the others."""

    def __init__(self, batch: pa.RecordBatch, number: int) -> None:
        self._row = batch.slice(number, 1)

    def record(self) -> ShortcutRow:
        """Return the row as a record."""
        location = Path(f"{TABLE}.parquet")
        (record,) = records_of(self._row.to_pylist(), location, TABLE, ShortcutRow)
        return record

    def __reduce__(self) -> tuple[Callable[[pa.Schema, bytes], "_Row"], tuple[pa.Schema, bytes]]:
        """Pickle only the bytes of this row; pickling a slice would include the whole batch."""
        return _unpickled_row, (self._row.schema, self._row.serialize().to_pybytes())


def _unpickled_row(schema: pa.Schema, data: bytes) -> _Row:
    return _Row(pa.ipc.read_record_batch(pa.py_buffer(data), schema), 0)


class _Definitions:
    """The titles and parameters of APIs from a folder of definitions, and their digest."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self.facts = {} if folder is None else read_facts(folder)
        self.hash = hashlib.blake2b(msgspec.msgpack.encode(self.facts), digest_size=DIGEST_BYTES)

    def __reduce__(
        self,
    ) -> tuple[Callable[[Path | None, bytes], "_Definitions"], tuple[Path | None, bytes]]:
        """Pickle only the folder's path and the digest; another process reads the folder again."""
        return _definitions_of, (self._folder, self.hash.digest())


@lru_cache(maxsize=2)
def _definitions_of(folder: Path | None, digest: bytes) -> _Definitions:
    definitions = _Definitions(folder)
    if definitions.hash.digest() != digest:
        raise RunError(f"the API definitions in {folder} changed during the run; run again")
    return definitions


def late_shortcuts(folder: Path) -> Iterator[LateShortcut | Rejected]:
    """Yield every shortcut in order, or a rejected row if no text can be written about it.

    A row becomes an object only when its input is built. The digest of an input covers the
    shortcut's id instead of its actions, because the id is a digest of the actions.
    """
    definitions = _Definitions(definitions_folder(folder))
    for batch in iter_batches(folder, TABLE, ShortcutRow):
        digests = row_digests(batch.drop_columns(["actions"]))
        runners = _runners(batch)
        columns = ("shortcut_id", "source_uri", "length")
        rows = zip(*(batch.column(name).to_pylist() for name in columns), strict=True)
        for number, (shortcut_id, source_uri, length) in enumerate(rows):
            fault = _fault(length, runs_other=number in runners)
            if fault is not None:
                yield Rejected("generate", source_uri, *fault, shortcut_id)
                continue
            hasher = definitions.hash.copy()
            hasher.update(digests[number])
            make = partial(_input_of, _Row(batch, number), definitions)
            yield LateShortcut(shortcut_id, source_uri, hasher.digest(), make)


def _input_of(row: _Row, definitions: _Definitions) -> ShortcutInput:
    return shortcut_input(row.record(), definitions.facts)


def _runners(batch: pa.RecordBatch) -> set[int]:
    """Return the positions of the shortcuts in a batch that have the action "Run Shortcut"."""
    actions = batch.column("actions")
    is_run = pc.equal(pc.struct_field(actions.flatten(), "identifier"), RUN_SHORTCUT)
    return set(pc.list_parent_indices(actions).filter(is_run).to_pylist())


def _fault(length: int, *, runs_other: bool) -> tuple[str, str] | None:
    """Return a reason and message if no text can be written about a shortcut, or None."""
    if length == 0:
        return "no_actions", "nothing to ask for"
    if length > MAX_LENGTH:
        return "too_many_actions", f"length {length}, at most {MAX_LENGTH}"
    return ("runs_other_shortcut", "what it does is not in it alone") if runs_other else None


def read_facts(folder: Path) -> dict[str, ApiFacts]:
    """Return a mapping from each API to its definition; it is empty if no folder has definitions.

    The definitions are in `folder` or in a stage folder beside it.
    """
    defining = definitions_folder(folder)
    if defining is None:
        return {}
    facts_by_api: dict[str, ApiFacts] = {}
    for row in iter_definitions(defining):
        if row.api not in facts_by_api:
            facts_by_api[row.api] = _facts(row)
    return facts_by_api


def _facts(row: DefinitionRow) -> ApiFacts:
    return ApiFacts(
        row.api,
        _line(row.title, MAX_TITLE),
        _line(about(row.description), MAX_ABOUT),
        {entry.name: _parameter(entry) for entry in row.parameters},
    )


def _parameter(row: ParameterRow) -> ParameterFacts:
    return ParameterFacts(
        _line(row.title, MAX_TITLE),
        _line(about(row.description), MAX_ABOUT),
        row.type_kind,
        {entry.value: _line(entry.title, MAX_TITLE) for entry in row.enum_values if entry.title},
    )


def _line(text: str | None, limit: int) -> str:
    return " ".join(clean_text(text or "", limit).split())
