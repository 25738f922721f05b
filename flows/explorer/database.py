"""A DuckDB in memory that can read some files and nothing else; imports little, for processes."""

from collections.abc import Sequence

import duckdb


def connect(memory: str) -> duckdb.DuckDBPyConnection:
    """An empty database in memory that neither installs nor spills anything."""
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
    """Let a database read these files and no other, for good."""
    named = ", ".join(quoted(file) for file in files)
    database.execute(f"SET allowed_paths = [{named}]")
    database.execute("SET enable_external_access = false")
    database.execute("SET lock_configuration = true")


def add_view(database: duckdb.DuckDBPyConnection, name: str, files: Sequence[str]) -> None:
    """Make a table of Parquet files readable by its name."""
    named = ", ".join(quoted(file) for file in files)
    # The names are a manifest's, whose paths and tables were checked; both are quoted.
    database.execute(f"CREATE VIEW {identifier(name)} AS FROM read_parquet([{named}])")


def quoted(text: str) -> str:
    """A text as SQL writes it."""
    return "'" + text.replace("'", "''") + "'"


def identifier(name: str) -> str:
    """A name as SQL writes it."""
    return '"' + name.replace('"', '""') + '"'
