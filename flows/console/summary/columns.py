"""Read some columns of a table of a release, file by file."""

from collections.abc import Iterator
from pathlib import Path

import pyarrow.compute as pc

from benchloom.release import Manifest
from benchloom.storage.tables import read_rows


def columns_of(
    release: Path, manifest: Manifest, table: str, names: list[str], *, without: str | None = None
) -> Iterator[list[list[object]]]:
    """Yield the values of some columns of a table, file by file.

    With `without`, rows are skipped in which that boolean column is true.
    """
    for file in manifest.files:
        if file.table == table and file.rows:
            rows = read_rows(release / file.path, [*names, *([without] if without else [])])
            if without is not None:
                rows = rows.filter(pc.invert(rows.column(without)))
            yield [rows.column(name).to_pylist() for name in names]
