"""Check with DuckDB that no declared join of a release loses or multiplies a row."""

from pathlib import Path

import duckdb
import pytest

from benchloom.release import read_manifest
from benchloom.storage.tables import ReferenceDefinition, load_table, table_names

pytestmark = pytest.mark.prefect
DECLARED_JOINS = [(name, key) for name in table_names() for key in load_table(name).references]
KEYS_WITH_VALUES = {
    "shortcuts.actions.definition_id",
    "shortcuts.icloud_ids",
    "planning_paths.steps.definition_id",
    "queries.target_id",
    "verdicts.target_id",
    "definition_checks.shortcut_id",
    "executions.shortcut_id",
    "listings.icloud_id",
    "listings.capture",
    "icloud_records.record_capture",
}
"""Foreign keys with values in the demo release; a join of empty columns would prove nothing."""


def select_values(table: str, columns: tuple[str, ...], where: dict[str, tuple[str, ...]]) -> str:
    """Return SQL that selects columns as v0, v1 and so on, one row per value, without nulls."""
    expressions = []
    for number, column in enumerate(columns):
        first, _, rest = column.partition(".")
        column_definition = load_table(table).column(first)
        assert column_definition is not None
        outer = f"unnest({first})" if column_definition.is_list else first
        expressions.append(f"{outer}{'.' + rest if rest else ''} v{number}")
    limits = [f"{column} in ({str(list(texts))[1:-1]})" for column, texts in where.items()]
    condition = " and ".join(f"v{number} is not null" for number in range(len(columns)))
    rows = f"select {', '.join(expressions)} from {table} where {' and '.join(['true', *limits])}"  # noqa: S608  the names are written in the test
    return f"select * from ({rows}) where {condition}"  # noqa: S608  the names are written in the test


def count_rows(database: duckdb.DuckDBPyConnection, sql: str) -> int:
    row = database.execute(f"select count(*) from ({sql})").fetchone()  # noqa: S608  the names are written in the test
    assert row is not None
    return int(row[0])


@pytest.mark.parametrize(
    ("table", "key"), DECLARED_JOINS, ids=[f"{t}-{k}" for t, k in DECLARED_JOINS]
)
def test_declared_joins_keep_the_number_of_rows(
    database: duckdb.DuckDBPyConnection,
    demo_release: Path,
    table: str,
    key: ReferenceDefinition,
) -> None:
    released_tables = set(read_manifest(demo_release).tables())
    targets = [
        select_values(name, columns, {})
        for name, columns in key.to.items()
        if name in released_tables
    ]
    if table not in released_tables or not targets:
        assert f"{table}.{key.columns[0]}" not in KEYS_WITH_VALUES
        return
    keys = select_values(table, key.columns, key.where)
    ids = " union all ".join(targets)
    names = ", ".join(f"v{number}" for number in range(len(key.columns)))
    rows = count_rows(database, keys)
    joined = count_rows(database, f"select * from ({keys}) join ({ids}) using ({names})")  # noqa: S608  the names are written in the test
    matched = count_rows(database, f"select * from ({keys}) semi join ({ids}) using ({names})")  # noqa: S608  the names are written in the test
    assert rows or f"{table}.{key.columns[0]}" not in KEYS_WITH_VALUES
    assert key.open or matched == rows
    assert key.many or joined == matched
