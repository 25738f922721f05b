"""Shortcuts whose step input is built only when it is needed.

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
from benchloom.storage.tables import open_parquet
from benchloom.storage.tables.arrays import DIGEST_BYTES, row_digests
from prompts.data_block import clean_text
from prompts.inputs.shortcuts import (
    MAX_LENGTH,
    TABLE,
    ShortcutInput,
    ShortcutRow,
    fault_of,
    shortcut_input,
)
from prompts.language.value_texts.labels import ApiFacts, ParameterFacts
from prompts.reading import (
    DefinitionRow,
    ParameterRow,
    about,
    column_paths,
    definitions_folder,
    iter_definitions,
    parts_of,
    records_of,
)

MAX_TITLE = 80
MAX_ABOUT = 240


class LateShortcut(NamedTuple):
    """A shortcut to write about; `make` builds its input, from data with the digest `digest`."""

    shortcut_id: str
    source_uri: str
    input_digest: bytes
    make: Callable[[], ShortcutInput]


class _Rows:
    """The rows of a file of shortcuts, read on demand; one row group is kept in memory."""

    def __init__(self, part: Path) -> None:
        self.part = part
        self._group: tuple[int, pa.RecordBatch] | None = None

    def row(self, number: int) -> ShortcutRow:
        """Return the row with this number in the file.

        Raises:
            RunError: the file is unreadable, or lacks a column.
        """
        if self._group is None or not 0 <= number - self._group[0] < self._group[1].num_rows:
            self._group = self._group_with(number)
        start, rows = self._group
        return next(records_of(rows.slice(number - start, 1), TABLE, ShortcutRow))

    def _group_with(self, number: int) -> tuple[int, pa.RecordBatch]:
        """Return the row group that contains a row, and the number of the group's first row."""
        with open_parquet(self.part) as file:
            start = 0
            for group in range(file.num_row_groups):
                stop = start + file.metadata.row_group(group).num_rows
                if number < stop:
                    columns = column_paths(ShortcutRow)
                    rows = file.read_row_group(group, columns=columns, use_threads=False)
                    return start, rows.combine_chunks().to_batches()[0]
                start = stop
        raise IndexError(number)

    def __reduce__(self) -> tuple[Callable[[Path, int], "_Rows"], tuple[Path, int]]:
        """Pickle only the path: the process that builds the inputs reads the rows."""
        return _rows_of, (self.part, self.part.stat().st_mtime_ns)


class _Definitions:
    """Titles and parameters of APIs from a folder of definitions, and their digest."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self.facts = {} if folder is None else read_facts(folder)
        self.hash = hashlib.blake2b(msgspec.msgpack.encode(self.facts), digest_size=DIGEST_BYTES)

    def __reduce__(
        self,
    ) -> tuple[Callable[[Path | None, bytes], "_Definitions"], tuple[Path | None, bytes]]:
        """Pickle only the folder; another process then reads the facts once."""
        return _definitions_of, (self._folder, self.hash.digest())


@lru_cache(maxsize=2)
def _rows_of(part: Path, modified_ns: int) -> _Rows:
    del modified_ns  # A file that was written again has other rows.
    return _Rows(part)


@lru_cache(maxsize=2)
def _definitions_of(folder: Path | None, digest: bytes) -> _Definitions:
    definitions = _Definitions(folder)
    if definitions.hash.digest() != digest:
        raise RunError(f"{folder}: the definitions changed since the run read them; run again")
    return definitions


def late_shortcuts(folder: Path) -> Iterator[LateShortcut | Rejected]:
    """Yield every shortcut in order, or the reason why it gets no text.

    A row becomes an object only when its input is built.
    """
    definitions = _Definitions(definitions_folder(folder))
    for part in parts_of(folder, TABLE):
        rows = _Rows(part)
        for number, (shortcut_id, source_uri, digest, is_rare) in enumerate(_about(part)):
            fault = fault_of(rows.row(number)) if is_rare else None
            if fault is not None:
                yield Rejected("generate", source_uri, *fault, shortcut_id)
                continue
            hasher = definitions.hash.copy()
            hasher.update(digest)
            make = partial(_input_of, rows, number, definitions)
            yield LateShortcut(shortcut_id, source_uri, hasher.digest(), make)


def _about(part: Path) -> Iterator[tuple[str, str, bytes, bool]]:
    """Yield id, location and digest of each row, and whether the row may have a fault.

    The digest is that of the input's columns, with the id in place of the actions.
    """
    names = [name for name in ShortcutRow.__struct_fields__ if name != "actions"]
    columns = [*names, "actions.list.element.identifier"]
    with open_parquet(part) as file:
        for batch in file.iter_batches(_ABOUT_ROWS, columns=columns, use_threads=False):
            ids, uris = (batch.column(name).to_pylist() for name in ("shortcut_id", "source_uri"))
            rare = _rarely_written(batch)
            digests = row_digests(batch.select(names))
            for at, row in enumerate(zip(ids, uris, digests, strict=True)):
                yield *row, at in rare


_ABOUT_ROWS = 1024


def _input_of(rows: _Rows, number: int, definitions: _Definitions) -> ShortcutInput:
    return shortcut_input(rows.row(number), definitions.facts)


def _rarely_written(batch: pa.RecordBatch) -> set[int]:
    """Return the numbers of the rows that may have a fault; other rows need no check."""
    lengths = batch.column("length")
    long = pc.or_(pc.equal(lengths, 0), pc.greater(lengths, MAX_LENGTH))
    actions = batch.column("actions")
    running = pc.equal(pc.struct_field(actions.flatten(), "identifier"), RUN_SHORTCUT)
    owners = pc.list_parent_indices(actions).filter(running)
    return {*pc.indices_nonzero(long).to_pylist(), *owners.to_pylist()}


def read_facts(folder: Path) -> dict[str, ApiFacts]:
    """Return definitions by API from the folder; if it has none, from its workspace."""
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
        row.type,
        row.type_kind,
        {entry.value: _line(entry.title, MAX_TITLE) for entry in row.enum_values if entry.title},
    )


def _line(text: str | None, limit: int) -> str:
    return " ".join(clean_text(text or "", limit).split())
