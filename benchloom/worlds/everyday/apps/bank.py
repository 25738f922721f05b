"""The app of a bank, with accounts, transactions and bills; all amounts are whole cents."""

from typing import Literal, TypeAlias

import msgspec

from benchloom.worlds.everyday.rules import (
    COUNT,
    USER,
    Cents,
    Date,
    Id,
    Limit,
    Name,
    Note,
    Query,
    drawn,
    in_days,
    number,
    person_id,
    today,
)
from benchloom.worlds.everyday.tables import Table
from benchloom.worlds.state import RefusedError, State
from benchloom.worlds.tool import App, read_tool, tool, tools_of

Kind: TypeAlias = Literal["current", "savings"]
MAIN = "Everyday"
"""The name of the account that each person has, and that receives payments to this person."""
_SCHEMA = """
CREATE TABLE bank_accounts (
    bank_account_id TEXT PRIMARY KEY,
    person_id TEXT NOT NULL REFERENCES people (person_id),
    name TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('current', 'savings')),
    balance_cents INTEGER NOT NULL CHECK (balance_cents >= 0),
    UNIQUE (person_id, name)
) STRICT;
CREATE TABLE bank_transactions (
    transaction_id TEXT PRIMARY KEY,
    bank_account_id TEXT NOT NULL REFERENCES bank_accounts (bank_account_id) ON DELETE CASCADE,
    amount_cents INTEGER NOT NULL CHECK (amount_cents <> 0),
    memo TEXT NOT NULL,
    date TEXT NOT NULL
) STRICT;
CREATE INDEX bank_transactions_of ON bank_transactions (bank_account_id);
CREATE TABLE bills (
    bill_id TEXT PRIMARY KEY,
    biller TEXT NOT NULL,
    amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
    due_date TEXT NOT NULL,
    paid INTEGER NOT NULL CHECK (paid IN (0, 1))
) STRICT;
"""
_OWN: tuple[tuple[str, Kind, tuple[tuple[str, int, str], ...]], ...] = (
    (
        MAIN,
        "current",
        (
            ("2027-02-01", 218_400, "Carried over"),
            ("2027-02-26", 241_250, "Wages, Brisk Ferries"),
            ("2027-03-01", -96_000, "Rent, March"),
            ("2027-03-03", -6_480, "Greengrocer Alder"),
            ("2027-03-06", -2_950, "Cinema Lantern"),
            ("2027-03-09", -4_125, "Greengrocer Alder"),
            ("2027-03-12", -11_999, "Shoes, Quay Street"),
        ),
    ),
    (
        "Rainy days",
        "savings",
        (
            ("2027-01-04", 780_000, "Carried over"),
            ("2027-03-01", 25_000, "Set aside, March"),
            ("2027-03-02", 1_210, "Interest"),
        ),
    ),
    ("Summer trip", "savings", (("2027-01-04", 64_000, "Carried over"),)),
    ("Household", "current", (("2027-03-01", 40_000, "Share, March"),)),
)
_BILLS = (
    ("Skerry Power", 8_730, "2027-03-19", 0),
    ("Lomm Water", 4_215, "2027-03-22", 0),
    ("Tern Telephone", 2_999, "2027-03-25", 0),
    ("Brisk Library", 650, "2027-03-17", 0),
    ("Osterby Insurance", 61_200, "2027-04-01", 0),
    ("Gull Tax Office", 512_300, "2027-04-30", 0),
    ("Skerry Power", 9_105, "2027-02-19", 1),
    ("Tern Telephone", 2_999, "2027-02-25", 1),
)


class BankAccount(msgspec.Struct, frozen=True):
    """A bank account and its balance."""

    bank_account_id: str
    person_id: str
    name: str
    kind: Kind
    balance_cents: int


class Payee(msgspec.Struct, frozen=True):
    """The account of a person, for payments."""

    payee_account_id: str
    person_id: str
    name: str


class Transaction(msgspec.Struct, frozen=True):
    """A payment into an account, or out of it if the amount is negative."""

    transaction_id: str
    bank_account_id: str
    amount_cents: int
    memo: str
    date: str


