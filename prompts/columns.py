"""Read from a table only the columns that a step needs, including fields of nested columns.

The module also defines the records of the tables `api_definitions` and `queries`, which several
steps read.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar, get_args, get_origin, get_type_hints

import msgspec
import pyarrow as pa

from benchloom.core.records import Rejected
from benchloom.storage.inputs import nothing_in
from benchloom.storage.tables import open_parquet, records_of, table_parts
from benchloom.storage.workspace import STAGE_FILE

R = TypeVar("R", bound=msgspec.Struct)

BATCH_ROWS = 128
_DEFINING = ("evaluation-*", "catalogue-*")
"""Patterns of stage folders that contain API definitions. A folder of the first pattern is
preferred, because its definitions have been joined with shortcuts."""


def has_table(folder: Path, table: str) -> bool:
    """Whether a stage's folder contains a table."""
    return bool(table_parts(folder, table))


def definitions_folder(folder: Path) -> Path | None:
    """Return the folder with the API definitions: `folder`, or a stage folder beside it.

    If several finished stages have definitions, the latest is used. The result is None if no folder
    has any.
    """
    if has_table(folder, "api_definitions"):
        return folder
    for pattern in _DEFINING:
        marks = [
            stage_folder / STAGE_FILE
            for stage_folder in folder.resolve().parent.glob(pattern)
            if (stage_folder / STAGE_FILE).is_file() and has_table(stage_folder, "api_definitions")
        ]
        if marks:
            return max(marks, key=lambda mark: (mark.stat().st_mtime_ns, mark.parent.name)).parent
    return None


def iter_columns(
    folder: Path, table: str, record: type[R], *, optional: bool = False
) -> Iterator[R]:
    """Yield the rows of a table as records of type `record`, with one batch in memory at a time.

    The fields of `record` name the columns to read. If `optional`, a missing table counts as empty.

    Raises:
        RunError: the table is missing, unreadable, or lacks a column.
    """
    if optional and not has_table(folder, table):
        return
    for batch in iter_batches(folder, table, record):
        yield from records_of(batch.to_pylist(), Path(f"{table}.parquet"), table, record)


def iter_batches(
    folder: Path, table: str, record: type[msgspec.Struct]
) -> Iterator[pa.RecordBatch]:
    """Yield the rows of a table in batches, with only the columns that fields of `record` name.

    Raises:
        RunError: the table is missing or unreadable.
    """
    parts = table_parts(folder, table)
    if not parts:
        message = f"{folder} contains no {table}.parquet; run the stage that writes it first"
        raise nothing_in(folder, message)
    columns = _column_paths(record)
    for part in parts:
        with open_parquet(part) as file:
            yield from file.iter_batches(BATCH_ROWS, columns=columns, use_threads=False)


def _column_paths(record: type[msgspec.Struct], prefix: str = "") -> list[str]:
    """Return the Parquet paths of a record type's fields, including fields of nested records."""
    paths: list[str] = []
    for name, hint in get_type_hints(record).items():
        item, path = hint, f"{prefix}{name}"
        if get_origin(hint) is tuple:
            item, path = get_args(hint)[0], f"{path}.list.element"
        if isinstance(item, type) and issubclass(item, msgspec.Struct):
            paths += _column_paths(item, f"{path}.")
        else:
            paths.append(path)
    return paths


TABLE = "api_definitions"
_EDITOR_NOTES = ("Placeholder:", "true: On; false: Off")
_FLAG = re.compile(r"^Boolean flag (?:indicating |for )?(?:if|whether)\b", re.IGNORECASE)


class EnumRow(msgspec.Struct, frozen=True):
    """One allowed value of a parameter; `title` is the text that people see for it."""

    value: str
    title: str | None


class ParameterRow(msgspec.Struct, frozen=True):
    """One parameter of an API definition."""

    name: str
    title: str | None
    description: str | None
    type: str
    type_kind: str
    optional: bool | None
    enum_values: tuple[EnumRow, ...]
    multiple: bool = False


class ReturnRow(msgspec.Struct, frozen=True):
    """One value that an API returns; `multiple` means a list of values."""

    name: str | None
    type: str
    multiple: bool = False


class DefinitionRow(msgspec.Struct, frozen=True):
    """One API definition, with the columns of `api_definitions` that LLM steps read."""

    definition_id: str
    api: str
    app: str | None
    title: str | None
    description: str | None
    parameters: tuple[ParameterRow, ...]
    returns: tuple[ReturnRow, ...]


def about(text: str | None) -> str:
    """Return a description on one line, without notes about the editor or the parameter's type.

    Some descriptions state what the editor shows in an empty field, or begin with "Boolean flag".
    """
    lines = (line.strip() for line in (text or "").split("\n"))
    description = " ".join(line for line in lines if not line.startswith(_EDITOR_NOTES))
    return _FLAG.sub("Whether", " ".join(description.replace("<no loc>", "").split()))


def iter_definitions(folder: Path) -> Iterator[DefinitionRow]:
    """Yield the API definitions in a folder, in the order of the table.

    Raises:
        RunError: the table is missing, unreadable, or lacks a column.
    """
    return iter_columns(folder, TABLE, DefinitionRow)


class QueryRow(msgspec.Struct, frozen=True, gc=False):
    """One generated text, with the columns of `queries` that later steps read."""

    query_id: str
    target_id: str
    kind: str
    text: str
    kept: bool = True
    style: str | None = None
    category: str | None = None


def read_queries(folder: Path, *, every_text: bool = False) -> Iterator[QueryRow | Rejected]:
    """Yield the generated texts in a folder, with a rejected row for each text that checks dropped.

    With `every_text`, dropped texts are yielded as texts, too.
    """
    for row in iter_columns(folder, "queries", QueryRow):
        yield row if row.kept or every_text else dropped(row)


def dropped(row: QueryRow) -> Rejected:
    """Return the rejected row for a text that checks dropped; no model reads this text."""
    message = "rules dropped the text, so no model reads it"
    return Rejected("generate", row.query_id, "dropped_by_rules", message, row.query_id)
