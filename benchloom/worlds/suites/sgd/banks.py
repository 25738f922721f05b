"""The current balances of bank accounts, which transactions lower and queries return."""

import re
from collections.abc import Iterator, Mapping

from benchloom.worlds.state import RefusedError, State
from benchloom.worlds.suites.sgd.start import Start

ACCOUNT = "account_type"
BALANCES = ("balance", "account_balance")
AMOUNTS = ("amount", "transfer_amount")
_MONEY = re.compile(r"(-?)(\d{1,12})(?:\.(\d{1,2}))?", re.ASCII)


def balances_of(start: Start) -> Iterator[tuple[str, str, int]]:
    """Yield the service, the account type and the balance in cents of each account.

    The initial balance of an account is the balance in its first row.
    """
    accounts: set[tuple[str, str]] = set()
    for row in start.rows:
        cents = cents_in(row.values.get(_name(row.values, BALANCES), ""))
        account = row.values.get(ACCOUNT)
        if cents is None or account is None or (row.service, account) in accounts:
            continue
        accounts.add((row.service, account))
        yield row.service, account, cents


def with_current_balance(state: State, service: str, row: dict[str, str]) -> dict[str, str]:
    """Return a row in which the account's current balance replaces the recorded balance."""
    name = _name(row, BALANCES)
    cents = _cents_of(state, service, row.get(ACCOUNT, "")) if name in row else None
    return row if cents is None else {**row, name: money(cents)}


def move(state: State, service: str, arguments: Mapping[str, str], *, is_known: bool) -> None:
    """Subtract the amount of a transaction from the balance of its account.

    Nothing happens if the balance is unknown. `is_known` says that the transaction is recorded in
    the dialogue; recorded transactions may overdraw an account.

    Raises:
        RefusedError: the amount is invalid, or is larger than the balance.
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
    """Return an amount of money in cents, or None if the text is not an amount."""
    match = _MONEY.fullmatch(text)
    if match is None:
        return None
    cents = int(match[2]) * 100 + int((match[3] or "").ljust(2, "0"))
    return -cents if match[1] else cents


def money(cents: int) -> str:
    """Format cents as an amount of money in SGD, such as `12.50`."""
    sign = "-" if cents < 0 else ""
    return f"{sign}{abs(cents) // 100}.{abs(cents) % 100:02d}"


def _name(values: Mapping[str, str], names: tuple[str, ...]) -> str:
    return next((name for name in names if name in values), "")


def _cents_of(state: State, service: str, account: str) -> int | None:
    query = "SELECT cents FROM balances WHERE service = ? AND account = ?"
    balance_rows = state.rows(query, service, account)
    return int(balance_rows[0]["cents"] or 0) if balance_rows else None
