"""Bank and wallet: no cent appears or is lost, and nobody pays what is not there."""

from typing import Any, get_args

from benchloom.worlds.everyday.rules import City
from tests.benchloom.worlds.suites.everyday.support import Visit


def money(visit: Visit) -> int:
    """All money on all accounts; every balance is the sum of what went in and out."""
    rows = visit.cells(
        "SELECT balance_cents, (SELECT sum(amount_cents) FROM bank_transactions AS t"
        " WHERE t.bank_account_id = a.bank_account_id) FROM bank_accounts AS a",
    )
    assert rows
    assert all(balance == (notes or 0) and balance >= 0 for balance, notes in rows)
    return sum(balance for balance, _ in rows)


def test_transfers_move_money_and_make_none(visit: Visit) -> None:
    before = money(visit)
    source = visit.first("bank.search_accounts", query="every")
    payee = visit.told("bank.find_payee", person_id="p007")
    transfer = visit.told(
        "bank.transfer",
        bank_account_id=source["bank_account_id"],
        payee_account_id=payee["payee_account_id"],
        amount_cents=1234,
    )
    assert transfer["amount_cents"] == -1234
    after = visit.told("bank.get_account", bank_account_id=source["bank_account_id"])
    assert after["balance_cents"] == source["balance_cents"] - 1234
    assert money(visit) == before


def test_what_a_bank_refuses(visit: Visit) -> None:
    main = visit.first("bank.search_accounts", query="everyday")
    saved = visit.first("bank.search_accounts", kind="savings")
    other = visit.told("bank.find_payee", person_id="p002")["payee_account_id"]
    account_id, savings = main["bank_account_id"], saved["bank_account_id"]
    largest: dict[str, Any] = {"payee_account_id": other, "amount_cents": 100_000_000}
    assert visit.refused("bank.transfer", bank_account_id=account_id, **largest) == "unavailable"
    small: dict[str, Any] = {"payee_account_id": other, "amount_cents": 1}
    assert visit.refused("bank.transfer", bank_account_id=savings, **small) == "permission"
    assert visit.refused("bank.transfer", bank_account_id=other, **small) == "permission"
    assert (
        visit.refused(
            "bank.transfer", bank_account_id=account_id, payee_account_id=account_id, amount_cents=1
        )
        == "invalid_argument"
    )
    assert (
        visit.refused(
            "bank.transfer", bank_account_id=account_id, payee_account_id=other, amount_cents=0
        )
        == "invalid_argument"
    )
    assert visit.refused("bank.get_account", bank_account_id=other) == "permission"
    assert visit.refused("bank.delete_account", bank_account_id=savings) == "conflict"
    assert visit.refused("bank.find_payee", person_id="p999") == "not_found"
    assert visit.refused("bank.create_account", name=main["name"], kind="current") == "conflict"
    query = "SELECT transaction_id FROM bank_transactions WHERE bank_account_id = ?"
    foreign = visit.cells(query, other)
    assert visit.refused("bank.get_transaction", transaction_id=foreign[0][0]) == "permission"


def test_a_bill_is_paid_once(visit: Visit) -> None:
    main = visit.first("bank.search_accounts", query="everyday")["bank_account_id"]
    bill = visit.first("bank.search_bills", paid=False)
    pay = {"bill_id": bill["bill_id"], "bank_account_id": main}
    before = money(visit)
    visit.told("bank.pay_bill", **pay)
    assert money(visit) == before - bill["amount_cents"]
    assert visit.refused("bank.pay_bill", **pay) == "conflict"
    large = visit.first("bank.search_bills", query="tax")["bill_id"]
    assert visit.refused("bank.pay_bill", bill_id=large, bank_account_id=main) == "unavailable"


def test_an_empty_account_is_closed(visit: Visit) -> None:
    account_id = visit.told("bank.create_account", name="Kayak", kind="current")["bank_account_id"]
    card = visit.told(
        "wallet.create_card", bank_account_id=account_id, label="Kayak", limit_cents=500
    )
    assert visit.refused("bank.delete_account", bank_account_id=account_id) == "conflict"
    visit.told("wallet.delete_card", card_id=card["card_id"])
    visit.told("bank.delete_account", bank_account_id=account_id)
    assert visit.refused("bank.get_account", bank_account_id=account_id) == "not_found"


def test_a_card_pays_what_its_account_holds(visit: Visit) -> None:
    before = money(visit)
    card = visit.first("wallet.search_cards", query="blue")
    account: dict[str, Any] = {"bank_account_id": card["bank_account_id"]}
    had = visit.told("bank.get_account", **account)["balance_cents"]
    paid = visit.told(
        "wallet.pay_person", card_id=card["card_id"], person_id="p009", amount_cents=999
    )
    assert visit.told("bank.get_account", **account)["balance_cents"] == had - 999
    assert visit.told("wallet.search_payments", person_id="p009") == [paid]
    assert money(visit) == before


def test_what_a_wallet_refuses(visit: Visit) -> None:
    card = visit.first("wallet.search_cards", query="household")
    pay: dict[str, Any] = {"card_id": card["card_id"], "person_id": "p009"}
    over = card["limit_cents"] + 1
    assert visit.refused("wallet.pay_person", **pay, amount_cents=over) == "unavailable"
    visit.told("wallet.update_card", card_id=card["card_id"], blocked=True)
    assert visit.refused("wallet.pay_person", **pay, amount_cents=1) == "unavailable"
    blocked = visit.first("wallet.search_cards", blocked=True)
    visit.told("wallet.update_card", card_id=blocked["card_id"], blocked=False)
    assert visit.refused("wallet.update_card", card_id=blocked["card_id"]) == "invalid_argument"
    saved = visit.first("bank.search_accounts", kind="savings")["bank_account_id"]
    assert (
        visit.refused("wallet.create_card", bank_account_id=saved, label="S", limit_cents=900)
        == "permission"
    )


def test_a_request_is_answered_once(visit: Visit) -> None:
    card = visit.first("wallet.search_cards", query="blue")["card_id"]
    mine, other = (
        visit.first("wallet.search_requests", direction=one, status="open")["money_request_id"]
        for one in ("asked_by_me", "asked_of_me")
    )
    assert visit.refused("wallet.pay_request", money_request_id=mine, card_id=card) == "permission"
    assert visit.refused("wallet.delete_request", money_request_id=other) == "permission"
    visit.told("wallet.pay_request", money_request_id=other, card_id=card)
    assert visit.refused("wallet.decline_request", money_request_id=other) == "conflict"
    visit.told("wallet.delete_request", money_request_id=mine)


def test_cities_are_those_of_people(visit: Visit) -> None:
    assert {city for (city,) in visit.cells("SELECT city FROM people")} == set(get_args(City))
