"""Bank accounts: transactions lower the balance that queries return."""

import re
from collections.abc import Iterator, Mapping

from benchloom.worlds.state import RefusedError, State
from benchloom.worlds.suites.sgd.start import Start

ACCOUNT = "account_type"
BALANCES = ("balance", "account_balance")
AMOUNTS = ("amount", "transfer_amount")
_MONEY = re.compile(r"(-?)(\d{1,12})(?:\.(\d{1,2}))?", re.ASCII)


def balances_of(start: Start) -> Iterator[tuple[str, str, int]]:
    """Yield service, account and balance (cents) of each account, from its first row."""
    accounts: set[tuple[str, str]] = set()
    for row in start.rows:
        cents = cents_in(row.values.get(_name(row.values, BALANCES), ""))
        account = row.values.get(ACCOUNT)
        if cents is None or account is None or (row.service, account) in accounts:
            continue
        accounts.add((row.service, account))
        yield row.service, account, cents


def with_current_balance(state: State, service: str, row: dict[str, str]) -> dict[str, str]:
    """Return a row with the account's current balance instead of the recorded balance."""
    name = _name(row, BALANCES)
    cents = _cents_of(state, service, row.get(ACCOUNT, "")) if name in row else None
    return row if cents is None else {**row, name: money(cents)}


def move(state: State, service: str, arguments: Mapping[str, str], *, is_known: bool) -> None:
    """Subtract a transaction's amount from the balance of its account, if the balance is known.

    Raises:
        RefusedError: the amount is invalid, or larger than the balance; recorded transactions
            (`is_known`) may overdraw an account.
    """
    name = _name(arguments, AMOUNTS)
    if name not in arguments or ACCOUNT not in arguments:
        return
    account = arguments[ACCOUNT]
    balance = _cents_of(state, service, account)
    if balance is None:
        return
    cents = cents_in(arguments[name])
    if cents is None or cents <= 0:
        raise RefusedError(
            "invalid_argument", f"{arguments[name][:40]!r} is not an amount of money"
        )
    if cents > balance and not is_known:
        raise RefusedError(
            "conflict",
            f"the account {account[:40]} has {money(balance)}; {money(cents)} are needed",
        )
    state.change("balances", {"service": service, "account": account}, cents=balance - cents)


def cents_in(text: str) -> int | None:
    """Parse an amount of money to cents, or return None."""
    match = _MONEY.fullmatch(text)
    if match is None:
        return None
    cents = int(match[2]) * 100 + int((match[3] or "").ljust(2, "0"))
    return -cents if match[1] else cents


def money(cents: int) -> str:
    """Format cents as an amount of money in the style of SGD."""
    sign = "-" if cents < 0 else ""
    return f"{sign}{abs(cents) // 100}.{abs(cents) % 100:02d}"


def _name(values: Mapping[str, str], names: tuple[str, ...]) -> str:
    return next((name for name in names if name in values), "")


def _cents_of(state: State, service: str, account: str) -> int | None:
    query = "SELECT cents FROM balances WHERE service = ? AND account = ?"
    balance_rows = state.rows(query, service, account)
    return int(balance_rows[0]["cents"] or 0) if balance_rows else None
