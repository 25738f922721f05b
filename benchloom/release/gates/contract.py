"""Gate: tables match their definitions: schema, rows, nulls, JSON, keys, sort order."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

import benchloom
from benchloom.core.errors import RunError
from benchloom.normalise.redaction.json_cells import is_json
from benchloom.normalise.redaction.tables import json_texts
from benchloom.release.gates.rows import check_key, file_key, unless_passed
from benchloom.release.gates.view import GateView, Part
from benchloom.release.manifest import ReleaseFile
from benchloom.storage.tables import (
    ColumnDefinition,
    FileSet,
    TableDefinition,
    load_table,
    open_parquet,
    read_rows,
    row_values,
    set_file,
)


def parts(release: GateView) -> Iterator[Part]:
    """Divide the gate into parts, one per table."""
    return (partial(_table_findings, name) for name in release.manifest.tables())


def _table_findings(name: str, release: GateView) -> Iterator[str]:
    try:
        table = load_table(name)
    except RunError as error:
        yield str(error)
        return
    if not _is_valid_table(release, table):
        yield from _findings(release, table, release.files_of(name))


def _is_valid_table(release: GateView, table: TableDefinition) -> bool:
    # Each file alone is checked by a cached search, keys and order over all files every time.
    for file in release.files_of(table.name):
        check = partial(_findings, release, table, [file])
        if any(unless_passed(check_key("contract", *file_key(file)), check)):
            return False
    return not _has_key_twice(release, table) and _is_sorted(release, table)


def _has_key_twice(release: GateView, table: TableDefinition) -> bool:
    return bool(table.key) and not _are_distinct(release.columns(table.name, table.key))


def _are_distinct(rows: pa.Table) -> bool:
    return bool(
        rows.group_by(rows.column_names, use_threads=False).aggregate([]).num_rows == rows.num_rows
    )


def _are_in_order(rows: pa.Table) -> bool:
    # Equal rows may be in any order.
    order = [(name, "ascending", "at_start") for name in rows.column_names]
    numbers = pc.sort_indices(rows, sort_keys=order)
    return bool(numbers.equals(pa.array(range(rows.num_rows), numbers.type)))


def _are_keys_valid(release: GateView, file: ReleaseFile, table: TableDefinition) -> bool:
    # By columns, which is fast.
    file_path = release.folder / file.path
    columns = list(dict.fromkeys((*table.key, *table.sort)))
    keys = release.compared(file_path, table.name, columns)
    if keys is None:
        keys = read_rows(file_path, columns)
    sort = keys.select(list(table.sort))
    return (not table.key or _are_distinct(keys.select(list(table.key)))) and (
        not table.sort or _are_in_order(sort)
    )


def _is_sorted(release: GateView, table: TableDefinition) -> bool:
    last: dict[FileSet | None, tuple[object, ...]] = {}
    files = release.files_of(table.name)
    sizes = Counter(map(_set_of, files))
    for file in files:
        file_set = _set_of(file)
        if sizes[file_set] == 1:
            continue  # there is nothing before or behind it
        ends = list(_ends(release, file, table))
        if ends and file_set in last and _comparable(ends[0]) < _comparable(last[file_set]):
            return False
        if ends:
            last[file_set] = ends[-1]
    return True


def _ends(
    release: GateView, file: ReleaseFile, table: TableDefinition
) -> Iterator[tuple[object, ...]]:
    # The first and the last row are among them.
    file_path = release.folder / file.path
    held = release.compared(file_path, table.name, table.sort)
    for rows in [held] if held is not None else _end_groups(file_path, table):
        for at in (0, rows.num_rows - 1) if rows.num_rows else ():
            yield from row_values(rows.slice(at, 1), table.sort)


def _end_groups(path: Path, table: TableDefinition) -> Iterator[pa.Table]:
    with open_parquet(path) as parquet:
        stored = parquet.metadata
        filled = [at for at in range(stored.num_row_groups) if stored.row_group(at).num_rows]
        for at in dict.fromkeys((*filled[:1], *filled[-1:])):
            yield parquet.read_row_group(at, columns=list(table.sort), use_threads=False)


def _set_of(file: ReleaseFile) -> FileSet | None:
    named = set_file(file.path.rpartition("/")[2])
    return named.file_set if named is not None else None


def _schema_fault(release: GateView, table: TableDefinition, stored: pa.Schema) -> str:
    """Return the difference between a file's columns and the definition, and the remedy."""
    defined = {field.name: field for field in table.arrow_schema()}
    columns = {field.name: field for field in stored}
    shared = defined.keys() & columns.keys()
    faults = {
        "missing": defined.keys() - columns.keys(),
        "unknown": columns.keys() - defined.keys(),
        "with another type": {name for name in shared if not defined[name].equals(columns[name])},
    }
    details = [f"{fault}: {', '.join(sorted(names))}" for fault, names in faults.items() if names]
    text = (
        f"columns differ from datasets/{table.name}/dataset.yaml "
        f"({'; '.join(details) or 'another order'})"
    )
    writer = release.manifest.made.benchloom
    if writer != benchloom.__version__:
        text += (
            f"; benchloom {writer} wrote this release and this is {benchloom.__version__}: "
            "check it with the version that wrote it, or build the release again"
        )
    return text


