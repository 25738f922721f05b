"""Stage release: normalised stage folders to an immutable release."""

from collections.abc import Sequence
from pathlib import Path

from benchloom.errors import RunError
from benchloom.release import ReleaseTable, build_release
from benchloom.tables import load_table, table_names, table_parts
from benchloom.workspace import read_mark


def release_stages(stages: Sequence[Path], releases: Path, version: str | None = None) -> Path:
    """Build a release from every table that the finished stage folders hold.

    Tables without a key (rejected rows) of several stages are put together.

    Raises:
        RunError: a folder holds no finished stage, or two hold the same table with a key.
    """
    tables: list[ReleaseTable] = []
    folders: dict[str, Path] = {}
    marks = []
    for folder in stages:
        mark = read_mark(folder)
        if mark is None:
            raise RunError(f"{folder} holds no finished stage")
        marks.append(mark)
        for name in table_names():
            if not table_parts(folder, name):
                continue
            if name in folders and load_table(name).key:
                raise RunError(f"table '{name}' stands in {folders[name]} and in {folder}")
            folders[name] = folder
            tables.append(ReleaseTable(name, folder))
    return build_release(tables, marks, releases, version)
