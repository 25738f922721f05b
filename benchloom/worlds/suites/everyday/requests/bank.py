"""Bank."""

from benchloom.worlds.suites.everyday.asking.draws import cents, quoted, words
from benchloom.worlds.suites.everyday.asking.wants import Named, Question, Requests, Want
from benchloom.worlds.suites.everyday.requests._things import (
    ACCOUNT,
    BILL,
    BILL_AMOUNT,
    OTHER_ACCOUNT,
    PAYEE,
    PERSON,
)

_MEMOS = quoted("Bread oven", "Concert", "Firewood", "Garden soil", "Lunch", "New keys", "Thanks")
REQUESTS = Requests(
    wants=(
        Want(
            tool="bank.transfer",
            text="transfer {amount_cents} from {bank_account_id} to {payee_account_id}",
            take={
                "bank_account_id": ACCOUNT,
                "payee_account_id": PAYEE,
                "amount_cents": cents(500, 9000),
            },
        ),
        Want(
            tool="bank.transfer",
            text="send {amount_cents} from {bank_account_id} to {payee_account_id} "
            "with the memo {memo}",
            take={
                "bank_account_id": ACCOUNT,
                "payee_account_id": PAYEE,
                "amount_cents": cents(500, 9000),
                "memo": _MEMOS,
            },
        ),
        Want(
            tool="bank.transfer",
            text="put {amount_cents} from {bank_account_id} into {payee_account_id}",
            take={
                "bank_account_id": ACCOUNT,
                "payee_account_id": OTHER_ACCOUNT,
                "amount_cents": cents(1000, 20000, 500),
            },
        ),
        Want(
            tool="bank.transfer",
            text="transfer {amount_cents} from {bank_account_id} to {payee_account_id}",
            take={
                "bank_account_id": ACCOUNT,
                "payee_account_id": PAYEE,
                "amount_cents": BILL_AMOUNT,
            },
        ),
        Want(
            tool="bank.transfer",
            text="transfer {amount_cents} from {bank_account_id} to {payee_account_id}",
            take={
                "bank_account_id": ACCOUNT,
                "payee_account_id": PAYEE,
                "amount_cents": cents(1000, 9000, 500),
            },
            first={"amount_cents": cents(900_000, 1_500_000, 10_000)},
            otherwise="if there is too little on it, make it {amount_cents}",
        ),
        Want(
            tool="bank.create_account",
            text="open a {kind} account called {name}",
            take={
                "kind": words("current", "savings"),
                "name": words("Boat", "Kitchen", "New roof", "Presents", "Studies", "Workshop"),
            },
            makes=("bank_account_id", "the new account"),
        ),
        Want(
            tool="bank.update_account",
            text="rename {bank_account_id} to {name}",
            take={
                "bank_account_id": ACCOUNT,
                "name": quoted("Autumn", "Holidays", "Joint costs", "Reserve", "Someday"),
            },
        ),
        Want(
            tool="bank.pay_bill",
            text="pay {bill_id} from {bank_account_id}",
            take={"bill_id": BILL, "bank_account_id": ACCOUNT},
        ),
        Want(
            tool="bank.pay_bill",
            text="pay {bill_id} from {bank_account_id}",
            take={"bill_id": BILL, "bank_account_id": ACCOUNT},
            first={"bank_account_id": OTHER_ACCOUNT},
            otherwise="if that account cannot, pay it from {bank_account_id}",
        ),
    ),
    questions=(
        Question(
            text="tell me how much is on {it}",
            about=Named(
                tool="bank.search_accounts",
                query="query",
                name="name",
                field="balance_cents",
                text="my {name} account",
            ),
        ),
        Question(
            text="tell me when {it} is due",
            about=Named(
                tool="bank.search_bills",
                query="query",
                name="biller",
                field="due_date",
                by=BILL.by,
                text="the {paid} bill of {name}",
            ),
        ),
        Question(
            text="tell me how much {it}",
            about=Named(
                tool="bank.search_bills",
                query="query",
                name="biller",
                field="amount_cents",
                by=BILL.by,
                text="the {paid} bill of {name} comes to",
            ),
        ),
        Question(
            text="tell me the id of the account that {it} is paid into",
            about=Named(
                tool="bank.find_payee",
                by={"person_id": PERSON},
                field="payee_account_id",
                text="{person_id}",
                one=True,
            ),
        ),
    ),
)
