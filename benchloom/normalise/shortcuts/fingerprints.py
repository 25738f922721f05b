"""Fingerprints of shortcuts: 2-grams of (identifier, arguments), as sets of 64-bit hashes.

Generated ids and localised output names are left out of the arguments, so that copies made on
another device count as equal. Read column by column: no record is built.
"""

import re
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from itertools import pairwise
from pathlib import Path

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from benchloom.tables import open_parquet
from benchloom.tables.files import PAGE_CHECKSUMS
from benchloom.workspace import TemporaryFile

TABLE = "fingerprints"
COLUMNS = ["shortcut_id", "source_digest", "source_uri", "actions"]
SCHEMA = pa.schema(
    [
        ("shortcut_id", pa.string()),
        ("source_digest", pa.string()),
        ("source_uri", pa.string()),
        ("shingles", pa.list_(pa.uint64())),
    ]
)
_GENERATED = re.compile(
    r"[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}|\"OutputName\":\"(?:[^\"\\]|\\.)*\",?"
)


class Fingerprint(msgspec.Struct, frozen=True):
    """One shortcut's place, and its sorted distinct shingles (numpy uint64)."""

    shortcut_id: str
    source_digest: str
    source_uri: str
    shingles: np.ndarray[tuple[int], np.dtype[np.uint64]]


def shingles_of(actions: Sequence[bytes]) -> list[int]:
    """Sorted distinct 64-bit hashes of the 2-grams; one action is its own, no action has none."""
    if len(actions) == 1:
        return [_hash(actions[0])]
    return sorted({_hash(one + other) for one, other in pairwise(actions)})


def _hash(content: bytes) -> int:
    return int.from_bytes(blake2b(content, digest_size=8).digest(), "big")


def action_digest(
    identifier: str, control: str | None, arguments: Sequence[tuple[str, str]]
) -> bytes:
    """8 bytes that stand for an action; generated ids in its arguments make no difference."""
    hasher = blake2b(f"{identifier}\0{control or ''}".encode(), digest_size=8)
    for name, value in arguments:
        plain = _GENERATED.sub("", value) if "-" in value else value
        hasher.update(f"\0{name}\0".encode())
        hasher.update(plain.encode())
    return hasher.digest()


def read_shingles(part: Path, groups: Sequence[int]) -> Iterator[tuple[str, str, str, list[int]]]:
    """Shortcut id, source digest, source uri and shingles of the rows of some row groups."""
    with open_parquet(part) as file:
        for group in groups:
            rows = file.read_row_group(group, columns=COLUMNS, use_threads=False)
            for batch in rows.to_batches():
                digests, bounds = _action_digests(batch.column("actions"))
                keys = [batch.column(name).to_pylist() for name in COLUMNS[:3]]
                for row, (ident, digest, uri) in enumerate(zip(*keys, strict=True)):
                    yield ident, digest, uri, shingles_of(digests[bounds[row] : bounds[row + 1]])


def _action_digests(actions: pa.ListArray) -> tuple[list[bytes], list[int]]:
    """The digests of all actions of a batch, and where each row's begin."""
    flat = actions.flatten()
    arguments = flat.field("arguments")
    values = arguments.flatten()
    names, texts = values.field("name").to_pylist(), values.field("value").to_pylist()
    starts = _bounds(arguments)
    digests = [
        action_digest(
            identifier,
            control,
            list(zip(names[start:stop], texts[start:stop], strict=True)),
        )
        for identifier, control, start, stop in zip(
            flat.field("identifier").to_pylist(),
            flat.field("control").to_pylist(),
            starts,
            starts[1:],
            strict=False,
        )
    ]
    return digests, _bounds(actions)


def _bounds(lists: pa.ListArray) -> list[int]:
    """Where each list begins in the flattened items, and where the last one ends."""
    offsets: list[int] = lists.offsets.to_pylist()
    return [offset - offsets[0] for offset in offsets]


def write_fingerprints(path: Path, rows: Iterator[tuple[str, str, str, list[int]]]) -> int:
    """Write fingerprints to one file; the number of rows."""
    found = [dict(zip(SCHEMA.names, row, strict=True)) for row in rows]
    table = pa.Table.from_pylist(found, schema=SCHEMA)
    temporary = TemporaryFile(path)
    pq.write_table(table, temporary.path, compression="zstd", write_page_checksum=PAGE_CHECKSUMS)
    temporary.commit()
    return len(found)


def read_fingerprints(parts: Sequence[Path]) -> list[Fingerprint]:
    """All fingerprints, in the order of the files; about 1 kB each."""
    found: list[Fingerprint] = []
    for part in parts:
        with open_parquet(part) as file:
            table = file.read(use_threads=False).combine_chunks()
        lists = table.column("shingles").combine_chunks()
        if isinstance(lists, pa.ChunkedArray):
            lists = pa.concat_arrays(lists.chunks or [pa.array([], lists.type)])
        flat = lists.flatten().to_numpy()
        bounds = _bounds(lists)
        keys = [table.column(name).to_pylist() for name in COLUMNS[:3]]
        for row, (ident, digest, uri) in enumerate(zip(*keys, strict=True)):
            found.append(Fingerprint(ident, digest, uri, flat[bounds[row] : bounds[row + 1]]))
    return found
