"""Choose where the files of a table end, so that an added row usually changes only one file.

Each row gets a pseudo-random number from its identifying columns. A file ends at a row with a
small number, provided that the file already has at least half the average number of rows.
"""

from collections.abc import Iterable
from zlib import crc32

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from benchloom.storage.tables import TableDefinition

MAX_FILES = 64
"""Approximate limit of files per set; tables of a million rows have larger files."""
_DRAWN_BITS = 32
_AT_ONCE = 1 << 16


def cuts(drawn: NDArray[np.uint32], rows: int, most: int) -> list[int]:
    """Return the end of each file, for files of about `rows` rows and at most `most` rows.

    `drawn` has a number per row. `rows` is doubled until there are about `MAX_FILES` files.
    """
    while rows * MAX_FILES < len(drawn):
        rows *= 2
    most = min(most, 4 * rows)
    least = min(rows // 2, most)
    ends: list[int] = []
    start = 0
    # After the least a file ends by chance: it has twice as many as that in the middle.
    for row_index in np.flatnonzero(drawn < (1 << _DRAWN_BITS) // max(1, rows // 2)).tolist():
        while row_index + 1 - start > most:
            start += most
            ends.append(start)
        if row_index + 1 - start >= least:
            start = row_index + 1
            ends.append(start)
    while len(drawn) - start > most:
        start += most
        ends.append(start)
    if start < len(drawn) or not ends:
        ends.append(len(drawn))
    return ends


def drawing_columns(table: TableDefinition) -> tuple[str, ...]:
    """Return the columns that determine a row's pseudo-random number."""
    return table.identity or table.key or table.sort


def drawn_by(keys: Iterable[pa.Table], table: TableDefinition) -> NDArray[np.uint32]:
    """Compute a number of `_DRAWN_BITS` bits for each row from its identifying columns."""
    names = list(drawing_columns(table))
    draws = [np.zeros(0, np.uint32)]
    for rows in keys:
        for some in rows.select(names).to_batches(_AT_ONCE):
            columns = (column.to_pylist() for column in some.columns)
            encoded_keys = (
                repr(key).encode("utf-8", "replace") for key in zip(*columns, strict=True)
            )
            draws.append(np.fromiter(map(crc32, encoded_keys), np.uint32, some.num_rows))
    return np.concatenate(draws)
