"""Rows of a table with every text redacted as the table's definition says.

A column that the definition does not name is searched: a new one is covered from its first day.
"""

from collections.abc import Iterator
from typing import NamedTuple, TypeVar

import msgspec
import pyarrow as pa
import pyarrow.compute as pc

from benchloom.normalise.redaction.cells import Cell, CellRedactor
from benchloom.tables import ColumnDefinition, TableDefinition

R = TypeVar("R", bound=msgspec.Struct)


class LeftText(NamedTuple):
    """A text that still holds something: its column, the text, and it as it may be published."""

    column: str
    text: str
    cell: Cell


def changed_texts(
    rows: pa.Table, table: TableDefinition, redactor: CellRedactor
) -> Iterator[LeftText]:
    """Every distinct text of every searched column that redaction changes."""
    for path in searched_columns(table):
        for text in distinct_texts(rows, path):
            cell = redact_column(redactor, table, path, text)
            if cell[0] != text:
                yield LeftText(path, text, cell)


def redact_rows(rows: pa.Table, table: TableDefinition, redactor: CellRedactor) -> pa.Table:
    """The rows as they may be published; the same object where nothing was found."""
    changes: dict[str, dict[str, str]] = {}
    for left in changed_texts(rows, table, redactor):
        changes.setdefault(left.column, {})[left.text] = left.cell[0]
    for column in table.columns:
        inside = {
            path: texts
            for path, texts in changes.items()
            if path == column.name or path.startswith(column.name + ".")
        }
        if inside:
            values = [
                _rewritten(value, column, column.name, inside)
                for value in rows.column(column.name).to_pylist()
            ]
            index = rows.schema.get_field_index(column.name)
            field = rows.schema.field(index)
            rows = rows.set_column(index, field, pa.array(values, field.type))
    return rows


def redact_record(record: R, table: TableDefinition, redactor: CellRedactor) -> R:
    """A record with the texts of its top-level columns redacted, its paths excepted."""
    changes: dict[str, object] = {}
    for path in searched_columns(table):
        value = getattr(record, path, None)
        if path in table.redaction.paths or not value:
            continue
        if isinstance(value, str):
            changes[path] = redact_column(redactor, table, path, value)[0]
        elif isinstance(value, tuple):
            changes[path] = tuple(redact_column(redactor, table, path, text)[0] for text in value)
    return msgspec.structs.replace(record, **changes)


def redact_column(redactor: CellRedactor, table: TableDefinition, path: str, text: str) -> Cell:
    """A text of a column by the rules of its table."""
    if path in table.redaction.ids:
        return redactor.ident(text)
    if path in table.redaction.paths:
        return redactor.path(text)
    if path in table.redaction.public:
        return redactor.public(text)
    return redactor.plain(text)


def searched_columns(table: TableDefinition) -> list[str]:
    """Every column and field of texts that has no search of its own."""
    apart = table.redaction.apart
    return [
        path
        for path in table.text_columns()
        if not any(path == name or path.startswith(name + ".") for name in apart)
    ]


def distinct_texts(rows: pa.Table, path: str) -> list[str]:
    """The distinct texts of a column or nested field, in order of appearance."""
    found: dict[str, None] = {}
    for array in text_arrays(rows, path):
        found.update((text, None) for text in pc.unique(array).to_pylist() if text is not None)
    return list(found)


def text_arrays(rows: pa.Table, path: str) -> Iterator[pa.Array]:
    """The texts of a column or nested field, lists flattened."""
    first, *rest = path.split(".")
    for chunk in rows.column(first).chunks:
        array = _flat(chunk)
        for name in rest:
            array = _flat(pc.struct_field(array, name))
        yield array


def _flat(array: pa.Array) -> pa.Array:
    return pc.list_flatten(array) if pa.types.is_list(array.type) else array


def _rewritten(
    value: object, column: ColumnDefinition, path: str, changes: dict[str, dict[str, str]]
) -> object:
    if isinstance(value, str):
        return changes.get(path, {}).get(value, value)
    if isinstance(value, list):
        return [_rewritten(item, column, path, changes) for item in value]
    if isinstance(value, dict):
        return {
            field.name: _rewritten(value[field.name], field, f"{path}.{field.name}", changes)
            for field in column.fields
        }
    return value
