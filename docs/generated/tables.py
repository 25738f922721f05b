"""Generates the pages about tables from the files `dataset.yaml` and `card.md` of each table."""

from collections.abc import Iterable, Iterator, Mapping

from benchloom.storage.tables import ColumnDefinition, TableDefinition, load_table, table_names
from benchloom.storage.tables.definition import DATASETS

TITLE = "Tables"
_INDEX = """# Tables

A release contains every table below, in a folder of the same name. A table without rows has one
empty file. Each table is defined in `datasets/<table>/dataset.yaml`, which the writer, the gates,
the card of a release and these pages read.

| table | holds | key |
|---|---|---|
{rows}
"""
_TABLE = """# {name}

{description}

{card}

**Key** {key}. **Sorted by** {sort}. **Licence**: {licence}.

{references}

## Columns

| column | type | empty | what it holds |
|---|---|---|---|
{columns}
"""


def pages() -> Mapping[str, str]:
    """Return an overview and a page for each table, as a mapping from paths to texts."""
    tables = [load_table(name) for name in table_names()]
    rows = "\n".join(
        f"| [{table.name}]({table.name}.md) | {_cell(table.description)} | {_names(table.key)} |"
        for table in tables
    )
    texts_by_path = {"tables/index.md": _INDEX.format(rows=rows)}
    texts_by_path.update({f"tables/{table.name}.md": _page(table) for table in tables})
    return texts_by_path


def _page(table: TableDefinition) -> str:
    card = (DATASETS / table.name / "card.md").read_text(encoding="utf-8").strip()
    return _TABLE.format(
        name=table.name,
        description=table.description,
        card=card,
        key=_names(table.key),
        sort=_names(table.sort),
        licence=table.licence,
        references=_references(table),
        columns="\n".join(_columns(table.columns, "")),
    )


def _references(table: TableDefinition) -> str:
    if not table.references:
        return ""
    listed = "\n".join(f"- `{reference}`" for reference in table.references)
    return f"## Joins\n\nThe gates check these references in every row:\n\n{listed}"


def _columns(columns: Iterable[ColumnDefinition], prefix: str) -> Iterator[str]:
    for column in columns:
        path = prefix + column.name
        nullable = "may be" if column.nullable else ""
        told = _cell(column.description)
        yield f"| `{path}` | {_cell(column.type)} | {nullable} | {told} |"
        yield from _columns(column.fields, f"{path}.")


def _names(columns: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in columns)


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;")
