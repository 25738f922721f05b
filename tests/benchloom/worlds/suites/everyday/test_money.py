"""Check that bank and wallet keep the total amount of money and refuse unfunded payments."""

from typing import Any

from tests.benchloom.worlds.suites.everyday.support import Visit


def total_money(visit: Visit) -> int:
    """Return the money on all accounts after checking that balances match their transactions."""
    rows = visit.cells(
        "SELECT balance_cents, (SELECT sum(amount_cents) FROM bank_transactions AS t"
        " WHERE t.bank_account_id = a.bank_account_id) FROM bank_accounts AS a",
    )
    assert rows
    assert all(balance == (transactions or 0) and balance >= 0 for balance, transactions in rows)
    return sum(balance for balance, _ in rows)


def test_transfer_keeps_the_total_amount_of_money(visit: Visit) -> None:
    before = total_money(visit)
    source = visit.first("bank.search_accounts", query="every")
    payee = visit.call("bank.find_payee", person_id="p007")
    transfer = visit.call(
        "bank.transfer",
        bank_account_id=source["bank_account_id"],
        payee_account_id=payee["payee_account_id"],
        amount_cents=1234,
    )
    assert transfer["amount_cents"] == -1234
    after = visit.call("bank.get_account", bank_account_id=source["bank_account_id"])
    assert after["balance_cents"] == source["balance_cents"] - 1234
    assert total_money(visit) == before


def test_invalid_bank_calls_are_refused(visit: Visit) -> None:
    current = visit.first("bank.search_accounts", query="everyday")
    saved = visit.first("bank.search_accounts", kind="savings")
    other = visit.call("bank.find_payee", person_id="p002")["payee_account_id"]
    account_id, savings = current["bank_account_id"], saved["bank_account_id"]
    large: dict[str, Any] = {"payee_account_id": other, "amount_cents": 100_000_000}
    visit.refuses("unavailable", "bank.transfer", bank_account_id=account_id, **large)
    small: dict[str, Any] = {"payee_account_id": other, "amount_cents": 1}
    visit.refuses("permission", "bank.transfer", bank_account_id=savings, **small)
    visit.refuses("permission", "bank.transfer", bank_account_id=other, **small)
    visit.refuses(
        "invalid_argument",
        "bank.transfer",
        bank_account_id=account_id,
        payee_account_id=account_id,
        amount_cents=1,
    )
    visit.refuses(
        "invalid_argument",
        "bank.transfer",
        bank_account_id=account_id,
        payee_account_id=other,
        amount_cents=0,
    )
    visit.refuses("permission", "bank.get_account", bank_account_id=other)
    visit.refuses("conflict", "bank.delete_account", bank_account_id=savings)
    visit.refuses("not_found", "bank.find_payee", person_id="p999")
    visit.refuses("conflict", "bank.create_account", name=current["name"], kind="current")
    query = "SELECT transaction_id FROM bank_transactions WHERE bank_account_id = ?"
    transactions = visit.cells(query, other)
    visit.refuses("permission", "bank.get_transaction", transaction_id=transactions[0][0])


def test_bill_is_paid_only_once(visit: Visit) -> None:
    main = visit.first("bank.search_accounts", query="everyday")["bank_account_id"]
    bill = visit.first("bank.search_bills", paid=False)
    pay = {"bill_id": bill["bill_id"], "bank_account_id": main}
    before = total_money(visit)
    visit.call("bank.pay_bill", **pay)
    assert total_money(visit) == before - bill["amount_cents"]
    visit.refuses("conflict", "bank.pay_bill", **pay)
    large = visit.first("bank.search_bills", query="tax")["bill_id"]
    visit.refuses("unavailable", "bank.pay_bill", bill_id=large, bank_account_id=main)


def test_account_without_cards_can_be_closed(visit: Visit) -> None:
    account_id = visit.call("bank.create_account", name="Kayak", kind="current")["bank_account_id"]
    card = visit.call(
        "wallet.create_card", bank_account_id=account_id, label="Kayak", limit_cents=500
    )
    visit.refuses("conflict", "bank.delete_account", bank_account_id=account_id)
    visit.call("wallet.delete_card", card_id=card["card_id"])
    visit.call("bank.delete_account", bank_account_id=account_id)
    visit.refuses("not_found", "bank.get_account", bank_account_id=account_id)


def test_card_payment_reduces_the_account_balance(visit: Visit) -> None:
    before = total_money(visit)
    card, balance = visit.first("wallet.search_cards", query="blue"), visit.balance()
    payment = visit.call(
        "wallet.pay_person", card_id=card["card_id"], person_id="p009", amount_cents=999
    )
    assert visit.balance() == balance - 999
    assert visit.call("wallet.search_payments", person_id="p009") == [payment]
    assert total_money(visit) == before


def test_invalid_wallet_calls_are_refused(visit: Visit) -> None:
    card = visit.first("wallet.search_cards", query="household")
    pay: dict[str, Any] = {"card_id": card["card_id"], "person_id": "p009"}
    over = card["limit_cents"] + 1
    visit.refuses("unavailable", "wallet.pay_person", **pay, amount_cents=over)
    visit.call("wallet.update_card", card_id=card["card_id"], blocked=True)
    visit.refuses("unavailable", "wallet.pay_person", **pay, amount_cents=1)
    blocked = visit.first("wallet.search_cards", blocked=True)
    visit.call("wallet.update_card", card_id=blocked["card_id"], blocked=False)
    visit.refuses("invalid_argument", "wallet.update_card", card_id=blocked["card_id"])
    saved = visit.first("bank.search_accounts", kind="savings")["bank_account_id"]
    visit.refuses(
        "permission", "wallet.create_card", bank_account_id=saved, label="S", limit_cents=900
    )


def test_money_request_is_answered_only_once(visit: Visit) -> None:
    card = visit.first("wallet.search_cards", query="blue")["card_id"]
    sent_request, received_request = (
        visit.first("wallet.search_requests", direction=direction, status="open")[
            "money_request_id"
        ]
        for direction in ("asked_by_me", "asked_of_me")
    )
    visit.refuses("permission", "wallet.pay_request", money_request_id=sent_request, card_id=card)
    visit.refuses("permission", "wallet.delete_request", money_request_id=received_request)
    visit.call("wallet.pay_request", money_request_id=received_request, card_id=card)
    visit.refuses("conflict", "wallet.decline_request", money_request_id=received_request)
    visit.call("wallet.delete_request", money_request_id=sent_request)