class Bill(msgspec.Struct, frozen=True):
    """A demand for payment by the user."""

    bill_id: str
    biller: str
    amount_cents: int
    due_date: str
    paid: bool


ACCOUNTS = Table("bank_accounts", BankAccount, id_of=("person_id", "name"), owned="account")
TRANSACTIONS = Table(
    "bank_transactions",
    Transaction,
    id_of=("bank_account_id", "amount_cents", "memo", "date"),
    order="date DESC, transaction_id",
    searched=("memo",),
)
BILLS = Table(
    "bills", Bill, id_of=("biller", "due_date"), order="due_date, biller", searched=("biller",)
)


@read_tool(
    query="a part of the name; all accounts if it is empty.", kind="only accounts of this kind."
)
def search_accounts(
    state: State, *, query: Query = "", kind: Kind | None = None, limit: Limit = 20
) -> list[BankAccount]:
    """Find the user's own accounts, by name."""
    return ACCOUNTS.search(state, query, limit, kind=kind, person_id=USER)


get_account = ACCOUNTS.get_tool(
    "bank.get_account", "Look at one of the user's accounts and its balance."
)


@tool(
    name="a name that no other account of the user has.",
    kind="current for payments, savings for deposits.",
)
def create_account(state: State, *, name: Name, kind: Kind) -> BankAccount:
    """Open an account with a balance of zero."""
    return ACCOUNTS.add(state, person_id=USER, name=name, kind=kind, balance_cents=0)


@tool(bank_account_id="its id.", name="the new name.")
def update_account(state: State, *, bank_account_id: Id, name: Name) -> BankAccount:
    """Rename an account of the user."""
    if ACCOUNTS.get(state, bank_account_id).name == MAIN:
        raise RefusedError("conflict", f"{MAIN} cannot be renamed, because wages are paid into it")
    return ACCOUNTS.change(state, bank_account_id, name=name)


@tool(bank_account_id="its id.")
def delete_account(state: State, *, bank_account_id: Id) -> BankAccount:
    """Close an account of the user and return it; its balance must be zero."""
    account = ACCOUNTS.get(state, bank_account_id)
    if account.balance_cents:
        raise RefusedError("conflict", f"the account still has {account.balance_cents} cents")
    if account.name == MAIN:
        raise RefusedError("conflict", f"{MAIN} cannot be closed, because wages are paid into it")
    try:
        return ACCOUNTS.remove(state, bank_account_id)
    except RefusedError as error:
        raise RefusedError("conflict", "a card or a payment still refers to the account") from error


@read_tool(person_id="whose.")
def find_payee(state: State, *, person_id: Id) -> Payee:
    """Find the account into which a person is paid."""
    return Payee(main_account(state, person_id), person_id, _name_of(state, person_id))


@tool(
    bank_account_id="the account that pays; a savings account pays only into the user's accounts.",
    payee_account_id="the account that receives the money.",
    amount_cents="the amount in cents.",
    memo="what for.",
)
def transfer(
    state: State,
    *,
    bank_account_id: Id,
    payee_account_id: Id,
    amount_cents: Cents,
    memo: Note = "",
) -> Transaction:
    """Transfer money from an account of the user to another account."""
    source = ACCOUNTS.get(state, bank_account_id)
    target = state.row("bank_accounts", bank_account_id=payee_account_id)
    if bank_account_id == payee_account_id:
        raise RefusedError("invalid_argument", "from and to must be different accounts")
    if source.kind == "savings" and target["person_id"] != USER:
        raise RefusedError("permission", "a savings account can only pay into the user's accounts")
    whose = str(target["person_id"])
    payee = target["name"] if whose == USER else _name_of(state, whose)
    payment = post(state, bank_account_id, -amount_cents, memo or f"To {payee}")
    post(state, payee_account_id, amount_cents, memo or f"From {_name_of(state, USER)}")
    return payment


