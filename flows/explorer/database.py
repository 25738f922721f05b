"""Open an in-memory DuckDB database that can read only listed files."""

from collections.abc import Sequence

import duckdb


def connect(memory: str) -> duckdb.DuckDBPyConnection:
    """Open an empty in-memory database that installs nothing and never writes to disk."""
    connection = duckdb.connect(
        config={
            "memory_limit": memory,
            "threads": 2,
            "temp_directory": "",
            "autoinstall_known_extensions": "false",
            "autoload_known_extensions": "false",
            "allow_persistent_secrets": "false",
        }
    )
    connection.execute("SET parquet_metadata_cache = true")
    connection.execute("SET python_enable_replacements = false")
    return connection


def lock(database: duckdb.DuckDBPyConnection, files: Sequence[str]) -> None:
    """Restrict a database permanently to reading only these files."""
    file_list = ", ".join(quoted(file) for file in files)
    database.execute(f"SET allowed_paths = [{file_list}]")
    database.execute("SET enable_external_access = false")
    database.execute("SET lock_configuration = true")


def add_view(database: duckdb.DuckDBPyConnection, name: str, files: Sequence[str]) -> None:
    """Add a view with a name, through which Parquet files are read as a table."""
    file_list = ", ".join(quoted(file) for file in files)
    # Both names come from a manifest whose paths and tables were checked; they are quoted here.
    database.execute(f"CREATE VIEW {identifier(name)} AS FROM read_parquet([{file_list}])")


def select(columns: str, table: str, condition: str = "true", clauses: str = "") -> str:
    """Return a SELECT statement from parts that we wrote, with a `?` for each value to bind."""
    return " ".join(("SELECT", columns, "FROM", identifier(table), "WHERE", condition, clauses))


def quoted(text: str) -> str:
    """Quote a text as an SQL literal."""
    return "'" + text.replace("'", "''") + "'"


def identifier(name: str) -> str:
    """Quote a name as an SQL identifier."""
    return '"' + name.replace('"', '""') + '"'
