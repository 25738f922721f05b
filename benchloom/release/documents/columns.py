"""Write `TABLES.md`, which describes each table: its rows, columns, keys, joins and licence."""

from pathlib import Path

from benchloom.release.descriptions import ReleaseView
from benchloom.release.descriptions.pages import write_page
from benchloom.storage.tables import TableDefinition, definition, load_table

PATHS = ("TABLES.md",)


def write(release: ReleaseView, folder: Path) -> list[Path]:
    """Write `TABLES.md` and return its path."""
    tables = [(load_table(name), _text(name)) for name in release.tables.rows()]
    page = folder / "TABLES.md"
    return [write_page(page, "tables.md.j2", release=release, tables=tables, nested=nested)]


def nested(table: TableDefinition) -> list[tuple[str, str, str]]:
    """Return (path, type, description) of every column of a table and of all nested fields."""
    column_rows: list[tuple[str, str, str]] = []
    pending = [("", column) for column in reversed(table.columns)]
    while pending:
        prefix, column = pending.pop()
        path = prefix + column.name
        column_rows.append((path, column.type, column.description))
        inner = f"{path}[]." if column.is_list else f"{path}."
        pending.extend((inner, field) for field in reversed(column.fields))
    return column_rows


def _text(table: str) -> str:
    path = definition.DATASETS / table / "card.md"
    return path.read_text(encoding="utf-8").strip() if path.is_file() else ""
