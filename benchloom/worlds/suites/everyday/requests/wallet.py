"""The requests that users can make about cards and payments, with their wording."""

from benchloom.worlds.requests.draws import cents, fixed_value, no, quoted, yes
from benchloom.worlds.requests.wants import Named, Policy, Question, Want, requests
from benchloom.worlds.suites.everyday.requests._limits import confirmed, up_to_crowns
from benchloom.worlds.suites.everyday.requests._objects import (
    ACCOUNT,
    BILL_AMOUNT,
    CARD,
    NAMED_OBJECTS,
    PAYMENT_ON,
    PERSON,
)

_NOTES = quoted("Boat hire", "Candles", "Cinema", "Ferry tickets", "Pizza", "Seeds", "Taxi")
_OF_ME = Named(
    "wallet.search_requests",
    "money_request_id",
    "what {person_id} {direction}",
    by={"person_id": PERSON, "direction": fixed_value("asked_of_me", "asks me for")},
)
_BY_ME = Named(
    "wallet.search_requests",
    "money_request_id",
    "{direction} for money from {person_id}",
    by={"person_id": PERSON, "direction": fixed_value("asked_by_me", "my request")},
)


def _money_request(thing: Named, field: str) -> Named:
    return Named(thing.tool, field, "{person_id} {direction}", by=thing.by)


REQUESTS = requests(
    usual={
        **NAMED_OBJECTS,
        "amount_cents": cents(300, 8000),
        "note": _NOTES,
        "money_request_id": _OF_ME,
    },
    wants=(
        Want(
            "wallet.create_card",
            "get me a card called {label} on {bank_account_id} with a limit of {limit_cents}",
            {
                "bank_account_id": ACCOUNT,
                "label": quoted("Errands", "Green card", "Market", "School", "Travel card"),
                "limit_cents": cents(5000, 60000, 5000),
            },
            makes=("card_id", "the new card"),
        ),
        Want(
            "wallet.update_card",
            "set the limit of {card_id} to {limit_cents}",
            {"card_id": CARD, "limit_cents": cents(5000, 90000, 2500)},
        ),
        Want(
            "wallet.update_card",
            "{blocked} {card_id}",
            {"card_id": CARD.among(blocked=False), "blocked": yes("block", "lock")},
        ),
        Want(
            "wallet.update_card",
            "{blocked} {card_id}",
            {"card_id": CARD.among(blocked=True), "blocked": no("unblock", "lift the block on")},
        ),
        Want("wallet.delete_card", "cancel {card_id}"),
        Want(
            "wallet.pay_person",
            "pay {person_id} {amount_cents} with {card_id} and note {note}",
            {"card_id": CARD},
        ),
        Want(
            "wallet.pay_person",
            "pay {person_id} {amount_cents} with {card_id}",
            {"card_id": CARD, "amount_cents": cents(10_000, 15_000, 500)},
            first={"amount_cents": cents(16_000, 30_000, 500)},
            otherwise="if the card does not allow that, pay {amount_cents}",
        ),
        Want(
            "wallet.create_request",
            "ask {person_id} for {amount_cents}, noting {note}",
            {"person_id": PERSON, "amount_cents": cents(300, 9000)},
            makes=("money_request_id", "that request"),
        ),
        Want(
            "wallet.create_request",
            "ask {person_id} to pay me {amount_cents}",
            {"person_id": PERSON, "amount_cents": BILL_AMOUNT},
            makes=("money_request_id", "that request"),
        ),
        Want("wallet.pay_request", "pay {money_request_id} with {card_id}"),
        Want("wallet.decline_request", "decline to pay {money_request_id}"),
        Want("wallet.delete_request", "withdraw {money_request_id}", {"money_request_id": _BY_ME}),
    ),
    questions=(
        Question("tell me how much {it}", _money_request(_OF_ME, "amount_cents")),
        Question("look up why {it} money", _money_request(_OF_ME, "note")),
        Question(
            "tell me what I last paid to {it}", PAYMENT_ON.for_field("amount_cents", "{name}")
        ),
        Question("tell me the limit of {it}", CARD.for_field("limit_cents")),
    ),
    policies=(
        Policy(
            "Never pay a person more than {limit} at once.",
            "wallet.pay_person",
            "amount_cents",
            "at_most",
            up_to_crowns(5, 20, 50, 100),
        ),
        Policy(
            "Create no card with a limit above {limit}.",
            "wallet.create_card",
            "limit_cents",
            "at_most",
            up_to_crowns(100, 250, 400, 800),
        ),
        Policy(
            "Set the limit of no card above {limit}.",
            "wallet.update_card",
            "limit_cents",
            "at_most",
            up_to_crowns(100, 300, 600, 1000),
        ),
        confirmed("wallet.delete_card", "Cancel a card"),
    ),
)
