"""Run one SQL statement in a separate process, which is killed at the time limit."""

import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

import flows
from flows.explorer.errors import BadRequestError, TooMuchError

SECONDS = 5.0
ROWS = 1000
MAX_SQL = 10_000
"""Characters of a statement."""
_BYTES = 4 * 2**20
_MEMORY = 160 * 2**20
_AT_ONCE = 2


class Answer(msgspec.Struct, frozen=True):
    """The first rows of a statement's result; `more` says whether there are further rows."""

    columns: tuple[str, ...] = ()
    rows: tuple[tuple[str | int | float | bool | None, ...], ...] = ()
    more: bool = False
    fault: str = ""
    message: str = ""


class Statements:
    """Runs SQL statements over the tables of a release, a few in parallel."""

    def __init__(self, tables: Mapping[str, Sequence[str]], seconds: float = SECONDS) -> None:
        self._tables = tables
        self.seconds = seconds
        self._room = threading.BoundedSemaphore(_AT_ONCE)

    def ask(self, sql: str, rows: int = ROWS) -> Answer:
        """Return the first rows of one SELECT.

        Raises:
            BadRequestError: the statement is not a SELECT, or is invalid.
            TooMuchError: it exceeds its time or memory, or too many statements are running.
        """
        if len(sql) > MAX_SQL:
            raise BadRequestError(f"more than {MAX_SQL} characters")
        if not self._room.acquire(blocking=False):
            raise TooMuchError(f"{_AT_ONCE} statements are running; try again in a while")
        try:
            return self._ask(sql, rows)
        finally:
            self._room.release()

    def _ask(self, sql: str, rows: int) -> Answer:
        request = {
            "sql": sql,
            "tables": self._tables,
            "rows": rows,
            "bytes": _BYTES,
            "memory": _MEMORY,
            "cpu": int(4 * self.seconds) + 2,
        }
        # An environment without anything: no secret of the server's stands in it.
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", "flows.explorer.sql.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd="/",
            env={"PYTHONPATH": str(Path(flows.__path__[0]).parent)},
        )
        with process:
            try:
                output, _ = process.communicate(msgspec.json.encode(request), timeout=self.seconds)
            except subprocess.TimeoutExpired:
                raise TooMuchError(f"no answer within {self.seconds:g} seconds") from None
            finally:
                process.kill()
        return _read(output)


def _read(output: bytes) -> Answer:
    try:
        answer = msgspec.json.decode(output, type=Answer)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        # It was ended: by its limits, or by the system for the memory it took.
        raise TooMuchError(
            "the statement was stopped: it needs more memory than it may use"
        ) from error
    if answer.fault == "much":
        raise TooMuchError(answer.message)
    if answer.fault:
        raise BadRequestError(answer.message)
    return answer
