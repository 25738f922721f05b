"""Write a JSON schema (draft 2020-12) for the rows of each table."""

from pathlib import Path
from typing import Any

import msgspec

from benchloom.exchange.definition_schema import DIALECT
from benchloom.release.descriptions import ReleaseView
from benchloom.storage.tables import ColumnDefinition, TableDefinition, load_table
from benchloom.storage.workspace import write_file

PATHS = ("schemas",)

_TYPES: dict[str, dict[str, Any]] = {
    "string": {"type": "string"},
    "int32": {"type": "integer", "minimum": -(2**31), "maximum": 2**31 - 1},
    "int64": {"type": "integer", "minimum": -(2**63), "maximum": 2**63 - 1},
    "double": {"type": "number"},
    "bool": {"type": "boolean"},
    "timestamp": {"type": "string", "format": "date-time"},
}


def write(release: ReleaseView, folder: Path) -> list[Path]:
    """Write `schemas/<table>.schema.json` for every table of the release, and return the paths."""
    written: list[Path] = []
    for name in release.tables.rows():
        path = folder / "schemas" / f"{name}.schema.json"
        content = msgspec.json.format(msgspec.json.encode(_row_schema(load_table(name))), indent=2)
        write_file(path, content + b"\n")
        written.append(path)
    return written


def _row_schema(table: TableDefinition) -> dict[str, Any]:
    return {
        "$schema": DIALECT,
        "title": table.name,
        "description": table.description,
        **_object(table.columns),
    }


def _object(columns: tuple[ColumnDefinition, ...]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {column.name: _column(column) for column in columns},
        "required": [column.name for column in columns],
        "additionalProperties": False,
    }


def _column(column: ColumnDefinition) -> dict[str, Any]:
    is_struct = column.item_type == "struct"
    kind = _object(column.fields) if is_struct else dict(_TYPES[column.item_type])
    if column.is_list:
        kind = {"type": "array", "items": kind}
    if column.nullable:
        kind["type"] = [kind["type"], "null"]
    return {"description": column.description, **kind}
