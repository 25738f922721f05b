"""What a gate looks at."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from benchloom.release.describing import ReleaseTables
from benchloom.release.manifest import Manifest


class GateView(msgspec.Struct, frozen=True):
    """A release whose files were all found as its manifest says."""

    folder: Path
    manifest: Manifest
    tables: ReleaseTables

    def has(self, *names: str) -> bool:
        """Whether the release holds rows of all these tables."""
        rows = self.tables.rows()
        return all(rows.get(name) for name in names)

    def rows(self, table: str, columns: Sequence[str]) -> Iterator[tuple[object, ...]]:
        """The values of top-level columns, row by row; nothing where there is no such table."""
        for batch in self.tables.batches(table, columns, 4096):
            yield from zip(*(batch.column(name).to_pylist() for name in columns), strict=True)

    def values(self, table: str, column: str) -> set[object]:
        """The distinct values of a column that are not null."""
        return {value for (value,) in self.rows(table, [column]) if value is not None}


def view_gate(folder: Path, manifest: Manifest) -> GateView:
    """The view of a release folder."""
    files = tuple(file for file in manifest.files if file.table is not None)
    return GateView(folder, manifest, ReleaseTables(folder, files))
