"""A release gate: it checks that every table matches its definition in `datasets/`.

It compares the schema and the number of rows, and checks nulls, JSON values, keys and sort order.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial

import pyarrow as pa
import pyarrow.compute as pc

import benchloom
from benchloom.core.errors import RunError
from benchloom.normalise.redaction.json_cells import is_json
from benchloom.normalise.redaction.tables import json_texts
from benchloom.release.gates.rows import check_key, file_key, file_keys, unless_passed
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
    schema_of,
)


def parts(release: GateView) -> Iterator[Part]:
    """Divide the check into parts that can run in parallel, one per table."""
    return (partial(_table_findings, name) for name in release.manifest.tables())


def _table_findings(name: str, release: GateView) -> Iterator[str]:
    try:
        table = load_table(name)
    except RunError as error:
        yield str(error)
        return
    for file in release.files_of(name):
        check = partial(_file_findings, release, table, file)
        yield from unless_passed(check_key("contract", *file_key(file)), check)
    check = partial(_order_findings, release, table)
    yield from unless_passed(check_key("order", *file_keys(release, (name,))), check)


def _order_findings(release: GateView, table: TableDefinition) -> Iterator[str]:
    # Compares whole columns, which is fast; reads rows only to name those with faults.
    sets: dict[FileSet | None, list[ReleaseFile]] = {}
    for file in release.files_of(table.name):
        if not schema_of(release.folder / file.path).equals(table.arrow_schema()):
            return  # the check of the file has a finding
        sets.setdefault(file.in_set and file.in_set.file_set, []).append(file)
    if table.key and not _are_distinct(release.columns(table.name, table.key)):
        yield from _key_findings(release, table)
    for files in sets.values() if table.sort else ():
        rows = [_columns(release, table, file, table.sort) for file in files]
        if not _are_in_order(pa.concat_tables(rows)):
            yield from _sort_findings(table, zip(files, rows, strict=True))


def _columns(
    release: GateView, table: TableDefinition, file: ReleaseFile, columns: Sequence[str]
) -> pa.Table:
    path = release.folder / file.path
    cached = release.compared(path, table.name, columns)
    return read_rows(path, list(columns)) if cached is None else cached


def _are_distinct(rows: pa.Table) -> bool:
    return bool(
        rows.group_by(rows.column_names, use_threads=False).aggregate([]).num_rows == rows.num_rows
    )


def _are_in_order(rows: pa.Table) -> bool:
    # Equal rows may be in any order.
    order = [(name, "ascending", "at_start") for name in rows.column_names]
    numbers = pc.sort_indices(rows, sort_keys=order)
    return bool(numbers.equals(pa.array(range(rows.num_rows), numbers.type)))


def _schema_fault(release: GateView, table: TableDefinition, stored: pa.Schema) -> str:
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


def _file_findings(release: GateView, table: TableDefinition, file: ReleaseFile) -> Iterator[str]:
    with open_parquet(release.folder / file.path) as parquet:
        if not parquet.schema_arrow.equals(table.arrow_schema()):
            yield f"{file.path}: {_schema_fault(release, table, parquet.schema_arrow)}"
            return
        if parquet.metadata.num_rows != file.rows:
            yield (
                f"{file.path}: contains {parquet.metadata.num_rows} rows, but the manifest "
                f"states {file.rows}"
            )
        for group in range(parquet.num_row_groups):
            rows = parquet.read_row_group(group, use_threads=False)
            yield from _null_findings(file.path, table, rows)
            yield from _json_findings(file.path, table, rows)


def _comparable(key: tuple[object, ...]) -> tuple[tuple[bool, object], ...]:
    return tuple((value is not None, value if value is not None else "") for value in key)


def _key_findings(release: GateView, table: TableDefinition) -> Iterator[str]:
    earlier_keys: set[tuple[object, ...]] = set()
    for file in release.files_of(table.name):
        for key in row_values(_columns(release, table, file, table.key), table.key):
            if key in earlier_keys:
                yield f"{file.path}: key {key} occurs twice"
            earlier_keys.add(key)


def _sort_findings(
    table: TableDefinition, files: Iterable[tuple[ReleaseFile, pa.Table]]
) -> Iterator[str]:
    last: tuple[object, ...] | None = None
    for file, rows in files:
        for key in row_values(rows, table.sort):
            if last is not None and _comparable(key) < _comparable(last):
                yield f"{file.path}: rows are not sorted at {key}"
                break
            last = key


def _null_findings(path: str, table: TableDefinition, rows: pa.Table) -> Iterator[str]:
    for column in table.columns:
        for location in _nulls(column, rows.column(column.name).combine_chunks(), column.name):
            yield f"{path}: column {location} contains null, which its definition forbids"


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
