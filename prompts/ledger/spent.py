"""Sum what a time of a workspace cost, from its ledger."""

import sqlite3
from contextlib import closing
from pathlib import Path

from benchloom.core.errors import RunError
from prompts.ledger.prices import NANO
from prompts.ledger.schema import REMEDY, SQLITE_FAULTS

_SUM = """SELECT coalesce(sum(coalesce(charged_nano, reserved_nano)), 0) FROM attempts
WHERE started_at >= ? AND started_at <= ?"""


def spent_between(ledger: Path, first: float, last: float) -> float:
    """Return the US dollars of all requests sent between two times (seconds since 1970).

    A request without a reply yet counts at its highest cost. Without a ledger nothing was spent.

    Raises:
        RunError: the ledger cannot be read.
    """
    if not ledger.is_file():
        return 0.0
    try:
        with closing(sqlite3.connect(f"{ledger.absolute().as_uri()}?mode=ro", uri=True)) as opened:
            ((nano,),) = opened.execute(_SUM, (first, last))
    except SQLITE_FAULTS as error:
        raise RunError(f"{ledger}: {error}; {REMEDY}") from error
    return int(nano) / NANO
