"""Check that rules of policies are evaluated as predicates on calls."""

import pytest

from benchloom.core.records.values import Plain
from benchloom.worlds.everyday import everyday
from benchloom.worlds.proofs.declining.policies import broken_rules
from benchloom.worlds.session import Session
from benchloom.worlds.task import PlannedCall, Rule, RuleTest

CALL = PlannedCall("alarms.create_alarm", {"time": "07:05", "label": "2027-03-20"})


@pytest.mark.parametrize(
    ("argument", "test", "value", "holds"),
    [
        ("time", "between", ["07:00", "07:05"], True),
        ("time", "between", ["07:06", "08:00"], False),
        ("time", "at_most", "07:04", False),
        ("time", "at_least", "07:05", True),
        ("label", "not_weekday", ["Saturday"], False),
        ("label", "not_weekday", ["Friday", "Sunday"], True),
        ("time", "none_of", ["07:05"], False),
        ("absent", "at_most", 3, True),
        ("", "said", "I confirm", True),
        ("", "said", "go ahead", False),
    ],
)
def test_rule_holds_or_is_broken_by_a_call(
    argument: str, test: RuleTest, value: Plain, *, holds: bool
) -> None:
    rule = Rule("A rule.", "alarms.create_alarm", argument, test, value)
    other = Rule("Another.", "alarms.delete_alarm", argument, test, value)
    turns = ("I say that I will go ahead.", "Yes, I confirm.")
    with Session(everyday()) as session:
        before = session.digest()
        broken = broken_rules((other, rule), (CALL,), turns, session)
        assert broken == (() if holds else (rule,))
        assert session.digest() == before


def test_rule_can_test_a_cell_of_a_referenced_row() -> None:
    with Session(everyday()) as session:
        row = session.rows("bank_accounts")[0]
        call = PlannedCall("bank.transfer", {"bank_account_id": row["bank_account_id"]})
        for limit, broken in ((row["balance_cents"], 0), (int(row["balance_cents"] or 0) + 1, 1)):
            rule = Rule(
                text="A rule.",
                tool="bank.transfer",
                argument="bank_account_id",
                test="at_least",
                value=limit,
                column="bank_accounts.balance_cents",
            )
            assert len(broken_rules((rule,), (call,), (), session)) == broken
