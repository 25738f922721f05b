"""A release gate: a file contains only rows of its split, and all files of a split are present."""

from collections.abc import Iterator
from functools import partial

from benchloom.release.descriptions.loading import card_configs
from benchloom.release.gates.rows import check_key, file_key, unless_passed
from benchloom.release.gates.view import GateView
from benchloom.release.manifest import FORMER_FORMAT, ReleaseFile
from benchloom.release.sharding import file_set_of
from benchloom.storage.tables import (
    UNSPLIT,
    FileSet,
    SetFile,
    load_table,
    row_groups,
    row_values,
)

CARD = "README.md"


def findings(release: GateView) -> Iterator[str]:
    """Yield one line per fault in the division of tables into files.

    A fault is a file with a row of another split, a missing file, or a dataset card whose field
    `configs` does not match the files.
    """
    if release.manifest.format == FORMER_FORMAT:
        return
    sets: dict[tuple[str, FileSet], list[SetFile]] = {}
    for file in release.manifest.files:
        set_entry = file.in_set
        if file.table is None or set_entry is None:
            continue
        sets.setdefault((file.table, set_entry.file_set), []).append(set_entry)
        yield from _file_findings(release, file, set_entry.file_set)
    for (table, file_set), files in sets.items():
        numbers = sorted(file.number for file in files)
        count = max(file.of for file in files)
        if numbers != list(range(count)) or any(file.of != count for file in files):
            yield f"{table}/{file_set.stem}-*.parquet: not all of the {count} files are present"
    yield from _card_findings(release)


def _file_findings(release: GateView, file: ReleaseFile, file_set: FileSet) -> Iterator[str]:
    check = partial(_foreign_row, release, file, file_set)
    yield from unless_passed(check_key("file set", *file_key(file)), check)


def _foreign_row(release: GateView, file: ReleaseFile, file_set: FileSet) -> Iterator[str]:
    splits = load_table(file.table or "").splits
    if splits is None:
        if file_set != FileSet(UNSPLIT):
            yield f"{file.path}: its name states a split, but the table has no splits"
        return
    columns = splits.columns()
    for rows in row_groups(release.folder / file.path, columns=columns):
        for split, *marked in row_values(rows, columns):
            if file_set_of(splits, split, any(marked)) != file_set:
                mark = f", {splits.subset} {any(marked)}" if splits.subset else ""
                yield f"{file.path}: contains a row of split {split!r}{mark}"
                return


def _card_findings(release: GateView) -> Iterator[str]:
    if all(file.path != CARD for file in release.manifest.files):
        return
    text = (release.folder / CARD).read_text(encoding="utf-8", errors="replace")
    front = text.partition("\n---\n")[0] + "\n"
    # Compared as text, so that external YAML is not parsed.
    if f"\n{card_configs(release.manifest.files)}" not in front or front.count("\nconfigs:") != 1:
        yield f"{CARD}: the field `configs` does not match the table files of the release"
