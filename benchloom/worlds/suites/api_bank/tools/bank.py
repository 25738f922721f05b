"""Tools for bank accounts and their balances."""

from benchloom.worlds.state import State
from benchloom.worlds.suites.api_bank.part import SUCCESS, Part, fill_from, refused, user_of
from benchloom.worlds.tool import read_tool, tool

_SCHEMA = """
CREATE TABLE funds (username TEXT PRIMARY KEY, balance REAL NOT NULL) STRICT;
CREATE TABLE opened (
    opened_id TEXT PRIMARY KEY, account TEXT NOT NULL, password TEXT NOT NULL, name TEXT NOT NULL
) STRICT;
"""


@tool(account="the name of the account.", password="its password.", name="the user name.")
def OpenBankAccount(state: State, *, account: str, password: str, name: str) -> str:
    """Open an account at the bank."""
    key = state.new_id("opened", account, password, name)
    state.add("opened", opened_id=key, account=account, password=password, name=name)
    return SUCCESS


@read_tool(token="the user's token.")
def QueryBalance(state: State, *, token: str) -> float:
    """Return the balance of the user's bank account."""
    username = user_of(state, token)
    rows = state.rows("SELECT balance FROM funds WHERE username = ?", username)
    if not rows:
        raise refused(state, "not_found", ("QueryBalance", 1), "the user has no bank account")
    return float(rows[0]["balance"] or 0)


PART = Part(
    schema=_SCHEMA,
    fill=fill_from("funds", "username", lambda databases: databases.bank),
    tools=globals(),
    frozen=("funds",),
    goals={
        "OpenBankAccount": "open a bank account",
        "QueryBalance": "find out what is in my bank account",
    },
)