def _findings(
    release: GateView, table: TableDefinition, files: Sequence[ReleaseFile]
) -> Iterator[str]:
    last: dict[FileSet | None, tuple[object, ...]] = {}
    seen: set[tuple[object, ...]] = set()
    for file in files:
        file_set = _set_of(file)
        with open_parquet(release.folder / file.path) as parquet:
            if not parquet.schema_arrow.equals(table.arrow_schema()):
                yield f"{file.path}: {_schema_fault(release, table, parquet.schema_arrow)}"
                continue
            if parquet.metadata.num_rows != file.rows:
                yield f"{file.path}: {parquet.metadata.num_rows} rows, manifest: {file.rows}"
            is_sound = len(files) == 1 and _are_keys_valid(release, file, table)
            for group in range(parquet.num_row_groups):
                rows = parquet.read_row_group(group, use_threads=False)
                yield from _null_findings(file.path, table, rows)
                yield from _json_findings(file.path, table, rows)
                if is_sound:
                    continue
                yield from _key_findings(file.path, table, rows, seen)
                for key in row_values(rows, table.sort):
                    if file_set in last and _comparable(key) < _comparable(last[file_set]):
                        yield f"{file.path}: rows are not sorted at {key}"
                        break
                    last[file_set] = key


def _comparable(key: tuple[object, ...]) -> tuple[tuple[bool, object], ...]:
    return tuple((value is not None, value if value is not None else "") for value in key)


def _key_findings(
    path: str, table: TableDefinition, rows: pa.Table, seen: set[tuple[object, ...]]
) -> Iterator[str]:
    for key in row_values(rows, table.key):
        if key in seen:
            yield f"{path}: key {key} occurs twice"
        seen.add(key)


def _null_findings(path: str, table: TableDefinition, rows: pa.Table) -> Iterator[str]:
    for column in table.columns:
        for location in _nulls(column, rows.column(column.name).combine_chunks(), column.name):
            yield f"{path}: null in {location}"


def _json_findings(path: str, table: TableDefinition, rows: pa.Table) -> Iterator[str]:
    for column in table.json_columns():
        broken = sum(not is_json(text) for text in json_texts(rows, table, column))
        if broken:
            yield f"{path}: {broken} distinct values of {column} are not valid JSON"


def _nulls(column: ColumnDefinition, array: pa.Array, location: str) -> Iterator[str]:
    if isinstance(array, pa.ChunkedArray):
        array = pa.concat_arrays(array.chunks) if array.num_chunks else pa.array([], array.type)
    if array.null_count and not column.nullable:
        yield location
    if column.is_list:
        array = pc.list_flatten(array)
        if array.null_count:
            yield f"{location}[]"
    if column.item_type == "struct":
        present = array.filter(array.is_valid()) if array.null_count else array
        for field in column.fields:
            child = pc.struct_field(present, field.name)
            yield from _nulls(field, child, f"{location}.{field.name}")
