"""The requests that users can make about bank accounts and bills, with their wording."""

from benchloom.worlds.requests.draws import cents, quoted, words
from benchloom.worlds.requests.wants import Policy, Question, Want, requests
from benchloom.worlds.suites.everyday.requests._limits import confirmed, up_to_crowns
from benchloom.worlds.suites.everyday.requests._objects import (
    ACCOUNT,
    BILL,
    BILL_AMOUNT,
    NAMED_OBJECTS,
    OTHER_ACCOUNT,
    PAYEE,
)

_MEMOS = quoted("Bread oven", "Concert", "Firewood", "Garden soil", "Lunch", "New keys", "Thanks")
REQUESTS = requests(
    usual=NAMED_OBJECTS,
    wants=(
        Want(
            "bank.transfer",
            "transfer {amount_cents} from {bank_account_id} to {payee_account_id}",
            {
                "bank_account_id": ACCOUNT,
                "payee_account_id": PAYEE,
                "amount_cents": cents(500, 9000),
            },
        ),
        Want(
            "bank.transfer",
            "send {amount_cents} from {bank_account_id} to {payee_account_id} with the memo {memo}",
            {
                "bank_account_id": ACCOUNT,
                "payee_account_id": PAYEE,
                "amount_cents": cents(500, 9000),
                "memo": _MEMOS,
            },
        ),
        Want(
            "bank.transfer",
            "put {amount_cents} from {bank_account_id} into {payee_account_id}",
            {
                "bank_account_id": ACCOUNT,
                "payee_account_id": OTHER_ACCOUNT,
                "amount_cents": cents(1000, 20000, 500),
            },
        ),
        Want(
            "bank.transfer",
            "transfer {amount_cents} from {bank_account_id} to {payee_account_id}",
            {"bank_account_id": ACCOUNT, "payee_account_id": PAYEE, "amount_cents": BILL_AMOUNT},
        ),
        Want(
            "bank.transfer",
            "transfer {amount_cents} from {bank_account_id} to {payee_account_id}",
            {
                "bank_account_id": ACCOUNT,
                "payee_account_id": PAYEE,
                "amount_cents": cents(30_000, 39_000, 1_000),
            },
            first={"amount_cents": cents(43_000, 60_000, 1_000)},
            otherwise="if there is too little on it, make it {amount_cents}",
        ),
        Want(
            "bank.create_account",
            "open a {kind} account called {name}",
            {
                "kind": words("current", "savings"),
                "name": words("Boat", "Garden", "Kitchen", "Studies", "Workshop"),
            },
            makes=("bank_account_id", "the new account"),
        ),
        Want(
            "bank.update_account",
            "rename {bank_account_id} to {name}",
            {
                "bank_account_id": ACCOUNT,
                "name": quoted("Emergencies", "Holidays", "House", "Joint costs", "Reserve"),
            },
        ),
        Want("bank.pay_bill", "pay {bill_id} from {bank_account_id}"),
        Want(
            "bank.pay_bill",
            "pay {bill_id} from {bank_account_id}",
            first={"bank_account_id": OTHER_ACCOUNT},
            otherwise="if that account cannot, pay it from {bank_account_id}",
        ),
    ),
    questions=(
        Question("tell me how much is on {it}", ACCOUNT.for_field("balance_cents")),
        Question("tell me when {it} is due", BILL.for_field("due_date")),
        Question(
            "tell me how much {it}",
            BILL.for_field("amount_cents", "the {paid} bill of {name} comes to"),
        ),
    ),
    policies=(
        Policy(
            "Never transfer more than {limit} at once.",
            "bank.transfer",
            "amount_cents",
            "at_most",
            up_to_crowns(10, 25, 50, 100, 250),
        ),
        Policy(
            "Transfer money only from accounts with at least {limit} on them.",
            "bank.transfer",
            "bank_account_id",
            "at_least",
            up_to_crowns(100, 500, 1000, 3000, 9000),
            "bank_accounts.balance_cents",
        ),
        confirmed("bank.transfer", "Transfer money"),
        confirmed("bank.pay_bill", "Pay a bill"),
        Policy(
            "Never pay a bill of more than {limit}.",
            "bank.pay_bill",
            "bill_id",
            "at_most",
            up_to_crowns(20, 40, 80, 160, 500),
            "bills.amount_cents",
        ),
    ),
)
