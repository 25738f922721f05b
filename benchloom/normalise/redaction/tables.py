"""Redact every text in the rows of a table, by the rules in the table's definition.

A column that no rule names is searched, so that a new column is covered from the beginning.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, TypeVar

import msgspec
import pyarrow as pa
import pyarrow.compute as pc

from benchloom.normalise.redaction.cells import (
    ANY,
    IDS,
    PUBLIC,
    Cell,
    CellRedactor,
    is_public,
    is_tagged,
    uncached_texts,
)
from benchloom.storage.inputs import MEMBER, SourceFile
from benchloom.storage.tables import (
    ALWAYS,
    ColumnDefinition,
    TableDefinition,
    load_table,
    with_column,
)
from benchloom.storage.tables import row_groups as read_row_groups

R = TypeVar("R", bound=msgspec.Struct)

_AT_ONCE = 10_000


class ChangedText(NamedTuple):
    """A text that redaction would change: its column, the text, and the redacted text.

    If another column says which texts are JSON, the same text may occur both as JSON and as plain
    text.
    """

    column: str
    text: str
    cell: Cell
    is_json: bool = False


_Changes = dict[tuple[str, bool], dict[str, str]]
"""Maps (column, whether its texts are JSON) to the replacements of texts."""


def changed_texts(
    rows: pa.Table, table: TableDefinition, redactor: CellRedactor
) -> Iterator[ChangedText]:
    """Yield every distinct text of the searched columns that redaction would change."""
    for path in searched_columns(table):
        for is_json, arrays in _by_form(rows, table, path):
            for text, cell in _changes_in(redactor, table, path, _distinct(arrays), is_json):
                yield ChangedText(path, text, cell, is_json)


def redact_rows(rows: pa.Table, table: TableDefinition, redactor: CellRedactor) -> pa.Table:
    """Return the redacted rows, or the same object if nothing was replaced."""
    changes: _Changes = {}
    for change in changed_texts(rows, table, redactor):
        changes.setdefault((change.column, change.is_json), {})[change.text] = change.cell[0]
    for column in table.columns:
        inside = {
            (path, is_json): texts
            for (path, is_json), texts in changes.items()
            if path == column.name or path.startswith(column.name + ".")
        }
        if inside:
            is_json = column.json is not None
            values = [
                _rewritten(value, column, (column.name, is_json), inside)
                for value in rows.column(column.name).to_pylist()
            ]
            rows = with_column(rows, column.name, values)
    return rows


def redact_records(records: Sequence[R], table: TableDefinition, redactor: CellRedactor) -> list[R]:
    """Redact the top-level texts of records, in batches that limit memory.

    Paths are not redacted.
    """
    redacted_records: list[R] = []
    for start in range(0, len(records), _AT_ONCE):
        redacted_records += _redacted(records[start : start + _AT_ONCE], table, redactor)
    return redacted_records


def _redacted(records: Sequence[R], table: TableDefinition, redactor: CellRedactor) -> list[R]:
    names = records[0].__struct_fields__
    columns = [path for path in searched_columns(table) if path in names]
    changes: dict[str, dict[str, str]] = {}
    for column in columns:
        if column not in table.redaction.paths:
            is_json = _is_column_of_json(table, column)
            values = (getattr(record, column) for record in records)
            texts = list(dict.fromkeys(text for value in values for text in _texts(value)))
            changed = _changes_in(redactor, table, column, texts, is_json)
            changes[column] = {text: cell[0] for text, cell in changed}
    return [_replaced(record, changes) for record in records]


def _texts(value: object) -> Iterable[str]:
    if isinstance(value, str):
        return (value,)
    return (text for text in value if isinstance(text, str)) if isinstance(value, tuple) else ()


def _replaced(record: R, changes: Mapping[str, Mapping[str, str]]) -> R:
    replaced: dict[str, object] = {}
    for column, replacements in changes.items():
        value = getattr(record, column) if replacements else None
        if isinstance(value, str) and value in replacements:
            replaced[column] = replacements[value]
        elif isinstance(value, tuple) and not replacements.keys().isdisjoint(value):
            replaced[column] = tuple(replacements.get(text, text) for text in value)
    return msgspec.structs.replace(record, **replaced) if replaced else record


def _changes_in(
    redactor: CellRedactor,
    table: TableDefinition,
    path: str,
    texts: Sequence[str],
    is_json: bool,
) -> Iterator[tuple[str, Cell]]:
    for text in _open_texts(redactor, table, path, texts):
        cell = _redact_column(redactor, table, path, text, is_json=is_json)
        if cell[0] != text:
            yield text, cell


def _redact_column(
    redactor: CellRedactor, table: TableDefinition, path: str, text: str, *, is_json: bool
) -> Cell:
    if path in table.redaction.ids:
        return redactor.redact_id(text)
    if path in table.redaction.paths:
        return redactor.path(text)
    is_public = path in table.redaction.public
    if is_json and not is_tagged(text):
        return redactor.json(text, public=is_public)
    return redactor.public(text) if is_public else redactor.plain(text)


def _open_texts(
    redactor: CellRedactor, table: TableDefinition, path: str, texts: Sequence[str]
) -> Sequence[str]:
    # Texts with a cached empty result are not searched again.
    if path in table.redaction.paths:
        # A path is redacted part by part, and the result may depend on other paths.
        apart = {text for text in texts if MEMBER in text or redactor.is_numbered(text)}
        searched_texts = apart.union(
            uncached_texts((text for text in texts if text not in apart), ANY)
        )
        return [text for text in texts if text in searched_texts]
    if path in table.redaction.ids:
        return uncached_texts(texts, IDS)
    if path in table.redaction.public:
        return uncached_texts(texts, PUBLIC)
    return uncached_texts((text for text in texts if not is_tagged(text)), ANY)


def searched_columns(table: TableDefinition) -> list[str]:
    """Return the dotted paths of all text columns, except those in `redaction.apart`."""
    apart = table.redaction.apart
    return [
        path
        for path in table.text_columns()
        if not any(path == name or path.startswith(name + ".") for name in apart)
    ]


def distinct_texts(rows: pa.Table, path: str) -> list[str]:
    """Return the distinct texts of a column or nested field, in order of appearance."""
    return _distinct(text_arrays(rows, path))


def _distinct(arrays: Iterable[pa.Array]) -> list[str]:
    texts: dict[str, None] = {}
    for array in arrays:
        texts.update((text, None) for text in pc.unique(array).to_pylist() if text is not None)
    return list(texts)


def _is_column_of_json(table: TableDefinition, path: str) -> bool:
    column = table.column(path)
    return column is not None and column.json == ALWAYS


def json_texts(rows: pa.Table, table: TableDefinition, path: str) -> list[str]:
    """Return the distinct texts of a column that are JSON according to its definition."""
    return [
        text
        for is_json, arrays in _by_form(rows, table, path)
        for text in (_distinct(arrays) if is_json else ())
    ]


def _by_form(
    rows: pa.Table, table: TableDefinition, path: str
) -> Iterator[tuple[bool, list[pa.Array]]]:
    # Yields (is JSON, texts).
    column = table.column(path)
    arrays = list(text_arrays(rows, path))
    if column is None or column.json in {None, ALWAYS}:
        yield _is_column_of_json(table, path), arrays
        return
    owner, dot, _ = path.rpartition(".")
    flags = list(text_arrays(rows, owner + dot + column.json))
    pairs = list(zip(arrays, flags, strict=True))
    yield True, [array.filter(flag) for array, flag in pairs]
    yield False, [array.filter(pc.invert(flag)) for array, flag in pairs]


def text_arrays(rows: pa.Table, path: str) -> Iterator[pa.Array]:
    """Yield the texts of a column or nested field as arrays. Lists are flattened."""
    first, *rest = path.split(".")
    for chunk in rows.column(first).chunks:
        array = _flat(chunk)
        for name in rest:
            array = _flat(pc.struct_field(array, name))
        yield array


def _flat(array: pa.Array) -> pa.Array:
    return pc.list_flatten(array) if pa.types.is_list(array.type) else array


def _rewritten(
    value: object, column: ColumnDefinition, column_key: tuple[str, bool], changes: _Changes
) -> object:
    if isinstance(value, str):
        return changes.get(column_key, {}).get(value, value)
    if isinstance(value, list):
        return [_rewritten(item, column, column_key, changes) for item in value]
    if isinstance(value, dict):
        return {
            field.name: _rewritten(
                value[field.name],
                field,
                (f"{column_key[0]}.{field.name}", _is_json_in(value, field)),
                changes,
            )
            for field in column.fields
        }
    return value


def _is_json_in(row: Mapping[str, object], field: ColumnDefinition) -> bool:
    return field.json == ALWAYS or (field.json is not None and bool(row[field.json]))


Parts = Mapping[str, Sequence[Path]]


def redactor_of(parts: Parts, sources: Iterable[SourceFile] = ()) -> CellRedactor:
    """Return the redactor for a release or for some tables. It keeps public addresses.

    With `sources`, paths that would be equal after redaction are numbered. A finished release needs
    no `sources`, because its paths are already numbered.
    """
    public: set[str] = set()
    paths = {source.source_uri for source in sources}
    for name, files in parts.items():
        table = load_table(name)
        for rows in row_groups(files, (*table.redaction.public, *table.redaction.paths)):
            for path in table.redaction.public:
                public.update(text for text in distinct_texts(rows, path) if is_public(text))
            if sources:
                for path in table.redaction.paths:
                    paths.update(distinct_texts(rows, path))
    redactor = CellRedactor(public)
    if sources:
        redactor.number_paths(paths)
    return redactor


def row_groups(
    files: Iterable[Path], paths: Iterable[str] | None = None, groups: Sequence[int] | None = None
) -> Iterator[pa.Table]:
    """Yield the row groups of files, or only those in `groups`, with the columns of `paths`."""
    columns = None if paths is None else list(dict.fromkeys(p.split(".")[0] for p in paths))
    if columns == []:
        return
    for path in files:
        yield from read_row_groups(path, None, columns, groups)
