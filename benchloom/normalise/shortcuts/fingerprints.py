"""Compute fingerprints of shortcuts, by which near duplicates are found.

A fingerprint is a set of shingles: 64-bit hashes of two successive actions with their arguments.
Generated ids and localised output names are left out of the arguments, so that copies made on
another device count as equal. The columns are read directly, because building records is slow.
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
from numpy.typing import NDArray

from benchloom.storage.tables import open_parquet, table_parts
from benchloom.storage.tables.files import PAGE_CHECKSUMS
from benchloom.storage.workspace import TemporaryFile

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


class Fingerprints(msgspec.Struct, frozen=True):
    """The fingerprints of many shortcuts in arrays, which take about 350 bytes per shortcut.

    A shingle is the hash of two successive actions. Shortcut i has the sorted, distinct `shingles`
    from bounds[i] up to bounds[i + 1].
    """

    shortcut_ids: list[str]
    shingles: NDArray[np.uint64]
    bounds: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.shortcut_ids)

    def of(self, index: int) -> NDArray[np.uint64]:
        """Return the shingles (hashes of successive actions) of one shortcut."""
        return self.shingles[self.bounds[index] : self.bounds[index + 1]]

    def sizes(self) -> NDArray[np.int64]:
        """Return an array with the number of shingles of each shortcut."""
        return np.diff(self.bounds)

    def blocks(self, most: int) -> Iterator[tuple[int, int]]:
        """Yield ranges of shortcuts that have at most `most` shingles together.

        A shortcut with more shingles is a range by itself.
        """
        start = 0
        while start < len(self):
            limit = self.bounds[start] + most
            stop = int(np.searchsorted(self.bounds, limit, side="right")) - 1
            stop = max(stop, start + 1)
            yield start, stop
            start = stop


def shingles_of(actions: Sequence[bytes]) -> list[int]:
    """Return the sorted distinct hashes of pairs of successive actions.

    For a single action, the hash of this action is returned.
    """
    if len(actions) == 1:
        return [_hash(actions[0])]
    return sorted({_hash(first + other) for first, other in pairwise(actions)})


def _hash(content: bytes) -> int:
    return int.from_bytes(blake2b(content, digest_size=8).digest(), "big")


def _action_digest(
    identifier: str, control: str | None, arguments: Sequence[tuple[str, str]]
) -> bytes:
    hasher = blake2b(f"{identifier}\0{control or ''}".encode(), digest_size=8)
    for name, value in arguments:
        plain = _GENERATED.sub("", value) if "-" in value else value
        hasher.update(f"\0{name}\0".encode())
        hasher.update(plain.encode())
    return hasher.digest()


def read_shingles(part: Path) -> Iterator[tuple[str, str, str, list[int]]]:
    """Yield (shortcut id, source digest, source uri, shingles) for each row of a shortcuts file."""
    with open_parquet(part) as file:
        for group in range(file.num_row_groups):
            rows = file.read_row_group(group, columns=COLUMNS, use_threads=False)
            for batch in rows.to_batches():
                digests, bounds = _action_digests(batch.column("actions"))
                keys = [batch.column(name).to_pylist() for name in COLUMNS[:3]]
                for row, (shortcut_id, digest, uri) in enumerate(zip(*keys, strict=True)):
                    yield (
                        shortcut_id,
                        digest,
                        uri,
                        shingles_of(digests[bounds[row] : bounds[row + 1]]),
                    )


def _action_digests(actions: pa.ListArray) -> tuple[list[bytes], list[int]]:
    flat = actions.flatten()
    arguments = flat.field("arguments")
    values = arguments.flatten()
    names, texts = values.field("name").to_pylist(), values.field("value").to_pylist()
    starts = _bounds(arguments)
    digests = [
        _action_digest(
            identifier, control, list(zip(names[start:stop], texts[start:stop], strict=True))
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
    offsets: list[int] = lists.offsets.to_pylist()
    return [offset - offsets[0] for offset in offsets]


def write_fingerprints(path: Path, rows: Iterator[tuple[str, str, str, list[int]]]) -> int:
    """Write fingerprints to a Parquet file and return the number of rows."""
    records = [dict(zip(SCHEMA.names, row, strict=True)) for row in rows]
    table = pa.Table.from_pylist(records, schema=SCHEMA)
    temporary = TemporaryFile(path)
    pq.write_table(table, temporary.path, compression="zstd", write_page_checksum=PAGE_CHECKSUMS)
    temporary.commit()
    return len(records)


def read_fingerprints(folder: Path) -> Fingerprints:
    """Read all fingerprints of a stage, in the order of its files."""
    shortcut_ids: list[str] = []
    shingles: list[NDArray[np.uint64]] = []
    sizes: list[NDArray[np.int64]] = []
    for part in table_parts(folder, TABLE):
        with open_parquet(part) as file:
            table = file.read(columns=["shortcut_id", "shingles"], use_threads=False)
        shortcut_ids.extend(table.column("shortcut_id").to_pylist())
        for lists in table.column("shingles").chunks:
            # A copy lets arrow free each part early instead of all parts at the end.
            shingles.append(lists.flatten().to_numpy().copy())
            sizes.append(np.diff(lists.offsets.to_numpy()).astype(np.int64))
    return joined_fingerprints(shortcut_ids, shingles, sizes)


def joined_fingerprints(
    shortcut_ids: list[str],
    shingles: Sequence[NDArray[np.uint64]],
    sizes: Sequence[NDArray[np.int64]],
) -> Fingerprints:
    """Build the fingerprints of shortcuts from their ids, shingles and numbers of shingles."""
    bounds = np.zeros(len(shortcut_ids) + 1, dtype=np.int64)
    np.cumsum(np.concatenate([np.empty(0, np.int64), *sizes]), out=bounds[1:])
    return Fingerprints(shortcut_ids, np.concatenate([np.empty(0, np.uint64), *shingles]), bounds)
