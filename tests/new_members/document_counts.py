"""Document: a plain list of tables with their row counts."""

from pathlib import Path

from benchloom.release.descriptions import ReleaseView
from benchloom.storage.workspace import write_file

PATHS = ("COUNTS.md",)


def write(release: ReleaseView, folder: Path) -> list[Path]:
    """Write `COUNTS.md`."""
    lines = [f"{table}: {rows}\n" for table, rows in sorted(release.tables.rows().items())]
    write_file(folder / PATHS[0], "".join(lines).encode())
    return [folder / PATHS[0]]
