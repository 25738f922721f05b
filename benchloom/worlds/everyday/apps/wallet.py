"""The app for the cards of bank accounts, payments by card, and requests for money."""

from typing import Annotated, Literal, TypeAlias

import msgspec

from benchloom.worlds.everyday.apps import bank
from benchloom.worlds.everyday.rules import (
    COUNT,
    USER,
    Cents,
    Id,
    Limit,
    Name,
    Note,
    Query,
    changes,
    choice,
    drawn,
    other_person,
    person_id,
    today,
)
from benchloom.worlds.everyday.tables import Table
from benchloom.worlds.state import RefusedError, State
from benchloom.worlds.tool import App, read_tool, tool, tools_of

Most: TypeAlias = Annotated[int, msgspec.Meta(ge=100, le=1_000_000)]
Direction: TypeAlias = Literal["asked_of_me", "asked_by_me"]
RequestStatus: TypeAlias = Literal["open", "paid", "declined"]
_SCHEMA = """
CREATE TABLE cards (
    card_id TEXT PRIMARY KEY,
    bank_account_id TEXT NOT NULL REFERENCES bank_accounts (bank_account_id),
    label TEXT NOT NULL UNIQUE,
    limit_cents INTEGER NOT NULL CHECK (limit_cents > 0),
    blocked INTEGER NOT NULL CHECK (blocked IN (0, 1))
) STRICT;
CREATE TABLE payments (
    payment_id TEXT PRIMARY KEY,
    bank_account_id TEXT NOT NULL REFERENCES bank_accounts (bank_account_id),
    payee TEXT NOT NULL,
    person_id TEXT REFERENCES people (person_id),
    amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
    refunded_cents INTEGER NOT NULL CHECK (refunded_cents BETWEEN 0 AND amount_cents),
    note TEXT NOT NULL,
    date TEXT NOT NULL
) STRICT;
CREATE TABLE money_requests (
    money_request_id TEXT PRIMARY KEY,
    person_id TEXT NOT NULL REFERENCES people (person_id),
    direction TEXT NOT NULL CHECK (direction IN ('asked_of_me', 'asked_by_me')),
    amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
    note TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('open', 'paid', 'declined')),
    UNIQUE (person_id, direction, amount_cents, note)
) STRICT;
"""
_CARDS = (
    ("Blue card", bank.MAIN, 50_000, 0),
    ("Household card", "Household", 15_000, 0),
    ("Old card", bank.MAIN, 5_000, 1),
)
_REASONS = ("Picnic", "Cinema", "Petrol", "Present for Bo", "Pizza", "Boat hire", "Groceries")
_REQUESTS = 14


class Card(msgspec.Struct, frozen=True):
    """A card; `limit_cents` is the maximum of a payment."""

    card_id: str
    bank_account_id: str
    label: str
    limit_cents: int
    blocked: bool


class Payment(msgspec.Struct, frozen=True):
    """A payment from an account of the user; `person_id` is the paid person, if any."""

    payment_id: str
    bank_account_id: str
    payee: str
    person_id: str | None
    amount_cents: int
    refunded_cents: int
    note: str
    date: str


class MoneyRequest(msgspec.Struct, frozen=True):
    """A request for money, from a person to the user or from the user to a person."""

    money_request_id: str
    person_id: str
    direction: Direction
    amount_cents: int
    note: str
    status: RequestStatus


CARDS = Table("cards", Card, id_of=("label",), order="label", searched=("label",))
PAYMENTS = Table(
    "payments",
    Payment,
    id_of=("bank_account_id", "payee", "amount_cents", "note"),
    order="date DESC, payment_id",
    searched=("payee", "note"),
)
REQUESTS = Table(
    "money_requests",
    MoneyRequest,
    id_of=("person_id", "direction", "amount_cents", "note"),
    order="person_id, money_request_id",
)


