"""Wallet."""

from benchloom.worlds.suites.everyday.asking.draws import cents, no, quoted, said, yes
from benchloom.worlds.suites.everyday.asking.wants import Named, Question, Requests, Want
from benchloom.worlds.suites.everyday.requests._things import ACCOUNT, BILL_AMOUNT, CARD, PERSON

_NOTES = quoted("Boat hire", "Candles", "Cinema", "Ferry tickets", "Pizza", "Seeds", "Taxi")
_OF_ME = Named(
    tool="wallet.search_requests",
    by={"person_id": PERSON, "direction": said("asked_of_me", "asks me for")},
    field="money_request_id",
    text="what {person_id} {direction}",
)
_BY_ME = Named(
    tool="wallet.search_requests",
    by={"person_id": PERSON, "direction": said("asked_by_me", "my request")},
    field="money_request_id",
    text="{direction} for money from {person_id}",
)


def _asked(thing: Named, field: str) -> Named:
    return Named(tool=thing.tool, by=thing.by, field=field, text="{person_id} {direction}")


REQUESTS = Requests(
    wants=(
        Want(
            tool="wallet.create_card",
            text="get me a card called {label} on {bank_account_id} with a limit of {limit_cents}",
            take={
                "bank_account_id": ACCOUNT,
                "label": quoted("Errands", "Green card", "Market", "School", "Travel card"),
                "limit_cents": cents(5000, 60000, 5000),
            },
            makes=("card_id", "the new card"),
        ),
        Want(
            tool="wallet.update_card",
            text="set the limit of {card_id} to {limit_cents}",
            take={"card_id": CARD, "limit_cents": cents(5000, 90000, 2500)},
        ),
        Want(
            tool="wallet.update_card",
            text="{blocked} {card_id}",
            take={"card_id": CARD, "blocked": yes("block", "lock")},
        ),
        Want(
            tool="wallet.update_card",
            text="{blocked} {card_id}",
            take={"card_id": CARD, "blocked": no("unblock", "lift the block on")},
        ),
        Want(tool="wallet.delete_card", text="cancel {card_id}", take={"card_id": CARD}),
        Want(
            tool="wallet.pay_person",
            text="pay {person_id} {amount_cents} with {card_id} and note {note}",
            take={
                "card_id": CARD,
                "person_id": PERSON,
                "amount_cents": cents(300, 8000),
                "note": _NOTES,
            },
        ),
        Want(
            tool="wallet.pay_person",
            text="pay {person_id} {amount_cents} with {card_id}",
            take={"card_id": CARD, "person_id": PERSON, "amount_cents": cents(300, 8000)},
            first={"amount_cents": cents(200_000, 400_000, 5000)},
            otherwise="if the card does not allow that, pay {amount_cents}",
        ),
        Want(
            tool="wallet.create_request",
            text="ask {person_id} for {amount_cents}, noting {note}",
            take={"person_id": PERSON, "amount_cents": cents(300, 9000), "note": _NOTES},
            makes=("money_request_id", "that request"),
        ),
        Want(
            tool="wallet.create_request",
            text="ask {person_id} to pay me {amount_cents}",
            take={"person_id": PERSON, "amount_cents": BILL_AMOUNT},
            makes=("money_request_id", "that request"),
        ),
        Want(
            tool="wallet.pay_request",
            text="pay {money_request_id} with {card_id}",
            take={"money_request_id": _OF_ME, "card_id": CARD},
        ),
        Want(
            tool="wallet.decline_request",
            text="decline to pay {money_request_id}",
            take={"money_request_id": _OF_ME},
        ),
        Want(
            tool="wallet.delete_request",
            text="withdraw {money_request_id}",
            take={"money_request_id": _BY_ME},
        ),
    ),
    questions=(
        Question(text="tell me how much {it}", about=_asked(_OF_ME, "amount_cents")),
        Question(text="look up why {it} money", about=_asked(_OF_ME, "note")),
        Question(
            text="tell me what I last paid to {it}",
            about=Named(
                tool="wallet.search_payments",
                query="query",
                name="payee",
                field="amount_cents",
                text="{name}",
            ),
        ),
        Question(
            text="tell me the limit of {it}",
            about=Named(
                tool="wallet.search_cards",
                query="query",
                name="label",
                field="limit_cents",
                text="my {name}",
            ),
        ),
    ),
)
