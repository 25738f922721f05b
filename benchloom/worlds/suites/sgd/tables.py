"""The tables of a world of services, and their initial rows."""

from collections.abc import Mapping

import msgspec

from benchloom.core.errors import RunError
from benchloom.worlds.state import RefusedError, State
from benchloom.worlds.suites.sgd.banks import balances_of
from benchloom.worlds.suites.sgd.start import Answer, Method, Start, canonical, completed

SCHEMA = """
CREATE TABLE found_rows (
    service TEXT NOT NULL, method TEXT NOT NULL, rank INTEGER NOT NULL, row_values TEXT NOT NULL,
    PRIMARY KEY (service, method, rank), UNIQUE (service, method, row_values)
) STRICT;
CREATE TABLE unavailable (
    service TEXT NOT NULL, method TEXT NOT NULL, arguments TEXT NOT NULL, offered TEXT NOT NULL,
    PRIMARY KEY (service, method, arguments)
) STRICT;
CREATE TABLE known_receipts (
    service TEXT NOT NULL, method TEXT NOT NULL, arguments TEXT NOT NULL, receipt TEXT NOT NULL,
    PRIMARY KEY (service, method, arguments)
) STRICT;
CREATE TABLE wordings (
    service TEXT NOT NULL, argument TEXT NOT NULL, words TEXT NOT NULL, value TEXT NOT NULL,
    PRIMARY KEY (service, argument, words)
) STRICT;
CREATE TABLE receipts (
    receipt_id TEXT PRIMARY KEY, service TEXT NOT NULL, method TEXT NOT NULL,
    arguments TEXT NOT NULL
) STRICT;
CREATE TABLE balances (
    service TEXT NOT NULL, account TEXT NOT NULL, cents INTEGER NOT NULL,
    PRIMARY KEY (service, account)
) STRICT;
"""
"""The SQL that creates the tables, of which calls change only `receipts` and `balances`."""
FROZEN = ("found_rows", "unavailable", "known_receipts", "wordings")
Cells = dict[str, str]
_ROW = msgspec.json.Decoder(Cells)
_OFFERED = msgspec.json.Decoder(list[Cells])
_ENCODER = msgspec.json.Encoder(order="deterministic")


def fill(state: State, start: Start) -> None:
    """Add the rows of an initial state to the tables.

    Raises:
        RunError: two rows of a method are equal, or two answers have the same arguments.
    """
    try:
        for rank, row in enumerate(start.rows):
            state.add(
                "found_rows",
                service=row.service,
                method=row.method,
                rank=rank,
                row_values=canonical(row.values),
            )
        methods = {(method.service, method.name): method for method in start.methods}
        for answer in start.unavailable:
            offered = _ENCODER.encode(answer.rows).decode()
            state.add("unavailable", **_call(answer, methods), offered=offered)
        for answer in start.receipts:
            for receipt in answer.rows[:1]:
                state.add("known_receipts", **_call(answer, methods), receipt=canonical(receipt))
        for wording in start.wordings:
            state.add("wordings", **msgspec.structs.asdict(wording))
        for service, account, cents in balances_of(start):
            state.add("balances", service=service, account=account, cents=cents)
    except RefusedError as error:
        raise RunError(
            f"rows of the initial state contradict each other: {error.message}"
        ) from error


def _call(answer: Answer, methods: Mapping[tuple[str, str], Method]) -> Cells:
    method = methods.get((answer.service, answer.method))
    arguments = answer.arguments if method is None else completed(method, answer.arguments)
    return {
        "service": answer.service,
        "method": answer.method,
        "arguments": canonical(arguments),
    }


def rows_of(state: State, service: str, method: str | None = None) -> list[Cells]:
    """Return the rows of a service, or of one of its methods, in the order of their ranks."""
    query = (
        "SELECT row_values FROM found_rows "
        "WHERE service = ?1 AND (?2 IS NULL OR method = ?2) ORDER BY rank"
    )
    return [_ROW.decode(str(row["row_values"])) for row in state.rows(query, service, method)]


def offered_instead(state: State, service: str, method: str, arguments: str) -> list[Cells] | None:
    """Return the rows that a service offers instead of fulfilling a call.

    The list is empty if the service offers nothing. The result is None if the recording does not
    contain a refusal of the call. `arguments` is canonical JSON.
    """
    query = "SELECT offered FROM unavailable WHERE service = ? AND method = ? AND arguments = ?"
    offer_rows = state.rows(query, service, method, arguments)
    return _OFFERED.decode(str(offer_rows[0]["offered"])) if offer_rows else None


def receipt_of(state: State, service: str, method: str, arguments: str) -> Cells | None:
    """Return the recorded receipt for arguments in canonical JSON, or None if there is none."""
    query = "SELECT receipt FROM known_receipts WHERE service = ? AND method = ? AND arguments = ?"
    receipt_rows = state.rows(query, service, method, arguments)
    return _ROW.decode(str(receipt_rows[0]["receipt"])) if receipt_rows else None


def recorded_spelling(state: State, service: str, argument: str, words: str) -> str | None:
    """Return the value that the words of a user mean in the recorded dialogue, or None."""
    query = "SELECT value FROM wordings WHERE service = ? AND argument = ? AND words = ?"
    values = state.rows(query, service, argument, words)
    return str(values[0]["value"]) if values else None


def cells_of(state: State, service: str, slot: str) -> tuple[str, ...]:
    """Return the distinct values of the field `slot` in a service's rows, in order of the rows."""
    rows = rows_of(state, service)
    return tuple(dict.fromkeys(row[slot] for row in rows if slot in row))


def rows_json(rows: list[Cells]) -> str:
    """Encode rows as JSON."""
    return _ENCODER.encode(rows).decode()