@read_tool(
    query="a part of the label; all cards if it is empty.",
    blocked="only cards that are blocked (true) or not (false).",
)
def search_cards(
    state: State, *, query: Query = "", blocked: bool | None = None, limit: Limit = 20
) -> list[Card]:
    """Find the user's cards, by label."""
    return CARDS.search(state, query, limit, blocked=blocked)


get_card = CARDS.get_tool("wallet.get_card", "Look at one card.")


@tool(bank_account_id="the account.", label="a label that no other card has.")
def create_card(state: State, *, bank_account_id: Id, label: Name, limit_cents: Most) -> Card:
    """Add a card of a current account of the user."""
    if bank.ACCOUNTS.get(state, bank_account_id).kind == "savings":
        raise RefusedError("permission", "a savings account cannot have a card")
    return CARDS.add(
        state, bank_account_id=bank_account_id, label=label, limit_cents=limit_cents, blocked=0
    )


@tool(card_id="its id.", label="the new label.", blocked="whether the card is blocked.")
def update_card(
    state: State,
    *,
    card_id: Id,
    label: Name | None = None,
    limit_cents: Most | None = None,
    blocked: bool | None = None,
) -> Card:
    """Change a card, or block or unblock it."""
    changed = changes(label=label, limit_cents=limit_cents, blocked=blocked)
    return CARDS.change(state, card_id, **changed)


delete_card = CARDS.remove_tool("wallet.delete_card", "Delete a card and return it.")


@tool(person_id="the person to pay.")
def pay_person(
    state: State, *, card_id: Id, person_id: Id, amount_cents: Cents, note: Note = ""
) -> Payment:
    """Pay a person by card."""
    return _pay_person(state, card_id, person_id, amount_cents, note)


@read_tool(
    query="a part of the payee's name or of the note.", person_id="only payments to this person."
)
def search_payments(
    state: State, *, query: Query = "", person_id: Id | None = None, limit: Limit = 20
) -> list[Payment]:
    """Find payments, latest first."""
    return PAYMENTS.search(state, query, limit, person_id=person_id)


get_payment = PAYMENTS.get_tool("wallet.get_payment", "Look at one payment.")


@read_tool(
    direction="only requests to the user, or from the user.",
    status="only requests with this status.",
    person_id="only requests to or from this person.",
)
def search_requests(
    state: State,
    *,
    direction: Direction | None = None,
    status: RequestStatus | None = None,
    person_id: Id | None = None,
    limit: Limit = 20,
) -> list[MoneyRequest]:
    """Find requests for money."""
    return REQUESTS.search(
        state, limit=limit, direction=direction, status=status, person_id=person_id
    )


@tool(person_id="the person to ask.")
def create_request(
    state: State, *, person_id: Id, amount_cents: Cents, note: Note = ""
) -> MoneyRequest:
    """Ask a person for money."""
    other_person(state, person_id)
    return _add_request(state, person_id, "asked_by_me", amount_cents, note)


@tool()
def pay_request(state: State, *, money_request_id: Id, card_id: Id) -> Payment:
    """Pay a person's request for money by card."""
    request = _open_request(state, money_request_id)
    payment = _pay_person(state, card_id, request.person_id, request.amount_cents, request.note)
    REQUESTS.change(state, money_request_id, status="paid")
    return payment


@tool()
def decline_request(state: State, *, money_request_id: Id) -> MoneyRequest:
    """Decline a person's request for money."""
    _open_request(state, money_request_id)
    return REQUESTS.change(state, money_request_id, status="declined")


@tool(money_request_id="the request.")
def delete_request(state: State, *, money_request_id: Id) -> MoneyRequest:
    """Withdraw a request of the user for money, and return it."""
    request = REQUESTS.get(state, money_request_id)
    if request.direction == "asked_of_me":
        raise RefusedError("permission", "another person made this request; decline it instead")
    if request.status != "open":
        raise RefusedError("conflict", f"the request is already {request.status}")
    return REQUESTS.remove(state, money_request_id)


