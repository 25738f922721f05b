"""Run one SQL statement over the files of a release: `python -m flows.explorer.sql.worker`.

A JSON request is read from standard input, and a JSON response is written to standard output.
The process can read only the files listed in the request, writes no file, and is killed by its
parent at the time limit. It imports little, as a new process starts for every statement.
"""

import json
import resource
import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import duckdb

from flows.explorer.database import add_view, connect, lock

_LONGEST = 20_000
"""Characters of one value; what is longer is cut."""


def main() -> None:
    """Read one request and write its response."""
    request = json.load(sys.stdin)
    _limit(request["cpu"], request["memory"])
    json.dump(answer(request), sys.stdout, default=str)


def answer(request: Mapping[str, Any]) -> dict[str, Any]:
    """Return the rows of a statement, or the reason why there are none.

    `fault` is `request` if the statement is wrong and `much` if it needs too much; otherwise it
    is absent.
    """
    database = connect(f"{request['memory'] // 2**20}MB")
    try:
        for name, files in request["tables"].items():
            add_view(database, name, files)
        lock(database, [file for files in request["tables"].values() for file in files])
        statements = database.extract_statements(request["sql"])
        if len(statements) != 1:
            return _fault("asked", f"one statement at a time, not {len(statements)}")
        if statements[0].type != duckdb.StatementType.SELECT:
            kind = statements[0].type.name.replace("_", " ")
            return _fault("asked", f"only SELECT is answered, not {kind}")
        return _rows(database.sql(statements[0].query), request["rows"], request["bytes"])
    except (duckdb.OutOfMemoryException, MemoryError):
        return _fault("much", "it needs more memory than a statement may have")
    except (duckdb.Error, UnicodeDecodeError, RuntimeError) as error:
        return _fault("asked", str(error)[:2000])


def _rows(relation: duckdb.DuckDBPyRelation, most: int, size: int) -> dict[str, Any]:
    """Return the first rows, limited in number and in total bytes."""
    rows: list[list[Any]] = []
    used = 0
    # One more than is shown: not more is worked out, for the database knows of the limit.
    for row in relation.limit(most + 1).fetchall():
        cells = [_cut(value) for value in row]
        used += sum(len(str(value)) for value in cells)
        if len(rows) == most or used > size:
            return {"columns": relation.columns, "rows": rows, "more": True}
        rows.append(cells)
    return {"columns": relation.columns, "rows": rows, "more": False}


def _cut(value: object) -> object:
    """Convert a value to one that JSON can represent, cutting long texts."""
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, float):
        return value if value == value and abs(value) != float("inf") else str(value)  # noqa: PLR0124  no other number differs from itself
    if isinstance(value, list | tuple | dict):
        value = json.dumps(value, default=str, ensure_ascii=False)
    text = str(value)
    return text if len(text) <= _LONGEST else text[:_LONGEST] + "…"


def _fault(kind: str, message: str) -> dict[str, Any]:
    return {"fault": kind, "message": message}


def _limit(seconds: int, memory: int) -> None:
    """Set hard limits for this process: no written files, bounded time and memory."""
    for kind, most in (
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_NOFILE, 256),
        # Beside the database's own limit: address space, of which it reserves more than it uses.
        (resource.RLIMIT_AS, 4 * memory + 2**30),
    ):
        with suppress(ValueError, OSError):  # a system that knows no such limit
            resource.setrlimit(kind, (most, most))


if __name__ == "__main__":
    main()
