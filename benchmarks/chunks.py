"""Bytes that a store of content-defined chunks keeps anew of the next version of a table.

One version of `queries` has 1 % fewer rows than the other, in one place. Both are written with the
properties of published files, with and without content-defined pages, in row groups of the table's
size and as a single row group. The store cuts files as the Hugging Face Hub describes: where a
rolling hash of the last 64 bytes has 16 zero bits, into chunks of 8 to 128 KiB.
"""

import hashlib
import random
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from benchloom.storage.tables import TableDefinition, load_table
from benchloom.storage.tables.files import PAGE_CHECKSUMS

ROWS = 100_000
WINDOW = 64
LEAST, MOST = 8 * 1024, 128 * 1024
SMALL_PAGES = {"min_chunk_size": 32 * 1024, "max_chunk_size": 128 * 1024, "norm_level": 0}
_GEAR = np.random.default_rng(1).integers(0, 2**64, 256, dtype=np.uint64)


def ratios() -> list[tuple[str, float, str]]:
    """Stored bytes, file size and time of content-defined pages, in relation to ordinary ones."""
    table = load_table("queries")
    old = _rows(table)
    start = ROWS // 3
    new = pa.concat_tables([old.slice(0, start), old.slice(start + ROWS // 100)])
    figures: list[tuple[str, float, str]] = []
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch) / "queries.parquet"
        for group, rows in (("our row groups", table.row_group_rows), ("one row group", ROWS)):
            plain = _measured(old, new, table, path, rows, pages=False)
            for pages, setting in (("default", True), ("32-128 KiB", SMALL_PAGES)):
                cut = _measured(old, new, table, path, rows, pages=setting)
                names = ("new bytes", "file size", "time to write")
                figures += [
                    (f"{group}, pages of {pages}: {name}, to ordinary pages", now / before, "-")
                    for name, now, before in zip(names, cut, plain, strict=True)
                ]
            figures.append(
                (f"{group}, ordinary pages: new part of the file", plain[0] / plain[1], "-")
            )
    return figures


def _measured(
    old: pa.Table,
    new: pa.Table,
    table: TableDefinition,
    path: Path,
    group: int,
    *,
    pages: bool | dict[str, int],
) -> tuple[float, float, float]:
    """Bytes of the new version that the old one lacks, bytes of the old one, and seconds."""
    seconds = []
    for _ in range(3):
        start = time.process_time()
        _write(old, table, path, group, pages)
        seconds.append(time.process_time() - start)
    first = path.read_bytes()
    _write(new, table, path, group, pages)
    stored = {hashlib.sha256(chunk).digest() for chunk in _chunks(first)}
    unknown = {
        key: len(chunk)
        for chunk in _chunks(path.read_bytes())
        if (key := hashlib.sha256(chunk).digest()) not in stored
    }
    return sum(unknown.values()), len(first), min(seconds)


def _write(
    rows: pa.Table, table: TableDefinition, path: Path, group: int, pages: bool | dict[str, int]
) -> None:
    """Write a file as `TableWriter` does."""
    with pq.ParquetWriter(
        path,
        rows.schema,
        compression="zstd",
        use_dictionary=table.repetitive_columns(),
        write_statistics=[column.name for column in table.columns if not column.is_nested],
        write_page_index=False,
        write_page_checksum=PAGE_CHECKSUMS,
        use_content_defined_chunking=pages,
    ) as writer:
        for at in range(0, rows.num_rows, group):
            writer.write_table(rows.slice(at, group), group)


def _chunks(data: bytes) -> Iterator[bytes]:
    """Cut bytes where the hash says so, but into no chunk that is too small or too large."""
    gear = _GEAR[np.frombuffer(data, np.uint8)]
    rolling = np.zeros(len(gear), np.uint64)
    for distance in range(min(WINDOW, len(gear))):
        rolling[distance:] += gear[: len(gear) - distance] << np.uint64(distance)
    start = 0
    for cut in [*np.flatnonzero(rolling >> np.uint64(48) == 0).tolist(), len(data)]:
        while cut - start > MOST:
            yield data[start : start + MOST]
            start += MOST
        if cut - start >= LEAST or (cut == len(data) and cut > start):
            yield data[start:cut]
            start = cut


def _rows(table: TableDefinition) -> pa.Table:
    """Made-up requests with digests as ids, in the order of the table."""
    chance = random.Random(5)  # noqa: S311  made-up rows, no secrets
    letters = "abcdefghijklmnopqrstuvwxyz"
    words = ["".join(chance.choices(letters, k=chance.randint(2, 9))) for _ in range(5000)]
    rows = [
        {
            **dict.fromkeys(column.name for column in table.columns),
            "query_id": f"query:sha256:{chance.randbytes(32).hex()}",
            "target_id": f"shortcut:sha256:{chance.randbytes(32).hex()}",
            "kind": "query",
            "text": " ".join(chance.choices(words, k=chance.randint(10, 40))),
            "kept": True,
            "judged": True,
            "prompt_digest": f"sha256:{chance.randbytes(32).hex()}",
            "completion_digest": f"sha256:{chance.randbytes(32).hex()}",
            "generator": "llm",
            "tokens_in": chance.randint(400, 900),
            "tokens_out": chance.randint(20, 60),
            "usd": chance.randint(1, 99) / 1e5,
        }
        for _ in range(ROWS)
    ]
    rows.sort(key=lambda row: str(row["target_id"]))
    return pa.Table.from_pylist(rows, schema=table.arrow_schema())