def charge(
    state: State,
    card_id: str,
    amount_cents: int,
    payee: str,
    note: str,
    *,
    whom: str | None = None,
    on: str = "",
) -> Payment:
    """Pay an amount by card, and return the payment.

    `whom` is the id of the paid person, if any; `on` is the day, by default today.

    Raises:
        RefusedError: the card does not exist or is blocked, its limit is too low, or the account
            has too little.
    """
    card = CARDS.get(state, card_id)
    if card.blocked:
        raise RefusedError("unavailable", f"the card {card.label!r} is blocked")
    if amount_cents > card.limit_cents:
        raise RefusedError(
            "unavailable",
            f"{amount_cents} cents exceed the card's limit of {card.limit_cents} cents",
        )
    memo = f"{payee}: {note}" if note else payee
    bank.post(state, card.bank_account_id, -amount_cents, memo, on=on)
    return PAYMENTS.add(
        state,
        bank_account_id=card.bank_account_id,
        payee=payee,
        person_id=whom,
        amount_cents=amount_cents,
        refunded_cents=0,
        note=note,
        date=on or today(state),
    )


def refund(state: State, payment_id: str, amount_cents: int) -> None:
    """Refund an amount of a payment to the account that paid.

    Raises:
        RefusedError: the amount is larger than the part of the payment that is not yet refunded.
    """
    paid = PAYMENTS.get(state, payment_id)
    back = paid.refunded_cents + amount_cents
    if back > paid.amount_cents:
        raise RefusedError("conflict", "the refund would exceed the payment")
    PAYMENTS.change(state, payment_id, refunded_cents=back)
    bank.post(state, paid.bank_account_id, amount_cents, f"Refund, {paid.payee}")


def card_called(state: State, label: str) -> str:
    """Return the id of the card with a label, which other apps need for their initial rows."""
    return str(state.row("cards", label=label)["card_id"])


def _pay_person(state: State, card_id: str, whom: str, amount_cents: int, note: str) -> Payment:
    name = other_person(state, whom)
    payment = charge(state, card_id, amount_cents, name, note, whom=whom)
    bank.post(state, bank.main_account(state, whom), amount_cents, note or "By card")
    return payment


def _open_request(state: State, money_request_id: str) -> MoneyRequest:
    request = REQUESTS.get(state, money_request_id)
    if request.direction == "asked_by_me":
        raise RefusedError("permission", "only the recipient can answer the user's request")
    if request.status != "open":
        raise RefusedError("conflict", f"the request is already {request.status}")
    return request


def _add_request(
    state: State, whose: str, direction: Direction, amount: int, note: str
) -> MoneyRequest:
    return REQUESTS.add(
        state,
        person_id=whose,
        direction=direction,
        amount_cents=amount,
        note=note,
        status="open",
    )


def _fill(state: State) -> None:
    for label, account, limit, blocked in _CARDS:
        row = state.row("bank_accounts", person_id=USER, name=account)
        CARDS.add(
            state,
            bank_account_id=row["bank_account_id"],
            label=label,
            limit_cents=limit,
            blocked=blocked,
        )
    for number in range(_REQUESTS):
        whose = person_id(2 + (number * 17 + drawn(9, "asks", str(number))) % (COUNT - 1))
        amount = 500 + 25 * drawn(200, "asked", str(number))
        note = choice(_REASONS, "reason", str(number))
        _add_request(
            state, whose, "asked_by_me" if number % 3 == 0 else "asked_of_me", amount, note
        )


APP = App(
    schema=_SCHEMA,
    fill=_fill,
    tools=tools_of(
        "wallet",
        globals(),
        descriptions={
            "limit_cents": "the maximum of a payment, in cents.",
            "amount_cents": "the amount in cents.",
            "note": "what for.",
            "money_request_id": "the request for money.",
        },
    ),
    needs=("people", "bank"),
    goals={
        "create_card": "get a new card",
        "create_request": "ask somebody for money",
        "decline_request": "decline to pay what somebody asks me for",
        "delete_request": "withdraw my request for money",
        "pay_person": "pay somebody",
        "pay_request": "pay what somebody asks me for",
    },
)