@read_tool(
    bank_account_id="the account.",
    query="a part of the memo.",
    since="the first day.",
    until="the last day.",
)
def search_transactions(
    state: State,
    *,
    bank_account_id: Id,
    query: Query = "",
    since: Date | None = None,
    until: Date | None = None,
    limit: Limit = 20,
) -> list[Transaction]:
    """Find the transactions of one of the user's accounts, latest first."""
    ACCOUNTS.get(state, bank_account_id)
    where = in_days("date", since, until)
    return TRANSACTIONS.search(state, query, limit, where, bank_account_id=bank_account_id)


@read_tool(transaction_id="its id.")
def get_transaction(state: State, *, transaction_id: Id) -> Transaction:
    """Look at one transaction of one of the user's accounts."""
    transaction = TRANSACTIONS.get(state, transaction_id)
    ACCOUNTS.get(state, transaction.bank_account_id)
    return transaction


@read_tool(
    query="a part of the payee's name.", paid="only bills that are paid (true) or unpaid (false)."
)
def search_bills(state: State, *, query: Query = "", paid: bool | None = None) -> list[Bill]:
    """Find bills, earliest due first."""
    return BILLS.search(state, query, paid=paid)


get_bill = BILLS.get_tool("bank.get_bill", "Look at one bill.")


@tool(bank_account_id="the account that pays.")
def pay_bill(state: State, *, bill_id: Id, bank_account_id: Id) -> Transaction:
    """Pay a bill from one of the user's current accounts."""
    bill = BILLS.get(state, bill_id)
    if bill.paid:
        raise RefusedError("conflict", "the bill is already paid")
    if ACCOUNTS.get(state, bank_account_id).kind == "savings":
        raise RefusedError("permission", "a savings account cannot pay bills")
    payment = post(state, bank_account_id, -bill.amount_cents, f"{bill.biller}, {bill.due_date}")
    BILLS.change(state, bill_id, paid=1)
    return payment


def main_account(state: State, whose: str) -> str:
    """Return the id of the account into which a person is paid."""
    row = state.row("bank_accounts", person_id=whose, name=MAIN)
    return str(row["bank_account_id"])


def post(
    state: State, bank_account_id: str, amount_cents: int, memo: str, *, on: str = ""
) -> Transaction:
    """Add an amount, which may be negative, to an account's balance, and return the transaction.

    `on` is the day of the transaction, by default today.

    Raises:
        RefusedError: the account does not exist, or its balance is too low.
    """
    row = state.row("bank_accounts", bank_account_id=bank_account_id)
    balance = number(row["balance_cents"]) + amount_cents
    if balance < 0:
        raise RefusedError("unavailable", f"the balance is too low by {-balance} cents")
    state.change("bank_accounts", {"bank_account_id": bank_account_id}, balance_cents=balance)
    return TRANSACTIONS.add(
        state,
        bank_account_id=bank_account_id,
        amount_cents=amount_cents,
        memo=memo,
        date=on or today(state),
    )


def _name_of(state: State, whose: str) -> str:
    return str(state.row("people", person_id=whose)["name"])


def _fill(state: State) -> None:
    for name, kind, notes in _OWN:
        _open(state, USER, name, kind, notes)
    for person in range(2, COUNT + 1):
        amount = 20_000 + 10 * drawn(30_000, "bank", str(person))
        _open(state, person_id(person), MAIN, "current", (("2027-02-01", amount, "Carried over"),))
    for biller, amount, due, paid in _BILLS:
        BILLS.add(state, biller=biller, amount_cents=amount, due_date=due, paid=paid)


def _open(
    state: State, whose: str, name: str, kind: Kind, notes: tuple[tuple[str, int, str], ...]
) -> None:
    balance = sum(amount for _, amount, _ in notes)
    account = ACCOUNTS.add(state, person_id=whose, name=name, kind=kind, balance_cents=balance)
    for date, amount, memo in notes:
        TRANSACTIONS.add(
            state,
            bank_account_id=account.bank_account_id,
            amount_cents=amount,
            memo=memo,
            date=date,
        )


APP = App(
    schema=_SCHEMA,
    fill=_fill,
    tools=tools_of("bank", globals()),
    needs=("people",),
    goals={
        "create_account": "open a bank account",
        "find_payee": "find out the account into which somebody is paid",
        "search_accounts": "find out {} of one of my bank accounts",
        "transfer": "transfer some money",
    },
)
