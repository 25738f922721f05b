"""Gate: every table fits its definition: schema, rows, nulls, keys, order in each file set."""

from collections.abc import Iterator
from functools import partial

import pyarrow as pa
import pyarrow.compute as pc

from benchloom.errors import RunError
from benchloom.release.gates.view import GateView, Part, all_of
from benchloom.tables import (
    ColumnDefinition,
    FileSet,
    TableDefinition,
    load_table,
    open_parquet,
    set_file,
)


def findings(release: GateView) -> Iterator[str]:
    """One line per difference, with the file and the place."""
    return all_of(parts(release), release)


def parts(release: GateView) -> Iterator[Part]:
    """The same by tables."""
    return (partial(_table_findings, name) for name in release.manifest.tables())


def _table_findings(name: str, release: GateView) -> Iterator[str]:
    """Contract of one table: schema, rows, nulls, keys and order."""
    files = [file for file in release.manifest.files if file.table == name]
    try:
        table = load_table(name)
    except RunError as error:
        yield str(error)
        return
    last: dict[FileSet | None, tuple[object, ...]] = {}
    seen: set[tuple[object, ...]] = set()
    for file in files:
        named = set_file(file.path.rpartition("/")[2])
        file_set = named.file_set if named is not None else None
        with open_parquet(release.folder / file.path) as parquet:
            if not parquet.schema_arrow.equals(table.arrow_schema()):
                yield f"{file.path}: schema differs from datasets/{name}/dataset.yaml"
                continue
            if parquet.metadata.num_rows != file.rows:
                yield f"{file.path}: {parquet.metadata.num_rows} rows, manifest says {file.rows}"
            for group in range(parquet.num_row_groups):
                rows = parquet.read_row_group(group, use_threads=False)
                yield from _null_findings(file.path, table, rows)
                yield from _key_findings(file.path, table, rows, seen)
                order = list(_sort_keys(table, rows))
                for key in order:
                    if file_set in last and _comparable(key) < _comparable(last[file_set]):
                        yield f"{file.path}: rows are not sorted at {key}"
                        break
                    last[file_set] = key


def _sort_keys(table: TableDefinition, rows: pa.Table) -> Iterator[tuple[object, ...]]:
    columns = [rows.column(name).to_pylist() for name in table.sort]
    return zip(*columns, strict=True) if columns else iter(())


def _comparable(key: tuple[object, ...]) -> tuple[tuple[bool, object], ...]:
    return tuple((value is not None, value if value is not None else "") for value in key)


def _key_findings(
    path: str, table: TableDefinition, rows: pa.Table, seen: set[tuple[object, ...]]
) -> Iterator[str]:
    if not table.key:
        return
    for key in zip(*(rows.column(name).to_pylist() for name in table.key), strict=True):
        if key in seen:
            yield f"{path}: key {key} stands twice"
        seen.add(key)


def _null_findings(path: str, table: TableDefinition, rows: pa.Table) -> Iterator[str]:
    for column in table.columns:
        for place in _nulls(column, rows.column(column.name).combine_chunks(), column.name):
            yield f"{path}: null in {place}"


def _nulls(column: ColumnDefinition, array: pa.Array, place: str) -> Iterator[str]:
    """Places of nulls where the definition forbids them, nested fields included."""
    if isinstance(array, pa.ChunkedArray):
        array = pa.concat_arrays(array.chunks) if array.num_chunks else pa.array([], array.type)
    if array.null_count and not column.nullable:
        yield place
    if column.is_list:
        array = pc.list_flatten(array)
        if array.null_count:
            yield f"{place}[]"
    if column.item_type == "struct":
        present = array.filter(array.is_valid()) if array.null_count else array
        for field in column.fields:
            child = pc.struct_field(present, field.name)
            yield from _nulls(field, child, f"{place}.{field.name}")
