"""Wallet."""

from benchloom.worlds.suites.everyday.asking.draws import cents, no, quoted, yes
from benchloom.worlds.suites.everyday.asking.wants import Named, Question, Requests, Want
from benchloom.worlds.suites.everyday.requests._things import ACCOUNT, BILL_AMOUNT, CARD, PERSON

_NOTES = quoted("Boat hire", "Candles", "Cinema", "Ferry tickets", "Pizza", "Seeds", "Taxi")
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
    ),
    questions=(
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
